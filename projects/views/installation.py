"""For administrators the plug-ins and the audit log, for programs too; for all documentation and glossary."""

from __future__ import annotations

from mimetypes import guess_type
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from paragold.plugins import installed_plugins
from projects.api.endpoint import Endpoint, KnownFilters
from projects.api.serializers import RowSerializer
from projects.columns import Column, number
from projects.documentation import START, file_of, page_of, search
from projects.downloads import attachment
from projects.glossary import glossary as terms
from projects.listings import Resource
from projects.models import AuditEntry
from projects.permissions import check_administer
from projects.services.audit import FIELDS, FORMATS, AuditFilters, exported

from .lists import list_page, table_of
from .project_view import SAFE, administrator_view


@administrator_view(SAFE)
def plugins(request: HttpRequest) -> HttpResponse:
    """What other packages add, and why something of theirs cannot be used."""
    plugins = installed_plugins()
    context = {"plugins": plugins, "failed": [plugin for plugin in plugins if plugin.error]}
    return render(request, "projects/plugins.html", context)


AUDIT = Resource(
    name="audit-log",
    noun="entry",
    plural="entries",
    objects=AuditEntry.objects.all(),
    visible=lambda user, _: AuditEntry.objects.all() if user.is_superuser else AuditEntry.objects.none(),
    filters=AuditFilters,
    order="-id",
    columns=(number("When", sort="id"), *map(Column, ("Who", "Event", "Project", "Object", "From"))),
)


@administrator_view(SAFE)
def audit_log(request: HttpRequest) -> HttpResponseBase:
    """A page of the log, the latest first; with `?format=` all entries that the filters leave, as a file."""
    table = table_of(request, None, AUDIT, row="projects/_audit_row.html")
    form = request.GET.get("format", "")
    if form in FORMATS:
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
        raise Http404(f"docs/ has no page {name}.")
    return HttpResponse(file.read_bytes(), content_type=guess_type(name)[0] or "text/plain")


# For programs, at the same addresses with `?format=json`.


class AdministratorEndpoint(Endpoint):
    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        check_administer(self.caller)


class PluginsView(AdministratorEndpoint):
    def get(self, request: Request) -> Response:
        """The plug-ins that are installed, also those that cannot be used, with their errors."""
        self.filters()
        return Response({"plugins": installed_plugins()})


class AuditEntrySerializer(RowSerializer[AuditEntry]):
    class Meta:
        model = AuditEntry
        fields = FIELDS


class AuditView(AdministratorEndpoint, ListAPIView[Any]):
    """The entries of the audit log, the oldest first; with the last `cursor` those that came since."""

    queryset = AuditEntry.objects.all()
    serializer_class = AuditEntrySerializer
    filter_backends = (KnownFilters,)
    filterset_class = AuditFilters
