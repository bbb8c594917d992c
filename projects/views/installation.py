"""For administrators the settings of the installation, its plug-ins and audit log; for all the glossary."""

from __future__ import annotations

from copy import copy
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from paragold.plugins import installed_plugins
from projects.audit_list import AUDIT
from projects.downloads import attachment
from projects.glossary import glossary as terms
from projects.models import InstallationSettings
from projects.services.audit import FORMATS, exported
from projects.services.installation import (
    LIMITS,
    change_installation,
    installation_settings,
    is_forbidden,
)

from .lists import list_page, table_of
from .project_view import FORM, SAFE, administrator_view, submitted, user_of

SHOWN = 20
FIELDS = ["fetching", "fetch_contact", *LIMITS]


class InstallationForm(forms.ModelForm):
    """What administrators decide; the rows that there are stay as they are."""

    class Meta:
        model = InstallationSettings
        fields = FIELDS
        labels = {
            "fetching": "Fetch pages by their addresses",
            "fetch_contact": "Contact",
            "fetch_delay_seconds": "Pause",
            "fetch_seconds": "Time",
            "fetch_megabytes": "Size",
        }
        help_texts = {
            "fetching": "Managers of every project may then have this server ask the sites that they list.",
            "fetch_contact": "A web or e-mail address that sites may write to, such as "
            "mailto:corpus@example.org. It goes out with every request.",
            "fetch_delay_seconds": "Seconds between two requests to a host: 1 to 60. More where its "
            "robots.txt asks for more.",
            "fetch_seconds": "Seconds that a request may take: 5 to 60.",
            "fetch_megabytes": "Megabytes that a page may hold: 1 to 10.",
        }
        widgets = {
            "fetch_contact": forms.TextInput(attrs={"autocomplete": "off", "maxlength": 200}),
            **{
                name: forms.NumberInput(attrs={"min": minimum, "max": maximum})
                for name, (minimum, maximum) in LIMITS.items()
            },
        }

    def __init__(self, data: Any = None, *, now: InstallationSettings) -> None:
        super().__init__(data, instance=copy(now))

    def validate_constraints(self) -> None:
        """The service says beside its field what is out of range."""


@administrator_view(SAFE)
def plugins(request: HttpRequest) -> HttpResponse:
    """What other packages add, and why something of theirs cannot be used."""
    plugins = installed_plugins()
    context = {"plugins": plugins, "failed": [plugin for plugin in plugins if plugin.error]}
    return render(request, "projects/plugins.html", context)


@administrator_view(FORM)
def installation(request: HttpRequest) -> HttpResponse:
    posted = request.method == "POST"
    now = installation_settings()
    form = InstallationForm(request.POST if posted else None, now=now)
    if submitted(form, lambda: change_installation(by=user_of(request), **form.cleaned_data)):
        messages.success(request, "The settings are saved.")
        return redirect("installation")
    context = {
        "form": form,
        "now": now,
        "forbidden": is_forbidden(),
        "decisions": InstallationSettings.objects.select_related("decided_by")[:SHOWN],
    }
    return render(request, "projects/installation.html", context, status=422 if posted else 200)


@administrator_view(SAFE)
def audit_log(request: HttpRequest) -> HttpResponseBase:
    """A page of the log, the latest first; with `?format=` all entries that the filters leave, as a file."""
    columns = {"When": "id", "Who": "", "Event": "", "Project": "", "Object": "", "From": ""}
    table = table_of(request, None, AUDIT, row="projects/_audit_row.html", columns=columns, default="-id")
    form = request.GET.get("format", "")
    if form in FORMATS and table.queryset is not None:
        filename = f"audit-log.{form}"
        headers = attachment(filename, None, asked=request.GET.urlencode())
        content_type = f"{FORMATS[form]}; charset=utf-8"
        return StreamingHttpResponse(
            exported(table.queryset, form), content_type=content_type, headers=headers
        )
    return list_page(request, "projects/audit_log.html", table, formats=FORMATS, days=settings.AUDIT_DAYS)


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """The page that explains the terms of the field."""
    return render(request, "projects/glossary.html", {"groups": terms()})
