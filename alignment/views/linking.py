"""The page on which words are linked, for the first time and for the second."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from alignment.api.second_pass import second_pass_payload
from annotation.models import BatchKind
from annotation.views.answering import PREFETCHED, answering_context
from projects.models import Project
from projects.views.project_view import anybody_in_it, project_view


@require_safe
@never_cache
@ensure_csrf_cookie
@project_view(anybody_in_it)
def link_batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    context = answering_context(request, project, pk, BatchKind.LINK)
    return render(request, "alignment/link.html", context)


@require_safe
@never_cache
@ensure_csrf_cookie
@project_view(anybody_in_it)
def second_pass(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The same page with the annotator's own disputed pairs; the links in dispute are marked."""
    context = answering_context(request, project, pk, BatchKind.LINK)
    bootstrap = context["bootstrap"]
    bootstrap["queue"] = second_pass_payload(context["batch"], request.user, limit=PREFETCHED)
    bootstrap["second_pass"] = True
    bootstrap["urls"]["queue"] = reverse("api-second-pass", args=[pk])
    return render(request, "alignment/link_second_pass.html", context)
