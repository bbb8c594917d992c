"""Classifiers: training one, its report, applying it to a dataset, and why a pair was decided as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_noop

from annotation.classifier_forms import ThresholdForm, free_dataset_name
from annotation.models import ClassifierRun, Item, PairScore, TrainedClassifier
from annotation.permissions import check_see_gold
from annotation.presenters import bare_percent as percent
from annotation.resources import CLASSIFIER_RUNS, CLASSIFIERS
from annotation.services.classifiers.applying import (
    freeze_at,
    project_yield,
    yields,
)
from annotation.services.classifiers.inspection import (
    audit_of,
    examples,
    explained_decision,
    labels_in_doubt,
    lost_classes,
    shown_figures,
)
from corpus.models import CandidatePair
from jobs.launch_form import LaunchForm
from paragold.charts import Chart, curve
from projects.api.serializers import LARGEST_ID
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import can_manage, check_manage
from projects.reports import Asked, Report, report
from projects.views.lists import list_response, table_of
from projects.views.project_view import FORM, SAFE, project_view, submitted

SHARES = (
    ("error", gettext_noop("Error")),
    ("f", "F"),
    ("precision", gettext_noop("Precision")),
    ("recall", gettext_noop("Recall")),
)
WEIGHTS_SHOWN = 15
# Of the steps measured these stand in the table of thresholds.
SHOWN_STEPS = tuple(round(0.1 * step, 1) for step in range(1, 10))


@project_view(check_see_gold, SAFE)
def classifiers(request: HttpRequest, project: Project) -> HttpResponseBase:
    trained = table_of(
        request, project, CLASSIFIERS, label=gettext("Trained"), heading=True, of="classifiers", folded=True
    )
    applied = table_of(
        request,
        project,
        CLASSIFIER_RUNS,
        label=gettext("Applied"),
        heading=True,
        of="classifier-runs",
        folded=True,
    )
    gold_sets = project.gold_sets.current().count()
    return list_response(
        request, project, "annotation/classifiers.html", trained, applied, gold_sets=gold_sets
    )


@report("annotation/classifier.html", check_see_gold)
def classifier(asked: Asked, pk: int) -> Report:
    """The figures, and gold labels that are improbable for a model not trained on the pair."""
    project = asked.project
    rows = project.classifiers.select_related("job", "gold_set", "lexicon").defer("model", "imported_pairs")
    classifier: TrainedClassifier = get_object_or_404(rows, pk=pk)
    figures, doubts = shown_figures(classifier), labels_in_doubt(classifier)

    def page() -> dict[str, Any]:
        context: dict[str, Any] = {"classifier": classifier, "job": classifier.job}
        if classifier.finished:
            lost = lost_classes(classifier)
            of = {"classifier": str(pk)}
            runs = table_of(asked.request, project, CLASSIFIER_RUNS, fixed={**of, "archived": "all"}, kept=of)
            doubtful = Item.objects.select_related("pair__sentence_a", "pair__sentence_b", "batch").in_bulk(
                [doubt["item"] for doubt in doubts]
            )
            context |= report_context(figures) | {
                "lost": lost,
                "doubted": [(doubt, doubtful[doubt["item"]]) for doubt in doubts],
                "runs": runs,
                "datasets": not lost and project.datasets.current().exists(),
            }
        return context

    return Report(
        answer={"figures": figures, "doubts": doubts},
        page=page,
        figures=lambda context: context.get("charts", ()),
        name=f"classifier-{pk}",
    )


def application_context(request: HttpRequest, form: LaunchForm) -> dict[str, Any]:
    """How many pairs of the chosen dataset each threshold would keep; the choices are those sent, or in the
    address."""
    classifier, dataset = form.chosen("classifier"), form.chosen("dataset")
    datasets = form.project.datasets.current()
    context: dict[str, Any] = {"classifier": classifier, "chosen": dataset, "datasets": datasets}
    if classifier is not None and dataset is not None and classifier.finished:
        context |= _projected(classifier, dataset)
    return context


def _projected(classifier: TrainedClassifier, dataset: Any) -> dict[str, Any]:
    try:
        kept, sample = project_yield(classifier, dataset, (None, *SHOWN_STEPS))
    except PublicError as error:
        return {"problem": str(error)}
    return {"rows": threshold_rows(classifier, kept), "sample": sample}


@project_view(check_see_gold, FORM)
def classifier_run(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    runs = ClassifierRun.objects.filter(classifier__project=project)
    run: ClassifierRun = get_object_or_404(runs.select_related("classifier", "dataset", "job"), pk=pk)
    initial = {"name": free_dataset_name(project, run), "threshold": run.threshold}
    form = ThresholdForm(request.POST or None, initial=initial)
    if request.method == "POST":
        check_manage(request.user, project)
        if dataset := submitted(form, lambda: freeze_at(run=run, **form.cleaned_data)):
            messages.success(request, gettext("The dataset %(name)s is frozen.") % {"name": dataset.name})
            return redirect("dataset", project.slug, dataset.pk)
    context: dict[str, Any] = {"run": run, "job": run.job, "classifier": run.classifier}
    if run.finished:
        context |= _results(run) | {"form": form if can_manage(request.user, project) else None}
    return render(request, "annotation/classifier_run.html", context, status=422 if form.errors else 200)


def _results(run: ClassifierRun) -> dict[str, Any]:
    kept = yields(run, (None, *SHOWN_STEPS))
    audit = audit_of(run)
    context: dict[str, Any] = {
        "total": run.job.counts.get("pairs", 0),
        "accepted": run.job.counts.get("accepted", 0),
        "refined": run.refined.all(),
        "rows": threshold_rows(run.classifier, kept),
        "audit": audit,
    }
    if audit:
        context["audit_rows"] = [
            (gettext("Precision"), audit["precision"]),
            (gettext("Recall"), audit["recall"]),
        ]
    try:
        context["groups"] = examples(run)
    except PublicError as error:
        context["problem"] = str(error)
    return context


class PairForm(forms.Form):
    pair = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)


@report("annotation/classifier_pair.html", check_see_gold, choices=lambda data, project: PairForm(data))
def classifier_pair(asked: Asked, pk: int) -> Report:
    """Every feature of the pair that `?pair=` names: its value, its weight, and what it adds."""
    classifier: TrainedClassifier = get_object_or_404(asked.project.classifiers, pk=pk)
    if not asked.request.GET.get("pair"):
        return Report(answer={"pair": None}, page=lambda: {"classifier": classifier})
    pairs = CandidatePair.objects.with_sentences().filter(project=asked.project)
    shown: CandidatePair = get_object_or_404(pairs, pk=asked.chosen.get("pair"))
    decision = submitted(asked.form, lambda: explained_decision(classifier, shown))

    def page() -> dict[str, Any]:
        for error in asked.form.non_field_errors():
            messages.error(asked.request, error)
        scores = PairScore.objects.filter(run__in=classifier.runs.all(), pair=shown)
        return {
            "classifier": classifier,
            "pair": shown,
            "scores": scores.select_related("run__dataset"),
        }

    answer = {"pair": shown.pk, **(decision or {})}
    return Report(answer=answer, page=page, name=f"classifier-{pk}-pair-{shown.pk}")


def report_context(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Tables and plots of a trained classifier's page."""
    weights = [(name, weight) for name, weight in figures["weights"] if weight]
    return {
        "divisions": _divisions(figures),
        "charts": [
            chart for chart in (_precision_recall(figures), _calibration(figures), _curve(figures)) if chart
        ],
        "shares": [words for _, words in SHARES],
        "raising": [weight for weight in weights if weight[1] > 0][:WEIGHTS_SHOWN],
        "lowering": [weight for weight in weights if weight[1] < 0][:WEIGHTS_SHOWN],
        "errors_by_c": [(f"{c:g}", percent(error)) for c, error in figures["errors_by_c"]],
        "thresholds": shown_steps(figures),
    }


