"""Two uploaded texts, matched by their words."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.services.text_matching import MAX_BYTES, launch_text_matching
from corpus.services.uploads import on_disk
from paragold.matching.settings import MatchingSpec
from paragold.spec import Spec
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import SpecSerializer
from projects.permissions import check_manage

from .extractions import ExtractionSerializer
from .uploads import FORM_BYTES, LimitedBody


class FilesTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = f"A file may have {MAX_BYTES >> 20} MB. `paragold match-texts` has no limit."


class TextFilesSerializer(SpecSerializer):
    """Two files of texts and how they are compared."""

    spec_class: ClassVar[type[Spec]] = MatchingSpec
    first = serializers.FileField(help_text="Texts: lines of id TAB text, or TSV with id and text.")
    second = serializers.FileField(help_text="Other texts, to be compared with the first.")
    encoding = serializers.CharField(
        default="utf-8", max_length=40, help_text="Character encoding of the files, such as utf-8."
    )


class TextFilesEndpoint(LimitedBody):
    """Takes files of texts as a form; they are on the disk until `stack` is closed."""

    parser_classes = (MultiPartParser,)
    max_bytes = 2 * MAX_BYTES + FORM_BYTES
    too_large = FilesTooLarge

    def opened(self, stack: ExitStack, fields: dict[str, Any], *names: str) -> list[tuple[Path, str]]:
        """The files that were sent under these names, each with what it is called; `fields` lose them."""
        files = [fields.pop(name) for name in names if name in fields]
        return [(stack.enter_context(on_disk(file.chunks())), file.name) for file in files]


class NewTextMatchingSerializer(TextFilesSerializer):
    name = serializers.CharField(max_length=70, default="", allow_blank=True)


class TextMatchingsView(TextFilesEndpoint, ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(
        request={"multipart/form-data": NewTextMatchingSerializer}, responses={201: ExtractionSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Match the texts of two files: an extraction whose pairs become a dataset apart from the corpus."""
        fields = self.body(NewTextMatchingSerializer)
        with ExitStack() as stack:
            files = self.opened(stack, fields, "first", "second")
            extraction = launch_text_matching(project=self.project, by=self.caller, files=files, **fields)
        return self.created(ExtractionSerializer, extraction)
