"""The table of paraphrase phenomena per dataset, to read and to take along."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.models import BatchKind, Phenomenon
from annotation.permissions import check_see_answers, visible_items
from annotation.services.batches import ask_phenomena
from annotation.services.dataset_figures import DatasetMeans, phenomena_means
from paragold.formats.tables import csv_table, latex_text
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view

from .batches import batch_of


@require_safe
@project_view(check_see_answers)
def phenomena(request: HttpRequest, project: Project) -> HttpResponse:
    found = phenomena_means(visible_items(request.user, project))
    form = request.GET.get("format", "")
    if form in FORMATS:
        write, kind, suffix = FORMATS[form]
        headers = {"Content-Disposition": f'attachment; filename="phenomena-{project.slug}.{suffix}"'}
        response = HttpResponse(content_type=kind, headers=headers)
        write(response, found)
        return response
    context: dict[str, Any] = {
        "datasets": found,
        "rows": [(name.label, [means.means[name] for means in found]) for name in Phenomenon],
    }
    return render(request, "annotation/phenomena.html", context)


def write_csv(response: HttpResponse, found: list[DatasetMeans]) -> None:
    """A line for each dataset and phenomenon, with full precision."""
    rows = [
        [means.dataset.name, name.value, mean.value, mean.low, mean.high, means.pairs]
        for means in found
        for name, mean in ((name, means.means[name]) for name in Phenomenon)
    ]
    response.write(csv_table(["dataset", "phenomenon", "mean", "low", "high", "pairs"], rows))


def write_latex(response: HttpResponse, found: list[DatasetMeans]) -> None:
    """A tabular in the shape of the paper's table 2, with the interval beside each mean."""
    names = " & ".join(latex_text(means.dataset.name) for means in found)
    lines = [rf"\begin{{tabular}}{{l{'r' * len(found)}}}", rf" & {names} \\", r"\hline"]
    for name in Phenomenon:
        cells = []
        for means in found:
            mean = means.means[name]
            interval = "" if mean.low is None else f" ({mean.low:.2f}--{mean.high:.2f})"
            cells.append(f"{mean.value:.2f}{interval}")
        lines.append(rf"{name.label} & {' & '.join(cells)} \\")
    pairs = " & ".join(str(means.pairs) for means in found)
    lines += [r"\hline", rf"Pairs & {pairs} \\", r"\end{tabular}", ""]
    response.write("\n".join(lines))


FORMATS = {
    "csv": (write_csv, "text/csv; charset=utf-8", "csv"),
    "latex": (write_latex, "application/x-tex; charset=utf-8", "tex"),
}


@require_POST
@project_view(check_manage)
def batch_phenomena(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Ask the annotators of a batch to count phenomena, or no longer, as the button says."""
    found = batch_of(project, pk, BatchKind.JUDGE)
    asked = request.POST.get("asked")
    if asked not in ("yes", "no"):
        raise Http404("Phenomena are asked for or not.")
    ask_phenomena(batch=found, asked=asked == "yes")
    if asked == "yes":
        messages.success(request, "Annotators now count phenomena in the pairs that they call paraphrases.")
    else:
        messages.success(request, "Annotators are no longer asked for phenomena. What they counted stays.")
    return redirect("batch", project.slug, found.pk)
