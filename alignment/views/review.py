"""The review stage: where annotators disagree, on labels and on links."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from alignment.services.disputes import disputes_of
from alignment.services.link_figures import link_figures
from annotation.models import BatchKind
from annotation.permissions import check_see_answers
from annotation.views.agreement import percent
from annotation.views.review import review_context
from annotation.views.subcluster_review import split_rows
from projects.models import Project
from projects.views.project_view import project_view

REVIEWS: dict[str, str] = {
    BatchKind.JUDGE: "review-batch",
    BatchKind.LINK: "link-review",
    BatchKind.SPLIT: "split-review",
}
"""The page that lists a batch's disputed items, by kind."""
SHOWN = 3
"""So many batches with undecided items have a button of their own; all are in the tables."""
THINGS: dict[str, str] = {BatchKind.JUDGE: "pair", BatchKind.LINK: "linked pair", BatchKind.SPLIT: "cluster"}


@require_safe
@project_view(check_see_answers)
def review(request: HttpRequest, project: Project) -> HttpResponse:
    batches = list(
        project.batches.current().filter(kind=BatchKind.LINK, items__assignments__isnull=False).distinct()
    )
    figures = link_figures(request.user, project, batches)
    rows = [(batch, figures[batch.pk], percent(figures[batch.pk].agreement)) for batch in batches]
    disputes = sorted(disputes_of(request.user, project), key=lambda one: not one.decidable)
    context = review_context(request, project) | {
        "link_rows": rows,
        "split_rows": split_rows(request, project),
        "disputes": [(one, THINGS[one.batch.kind], REVIEWS[one.batch.kind]) for one in disputes[:SHOWN]],
    }
    return render(request, "alignment/review.html", context)
