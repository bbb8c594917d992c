"""The judging page, what the linking page has in common with it, and the page of one's own keys."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from annotation.api.items import queue_payload
from annotation.models import MAX_COUNT, Batch, BatchKind, Phenomenon
from annotation.permissions import own_batch
from annotation.schemes import SCHEME_LABELS, buttons_of
from annotation.services.key_bindings import own_keys
from annotation.services.second_pass import running_second_pass
from annotation.shortcuts import PAGES, shown, shown_keys
from projects.guidelines import guidelines_html, rules_html
from projects.models import PhenomenaScope, Project
from projects.views.project_view import SAFE, any_member, project_view

from .training import before_work

PREFETCHED = 10
# What each is, in the words of Dolan, Quirk & Brockett (2004), section 5.
EXAMPLES = {
    Phenomenon.ELABORATION: _("Something has no counterpart: the NASDAQ / the tech-heavy NASDAQ"),
    Phenomenon.PHRASAL: _("A group of words for a word or phrase: electronically / in electronic form"),
    Phenomenon.SPELLING: _("colour / color, email / e-mail"),
    Phenomenon.SYNONYMY: _("charges / accusations"),
    Phenomenon.ANAPHORA: _("A pronoun for a noun phrase: Prime Minister Blair / he"),
    Phenomenon.REORDERING: _("Words or constituents in another order, active / passive"),
}


def answered_batch(request: HttpRequest, project: Project, pk: int, kind: str) -> Batch:
    """The own batch of an annotation page. Raises Http404."""
    batch: Batch = own_batch(request.user, pk)
    if batch.project_id != project.pk or batch.kind != kind:
        raise Http404(gettext("No such batch here."))
    return batch


def answering_context(request: HttpRequest, project: Project, batch: Batch) -> dict[str, Any]:
    """The context of an annotation page, its first items included."""
    return {
        "batch": batch,
        "labels": [(label, gettext(label.label)) for label in SCHEME_LABELS[batch.scheme]],
        "buttons": buttons_of(batch.scheme, project),
        "guidelines_html": guidelines_html(project.guidelines),
        "bootstrap": {
            "user": request.user.pk,
            "queue": queue_payload(batch, request.user, limit=PREFETCHED),
            "urls": {
                "queue": reverse("api-queue", args=[batch.pk]),
                "history": reverse("api-history", args=[batch.pk]),
                "assignment": reverse("api-assignment", args=[0]),
                "project": reverse("project", args=[project.slug]),
            },
        },
    }


@never_cache
@ensure_csrf_cookie
@project_view(any_member, SAFE)
def judge_batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = answered_batch(request, project, pk, BatchKind.JUDGE)
    if page := before_work(request, project, batch):
        return page
    context = answering_context(request, project, batch)
    if batch.measure:
        context["rules"] = rules_html(project.guidelines, SCHEME_LABELS[batch.scheme])
    if context["batch"].count_phenomena != PhenomenaScope.NONE:
        context |= {"phenomena": list(EXAMPLES.items()), "max_count": MAX_COUNT}
    template = "judge_second_pass" if running_second_pass(context["batch"]) else "judge"
    return render(request, f"annotation/{template}.html", context)


@require_safe
@ensure_csrf_cookie
def key_bindings(request: HttpRequest) -> HttpResponse:
    own = own_keys(request.user)
    pages = []
    for name, page in PAGES.items():
        mine = own.get(name, {})
        rows = [
            {
                "shortcut": shortcut,
                "keys": [shown(key) for key in shown_keys(shortcut, mine)],
                "default": [shown(key) for key in shown_keys(shortcut, {})],
                "own": mine.get(shortcut.action, ""),
            }
            for shortcut in page.shortcuts
        ]
        pages.append((name, page, rows))
    return render(request, "annotation/key_bindings.html", {"pages": pages})
