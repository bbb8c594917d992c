"""Experiments: the table of one, and where a training went wrong."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext, gettext_noop

from alignment.models import Experiment, ExperimentCell
from alignment.services.experiment_errors import by_phenomenon, error_of, errors_of, kinds_of, worst_first
from alignment.services.experiment_tables import (
    FEW_PAIRS,
    NAMES,
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
from corpus.models import CandidatePair
from paragold.charts import Chart, ranked_chart
from paragold.metrics.link_comparison import KINDS as ERROR_KINDS
from projects.models import Project
from projects.reports import Asked, Report, report
from projects.views.project_view import SAFE, project_view

KINDS_DEFINED = [(kind, *words) for kind, words in ERROR_KINDS.items()]


def experiment_of(project: Project, pk: int) -> Experiment:
    return get_object_or_404(project.experiments.select_related("job", "created_by"), pk=pk)


class ExperimentForm(forms.Form):
    """By which words the table is sorted, and which columns it has besides."""

    words = forms.ChoiceField(choices=NAMES.items(), required=False)
    rates = forms.BooleanField(required=False)
    p = forms.BooleanField(required=False)


@report("alignment/experiment.html", check_see_gold, choices=lambda data, project: ExperimentForm(data))
def experiment(asked: Asked, pk: int) -> Report:
    """The tables, sorted by the AER of `?words=`; `?rates=1` and `?p=1` add columns."""
    made = experiment_of(asked.project, pk)
    tables = tables_of(made)

    def page() -> dict[str, Any]:
        words = asked.chosen.get("words", "all")
        trained = list(made.rows.prefetch_related("other_gold"))
        return {
            "experiment": made,
            "job": made.job,
            "pairs_held_out": sum({row.dataset_id: row.pairs_held_out for row in trained}.values()),
            "test_pairs_held_out": any(gold.counts.get("held_out") for gold in made.gold_sets.all()),
            "sets": [_test_set(table, words) for table in tables],
            "transfers": [
                (row.aligner_label, training_set(row), text)
                for row in trained
                for text in row.transfers_in_words
            ],
            "words": words,
            "names": NAMES,
            "rates": asked.chosen.get("rates"),
            "p": asked.chosen.get("p"),
            "significant": SIGNIFICANT,
            "few_pairs": FEW_PAIRS,
            "max_pairwise": MAX_PAIRWISE,
            "kinds": KINDS_DEFINED,
        }

    return Report(
        answer={"experiment": made.pk, "tables": tables},
        page=page,
        figures=lambda context: [shown["aer"] for shown in context["sets"]],
        name=f"experiment-{pk}",
        files={"csv": lambda: as_csv(tables), "tex": lambda: as_latex(tables)},
    )


def _test_set(table: dict[str, Any], words: str) -> dict[str, Any]:
    """What the page shows of one test set: `lines` in the order of their AER, each with what the chart `aer`
    draws of it, and the cells of the two lowest AERs, to begin a comparison with."""
    rows = ranked(table["rows"], words)
    scored = [(row, scores) for row, scores, _ in rows if scores.get("aer") is not None]
    chart = ranked_chart(
        [
            (
                f"{row['training_set']}, {row['label']}" if row["dataset"] else row["label"],
                100 * scores["aer"],
                percents(scores["aer_interval"]),
                not number,
            )
            for number, (row, scores) in enumerate(scored)
        ],
        name=f"aer-{table['gold_set']}-{words}",
        title=gettext("Alignment error rate on %(name)s, %(words)s")
        % {"name": table["name"], "words": gettext(NAMES[words]).lower()},
        x_axis=gettext("AER, %, with its 95 % bootstrap interval"),
    )
    marks = [*(chart.row_marks if chart else []), *[None] * (len(rows) - len(scored))]
    done = [row for row, *_ in rows if row["cell"]]
    return {
        "table": table,
        "lines": [(*row, mark) for row, mark in zip(rows, marks, strict=True)],
        "aer": chart,
        "scored": done,
        "compared": [row["cell"] for row in done[:2]] if len(done) > 1 else [],
        "few": int(table["pairs"]) < FEW_PAIRS,
    }


WORST_SHOWN = 50
WORDS_SHOWN = 8
KINDS = {
    "right": gettext_noop("right"),
    "possible": gettext_noop("drawn and possible"),
    "missing": gettext_noop("missing: sure, not drawn"),
    "false": gettext_noop("false: drawn, not possible"),
}


def cell_of(project: Project, pk: int) -> ExperimentCell:
    rows = ExperimentCell.objects.select_related(
        "row__experiment", "row__dataset", "row__taught_by", "gold_set"
    )
    return get_object_or_404(rows, row__experiment__in=project.experiments.all(), pk=pk)


@report("alignment/experiment_cell.html", check_see_gold)
def cell(asked: Asked, pk: int) -> Report:
    """The errors of one training on one test set: its pairs with a missing or false link, worst first."""
    chosen = cell_of(asked.project, pk)
    pairs = errors_of(chosen)
    worst = worst_first(pairs)
    phenomena = by_phenomenon(chosen)

    def page() -> dict[str, Any]:
        return {
            "cell": chosen,
            "experiment": chosen.row.experiment,
            "training_set": training_set(chosen.row),
            "scores": [(name, chosen.scores[words]) for words, name in NAMES.items()],
            "total": len(pairs),
            "wrong": len(worst),
            "missing": sum(len(pair.missing) for pair in pairs),
            "false": sum(len(pair.false) for pair in pairs),
            "worst": worst[:WORST_SHOWN],
            "words_shown": WORDS_SHOWN,
            "by_phenomenon": [(Phenomenon(row["phenomenon"]).label, row) for row in phenomena],
            "kinds": KINDS_DEFINED,
            "chart": kinds_figure(chosen),
        }

    rows = [
        {"number": pair.number, "pair": pair.pair_id, "missing": pair.missing, "false": pair.false}
        | {"reasons": pair.reasons}
        for pair in worst
    ]
    return Report(
        answer={"pairs": rows, "phenomena": phenomena},
        page=page,
        figures=lambda context: [context["chart"]],
        name=f"errors-{pk}",
    )


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
        title=gettext("Errors of %(aligner)s on %(gold_set)s by kind")
        % {"aligner": cell.row.aligner_label, "gold_set": cell.gold_set},
        x_axis=gettext("% of the missing or of the false links, with its 95 % bootstrap interval"),
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
        "pair": CandidatePair.objects.with_sentences().get(pk=error.pair_id),
    }
    return render(request, "alignment/experiment_pair.html", context)
