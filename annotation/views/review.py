"""Review: where annotators disagree, and the adjudicator's word on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from annotation.api.review import BY_NUMBER, UNCERTAIN, decision_queue, label_review_payload
from annotation.forms import AdjudicationForm
from annotation.models import Batch, BatchKind, Item
from annotation.permissions import adjudicable_items, check_see_answers
from annotation.presenters import NAMES, coefficients, letter
from annotation.schemes import buttons_of
from annotation.services.batch_figures import BatchFigures, disputed_items, undecided_items
from annotation.services.decisions import check_adjudicate, latest_decisions
from annotation.services.review import (
    adjudicate_label,
    label_review,
    record_answers_seen,
)
from projects.guidelines import guidelines_html
from projects.models import Project
from projects.views.keyset import listed_page
from projects.views.project_view import FORM, project_view, submitted, user_of

PAIRS_A_PAGE = 25
PREFETCHED = 30


def review_context(
    request: HttpRequest, batches: Sequence[Batch], figures: Mapping[int, BatchFigures]
) -> dict[str, Any]:
    """The context of the review stage for judging batches; the alignment app, which adds links, shows the
    page."""
    page = listed_page(batches, request.GET)
    rows = []
    for batch in page.rows:
        row = figures.get(batch.pk, BatchFigures())
        shown = coefficients(row.agreement, row.second_pass)
        rows.append((batch, row, [shown.get(name) for name in NAMES]))
    return {"rows": rows, "page": page}


def item_to_decide(request: HttpRequest, project: Project, pk: int, kind: str, *related: str) -> Item:
    """An item of a kind of batch that the reader may decide, with its batch and what is `related`."""
    rows = Item.objects.select_related("batch__project", *related)
    item: Item = get_object_or_404(rows, pk=pk, batch__in=project.batches.filter(kind=kind))
    check_adjudicate(request.user, item)
    return item


@never_cache
@ensure_csrf_cookie
@project_view(check_see_answers, FORM)
def adjudicate(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One pair with all answers; the decision leads to the next disputed pair of the batch.

    The page's script decides through the API; without JavaScript the same decision comes as a form.
    """
    pair = ("pair__sentence_a", "pair__sentence_b", "pair__cluster")
    item = item_to_decide(request, project, pk, BatchKind.JUDGE, *pair)
    form = AdjudicationForm(request.POST if request.method == "POST" else None, item=item)
    by = user_of(request)
    order = UNCERTAIN if request.GET.get("order") == UNCERTAIN else BY_NUMBER
    kept = f"?order={UNCERTAIN}" if order == UNCERTAIN else ""
    valid = form.is_valid()
    disputed = disputed_items(item.batch.items.all()).order_by().values_list("pk", flat=True)
    undecided = undecided_items(item.batch.items.all()).order_by().values_list("pk", flat=True)
    if decision := submitted(form, lambda: adjudicate_label(item=item, by=by, **form.cleaned_data)):
        messages.success(
            request,
            _("Pair %(number)s: %(label)s.")
            % {"number": item.number, "label": _(decision.get_label_display())},
        )
        following = _following(request, project, item, undecided)
        if order == UNCERTAIN and following is not None:
            first = decision_queue(item.batch, by, limit=1, after=item.number, order=order)["items"][0]
            following = item.batch.items.get(pk=first["item"])
        if following is None:
            messages.info(request, _("Every disputed pair that you may decide is decided."))
            return redirect("review-batch", project.slug, item.batch_id)
        return redirect(reverse("adjudicate", args=[project.slug, following.pk]) + kept)
    entry = label_review(item)
    context = deciding_context(
        request,
        project,
        item,
        review=label_review_payload(entry),
        disputed=disputed,
        views=("review-batch", "adjudicate", "api-adjudication"),
    )
    context["bootstrap"]["review"]["place"] = context["place"]
    context["bootstrap"] |= {
        "queue": decision_queue(item.batch, by, limit=PREFETCHED, after=item.number, order=order)
    }
    context["bootstrap"]["urls"] |= {
        "queue": f"{reverse('api-decision-queue', args=[item.batch_id])}?after={item.number}&order={order}",
        "item": reverse("api-adjudication", args=[0]),
        "page": reverse("adjudicate", args=[project.slug, 0]),
        "pair": reverse("pair", args=[project.slug, 0]),
        "overview": reverse("review-batch", args=[project.slug, item.batch_id]),
    }
    context |= {
        "thing": "pair",
        "keys": "judge",
        "later": "skip",
        "what": _("The disputed label"),
        "column": _("Disputed"),
        "entry": entry,
        "form": form,
        "comment": form["comment"].value() if form.is_bound else getattr(entry.decision, "comment", ""),
        "decisions": item.decisions.all(),
        "buttons": buttons_of(item.batch.scheme, project),
    }
    refused = 409 if valid else 422
    return render(request, "annotation/adjudicate.html", context, status=refused if form.errors else 200)


def _following(request: HttpRequest, project: Project, item: Item, undecided: Iterable[int]) -> Item | None:
    """The next undecided item of the batch that the reader may decide; after the last one, the first."""
    mine = adjudicable_items(request.user, project).filter(batch=item.batch, pk__in=list(undecided))
    left = mine.exclude(pk=item.pk).order_by("number")
    return left.filter(number__gt=item.number).first() or left.first()


def deciding_context(
    request: HttpRequest,
    project: Project,
    item: Item,
    *,
    review: dict[str, Any],
    disputed: Iterable[int],
    views: tuple[str, str, str],
) -> dict[str, Any]:
    """The context of the page that decides an item and then leads to the next.

    review: the item as the API gives it; annotators appear under their letters. disputed: ids of items of
    the batch. views: the names of the list's page, of an item's page and of its endpoint.
    """
    overview, page, endpoint = views
    mine = adjudicable_items(request.user, project).filter(batch=item.batch, pk__in=list(disputed))
    numbers = sorted(mine.order_by().values_list("number", flat=True))
    following = _following(request, project, item, set(disputed) - latest_decisions(disputed).keys())
    record_answers_seen(batch=item.batch, by=user_of(request), page="item to decide")
    after = (page, following.pk) if following else (overview, item.batch_id)
    return {
        "batch": item.batch,
        "item": item,
        "place": numbers.index(item.number) + 1 if item.number in numbers else None,
        "disputed": len(numbers),
        "overview": overview,
        "remarks": _remarks(review),
        "guidelines_html": guidelines_html(project.guidelines),
        "bootstrap": {
            "user": request.user.pk,
            "batch": item.batch_id,
            "review": review | {"annotators": [letter(name) for name in review["annotators"]]},
            "urls": {
                "review": reverse(endpoint, args=[item.pk]),
                "next": reverse(after[0], args=[project.slug, after[1]]),
            },
        },
    }


def _remarks(review: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """Letter, comment and flag of every annotator who left a comment or a flag."""
    flags = review.get("flagged") or [False] * len(review["annotators"])
    people = zip(review["annotators"], review["comments"], flags, strict=True)
    return [(letter(name), comment, flag) for name, comment, flag in people if comment or flag]
