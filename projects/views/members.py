"""Who is in a project, and in which role."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from projects.errors import PublicError
from projects.forms.members import MemberForm
from projects.models import Project
from projects.permissions import check_manage
from projects.services.projects import add_member

from .project_view import project_view, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def members(request: HttpRequest, project: Project) -> HttpResponse:
    """The members; a POST gives somebody a role. Taking one away has a page of its own."""
    form = MemberForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        try:
            added = add_member(
                project=project, by=user_of(request), username=wanted["username"], role=wanted["role"]
            )
        except PublicError as error:
            form.add_error("username", str(error))
        else:
            messages.success(request, f"{added.user.username} is {added.get_role_display().lower()} now.")
            return redirect("members", project.slug)
    context = {
        "form": form,
        "memberships": project.memberships.select_related("user"),
        "history": project.audit_entries.select_related("user")[:20],
    }
    return render(request, "projects/members.html", context, status=422 if form.is_bound else 200)
