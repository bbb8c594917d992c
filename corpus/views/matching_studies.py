"""Studies of matching against an answer key: launched, followed, shown as plots and tables, downloaded."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from corpus.forms import ENCODINGS
from corpus.models import MatchingStudy
from corpus.services.matching_studies import NOT_OF_A_STUDY, launch_study, maximum_cost, study_cost
from corpus.services.uploads import lines_of, on_disk
from jobs.forms import check_confirmed
from jobs.views.removal import shown
from paragold.charts import Figure, xy_chart
from paragold.formats.tables import CSV_START, csv_lines
from paragold.matching.settings import MatchingSpec
from paragold.matching.study import PERMUTATIONS, method_label, tables
from paragold.spec import Spec
from projects.downloads import attachment
from projects.forms.spec_form import SpecForm
from projects.models import Project
from projects.permissions import check_manage, check_read_corpus
from projects.views.figures import page_with_figures, svg_file
from projects.views.lists import Table, list_page
from projects.views.project_view import SAFE, project_view, user_of

from .charts import percent
from .uploads import SizeLimit, bounded_upload, submitted_files

# Places of the columns in a row of a curve: threshold, proposed, right, precision, recall, F.
PRECISION, RECALL, F = 3, 4, 5
# The CSV has all of them.
POINTS_SHOWN = 200
HEAD = (
    *("Method", "Best F", "Precision", "Recall", "Best F over rows"),
    *("Best F, one partner", "Precision at 0.33, one partner"),
)


def quality_figures(figures: dict[str, Any]) -> list[Figure]:
    """For each method F, precision and recall by threshold (figures 6 to 9)."""
    return [
        Figure(
            chart=xy_chart(
                name=f"quality-{method}",
                title=f"F, precision and recall by threshold, {method_label(method)}",
                axes=("threshold", f"%, {method_label(method)}"),
                ranges=((0.0, 1.0), (0.0, 1.0)),
                numbers=(lambda value: f"{value:.1f}", percent),
                lines=[
                    (label, style, [(row[0], row[column]) for row in of_method["curve"]])
                    for label, style, column in (
                        ("F", "", F),
                        ("precision", "second", PRECISION),
                        ("recall", "third", RECALL),
                    )
                ],
                labels_width=72,
            ),
            caption=f"{method_label(method)}. Solid: F, dashed: precision, dotted: recall.",
            head=("Threshold", "F, %", "Precision, %", "Recall, %"),
            rows=[
                (f"{row[0]:.2f}", *(f"{100 * row[column]:.1f}" for column in (F, PRECISION, RECALL)))
                for row in of_method["curve"]
            ],
        )
        for method, of_method in figures["quality"].items()
    ]


def scatter_figures(figures: dict[str, Any]) -> list[Figure]:
    """For each number of permutations the estimates beside the truth (figures 4 and 5)."""
    return [
        Figure(
            chart=xy_chart(
                name=f"scatter-{method}",
                title=f"Estimated and exact Jaccard, {method_label(method)}",
                axes=("Jaccard", f"estimate, {method_label(method)}"),
                ranges=((0.0, 1.0), (0.0, 1.0)),
                numbers=(lambda value: f"{value:.1f}", lambda value: f"{value:.1f}"),
                dots=[(x, y) for x, y in of_method["points"]],
                diagonal=True,
            ),
            caption=f"{method_label(method)}: {len(of_method['points']):,} pairs. Exact estimates would lie "
            "on the straight line.",
            head=("Jaccard", "Estimate"),
            rows=[(f"{x:.3f}", f"{y:.3f}") for x, y in of_method["points"][:POINTS_SHOWN]],
        )
        for method, of_method in figures["scatter"].items()
    ]


def times_figure(figures: dict[str, Any]) -> Figure:
    """Seconds of the processor against the number of texts, a line a method (figure 10)."""
    rows = [row for points in figures["times"].values() for row in points]
    longest = max((seconds for _, seconds in rows), default=0.0) or 1.0
    head, table = times_rows(figures)
    chart = xy_chart(
        name="times",
        title="Processor seconds by number of texts",
        axes=("texts", "seconds"),
        ranges=((0, max((texts for texts, _ in rows), default=1)), (0.0, longest)),
        numbers=(lambda value: f"{value:,.0f}", lambda value: f"{value:.2g}"),
        lines=[
            (method_label(method), "" if method == "exact" else "second", [(n, s) for n, s in points])
            for method, points in figures["times"].items()
        ],
        labels_width=72,
        size=(640, 360),
    )
    caption = (
        "Processor seconds from sets of words to the pairs at 0.33, the minimum of three runs. Exact Jaccard "
        "uses prefix filtering and does not compare every text with every other."
    )
    return Figure(chart=chart, caption=caption, head=head, rows=table, text_columns=1)


def figures_of(figures: dict[str, Any]) -> dict[str, Figure]:
    """All figures of a finished study by name."""
    every = [*quality_figures(figures), *scatter_figures(figures), times_figure(figures)]
    return {one.chart.name: one for one in every}


def best_rows(figures: dict[str, Any]) -> list[list[str]]:
    """A row a method, under HEAD: percent, the threshold of the best in brackets."""
    return [
        [
            method_label(method),
            _at(of_method["best"], "f"),
            f"{100 * of_method['best']['precision']:.1f}",
            f"{100 * of_method['best']['recall']:.1f}",
            _at(of_method["best_by_rows"], "row_f"),
            _at(of_method["best_one_partner"], "f"),
            f"{100 * of_method['paper_one_partner']['precision']:.1f}",
        ]
        for method, of_method in figures["quality"].items()
    ]


def _at(score: dict[str, float], name: str) -> str:
    return f"{100 * score[name]:.1f} ({score['threshold']:.2f})"


def spread_rows(figures: dict[str, Any]) -> list[list[str]]:
    """For each number of permutations: pairs drawn, bias, deviation and what theory expects of it."""
    return [
        [
            method_label(method),
            f"{len(of_method['points']):,}",
            *(
                "" if of_method[name] is None else f"{of_method[name]:.4f}"
                for name in ("bias", "deviation", "expected")
            ),
        ]
        for method, of_method in figures["scatter"].items()
    ]


def times_rows(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """The head and a row a method: seconds for each number of texts."""
    listed = list(figures["times"].items())
    head = ["Method", *(f"{texts:,.0f} texts" for texts, _ in (listed[0][1] if listed else []))]
    return head, [[method_label(method), *(f"{s:.4f}" for _, s in points)] for method, points in listed]


class TextFilesForm(SpecForm):
    """Two files of texts and how they are compared."""

    spec_class: ClassVar[type[Spec]] = MatchingSpec
    first = forms.FileField(
        label="Texts",
        help_text="Lines of id TAB text, a paragraph or a sentence each, or TSV with columns id and text.",
    )
    second = forms.FileField(
        label="Other texts",
        help_text="In the same format, to be compared with the first.",
    )
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", required=False, help_text="Character encoding of the files."
    )

    def opened(self, stack: ExitStack, *names: str) -> list[tuple[Path, str]]:
        """The files that were sent under these names, on the disk until the stack is closed."""
        sent = [file for name in names if (file := self.cleaned_data[name])]
        return [(stack.enter_context(on_disk(file.chunks())), file.name) for file in sent]


class MatchingStudyForm(TextFilesForm):
    leave_out = NOT_OF_A_STUDY
    name = forms.CharField(max_length=80)
    key = forms.FileField(
        label="Answer key",
        help_text="For each match a line of ids TAB ids, separated by commas; - for none.",
    )
    permutations = forms.TypedMultipleChoiceField(
        label="Permutations of MinHash",
        coerce=int,
        choices=[(m, f"{m:,}") for m in PERMUTATIONS],
        initial=list(PERMUTATIONS),
        widget=forms.CheckboxSelectMultiple,
        help_text="Each number is measured. Exact Jaccard is always measured too.",
    )
    field_order = ("name", "first", "second", "key", "encoding", "permutations")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["second"].required = False
        self.fields["second"].help_text += " Without it, all are compared with each other."


@project_view(check_read_corpus, SAFE)
def matching_studies(request: HttpRequest, project: Project) -> HttpResponse:
    table = Table(
        "Studies",
        shown(request, project.matching_studies.select_related("job").defer("texts")),
        row="corpus/_matching_study_row.html",
        columns=("Name", "State", "Texts", "Files", "Asked for"),
        numbers=("Texts",),
    )
    return list_page(request, "corpus/matching_studies.html", table)


@bounded_upload
@project_view(check_manage)
def new_matching_study(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    sent = request.method == "POST"
    form = MatchingStudyForm(request.POST if sent else None, request.FILES if sent else None)
    label, cost = "The largest study that is accepted", maximum_cost(1 + len(PERMUTATIONS))
    if sent and not limit.exceeded and form.is_valid():
        given = form.cleaned_data
        sizes = [lines_of(given[name]) for name in ("first", "second") if given[name]]
        label, cost = "With these files", study_cost(sizes, 1 + len(given["permutations"]))
        check_confirmed(
            form, f"This study ({cost.processes})", cost.seconds, further="Choose the files again as well."
        )
    if study := submitted_files(form, limit, lambda: _launch(request, project, form)):
        messages.success(request, f"The study {study.name} is launched.")
        return redirect("matching-study", project.slug, study.pk)
    return render(
        request,
        "corpus/matching_study_new.html",
        {"form": form, "costs": [(label, cost)]},
        status=422 if form.errors else 200,
    )


def _launch(request: HttpRequest, project: Project, form: MatchingStudyForm) -> MatchingStudy:
    fields = form.arguments()
    for name in ("first", "second", "key"):
        del fields[name]
    fields["encoding"] = fields["encoding"] or "utf-8"
    with ExitStack() as stack:
        *files, key = form.opened(stack, "first", "second", "key")
        return launch_study(project=project, by=user_of(request), files=files, key=key, **fields)


@project_view(check_read_corpus, SAFE)
def matching_study(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    study = _study(project, pk)
    context: dict[str, Any] = {"study": study, "job": study.job}
    drawn: list[Figure] = []
    if study.finished:
        figures = study.ordered_figures
        quality, scatter, times = quality_figures(figures), scatter_figures(figures), times_figure(figures)
        drawn = [*quality, *scatter, times]
        context |= {
            "quality": quality,
            "scatter": scatter,
            "times": times,
            "best_head": HEAD,
            "best": best_rows(figures),
            "spread": spread_rows(figures),
            "stop_words": " ".join(study.parameters["stop_words"]),
        }
    return page_with_figures(request, "corpus/matching_study.html", context, drawn)


@project_view(check_read_corpus, SAFE)
def matching_study_table(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One of its tables as CSV (`?name=`): curves, scatter or times."""
    name = request.GET.get("name", "curves")
    rows = tables(_finished(project, pk).ordered_figures).get(name)
    if rows is None:
        raise Http404(f"There is no table {name}.")
    return HttpResponse(
        CSV_START + csv_lines(rows),
        content_type="text/csv; charset=utf-8",
        headers=attachment(f"{name}.csv", project),
    )


@project_view(check_read_corpus, SAFE)
def matching_study_plot(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One of its plots as an SVG file of its own (`?name=`): times, quality-16, scatter-16, ..."""
    name = request.GET.get("name", "times")
    figure = figures_of(_finished(project, pk).ordered_figures).get(name)
    if figure is None:
        raise Http404(f"There is no plot {name}.")
    return svg_file(figure, project)


def _study(project: Project, pk: int) -> MatchingStudy:
    rows = project.matching_studies.select_related("job__requested_by").defer("texts")
    study: MatchingStudy = get_object_or_404(rows, pk=pk)
    return study


def _finished(project: Project, pk: int) -> MatchingStudy:
    study = _study(project, pk)
    if not study.finished:
        raise Http404("This study is not finished.")
    return study
