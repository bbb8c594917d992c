"""Exports of gold and of datasets: made once for the same content, then downloaded as often as wanted."""

from __future__ import annotations

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from alignment.models import Export
from alignment.services.gold_exports import export_file
from projects.api.endpoint import ObjectEndpoint
from projects.downloads import zip_response
from projects.errors import PublicError
from projects.permissions import check_manage


class ExportDownloadView(ObjectEndpoint):
    rows = Export.objects.all()
    checks = {"GET": check_manage}

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> FileResponse:
        """The zip file; a missing one is made again."""
        try:
            path = export_file(export=self.object)
        except PublicError as error:
            raise Http404(str(error)) from error
        return zip_response(path, self.object.filename, self.project)
