"""The table of paraphrase phenomena per dataset, to read and to take along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _, gettext_noop

from annotation.models import BatchKind, Phenomenon
from annotation.permissions import check_see_answers, visible_items
from annotation.services.batches import ask_phenomena
from annotation.services.dataset_figures import phenomena_means
from paragold.formats.tables import csv_table, latex_table, latex_text
from projects.models import PhenomenaScope, Project
from projects.permissions import check_manage
from projects.reports import Asked, Report, report
from projects.views.project_view import POST, project_view

from .batches import batch_of

BASES = {
    PhenomenaScope.EVERY_PAIR: gettext_noop("every pair"),
    PhenomenaScope.PARAPHRASES: gettext_noop("paraphrases"),
}
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


@report("annotation/phenomena.html", check_see_answers)
def phenomena(asked: Asked) -> Report:
    """The mean number of each phenomenon per dataset, over the items whose answers the reader may see."""
    datasets = phenomena_means(visible_items(asked.user, asked.project))

    def page() -> dict[str, Any]:
        means = [{mean["phenomenon"]: mean for mean in row["means"]} for row in datasets]
        return {
            "bases": [BASES[row["base"]] for row in datasets],
            "rows": [(name.label, [of[name] for of in means], PAPER[name]) for name in Phenomenon],
        }

    return Report(
        answer={"items": datasets},
        page=page,
        name="phenomena",
        files={"csv": partial(as_csv, datasets), "tex": partial(as_latex, datasets)},
    )


def as_csv(datasets: Sequence[Mapping[str, Any]]) -> str:
    """A line for each dataset, base and phenomenon, with full precision."""
    rows = [
        [row["name"], row["base"], *mean.values(), row["pairs"], row["judged"]]
        for row in datasets
        for mean in row["means"]
    ]
    return csv_table(HEAD, rows)


def as_latex(datasets: Sequence[Mapping[str, Any]]) -> str:
    """In the shape of the paper's table 2, with the interval beside each mean."""
    head = [
        ["", *(latex_text(row["name"]) for row in datasets)],
        ["", *(BASES[row["base"]] for row in datasets)],
    ]
    lines = [
        [name.label, *(_cell(row["means"][number]) for row in datasets)]
        for number, name in enumerate(Phenomenon)
    ]
    pairs = [["Pairs", *(row["pairs"] for row in datasets)]]
    return latex_table(f"l{'r' * len(datasets)}", head, lines, pairs)


def _cell(mean: Mapping[str, Any]) -> str:
    interval = "" if mean["low"] is None else f" ({mean['low']:.2f}--{mean['high']:.2f})"
    return f"{mean['value']:.2f}{interval}"


@project_view(check_manage, POST)
def batch_phenomena(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Ask the annotators of a batch to count phenomena in the chosen pairs."""
    batch = batch_of(project, pk, BatchKind.JUDGE)
    scope = request.POST.get("count_phenomena", "")
    if scope not in PhenomenaScope.values:
        raise Http404(
            _("There is no choice %(scope)r; there are: %(choices)s.")
            % {"scope": scope, "choices": ", ".join(PhenomenaScope.values)}
        )
    ask_phenomena(batch=batch, scope=scope)
    where = PhenomenaScope(scope).label
    messages.success(
        request,
        _("Annotators now count phenomena %(where)s. What they counted before stays.") % {"where": _(where)},
    )
    return redirect("batch", project.slug, batch.pk)
