"""The settings of a project."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from projects.forms.projects import ProjectSettingsForm
from projects.guidelines import following, guidelines_html
from projects.models import Project, Scheme
from projects.permissions import check_manage
from projects.services.projects import change_project

from .project_view import FORM, project_view, submitted, user_of


@project_view(check_manage, FORM)
def project_settings(request: HttpRequest, project: Project) -> HttpResponse:
    form = ProjectSettingsForm(request.POST if request.method == "POST" else None, project=project)
    by = user_of(request)
    changed = None
    if "preview" not in request.POST:
        changed = submitted(form, lambda: change_project(project=project, by=by, **form.settings()))
    if changed:
        messages.success(request, _("The settings are saved."))
        return redirect("project-settings", project.slug)
    preview = preview_of(request, *project.languages)
    status = 422 if form.is_bound and preview is None else 200
    earlier = project.earlier_guidelines.select_related("replaced_by")
    context = {"form": form, "preview": preview, "earlier_guidelines": earlier}
    return render(request, "projects/project_settings.html", context, status=status)


def preview_of(request: HttpRequest, language: str = "en", second_language: str = "") -> str | None:
    """The guidelines in the form as annotators will see them, if a preview is asked for.

    The languages are those of a form that does not ask for them.
    """
    if "preview" not in request.POST:
        return None
    text, scheme = (request.POST.get(name, "") for name in ("guidelines", "scheme"))
    if scheme in Scheme.values:
        text = following(
            text,
            scheme=scheme,
            tag=request.POST.get("language", language),
            schemes=Scheme.values,
            two_languages=bool(request.POST.get("second_language", second_language)),
        )
    return guidelines_html(text)
