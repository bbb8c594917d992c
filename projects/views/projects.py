"""Making a project, its settings, and who is in it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from projects.forms.projects import MemberForm, NewProjectForm, ProjectSettingsForm
from projects.guidelines import following, guidelines_html
from projects.models import Project, Scheme
from projects.permissions import check_create_projects, check_manage
from projects.services.projects import add_member, change_project, create_project

from .project_view import project_view, submitted, user_of


@require_http_methods(["GET", "HEAD", "POST"])
def new_project(request: HttpRequest) -> HttpResponse:
    check_create_projects(request.user)
    form = NewProjectForm(request.POST if request.method == "POST" else None)
    by, previewed = user_of(request), "preview" in request.POST
    if not previewed and (made := submitted(form, lambda: create_project(by=by, **form.settings()))):
        messages.success(request, f"The project {made.name} is made. Now import its corpus.")
        return redirect("project", made.slug)
    return _form_page(request, "projects/project_new.html", form)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def project_settings(request: HttpRequest, project: Project) -> HttpResponse:
    form = ProjectSettingsForm(request.POST if request.method == "POST" else None, project=project)
    by = user_of(request)
    changed = None
    if "preview" not in request.POST:
        changed = submitted(form, lambda: change_project(project=project, by=by, **form.settings()))
    if changed:
        messages.success(request, "The settings are saved.")
        return redirect("project-settings", project.slug)
    return _form_page(request, "projects/project_settings.html", form)


def _form_page(request: HttpRequest, template: str, form: ProjectSettingsForm) -> HttpResponse:
    """The form, with what is typed in it; asked for a preview, its guidelines as annotators will see them."""
    preview = None
    if "preview" in request.POST:
        text, scheme = (request.POST.get(name, "") for name in ("guidelines", "scheme"))
        preview = guidelines_html(following(scheme, text, Scheme.values) if scheme in Scheme.values else text)
    status = 422 if form.is_bound and preview is None else 200
    return render(request, template, {"form": form, "preview": preview}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def members(request: HttpRequest, project: Project) -> HttpResponse:
    """The members; a POST gives somebody a role. Taking one away has a page of its own."""
    form = MemberForm(request.POST if request.method == "POST" else None)
    by = user_of(request)
    if added := submitted(form, lambda: add_member(project=project, by=by, **form.cleaned_data)):
        messages.success(request, f"{added.user.username} is {added.get_role_display().lower()} now.")
        return redirect("members", project.slug)
    context = {
        "form": form,
        "memberships": project.memberships.select_related("user"),
        "history": project.audit_entries.select_related("user")[:20],
    }
    return render(request, "projects/members.html", context, status=422 if form.is_bound else 200)
