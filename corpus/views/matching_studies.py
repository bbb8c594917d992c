"""Studies of matching against an answer key: launched, followed, shown as plots and tables, downloaded."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from corpus.forms.importing import ENCODINGS
from corpus.models import MatchingStudy
from corpus.services.matching_studies import NOT_OF_A_STUDY, launch_study, maximum_cost, study_cost
from corpus.services.uploads import MEGABYTES_AT_MOST, lines_of, on_disk
from jobs.forms import check_confirmed
from jobs.views.removal import shown
from paragold.formats.tables import CSV_START, csv_lines
from paragold.matching.settings import MatchingSpec
from paragold.matching.study import PERMUTATIONS, tables
from projects.forms.spec_form import SpecForm
from projects.models import Project
from projects.permissions import check_manage, check_read_corpus
from projects.views.project_view import project_view, submitted, user_of

from . import matching_plots
from .lists import Table, list_page
from .uploads import SizeLimit, bounded_upload


class MatchingStudyForm(SpecForm):
    spec_class = MatchingSpec
    leave_out = NOT_OF_A_STUDY
    name = forms.CharField(max_length=80)
    first = forms.FileField(
        label="Texts",
        help_text="Lines of id TAB text, a paragraph or a sentence each, or TSV with columns id and text.",
    )
    second = forms.FileField(
        label="Other texts",
        required=False,
        help_text="In the same way, to be compared with the first. Without it, all are compared with "
        "each other.",
    )
    key = forms.FileField(
        label="Answer key",
        help_text="Lines of ids TAB ids that correspond; separated by commas on a side, - for none.",
    )
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", required=False, help_text="What the files were written in."
    )
    permutations = forms.TypedMultipleChoiceField(
        label="Permutations of MinHash",
        coerce=int,
        choices=[(m, f"{m:,}") for m in PERMUTATIONS],
        initial=list(PERMUTATIONS),
        widget=forms.CheckboxSelectMultiple,
        help_text="Beside exact Jaccard, which is always there.",
    )
    field_order = ("name", "first", "second", "key", "encoding", "permutations")


@require_safe
@project_view(check_read_corpus)
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
    if limit.exceeded:
        form.errors.clear()
        form.add_error(None, f"These files are larger than {MEGABYTES_AT_MOST} MB together.")
    elif study := submitted(form, lambda: _launch(request, project, form)):
        messages.success(request, f"The study {study.name} is launched.")
        return redirect("matching-study", project.slug, study.pk)
    return render(
        request,
        "corpus/matching_study_new.html",
        {"form": form, "costs": [(label, cost)]},
        status=422 if form.errors else 200,
    )


def _launch(request: HttpRequest, project: Project, form: MatchingStudyForm) -> MatchingStudy:
    asked = form.asked()
    sent = [file for name in ("first", "second", "key") if (file := asked.pop(name))]
    asked["encoding"] = asked["encoding"] or "utf-8"
    with ExitStack() as stack:
        *files, key = [(stack.enter_context(on_disk(file.chunks())), file.name) for file in sent]
        return launch_study(project=project, by=user_of(request), files=files, key=key, **asked)


@require_safe
@project_view(check_read_corpus)
def matching_study(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    found = _study(project, pk)
    context: dict[str, Any] = {"study": found, "job": found.job}
    if found.finished:
        figures = found.ordered_figures
        times_head, times = matching_plots.times_rows(figures)
        context |= {
            "quality": matching_plots.quality_plots(figures),
            "scatter": matching_plots.scatter_plots(figures),
            "times": matching_plots.times_plot(figures),
            "best_head": matching_plots.HEAD,
            "best": matching_plots.best_rows(figures),
            "spread": matching_plots.spread_rows(figures),
            "times_head": times_head,
            "times_rows": times,
            "stop_words": " ".join(found.parameters["stop_words"]),
        }
    return render(request, "corpus/matching_study.html", context)


@require_safe
@project_view(check_read_corpus)
def matching_study_table(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One of its tables as CSV (`?name=`): curves, scatter or times."""
    name = request.GET.get("name", "curves")
    rows = tables(_finished(project, pk).ordered_figures).get(name)
    if rows is None:
        raise Http404(f"There is no table {name}.")
    return _file(CSV_START + csv_lines(rows), "text/csv; charset=utf-8", f"{name}.csv")


@require_safe
@project_view(check_read_corpus)
def matching_study_plot(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One of its plots as an SVG file of its own (`?name=`): times, quality-16, scatter-16, ..."""
    name = request.GET.get("name", "times")
    plot = matching_plots.plots_of(_finished(project, pk).ordered_figures).get(name)
    if plot is None:
        raise Http404(f"There is no plot {name}.")
    return _file(render_to_string("corpus/plot.svg", {"plot": plot}), "image/svg+xml", f"{name}.svg")


def _file(content: str, kind: str, name: str) -> HttpResponse:
    return HttpResponse(
        content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _study(project: Project, pk: int) -> MatchingStudy:
    rows = project.matching_studies.select_related("job__requested_by").defer("texts")
    found: MatchingStudy = get_object_or_404(rows, pk=pk)
    return found


def _finished(project: Project, pk: int) -> MatchingStudy:
    found = _study(project, pk)
    if not found.finished:
        raise Http404("This study is not finished.")
    return found
