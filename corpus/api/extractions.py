"""Extractions of candidate pairs, by presets or by matching."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import Extraction
from corpus.services.extraction import launch_extraction
from corpus.services.headline_matching import launch_headline_matching
from corpus.services.matching import launch_matching
from corpus.services.presets import NAME_LENGTH
from corpus.services.text_matching import MAX_BYTES, launch_text_matching
from corpus.services.uploads import on_disk
from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec
from jobs.api.jobs import JobSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.extraction.presets import RECOMMENDED, names_with_purposes
from paragold.matching.settings import MatchingSpec
from paragold.spec import Spec
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import (
    MAX_PARAMETERS,
    DictField,
    RowSerializer,
    SpecSerializer,
    StrictSerializer,
)
from projects.permissions import check_manage, check_read_corpus

from .uploads import FORM_BYTES, LimitedBody


class ExtractionSerializer(RowSerializer[Extraction]):
    job = JobSerializer()

    class Meta:
        model = Extraction
        fields = ("id", "name", "preset", "criteria", "signature", "job", "archived_at")


class NewExtractionSerializer(StrictSerializer):
    preset = serializers.CharField(
        max_length=NAME_LENGTH,
        default=RECOMMENDED,
        help_text=f"{names_with_purposes()}, or a preset that the project saved.",
    )
    settings = DictField(
        max_length=MAX_PARAMETERS,
        default=dict,
        help_text="Parameters of the preset to replace, such as max_edit_distance.",
    )
    name = serializers.CharField(max_length=70, default="", allow_blank=True)
    confirmed = serializers.BooleanField(
        default=False, help_text="Launch even if very many pairs are expected."
    )


@extend_schema_view(get=extend_schema(operation_id="extractions_list"))
class ExtractionsView(RemovableListEndpoint):
    """The extractions of the project, each with its job."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = Extraction.objects.select_related("job")
    serializer_class = ExtractionSerializer

    @extend_schema(request=NewExtractionSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Launch an extraction. The job is stored at once, even if no worker is running."""
        fields = self.body(NewExtractionSerializer)
        extraction = launch_extraction(project=self.project, by=self.caller, **fields)
        return self.created(ExtractionSerializer, extraction)


class ExtractionView(RemovableEndpoint):
    """One extraction, with its job."""

    rows = Extraction.objects.select_related("job")
    checks = {"GET": check_read_corpus, "DELETE": check_manage}
    serializer_class = ExtractionSerializer


class NewMatchingSerializer(SpecSerializer):
    spec_class = ProjectMatchingSpec
    name = serializers.CharField(max_length=70, default="", allow_blank=True)
    confirmed = serializers.BooleanField(
        default=False, help_text="Launch even if very many pairs are expected."
    )


class MatchingsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewMatchingSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Match sentences by a job: an extraction whose pairs have score and Jaccard."""
        fields = self.body(NewMatchingSerializer)
        extraction = launch_matching(project=self.project, by=self.caller, **fields)
        return self.created(ExtractionSerializer, extraction)


class NewHeadlineMatchingSerializer(SpecSerializer):
    spec_class = ProjectHeadlineSpec
    leave_out = ("language",)
    name = serializers.CharField(max_length=70, default="", allow_blank=True)


class HeadlineMatchingsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewHeadlineMatchingSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Match the first sentences of the articles of a cluster by a job; findings keep their cosine."""
        fields = self.body(NewHeadlineMatchingSerializer)
        extraction = launch_headline_matching(project=self.project, by=self.caller, **fields)
        return self.created(ExtractionSerializer, extraction)


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
