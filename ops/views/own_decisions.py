"""The page on which annotators see decisions that differ from their answers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from ops.own_decisions import own_differences, shown_batches
from projects.models import Project
from projects.views.project_view import SAFE, any_member, project_view, user_of


@project_view(any_member, SAFE)
def own_decisions(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """For annotators of a closed batch whose manager shows them the decisions."""
    user = user_of(request)
    batch = get_object_or_404(shown_batches(user).distinct(), project=project, pk=pk)
    context = {"batch": batch, "differences": own_differences(user, batch)}
    return render(request, "ops/own_decisions.html", context)
