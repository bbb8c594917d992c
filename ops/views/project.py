"""A project's own page: the order of the work, and the next step."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from jobs.models import Job
from ops.steps import path_of
from projects.guidelines import guidelines_html
from projects.models import Project, Role
from projects.permissions import roles_of
from projects.views.project_view import anybody_in_it, project_view


@require_safe
@project_view(anybody_in_it)
def project(request: HttpRequest, project: Project) -> HttpResponse:
    context = {
        "path": path_of(request.user, project),
        "annotates": Role.ANNOTATOR in roles_of(request.user, project),
        "guidelines_html": guidelines_html(project.guidelines) if project.guidelines.strip() else "",
    }
    return render(request, "ops/project.html", context)


def page_of_job(job: Job) -> str:
    """For jobs that have no page of their own, such as deletions."""
    return reverse("project", args=[job.project.slug])
