"""The review stage: where annotators disagree, on labels and on links, and how far they agree on links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from alignment.api.link_review import review_payload
from alignment.services.disputes import Disputes, disputes_of, link_figures
from alignment.services.experiment_tables import NAMES
from alignment.services.link_agreement import batch_agreement
from alignment.services.link_review import link_review
from alignment.services.submitted_links import disputed_counts, submitted_alignments
from annotation.models import Batch, BatchKind
from annotation.permissions import check_see_answers, visible_items
from annotation.presenters import percent
from annotation.services.batch_figures import batch_figures
from annotation.views.batches import batch_of
from annotation.views.review import deciding_context, item_to_decide, review_context
from annotation.views.review_lists import REVIEWS
from annotation.views.subclusters import split_rows
from paragold.metrics.link_agreement import WORD_CLASSES
from projects.models import Project
from projects.reports import Asked, Report, report
from projects.views.project_view import SAFE, project_view

CELL_WIDTH, CELL_HEIGHT = 108, 48
LEFT, TOP = 124, 48
DEEPEST = 0.5
"""The opacity of a cell in which all is disputed: the text on it stays readable, light and dark."""
SHOWN = 3
"""How many batches with undecided items have a button of their own; all are in the tables."""
THINGS: dict[str, str] = {BatchKind.JUDGE: "pair", BatchKind.LINK: "linked pair", BatchKind.SPLIT: "cluster"}


@project_view(check_see_answers, SAFE)
def review(request: HttpRequest, project: Project) -> HttpResponse:
    batches = list(
        project.batches.current().filter(kind=BatchKind.LINK, items__assignments__isnull=False).distinct()
    )
    figures = link_figures(request.user, project, batches)
    rows = [(batch, figures[batch.pk], percent(figures[batch.pk].agreement)) for batch in batches]
    judged = list(Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE))
    of_labels = batch_figures(request.user, project, judged)
    disputes = sorted(disputes_of(request.user, project, of_labels), key=lambda row: not row.decidable)
    context = review_context(request, judged, of_labels) | {
        "link_rows": rows,
        "split_rows": split_rows(request, project),
        "disputes": [(case, THINGS[case.batch.kind], _begin(project, case)) for case in disputes[:SHOWN]],
        "decidable": sum(len(case.decidable) for case in disputes),
    }
    return render(request, "alignment/review.html", context)


def _begin(project: Project, case: Disputes) -> str:
    """The address of the first item that the reader may decide, else of the list that says why not."""
    of = REVIEWS[case.batch.kind]
    if first := case.first:
        return reverse(of.decide, args=[project.slug, first.pk])
    return reverse(of.page, args=[project.slug, case.batch.pk]) + "?show=undecided"


@never_cache
@ensure_csrf_cookie
@project_view(check_see_answers, SAFE)
def canvas(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One pair: the agreed links locked, the disputed ones to be decided."""
    item = item_to_decide(request, project, pk, BatchKind.LINK, "pair__sentence_a", "pair__sentence_b")
    disputed = disputed_counts(submitted_alignments(item.batch))
    context = deciding_context(
        request,
        project,
        item,
        review=review_payload(link_review(item)),
        disputed=disputed,
        views=("link-review", "link-canvas", "api-link-review"),
    )
    context |= {
        "thing": "pair",
        "keys": "review",
        "what": gettext("Disputed links"),
        "column": gettext("Disputed link"),
    }
    return render(request, "alignment/link_canvas.html", context)


@report("alignment/link_agreement.html", check_see_answers)
def link_agreement(asked: Asked, pk: int) -> Report:
    """AER in both directions, F1, word classes and disputed words; with pseudonyms."""
    batch = batch_of(asked.project, pk, BatchKind.LINK)
    visible = set(visible_items(asked.user, asked.project).filter(batch=batch).values_list("pk", flat=True))
    agreement = batch_agreement(batch, visible)

    def page() -> dict[str, Any]:
        shown = [part for part in agreement["passes"] if part["annotators"]]
        return {
            "batch": batch,
            "shown": [
                (part, [_by_words(two) for two in part["annotators"]], _heat_map(part)) for part in shown
            ],
            "hidden": batch.items.count() - len(visible),
        }

    return Report(answer=agreement, page=page, name=f"link-agreement-{pk}")


def _by_words(two: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[tuple[str, dict[str, Any]]]]:
    """Two annotators with their agreement on all, on identical and on other words, each under its name."""
    return two, [(gettext(label), two[name]) for name, label in NAMES.items()]


def _heat_map(part: Mapping[str, Any]) -> dict[str, Any]:
    """Word classes of the first sentence as rows, of the second as columns, in units of the drawing."""
    size = len(WORD_CLASSES)
    return {
        "squares": [
            {
                "x": LEFT + place % size * CELL_WIDTH,
                "y": TOP + place // size * CELL_HEIGHT,
                "opacity": f"{DEEPEST * (cell['share'] or 0):.3f}",
                "share": f"{100 * (cell['share'] or 0):.0f} %",
                "cell": cell,
            }
            for place, cell in enumerate(part["classes"])
        ],
        "rows": [
            (TOP + row * CELL_HEIGHT + CELL_HEIGHT // 2 + 5, name) for row, name in enumerate(WORD_CLASSES)
        ],
        "columns": [
            (LEFT + column * CELL_WIDTH + CELL_WIDTH // 2, name) for column, name in enumerate(WORD_CLASSES)
        ],
        "width": LEFT + CELL_WIDTH * size,
        "height": TOP + CELL_HEIGHT * size,
        "cell_width": CELL_WIDTH,
        "cell_height": CELL_HEIGHT,
    }
