"""The settings of the installation, for its administrators."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from projects.errors import PublicError
from projects.forms.installation import FIELDS, InstallationForm
from projects.models import InstallationSettings
from projects.permissions import check_administer
from projects.services.installation import change_installation, installation_settings, is_forbidden

from .project_view import user_of

SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
def installation(request: HttpRequest) -> HttpResponse:
    check_administer(request.user)
    posted = request.method == "POST"
    now = installation_settings()
    form = InstallationForm(request.POST if posted else None, now=now)
    if posted and form.is_valid():
        try:
            change_installation(by=user_of(request), **{name: form.cleaned_data[name] for name in FIELDS})
        except PublicError as error:
            form.add_error(error.field or None, str(error))
        else:
            messages.success(request, "The settings are saved.")
            return redirect("installation")
    context = {
        "form": form,
        "now": now,
        "forbidden": is_forbidden(),
        "decisions": InstallationSettings.objects.select_related("decided_by")[:SHOWN],
    }
    return render(request, "projects/installation.html", context, status=422 if posted else 200)
