"""Experiments: the list, asking for one, its table, and where a training went wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from alignment.aligner_forms import ClimbForm, ExperimentForm
from alignment.models import Experiment, ExperimentCell
from alignment.services.climbs import CLIMBED, Best, best_of, climb_cost, climb_curves, launch_climb
from alignment.services.experiment_errors import by_phenomenon, error_of, errors_of, worst_first
from alignment.services.experiment_tables import (
    NAMES,
    SIGNIFICANT,
    Points,
    as_csv,
    as_latex,
    curves_of,
    tables_of,
    training_set,
)
from alignment.services.experiments import launch_experiment
from alignment.services.replications import TABLES, launch_replication, replication
from annotation.models import Phenomenon
from annotation.permissions import check_see_gold
from annotation.views.batches import SAFE_AND_POST
from jobs.views.removal import shown
from paragold.charts import Value, line_chart
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.lists import Table, list_page
from projects.views.project_view import project_view, submitted, tell, user_of

from .ladder import ladder

FILES = {
    "csv": (as_csv, "text/csv; charset=utf-8", "csv"),
    "latex": (as_latex, "application/x-tex; charset=utf-8", "tex"),
}
CLIMB_PLOTS = {
    "all": ("Alignment error rate of all words by value", "AER of all words, %"),
    "non_identical": (
        "Alignment error rate of non-identical words by value",
        "AER of non-identical words, %",
    ),
    "pairs": ("Yield by value", "pairs found"),
}
WORST_SHOWN = 50
WORDS_SHOWN = 8
KINDS = {
    "right": "right",
    "possible": "drawn and possible",
    "missing": "missing: sure, not drawn",
    "false": "false: drawn, not possible",
}


@require_safe
@project_view(check_see_gold)
def experiments(request: HttpRequest, project: Project) -> HttpResponse:
    rows = shown(request, project.experiments.select_related("job", "created_by")).prefetch_related(
        "gold_sets", "rows__dataset"
    )
    table = Table(
        "Experiments",
        [
            (one, sorted({training_set(row) for row in one.rows.all() if row.dataset or row.extraction}))
            for one in rows
        ],
        row="alignment/_experiment_row.html",
        columns=("Name", "Training sets", "Test sets", "Trainings", "Asked for", "State"),
        numbers=("Trainings",),
    )
    gold_links = project.gold_alignment_sets.current().exists()
    return list_page(request, "alignment/experiments.html", table, gold_links=gold_links)


@require_http_methods(SAFE_AND_POST)
@project_view(check_manage)
def new_experiment(request: HttpRequest, project: Project) -> HttpResponse:
    by, table = user_of(request), request.POST.get("replicate", "")
    if table:
        try:
            replicated = launch_replication(project=project, by=by, table=table)
        except PublicError as error:
            tell(request, error)
            return redirect("experiment-new", project.slug)
        return redirect("experiment", project.slug, replicated.pk)
    form = ExperimentForm(request.POST or None, project=project)
    if made := submitted(form, lambda: launch_experiment(project=project, by=by, **form.asked())):
        return redirect("experiment", project.slug, made.pk)
    context = {
        "form": form,
        "gold_links": project.gold_alignment_sets.current().exists(),
        "replications": [replication(project, table) for table in TABLES],
    }
    return render(request, "alignment/experiment_form.html", context, status=422 if form.errors else 200)


@require_http_methods(SAFE_AND_POST)
@project_view(check_manage)
def new_climb(request: HttpRequest, project: Project) -> HttpResponse:
    """Ask for a climb of extraction thresholds: first what it costs, then the climb itself (`launch`)."""
    by, launch = user_of(request), "launch" in request.POST
    form = ClimbForm(request.POST or None, project=project)
    cost = None
    if launch:
        if made := submitted(form, lambda: launch_climb(project=project, by=by, **form.asked())):
            return redirect("experiment", project.slug, made.pk)
    else:
        cost = submitted(form, lambda: climb_cost(project=project, **form.asked()))
    context = {
        "form": form,
        "cost": cost,
        "gold_links": project.gold_alignment_sets.current().exists(),
    }
    return render(request, "alignment/climb_form.html", context, status=422 if form.errors else 200)


def found(project: Project, pk: int) -> Experiment:
    return get_object_or_404(project.experiments.select_related("job", "created_by"), pk=pk)


def found_cell(project: Project, pk: int) -> ExperimentCell:
    rows = ExperimentCell.objects.select_related(
        "row__experiment", "row__dataset", "row__taught_by", "gold_set"
    )
    return get_object_or_404(rows, row__experiment__project=project, pk=pk)


@require_safe
@project_view(check_see_gold)
def experiment(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    made = found(project, pk)
    context = {
        "experiment": made,
        "job": made.job,
        "tables": [
            (
                table,
                [
                    _plot(f"curve-{table.gold_set.pk}-{number}", aligner, lines)
                    for number, (aligner, lines) in enumerate(curves_of(table).items())
                ],
                bests,
                [
                    plot
                    for words in CLIMB_PLOTS
                    if (plot := _climb_plot(table.gold_set.pk, words, bests, curves.get(words)))
                ],
            )
            for table in tables_of(made)
            for bests, curves in [(best_of(table, made.comparisons), climb_curves(table))]
        ],
        "climb": next((row.extraction["varied"][0] for row in made.rows.all() if row.extraction), ""),
        "names": NAMES.values(),
        "significant": SIGNIFICANT,
    }
    return render(request, "alignment/experiment.html", context)


def _plot(name: str, aligner: str, lines: dict[str, Points]) -> dict[str, Any]:
    """A learning curve as a plot, in percent, and as rows."""
    # Bands over bands hide the lines.
    banded = len(lines) == 1
    plot = line_chart(
        [
            (
                dataset,
                [
                    Value(pairs, 100 * aer, _percents(interval) if banded else None)
                    for pairs, aer, interval in points
                ],
            )
            for dataset, points in lines.items()
        ],
        x_ticks=sorted({pairs for points in lines.values() for pairs, _, _ in points}),
        describe=lambda dataset, value: f"{dataset}, {value.x:,.0f} pairs: AER {value.y:.2f} %",
        place=math.log,
        named=True,
    )
    return {"name": name, "aligner": aligner, "plot": plot, "banded": banded, "lines": lines}


def _climb_plot(
    pk: int,
    words: str,
    bests: Sequence[Best],
    lines: dict[str, list[tuple[float, float, Any]]] | None,
) -> dict[str, Any] | None:
    """A plot of a climb by the values of its first parameter; None where there is nothing to draw."""
    if not lines or max(map(len, lines.values())) < 2:
        return None
    title, y_axis = CLIMB_PLOTS[words]
    scale = 1 if words == "pairs" else 100

    def value(x: float, y: float, ends: Any) -> Value:
        # Bands over bands hide the lines.
        banded = ends and len(lines or ()) == 1
        return Value(x, scale * y, (scale * ends[0], scale * ends[1]) if banded else None)

    def describe(name: str, value: Value) -> str:
        return f"{name}: {value.x:g}, {value.y:,.{0 if scale == 1 else 2}f}"

    values = [(name, [value(*point) for point in points]) for name, points in lines.items()]
    best = next((one for one in bests if one.words == CLIMBED.get(words)), None)
    marked = describe(best.place[0], value(best.place[1], best.aer, None)) if best and best.place else ""
    return {
        "name": f"climb-{pk}-{words}",
        "title": title,
        "y_axis": y_axis,
        "marked": marked,
        "plot": line_chart(
            values,
            x_ticks=sorted({x for points in lines.values() for x, _, _ in points}),
            describe=describe,
            named=True,
        ),
    }


def _percents(interval: list[float] | None) -> tuple[float, float] | None:
    return (100 * interval[0], 100 * interval[1]) if interval else None


@require_safe
@project_view(check_see_gold)
def table(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The tables as a file, in the `format` of the address: csv or latex."""
    made = found(project, pk)
    wanted = request.GET.get("format", "csv")
    if wanted not in FILES:
        tell(request, PublicError(f"There is no format {wanted!r}; there are: {', '.join(FILES)}."))
        return redirect("experiment", project.slug, pk)
    write, kind, ending = FILES[wanted]
    disposition = f'attachment; filename="{project.slug}-experiment-{made.pk}.{ending}"'
    return HttpResponse(
        write(tables_of(made)), content_type=kind, headers={"Content-Disposition": disposition}
    )