def threshold_rows(
    classifier: TrainedClassifier, kept: Mapping[float | None, Any]
) -> list[tuple[Any, Any, Any]]:
    """What the sign of the decision and each step that is shown give on the labelled pairs, and keep.

    The last is how many of those are paraphrases, by the precision; None where that is undefined.
    """
    steps = {step["probability"]: step for step in shown_steps(classifier.figures)}
    shown = [(step, kept[probability]) for probability, step in steps.items()]
    return [(row, size, row["precision"] and round(size * row["precision"])) for row, size in shown]


def shown_steps(figures: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The sign of the decision, whose `probability` is None, and the thresholds that are shown."""
    measures = figures["measures"]
    kept = measures["true_positive"] + measures["false_positive"]
    sign = {"probability": None, "kept_share": kept / figures["pairs"], **measures}
    return [sign, *(step for step in figures["thresholds"] if step["probability"] in SHOWN_STEPS)]


def _divisions(figures: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Measures of cross-validation by cluster, and at random as the paper's may have been."""
    divisions = [(gettext("clusters whole"), figures["measures"])]
    if "measures" in (random := figures.get("random_folds", {})):
        divisions.append((gettext("at random"), random["measures"]))
    return divisions


def _figure(chart: Chart | None, caption: str, head: Sequence[str], rows: Any) -> Chart | None:
    return replace(chart, caption=caption, head=head, rows=list(rows)) if chart else None


def _precision_recall(figures: Mapping[str, Any]) -> Chart | None:
    steps = [step for step in figures["thresholds"] if step["kept_share"]]
    drawn = curve(
        [
            (step["recall"], step["precision"], f"from {step['probability']} on")
            for step in sorted(steps, key=lambda step: (step["recall"], -step["probability"]))
        ],
        name="precision-recall",
        title=gettext("Precision and recall by threshold"),
        x_axis=gettext("recall, %"),
        y_axis=gettext("precision, %"),
        dots=False,
    )
    shares = ("precision", "recall", "f")
    rows = ((step["probability"], *(percent(step[name]) for name in shares)) for step in steps)
    caption = gettext("Each point is a threshold of the probability, on held-out pairs.")
    return _figure(
        drawn,
        caption,
        (gettext("Threshold"), gettext("Precision, %"), gettext("Recall, %"), "F, %"),
        rows,
    )


def _calibration(figures: Mapping[str, Any]) -> Chart | None:
    bins = figures["calibration"]["bins"]
    drawn = curve(
        [(part["mean_probability"], part["share_positive"], f"{part['count']} pairs") for part in bins],
        name="calibration",
        title=gettext("Calibration: predicted and observed share of paraphrases"),
        x_axis=gettext("mean probability, %"),
        y_axis=gettext("share of paraphrases, %"),
        diagonal=True,
    )
    rows = (
        (part["count"], percent(part["mean_probability"]), percent(part["share_positive"])) for part in bins
    )
    calibration = figures["calibration"]
    caption = gettext(
        "Exact probabilities would lie on the straight line. Brier score %(brier).3f, expected "
        "error %(error)s percentage points."
    ) % {"brier": calibration["brier"], "error": percent(calibration["expected_error"])}
    return _figure(
        drawn, caption, (gettext("Pairs"), gettext("Mean probability, %"), gettext("Paraphrases, %")), rows
    )


def _curve(figures: Mapping[str, Any]) -> Chart | None:
    points = [point for point in figures.get("curve", []) if "measures" in point]
    worst = max((point["measures"]["error"] for point in points), default=0.0)
    drawn = curve(
        [(point["pairs"], point["measures"]["error"], f"{point['pairs']:,} pairs") for point in points],
        name="learning-curve",
        title=gettext("Learning curve"),
        x_axis=gettext("pairs trained on"),
        y_axis=gettext("error, %"),
        x_range=(0, max((point["pairs"] for point in points), default=1)),
        y_range=(0, next((top for top in (0.2, 0.4, 0.6) if worst <= top), 1.0)),
        x_whole=True,
    )
    rows = (
        (f"{point['pairs']:,}", *(percent(point["measures"][name]) for name in ("error", "f")))
        for point in points
    )
    caption = gettext("Where the line is level, more pairs of this kind would change little.")
    return _figure(drawn, caption, (gettext("Pairs"), gettext("Error, %"), "F, %"), rows)
