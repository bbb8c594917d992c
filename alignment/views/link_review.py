"""Reviewing links: the disputed pairs of a batch, and the canvas on which one is decided."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from alignment.api.link_review import review_payload
from alignment.services.link_review import decisions_of, disputes_in, link_review
from alignment.services.submissions import submitted_alignments
from annotation.models import Batch, BatchKind, Item
from annotation.permissions import adjudicable_items, check_see_answers, visible_items
from annotation.services.obstacles import check_adjudicate
from annotation.services.review import log_seeing_answers
from annotation.views.batches import batch_of
from annotation.views.letters import letter
from annotation.views.obstacles import undecided_context
from projects.guidelines import guidelines_html
from projects.models import Project
from projects.permissions import can_manage
from projects.views.keyset import keyset_page
from projects.views.project_view import project_view, user_of

PAIRS_A_PAGE = 25
SHOWN = {"undecided": "Undecided", "all": "All disputed"}


@require_safe
@project_view(check_see_answers)
def review(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = batch_of(project, pk, BatchKind.LINK)
    visible = set(visible_items(request.user, project).filter(batch=batch).values_list("pk", flat=True))
    disputed = disputes_in(
        {item: links for item, links in submitted_alignments(batch).items() if item in visible}
    )
    decided = decisions_of(disputed)
    shown = request.GET.get("show", "")
    if shown not in SHOWN:
        shown = "undecided"
    wanted = {"undecided": [item for item in disputed if item not in decided], "all": list(disputed)}
    items = Item.objects.select_related("pair__sentence_a", "pair__sentence_b")
    page = keyset_page(
        items.filter(pk__in=wanted[shown]), request.GET, {"number": "number"}, size=PAIRS_A_PAGE
    )
    mine = set(adjudicable_items(request.user, project).filter(batch=batch).values_list("pk", flat=True))
    if can_manage(request.user, project):
        log_seeing_answers(batch=batch, by=user_of(request))
    context = {
        "batch": batch,
        "page": page,
        "rows": [(item, disputed[item.pk], decided.get(item.pk), item.pk in mine) for item in page.rows],
        "shown": shown,
        "filters": [(name, label, len(wanted[name])) for name, label in SHOWN.items()],
        "hidden": batch.items.count() - len(visible),
        "next": items.filter(pk__in=mine & set(wanted["undecided"])).order_by("number").first(),
        **undecided_context(request, project, batch, items.filter(pk__in=wanted["undecided"])),
    }
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
    found = link_review(item)
    following, left = _following(request, project, item)
    if can_manage(request.user, project):
        log_seeing_answers(batch=item.batch, by=user_of(request))
    overview = reverse("link-review", args=[project.slug, item.batch_id])
    after = reverse("link-canvas", args=[project.slug, following.pk]) if following else overview
    context = {
        "batch": item.batch,
        "item": item,
        "thing": "pair",
        "keys": "review",
        "left": left,
        "guidelines_html": guidelines_html(project.guidelines),
        "bootstrap": {
            "user": request.user.pk,
            "review": review_payload(found) | {"annotators": [letter(name) for name in found.annotators]},
            "urls": {"review": reverse("api-link-review", args=[item.pk]), "next": after},
        },
    }
    return render(request, "alignment/link_canvas.html", context)


def _following(request: HttpRequest, project: Project, item: Item) -> tuple[Item | None, int]:
    """The next undecided disputed pair that the adjudicator may decide, and how many there are."""
    batch: Batch = item.batch
    disputed = disputes_in(submitted_alignments(batch))
    decided = decisions_of(disputed)
    open_ones = [pk for pk in disputed if pk not in decided and pk != item.pk]
    mine = adjudicable_items(request.user, project).filter(batch=batch, pk__in=open_ones).order_by("number")
    return mine.filter(number__gt=item.number).first() or mine.first(), mine.count()
