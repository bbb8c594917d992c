"""For administrators the plug-ins and the audit log, for programs too; for all documentation and glossary."""

from __future__ import annotations

from mimetypes import guess_type
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop as _
from django.views.decorators.http import require_safe
from rest_framework.request import Request
from rest_framework.response import Response

from paragold.plugins import installed_plugins
from projects.api.endpoint import Endpoint
from projects.api.serializers import RowSerializer
from projects.columns import Column, Quiet, number
from projects.documentation import START, file_of, page_of, search
from projects.glossary import glossary as terms
from projects.listings import ListPage, Resource
from projects.models import AuditEntry
from projects.permissions import check_administer
from projects.services.audit import FIELDS, AuditFilters, csv_cells

from .lists import resource_page
from .project_view import SAFE, administrator_view


@administrator_view(SAFE)
def plugins(request: HttpRequest) -> HttpResponse:
    """What other packages add, and why something of theirs cannot be used."""
    plugins = installed_plugins()
    context = {"plugins": plugins, "failed": [plugin for plugin in plugins if plugin.error]}
    return render(request, "projects/plugins.html", context)


class AuditEntrySerializer(RowSerializer[AuditEntry]):
    class Meta:
        model = AuditEntry
        fields = FIELDS


def _who(entry: AuditEntry) -> Any:
    return entry.actor or Quiet(gettext("not logged in") if entry.address else gettext("command or job"))


def _object(entry: AuditEntry) -> tuple[Any, ...]:
    flags = {True: "yes", False: "no"}
    details = {
        name: flags[value] if isinstance(value, bool) else value for name, value in entry.details.items()
    }
    return (entry.target, *(Quiet(f"{name}: {value}") for name, value in details.items()))


AUDIT = Resource(
    name="audit-log",
    noun="entry",
    plural="entries",
    objects=AuditEntry.objects.all(),
    project_path=(),
    check=lambda user, project: check_administer(user),
    filters=AuditFilters,
    serializer=AuditEntrySerializer,
    about="The oldest first; with the last `cursor` those that came since.",
    page=ListPage(
        _("Audit log"),
        _("Who did or saw what, and from where. Nobody can change it."),
        above=("projects", _("Projects")),
        empty=(_("There are no entries yet"), ""),
    ),
    order="-id",
    columns=(
        number(_("When"), "at", "id"),
        Column(_("Who"), _who),
        Column(_("Event"), "label"),
        Column(_("Project"), "project"),
        Column(_("Object"), _object),
        Column(_("From"), lambda entry: (entry.address, Quiet(entry.request_id))),
    ),
    head=FIELDS,
    cells=lambda project, entries: map(csv_cells, entries),
)


@administrator_view(SAFE)
def audit_log(request: HttpRequest) -> HttpResponseBase:
    return resource_page(request, None, AUDIT)


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """The page that explains the terms of the field."""
    return render(request, "projects/glossary.html", {"groups": terms()})


@require_safe
def documentation(request: HttpRequest, name: str = START) -> HttpResponseBase:
    """A page of docs/ with a search of all of them, or a picture or an example that a page shows."""
    page = page_of(name)
    if page:
        words = request.GET.get("q", "")
        context = {"page": page, "words": words, "results": search(words), "start": START}
        return render(request, "projects/documentation.html", context)
    file = file_of(name)
    if file is None:
        raise Http404(gettext("docs/ has no page %(name)s.") % {"name": name})
    return HttpResponse(file.read_bytes(), content_type=guess_type(name)[0] or "text/plain")


class PluginsView(Endpoint):
    """For programs, at the address of the page with `?format=json`."""

    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        check_administer(self.caller)

    def get(self, request: Request) -> Response:
        """The plug-ins that are installed, also those that cannot be used, with their errors."""
        self.filters()
        return Response({"plugins": installed_plugins()})
