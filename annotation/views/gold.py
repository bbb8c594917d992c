"""Gold sets of judgements and of sub-clusters: freezing one, and reading one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from annotation.forms import RULES, FreezeForm, GoldSetForm, GoldSubclustersForm
from annotation.models import (
    IMPORTED,
    Batch,
    BatchKind,
    GoldJudgement,
    GoldSet,
    GoldSubclusters,
    GoldSubclusterSet,
    SubclusterRule,
)
from annotation.permissions import can_see_answers, check_see_gold
from annotation.presenters import coefficients, letter
from annotation.schemes import SCHEME_LABELS, Label
from annotation.services.batch_figures import BatchFigures, batch_figures
from annotation.services.dataset_figures import PrecisionReport, extraction_precision
from annotation.services.freezing import Forecast
from annotation.services.gold import (
    freeze_gold_set,
    freeze_gold_subclusters,
    gold_forecast,
    gold_jsonl,
    subclusters_forecast,
)
from annotation.services.progress import annotator_progress
from paragold.charts import Chart, ranked_chart
from projects.downloads import attachment
from projects.errors import PublicError
from projects.models import GoldRule, Project
from projects.permissions import check_manage
from projects.views.figures import page_with_figures
from projects.views.keyset import keyset_page
from projects.views.project_view import FORM, SAFE, project_view, submitted, user_of


def form_forecast(form: FreezeForm, compute: Callable[..., Forecast]) -> tuple[Forecast | None, str]:
    """The forecast for batch and rule, sent or preset, or the problem; neither if one is missing."""
    values: dict[str, Any] = {}
    for name in form.fields.keys() - {"name"}:
        field = form.fields[name]
        initial = form.get_initial_for_field(field, name)
        try:
            values[name] = field.clean(form[name].value() if form.is_bound else initial)
        except ValidationError:
            return None, ""
    try:
        return compute(**values), ""
    except PublicError as error:
        return None, str(error)


@project_view(check_manage, FORM)
def new_gold_set(request: HttpRequest, project: Project) -> HttpResponse:
    batches = list(Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE, trial=False))
    figures = batch_figures(request.user, project, batches)
    labels = {batch.pk: _how_far(batch, figures.get(batch.pk, BatchFigures())) for batch in batches}
    ready = [str(pk) for pk, row in sorted(figures.items()) if row.judged_by_all == row.items]
    initial = {"batches": request.GET.getlist("batch") or ready[-1:]}
    form = GoldSetForm(request.POST or None, project=project, labels=labels, initial=initial)
    return freezing_page(
        request, project, form, batches, freeze=freeze_gold_set, forecast=gold_forecast, thing="pair",
        template="annotation/gold_form.html", page="gold-set",
    )  # fmt: skip


def freezing_page(
    request: HttpRequest,
    project: Project,
    form: FreezeForm,
    batches: Sequence[Batch],
    *,
    freeze: Callable[..., Any],
    forecast: Callable[..., Forecast],
    thing: str,
    template: str,
    page: str,
) -> HttpResponse:
    """The form that freezes gold of any kind with its forecast, or, once frozen, the `page` of the set.

    `thing` is what the set holds, a "pair" or a "cluster"; its counts name it in the plural.
    """
    if "check" not in request.POST:
        made = submitted(form, lambda: freeze(project=project, by=user_of(request), **form.cleaned_data))
        if made is not None:
            held = made.counts[f"{thing}s"]
            if made.already_frozen:
                messages.info(
                    request, f"Nothing has changed since {made} was frozen: no new version was made."
                )
            else:
                things = f"{held:,} {thing}{'s' * (held != 1)}"
                messages.success(request, f"{made} is frozen with {things}.")
            return redirect(page, project.slug, made.pk)
    expected, problem = form_forecast(form, partial(forecast, project=project))
    context = {"form": form, "batches": batches, "forecast": expected, "problem": problem, "thing": thing}
    return render(request, template, context, status=422 if form.errors else 200)


def _how_far(batch: Batch, figures: BatchFigures) -> str:
    """The pairs of a batch, and how many of them are judged, disputed and undecided."""
    text = f"{batch.name}: {figures.judged_by_all:,} of {figures.items:,} pairs judged by all"
    if figures.disputed:
        text += f", {figures.disputed:,} disputed, {figures.undecided:,} of them undecided"
    return text


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


@project_view(check_manage, FORM)
def new_gold_subclusters(request: HttpRequest, project: Project) -> HttpResponse:
    form, batches = form_of_one_batch(GoldSubclustersForm, request, project)
    return freezing_page(
        request, project, form, batches, freeze=freeze_gold_subclusters, forecast=subclusters_forecast,
        thing="cluster", template="annotation/gold_subclusters_form.html", page="gold-subclusters",
    )  # fmt: skip


def form_of_one_batch(
    form: type[FreezeForm], request: HttpRequest, project: Project
) -> tuple[FreezeForm, list[Batch]]:
    """The form, sent or new, and the batches that it offers, each with how many answers are in."""
    batches = list(Batch.objects.current().filter(project=project, kind=form.kind))
    labels = {}
    for pk, people in annotator_progress(batches).items():
        done, total = sum(who.done for who in people), sum(who.total for who in people)
        labels[pk] = f"{done:,} of {total:,} answers are in"
    labels = {batch.pk: f"{batch.name}: {labels.get(batch.pk, '0 of 0 answers are in')}" for batch in batches}
    initial = {"batch": request.GET.get("batch") or (batches[0].pk if batches else None)}
    return form(request.POST or None, project=project, labels=labels, initial=initial), batches


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