@require_safe
@project_view(check_see_gold)
def cell(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The errors of one training on one test set."""
    chosen = found_cell(project, pk)
    pairs = errors_of(chosen)
    worst = worst_first(pairs)
    context = {
        "cell": chosen,
        "experiment": chosen.row.experiment,
        "training_set": training_set(chosen.row),
        "scores": [(name, chosen.scores[words]) for words, name in NAMES.items()],
        "pairs": len(pairs),
        "wrong": len(worst),
        "missing": sum(len(pair.missing) for pair in pairs),
        "false": sum(len(pair.false) for pair in pairs),
        "worst": worst[:WORST_SHOWN],
        "words_shown": WORDS_SHOWN,
        "phenomena": [(Phenomenon(one.phenomenon).label, one) for one in by_phenomenon(chosen)],
    }
    return render(request, "alignment/experiment_cell.html", context)


@require_safe
@project_view(check_see_gold)
def pair(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Pair number `?pair=` of a test set: the gold links and those that the aligner drew."""
    chosen = found_cell(project, pk)
    try:
        error = error_of(chosen, request.GET.get("pair", "1"))
    except PublicError as problem:
        tell(request, problem)
        return redirect("experiment-cell", project.slug, pk)
    tokens = error.gold.tokens
    context = {
        "cell": chosen,
        "experiment": chosen.row.experiment,
        "training_set": training_set(chosen.row),
        "error": error,
        "drawing": ladder(tokens.source, tokens.target, error.rows()),
        "kinds": KINDS.items(),
        "source": " ".join(tokens.source),
        "target": " ".join(tokens.target),
    }
    return render(request, "alignment/experiment_pair.html", context)
