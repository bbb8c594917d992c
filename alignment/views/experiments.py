"""Experiments: the list, asking for one, its table, and where a training went wrong."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from alignment.models import Experiment, ExperimentCell
from alignment.services.experiment_errors import by_phenomenon, error_of, errors_of, kinds_of, worst_first
from alignment.services.experiment_tables import (
    FEW_PAIRS,
    NAMES,
    Line,
    RankedLine,
    Table as ResultTable,
    as_csv,
    as_latex,
    ranked,
    tables_of,
    training_set,
)
from alignment.services.experiments import MAX_PAIRWISE, SIGNIFICANT
from alignment.views.ladder import ladder
from annotation.models import Phenomenon
from annotation.permissions import check_see_gold
from annotation.presenters import percents
from jobs.views.removal import shown
from paragold.charts import Chart, Mark, ranked_chart
from paragold.metrics.error_rate import WORDS
from paragold.metrics.link_comparison import KINDS as ERROR_KINDS
from projects.downloads import attachment
from projects.errors import PublicError
from projects.models import Project
from projects.views.figures import page_with_figures
from projects.views.lists import Table, list_page
from projects.views.project_view import SAFE, project_view

FILES = {
    "csv": (as_csv, "text/csv; charset=utf-8", "csv"),
    "latex": (as_latex, "application/x-tex; charset=utf-8", "tex"),
}
KINDS_DEFINED = [(kind, *words) for kind, words in ERROR_KINDS.items()]


@project_view(check_see_gold, SAFE)
def experiments(request: HttpRequest, project: Project) -> HttpResponse:
    rows = shown(request, project.experiments.select_related("job", "created_by")).prefetch_related(
        "gold_sets", "rows__dataset"
    )
    table = Table(
        "Experiments",
        [
            (
                experiment,
                sorted({training_set(row) for row in experiment.rows.all() if row.dataset}),
            )
            for experiment in rows
        ],
        row="alignment/_experiment_row.html",
        columns=("Name", "Training sets", "Test sets", "Trainings", "Asked for", "State"),
        numbers=("Trainings",),
    )
    gold_links = project.gold_alignment_sets.current().exists()
    return list_page(request, "alignment/experiments.html", table, gold_links=gold_links)


def experiment_of(project: Project, pk: int) -> Experiment:
    return get_object_or_404(project.experiments.select_related("job", "created_by"), pk=pk)


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """What the page shows of one test set; `aer` is the chart that its table is drawn with."""

    table: ResultTable
    lines: list[tuple[RankedLine, Mark | None]]
    aer: Chart | None

    @property
    def scored(self) -> list[Line]:
        """The lines that are done, in the order of the table."""
        return [line.line for line, _ in self.lines if line.line.cell is not None]

    @property
    def compared(self) -> list[int]:
        """The cells of the two lowest AERs, to begin a comparison with; [] with fewer."""
        cells = [line.cell.pk for line in self.scored if line.cell is not None]
        return cells[:2] if len(cells) > 1 else []

    @property
    def few(self) -> bool:
        return int(self.table.gold_set.counts["pairs"]) < FEW_PAIRS


@project_view(check_see_gold, SAFE)
def experiment(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The tables, sorted by the AER of `?words=`; `?rates=1` and `?p=1` add columns."""
    made = experiment_of(project, pk)
    words = request.GET.get("words", "all")
    words = words if words in WORDS else "all"
    sets = [_test_set(table, words) for table in tables_of(made)]
    context = {
        "experiment": made,
        "job": made.job,
        "pairs_held_out": sum({row.dataset_id: row.pairs_held_out for row in made.rows.all()}.values()),
        "test_pairs_held_out": any(gold.counts.get("held_out") for gold in made.gold_sets.all()),
        "sets": sets,
        "words": words,
        "names": NAMES,
        "rates": bool(request.GET.get("rates")),
        "p": bool(request.GET.get("p")),
        "significant": SIGNIFICANT,
        "few_pairs": FEW_PAIRS,
        "max_pairwise": MAX_PAIRWISE,
        "kinds": KINDS_DEFINED,
    }
    figures = [gold.aer for gold in sets]
    return page_with_figures(request, "alignment/experiment.html", context, figures)


def _test_set(table: ResultTable, words: str) -> ScoredSet:
    lines = ranked(table, words)
    scored = [(ranked_line.aer, ranked_line) for ranked_line in lines if ranked_line.aer is not None]
    chart = ranked_chart(
        [
            (
                f"{ranked_line.line.training_set}, {ranked_line.line.row.aligner_label}"
                if ranked_line.line.row.dataset
                else ranked_line.line.row.aligner_label,
                100 * aer,
                percents(ranked_line.figures.scores["aer_interval"]) if ranked_line.figures else None,
                ranked_line is scored[0][1],
            )
            for aer, ranked_line in scored
        ],
        name=f"aer-{table.gold_set.pk}-{words}",
        title=f"Alignment error rate on {table.gold_set}, {NAMES[words].lower()}",
        x_axis="AER, %, with its 95 % bootstrap interval",
    )
    rows = [*(chart.row_marks if chart else []), *[None] * (len(lines) - len(scored))]
    return ScoredSet(
        table=table,
        lines=list(zip(lines, rows, strict=True)),
        aer=chart,
    )


@project_view(check_see_gold, SAFE, refused=("experiment", "pk"))
def table(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The tables as a file, in the `format` of the address: csv or latex."""
    made = experiment_of(project, pk)
    format_id = request.GET.get("format", "csv")
    if format_id not in FILES:
        raise PublicError(f"There is no format {format_id!r}; there are: {', '.join(FILES)}.")
    write, kind, ending = FILES[format_id]
    headers = attachment(f"{project.slug}-experiment-{made.pk}.{ending}", project)
    return HttpResponse(write(tables_of(made)), content_type=kind, headers=headers)


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
        "phenomena": [(Phenomenon(row.phenomenon).label, row) for row in by_phenomenon(chosen)],
        "kinds": KINDS_DEFINED,
        "chart": chart,
    }
    return page_with_figures(request, "alignment/experiment_cell.html", context, (chart,))


def kinds_figure(cell: ExperimentCell) -> Chart | None:
    """The share of each kind among the missing and among the false links of a training, with intervals."""
    ways = ("missing", "false")
    return ranked_chart(
        [
            (f"{kind['label']}: {way}", 100 * kind[f"{way}_share"], percents(kind[f"{way}_interval"]), False)
            for way in ways
            for kind in cell.errors
            if kind[f"{way}_share"] is not None
        ],
        name=f"kinds-{cell.pk}",
        title=f"Errors of {cell.row.aligner_label} on {cell.gold_set} by kind",
        x_axis="% of the missing or of the false links, with its 95 % bootstrap interval",
        digits=1,
    )


@project_view(check_see_gold, SAFE, refused=("experiment-cell", "pk"))
def pair(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Pair number `?pair=` of a test set: the gold links and those that the aligner drew."""
    chosen = cell_of(project, pk)
    error = error_of(chosen, request.GET.get("pair", "1"))
    source, target = error.gold.tokens
    drawing = ladder(source, target, error.rows())
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
        "source": " ".join(source),
        "target": " ".join(target),
    }
    return render(request, "alignment/experiment_pair.html", context)
