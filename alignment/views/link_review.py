"""Reviewing links: the disputed pairs of a batch, and the canvas on which one is decided."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from alignment.api.link_review import review_payload
from alignment.services.link_review import decisions_of, disputes_in, link_review
from alignment.services.submissions import submitted_alignments
from annotation.models import BatchKind, Item
from annotation.permissions import check_see_answers, visible_items
from annotation.services.decisions import check_adjudicate
from annotation.views.batches import batch_of
from annotation.views.review import deciding_context, disputes_context
from projects.models import Project
from projects.views.project_view import project_view


@require_safe
@project_view(check_see_answers)
def review(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = batch_of(project, pk, BatchKind.LINK)
    visible = set(visible_items(request.user, project).filter(batch=batch).values_list("pk", flat=True))
    disputed = disputes_in(
        {item: links for item, links in submitted_alignments(batch).items() if item in visible}
    )
    decided = decisions_of(disputed)
    items = Item.objects.select_related("pair__sentence_a", "pair__sentence_b")
    context = disputes_context(request, project, batch, disputed=disputed, decided=decided, items=items)
    context["rows"] = [
        (item, disputed[item.pk], decided.get(item.pk), item.pk in context["mine"])
        for item in context["page"].rows
    ]
    return render(request, "alignment/link_review.html", context)


@require_safe
@never_cache
@ensure_csrf_cookie
@project_view(check_see_answers)
def canvas(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One pair: the agreed links locked, the disputed ones to be decided."""
    item = get_object_or_404(
        Item.objects.select_related("batch__project", "pair__sentence_a", "pair__sentence_b"),
        pk=pk, batch__project=project, batch__kind=BatchKind.LINK,
    )  # fmt: skip
    check_adjudicate(request.user, item)
    disputed = disputes_in(submitted_alignments(item.batch))
    context = deciding_context(
        request,
        project,
        item,
        review=review_payload(link_review(item)),
        undecided=disputed.keys() - decisions_of(disputed).keys(),
        views=("link-review", "link-canvas", "api-link-review"),
    )
    context |= {"thing": "pair", "keys": "review"}
    return render(request, "alignment/link_canvas.html", context)
