"""Where a training of an experiment went wrong on a test set: errors by kind, the worst pairs, one pair."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from alignment.models import ExperimentCell
from alignment.services.experiment_errors import by_phenomenon, error_of, errors_of, kinds_of, worst_first
from alignment.services.experiment_tables import NAMES, training_set
from annotation.models import Phenomenon
from annotation.permissions import check_see_gold
from annotation.presenters import percents
from paragold.charts import Figure, ranked_chart
from projects.models import Project
from projects.views.figures import page_with_figures
from projects.views.project_view import SAFE, project_view

from .experiments import KINDS_DEFINED
from .ladder import ladder

WORST_SHOWN = 50
WORDS_SHOWN = 8
KINDS = {
    "right": "right",
    "possible": "drawn and possible",
    "missing": "missing: sure, not drawn",
    "false": "false: drawn, not possible",
}


def cell_of(project: Project, pk: int) -> ExperimentCell:
    rows = ExperimentCell.objects.select_related(
        "row__experiment", "row__dataset", "row__taught_by", "gold_set"
    )
    return get_object_or_404(rows, row__experiment__project=project, pk=pk)


@project_view(check_see_gold, SAFE)
def cell(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The errors of one training on one test set."""
    chosen = cell_of(project, pk)
    pairs = errors_of(chosen)
    worst = worst_first(pairs)
    chart = kinds_figure(chosen)
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
        "kinds": KINDS_DEFINED,
        "chart": chart,
    }
    return page_with_figures(request, "alignment/experiment_cell.html", context, (chart,))


def kinds_figure(cell: ExperimentCell) -> Figure | None:
    """The share of each kind among the missing and among the false links of a training, with intervals."""
    ways = ("missing", "false")
    chart = ranked_chart(
        [
            (f"{kind['label']}: {way}", 100 * kind[f"{way}_share"], percents(kind[f"{way}_interval"]), False)
            for way in ways
            for kind in cell.errors
            if kind[f"{way}_share"] is not None
        ],
        name=f"kinds-{cell.pk}",
        title=f"Errors of {cell.row.aligner_label} on {cell.gold_set} by kind",
        axis="% of the missing or of the false links, with its 95 % bootstrap interval",
        digits=1,
    )
    return Figure(chart=chart) if chart else None


@project_view(check_see_gold, SAFE, refused=("experiment-cell", "pk"))
def pair(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Pair number `?pair=` of a test set: the gold links and those that the aligner drew."""
    chosen = cell_of(project, pk)
    error = error_of(chosen, request.GET.get("pair", "1"))
    tokens = error.gold.tokens
    drawing = ladder(tokens.source, tokens.target, error.rows())
    labels = kinds_of(error, project.language)
    context = {
        "cell": chosen,
        "experiment": chosen.row.experiment,
        "training_set": training_set(chosen.row),
        "error": error,
        "drawing": drawing,
        "links": [
            (link, labels.get((link.a, link.b), ""), error.reasons.get(f"{link.a}-{link.b}", ""))
            for link in drawing.links
        ],
        "kinds": KINDS.items(),
        "source": " ".join(tokens.source),
        "target": " ".join(tokens.target),
    }
    return render(request, "alignment/experiment_pair.html", context)
