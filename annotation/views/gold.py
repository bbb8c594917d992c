"""Gold sets of judgements and of sub-clusters: freezing one, and reading one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext, gettext_noop

from annotation.models import (
    GoldJudgement,
    GoldSet,
    GoldSubclusters,
    GoldSubclusterSet,
    SubclusterRule,
)
from annotation.permissions import can_see_answers, check_see_gold
from annotation.presenters import coefficients, letter, percents
from annotation.resources import rule_words
from annotation.schemes import SCHEME_LABELS, Label
from annotation.services.dataset_figures import extraction_precision, recall_estimates
from annotation.services.gold import (
    gold_jsonl,
)
from paragold.charts import Chart, ranked_chart
from projects.downloads import attachment
from projects.models import Project
from projects.reports import Asked, Report, report
from projects.views.keyset import keyset_page
from projects.views.project_view import SAFE, project_view


@report("annotation/gold_set.html", check_see_gold)
def gold_set(asked: Asked, pk: int) -> Report:
    """Share of each label among an extraction's pairs, and share of all paraphrases that it finds."""
    gold_set = get_object_or_404(GoldSet, project=asked.project, pk=pk)
    answer = extraction_precision(gold_set) | {"recall": recall_estimates(gold_set)}
    return Report(
        answer=answer,
        page=lambda: _gold_set_page(asked, gold_set, answer),
        figures=lambda context: [context["precision_chart"]],
        name=f"gold-{pk}-precision",
    )


def _gold_set_page(asked: Asked, gold_set: GoldSet, answer: Mapping[str, Any]) -> dict[str, Any]:
    judgements = gold_set.judgements.select_related(
        "item__pair__cluster", "item__pair__sentence_a", "item__pair__sentence_b"
    )
    query = asked.request.GET
    shown = query.get("label", "")
    if shown in SCHEME_LABELS[gold_set.scheme]:
        judgements = judgements.filter(label=shown)
    page = keyset_page(judgements, query, {"id": "pk"})
    names = [(name, Label(name).label) for name in SCHEME_LABELS[gold_set.scheme]]
    versions = asked.project.gold_sets.filter(name=gold_set.name).exclude(pk=gold_set.pk)
    batches = gold_set.batches.select_related("dataset").in_bulk([row["batch"] for row in answer["recall"]])
    return {
        "gold_set": gold_set,
        "recall_of": [(row, batches[row["batch"]]) for row in answer["recall"]],
        "label_names": [label for _, label in names],
        "precision_chart": precision_figure(answer),
        "shares": [(*map(gettext, words), answer[name]) for name, words in SHARES.items() if answer[name]],
        "rule": rule_words(gold_set.rule),
        "coefficients": coefficients(gold_set.agreement),
        "labels": [(name, label, gold_set.counts.get(name, 0)) for name, label in names],
        "shown": shown,
        "paraphrases": gold_set.counts.get(Label.PARAPHRASE, 0),
        "link_batches": gold_set.link_batches.count(),
        "rows": [(gold, gettext(Label(gold.label).label), votes_of(gold)) for gold in page.rows],
        "page": page,
        "versions": versions.order_by("-version"),
        "sees_answers": can_see_answers(asked.user, asked.project),
    }


SHARES = {
    "datasets": (gettext_noop("By dataset"), gettext_noop("Dataset")),
    "extractions": (gettext_noop("By extraction"), gettext_noop("Extraction")),
    "distances": (gettext_noop("By edit distance"), gettext_noop("Edit distance, words")),
}


def precision_figure(answer: Mapping[str, Any]) -> Chart | None:
    """The share of paraphrases in each dataset and among the pairs of each extraction, the highest first."""
    scored = [
        (f"{kind} {row['name']}", share)
        for kind in ("dataset", "extraction")
        for row in answer[f"{kind}s"]
        for share in row["shares"]
        if share["label"] == Label.PARAPHRASE and share["items"]
    ]
    scored.sort(key=lambda row: -row[1]["value"])
    chart = ranked_chart(
        [
            (name, 100 * share["value"], percents((share["low"], share["high"])), not number)
            for number, (name, share) in enumerate(scored)
        ],
        name="precision",
        title=gettext("Share of paraphrases by dataset and extraction"),
        x_axis=gettext("paraphrases, %, with the 95 % interval (Wilson)"),
        digits=1,
    )
    if chart is None:
        return None
    return replace(
        chart,
        caption=gettext(
            "Precision of each method, the highest first: how many of its pairs were judged paraphrases."
        ),
        head=(gettext("Method"), gettext("Pairs judged"), gettext("Paraphrases, %")),
        rows=[
            (name, f"{share['items']:,}", mark["words"])
            for (name, share), mark in zip(scored, chart.row_marks, strict=True)
        ],
        text_columns=1,
    )


def votes_of(gold: GoldJudgement) -> list[dict[str, Any]]:
    """The label of each annotator and the adjudicator's, with comments and flags."""
    votes = [
        vote
        | {
            "letter": letter(vote["annotator"]),
            "word": gettext(
                Label(vote["label"]).label if vote["label"] else "Skipped" if vote["skipped"] else "None"
            ),
        }
        for vote in gold.votes
    ]
    votes.sort(key=lambda vote: (len(vote["letter"]), vote["letter"]))
    if gold.adjudication:
        word = gettext(Label(gold.adjudication["label"]).label)
        votes.append(gold.adjudication | {"letter": gettext("Adjudicated"), "word": word, "flagged": False})
    return votes


CLUSTERS_A_PAGE = 20


@project_view(check_see_gold, SAFE)
def gold_subclusters(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    gold_set = _gold_set(project, pk)
    clusters = gold_set.clusters.select_related("item__cluster").prefetch_related("item__headlines__article")
    page = keyset_page(clusters, request.GET, {"id": "pk"}, size=CLUSTERS_A_PAGE)
    context = {
        "gold_set": gold_set,
        "rule": gettext(SubclusterRule(gold_set.rule).label),
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
