"""Gold sets of judgements and of sub-clusters: freezing one, and reading one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from annotation.forms import RULES
from annotation.models import (
    IMPORTED,
    GoldJudgement,
    GoldSet,
    GoldSubclusters,
    GoldSubclusterSet,
    SubclusterRule,
)
from annotation.permissions import can_see_answers, check_see_gold
from annotation.presenters import coefficients, letter
from annotation.schemes import SCHEME_LABELS, Label
from annotation.services.dataset_figures import PrecisionReport, extraction_precision
from annotation.services.gold import (
    gold_jsonl,
)
from paragold.charts import Chart, ranked_chart
from projects.downloads import attachment
from projects.models import GoldRule, Project
from projects.views.figures import page_with_figures
from projects.views.keyset import keyset_page
from projects.views.project_view import SAFE, project_view


@project_view(check_see_gold, SAFE)
def gold_set(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    gold_set = get_object_or_404(GoldSet, project=project, pk=pk)
    judgements = gold_set.judgements.select_related(
        "item__pair__cluster", "item__pair__sentence_a", "item__pair__sentence_b"
    )
    shown = request.GET.get("label", "")
    if shown in SCHEME_LABELS[gold_set.scheme]:
        judgements = judgements.filter(label=shown)
    page = keyset_page(judgements, request.GET, {"id": "pk"})
    precision = extraction_precision(gold_set)
    precision_chart = precision_figure(precision)
    context = {
        "gold_set": gold_set,
        "precision": precision,
        "label_names": [Label(label).label for label in precision.labels],
        "precision_chart": precision_chart,
        "rule": rule_words(gold_set.rule),
        "coefficients": coefficients(gold_set.agreement),
        "labels": [
            (name, Label(name).label, gold_set.counts.get(name, 0)) for name in SCHEME_LABELS[gold_set.scheme]
        ],
        "shown": shown,
        "paraphrases": gold_set.counts.get(Label.PARAPHRASE, 0),
        "link_batches": gold_set.link_batches.count(),
        "rows": [(gold, Label(gold.label).label, votes_of(gold)) for gold in page.rows],
        "page": page,
        "versions": project.gold_sets.filter(name=gold_set.name).exclude(pk=gold_set.pk).order_by("-version"),
        "sees_answers": can_see_answers(request.user, project),
    }
    return page_with_figures(request, "annotation/gold_set.html", context, [precision_chart])


def precision_figure(report: PrecisionReport) -> Chart | None:
    """The share of paraphrases in each dataset and among the pairs of each extraction, the highest first."""
    label = str(Label.PARAPHRASE)
    paraphrases = [
        (f"dataset {dataset.name}", shares[label]) for dataset, shares in report.datasets if label in shares
    ]
    paraphrases += [
        (f"extraction {extraction.name}", shares[label])
        for extraction, shares in report.extractions
        if label in shares
    ]
    scored = [
        (name, share["items"], 100 * share["value"], tuple(100 * end for end in share["interval"]))
        for name, share in paraphrases
        if share["items"]
    ]
    scored.sort(key=lambda row: -row[2])
    chart = ranked_chart(
        [(name, value, ends, not number) for number, (name, _, value, ends) in enumerate(scored)],
        name="precision",
        title="Share of paraphrases by dataset and extraction",
        x_axis="paraphrases, %, with the 95 % interval (Wilson)",
        digits=1,
    )
    if chart is None:
        return None
    return replace(
        chart,
        caption="Precision of each method, the highest first: how many of its pairs were judged paraphrases.",
        head=("Method", "Pairs judged", "Paraphrases, %"),
        rows=[
            (name, f"{items:,}", row["words"])
            for (name, items, *_), row in zip(scored, chart.row_marks, strict=True)
        ],
        text_columns=1,
    )


def rule_words(rule: str) -> str:
    """The rule that decided the labels, in a sentence."""
    if rule == IMPORTED:
        return "Imported: the labels came with a file and are final."
    return RULES[GoldRule(rule)]


def votes_of(gold: GoldJudgement) -> list[dict[str, Any]]:
    """The label of each annotator and the adjudicator's, with comments and flags."""
    votes = [
        vote
        | {
            "letter": letter(vote["annotator"]),
            "word": Label(vote["label"]).label if vote["label"] else "Skipped" if vote["skipped"] else "None",
        }
        for vote in gold.votes
    ]
    votes.sort(key=lambda vote: (len(vote["letter"]), vote["letter"]))
    if gold.adjudication:
        word = Label(gold.adjudication["label"]).label
        votes.append(gold.adjudication | {"letter": "Adjudicated", "word": word, "flagged": False})
    return votes


CLUSTERS_A_PAGE = 20


def short_rules(rows: list[GoldSubclusterSet]) -> list[tuple[GoldSubclusterSet, str]]:
    """Gold sub-clusters, each with the short name of its rule."""
    return [(gold_set, SubclusterRule(gold_set.rule).label.partition(":")[0]) for gold_set in rows]


@project_view(check_see_gold, SAFE)
def gold_subclusters(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    gold_set = _gold_set(project, pk)
    clusters = gold_set.clusters.select_related("item__cluster").prefetch_related("item__headlines__article")
    page = keyset_page(clusters, request.GET, {"id": "pk"}, size=CLUSTERS_A_PAGE)
    context = {
        "gold_set": gold_set,
        "rule": SubclusterRule(gold_set.rule).label,
        "rows": [_cluster_row(gold) for gold in page.rows],
        "page": page,
    }
    return render(request, "annotation/gold_subclusters.html", context)


def _cluster_row(gold: GoldSubclusters) -> dict[str, Any]:
    """The headlines of a cluster by group, those in none of them last; and each annotator's groups."""
    headlines = {headline.article.key: headline for headline in gold.item.headlines.all()}
    grouped = {key for group in gold.subclusters for key in group}
    versions = [
        version
        | {
            "letter": letter(version["annotator"]),
            "groups": [[headlines[key].number for key in group] for group in version["subclusters"]],
        }
        for version in gold.versions
    ]
    return {
        "gold": gold,
        "size": len(headlines),
        "groups": [[headlines[key] for key in group] for group in gold.subclusters],
        "none": [headline for key, headline in headlines.items() if key not in grouped],
        "versions": sorted(versions, key=lambda version: (len(version["letter"]), version["letter"])),
    }


@project_view(check_see_gold, SAFE)
def gold_subclusters_file(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """JSON Lines, one cluster per line: {"cluster_id", "subclusters"}. The same set, the same file."""
    gold_set = _gold_set(project, pk)
    filename = f"{project.slug}-subclusters-{gold_set.pk}-v{gold_set.version}.jsonl"
    return HttpResponse(
        gold_jsonl(gold_set),
        content_type="application/x-ndjson; charset=utf-8",
        headers=attachment(filename, project),
    )


def _gold_set(project: Project, pk: int) -> GoldSubclusterSet:
    return get_object_or_404(
        GoldSubclusterSet.objects.select_related("batch", "project"), project=project, pk=pk
    )
