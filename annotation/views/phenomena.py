"""The table of paraphrase phenomena per dataset, to read and to take along."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.models import BatchKind, Phenomenon
from annotation.permissions import check_see_answers, visible_items
from annotation.services.batches import ask_phenomena
from annotation.services.dataset_figures import DatasetMeans, phenomena_means
from paragold.formats.tables import csv_table, latex_text
from projects.downloads import attachment
from projects.models import PhenomenaScope, Project
from projects.permissions import check_manage
from projects.views.project_view import POST, SAFE, project_view

from .batches import batch_of

BASES = {PhenomenaScope.EVERY_PAIR: "every pair", PhenomenaScope.PARAPHRASES: "paraphrases"}
HEAD = ("dataset", "base", "phenomenon", "mean", "low", "high", "pairs", "judged")
# Table 2 of Dolan, Quirk & Brockett (2004): means of L12 and F2 over 100 random pairs each.
PAPER = {
    Phenomenon.ELABORATION: (0.83, 1.3),
    Phenomenon.PHRASAL: (0.14, 0.69),
    Phenomenon.SPELLING: (0.12, 0.01),
    Phenomenon.SYNONYMY: (0.18, 0.25),
    Phenomenon.ANAPHORA: (0.1, 0.13),
    Phenomenon.REORDERING: (0.02, 0.41),
}


@project_view(check_see_answers, SAFE)
def phenomena(request: HttpRequest, project: Project) -> HttpResponse:
    datasets = phenomena_means(visible_items(request.user, project))
    form = request.GET.get("format", "")
    if form in FORMATS:
        write, kind, suffix = FORMATS[form]
        headers = attachment(f"phenomena-{project.slug}.{suffix}", project)
        response = HttpResponse(content_type=kind, headers=headers)
        write(response, datasets)
        return response
    context: dict[str, Any] = {
        "datasets": datasets,
        "bases": [BASES[means.base] for means in datasets],
        "rows": [(name.label, [means.means[name] for means in datasets], PAPER[name]) for name in Phenomenon],
    }
    return render(request, "annotation/phenomena.html", context)


def write_csv(response: HttpResponse, datasets: list[DatasetMeans]) -> None:
    """A line for each dataset, base and phenomenon, with full precision."""
    rows = [
        [
            *(means.dataset.name, means.base.value, name.value, mean["value"], mean["low"], mean["high"]),
            *(means.pairs, means.judged),
        ]
        for means in datasets
        for name, mean in ((name, means.means[name]) for name in Phenomenon)
    ]
    response.write(csv_table(HEAD, rows))


def write_latex(response: HttpResponse, datasets: list[DatasetMeans]) -> None:
    """A tabular in the shape of the paper's table 2, with the interval beside each mean."""
    names = " & ".join(latex_text(means.dataset.name) for means in datasets)
    bases = " & ".join(BASES[means.base] for means in datasets)
    lines = [
        rf"\begin{{tabular}}{{l{'r' * len(datasets)}}}", rf" & {names} \\", rf" & {bases} \\", r"\hline",
    ]  # fmt: skip
    for name in Phenomenon:
        cells = []
        for means in datasets:
            mean = means.means[name]
            interval = "" if mean["low"] is None else f" ({mean['low']:.2f}--{mean['high']:.2f})"
            cells.append(f"{mean['value']:.2f}{interval}")
        lines.append(rf"{name.label} & {' & '.join(cells)} \\")
    pairs = " & ".join(str(means.pairs) for means in datasets)
    lines += [r"\hline", rf"Pairs & {pairs} \\", r"\end{tabular}", ""]
    response.write("\n".join(lines))


FORMATS = {
    "csv": (write_csv, "text/csv; charset=utf-8", "csv"),
    "latex": (write_latex, "application/x-tex; charset=utf-8", "tex"),
}


@project_view(check_manage, POST)
def batch_phenomena(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Ask the annotators of a batch to count phenomena in the chosen pairs."""
    batch = batch_of(project, pk, BatchKind.JUDGE)
    scope = request.POST.get("count_phenomena", "")
    if scope not in PhenomenaScope.values:
        raise Http404(f"There is no choice {scope!r}; there are: {', '.join(PhenomenaScope.values)}.")
    ask_phenomena(batch=batch, scope=scope)
    where = PhenomenaScope(scope).label
    messages.success(request, f"Annotators now count phenomena {where}. What they counted before stays.")
    return redirect("batch", project.slug, batch.pk)
