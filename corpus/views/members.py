"""Who is in a project, and in which role."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from corpus.errors import PublicError
from corpus.forms.members import MemberForm
from corpus.models import Membership, Project
from corpus.permissions import check_manage
from corpus.services.projects import add_member, remove_member

from .project_view import project_view, tell, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def members(request: HttpRequest, project: Project) -> HttpResponse:
    """The members; a POST with `remove` (a membership's id) takes a role away, any other gives one."""
    if "remove" in request.POST:
        return _remove(request, project)
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
    return render(request, "corpus/members.html", context, status=422 if form.is_bound else 200)


def _remove(request: HttpRequest, project: Project) -> HttpResponse:
    text = request.POST["remove"]
    pk = int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else 0
    membership = get_object_or_404(project.memberships.select_related("user"), pk=pk)
    try:
        remove_member(membership=membership, by=user_of(request))
    except PublicError as error:
        tell(request, error)
    else:
        name, role = membership.user.username, membership.get_role_display().lower()
        messages.success(request, f"{name} is no longer {role} of this project.")
        if membership.user == request.user and not Membership.objects.filter(
            project=project, user=request.user
        ):
            return redirect("projects")
    return redirect("members", project.slug)
