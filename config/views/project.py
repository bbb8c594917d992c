"""A project's own page: the order of the work, and the next step."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.steps import path_of
from corpus.guidelines import guidelines_html
from corpus.models import Project, Role
from corpus.permissions import roles_of
from corpus.views.project_view import anybody_in_it, project_view


@require_safe
@project_view(anybody_in_it)
def project(request: HttpRequest, project: Project) -> HttpResponse:
    context = {
        "path": path_of(request.user, project),
        "annotates": Role.ANNOTATOR in roles_of(request.user, project),
        "guidelines_html": guidelines_html(project.guidelines) if project.guidelines.strip() else "",
    }
    return render(request, "config/project.html", context)
