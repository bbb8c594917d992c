"""Studies of matching against an answer key."""

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

from corpus.models import MatchingStudy
from corpus.services.matching_studies import MAX_BYTES, NOT_OF_A_STUDY, launch_study
from corpus.services.text_matching import launch_text_matching
from corpus.services.uploads import on_disk
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.matching.settings import MAX_PERMUTATIONS, MatchingSpec
from paragold.matching.study import PERMUTATIONS
from paragold.spec import Spec
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import ListField, RowSerializer, SpecSerializer
from projects.permissions import check_manage, check_read_corpus

from .extractions import ExtractionSerializer
from .uploads import FORM_BYTES, LimitedBody


class FilesTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = f"A file may have {MAX_BYTES >> 20} MB. `manage.py study_matching` has no limit."


class MatchingStudySerializer(RowSerializer[MatchingStudy]):
    state = serializers.CharField(source="job.state")

    class Meta:
        model = MatchingStudy
        fields: tuple[str, ...] = ("id", "name", "parameters", "job", "state", "signature", "archived_at")


class MatchingStudyFiguresSerializer(MatchingStudySerializer):
    class Meta(MatchingStudySerializer.Meta):
        fields = (*MatchingStudySerializer.Meta.fields, "figures")


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


class NewMatchingStudySerializer(TextFilesSerializer):
    leave_out = NOT_OF_A_STUDY
    name = serializers.CharField(max_length=80)
    second = serializers.FileField(required=False, help_text="Other texts, to be compared with the first.")
    key = serializers.FileField(help_text="Answer key: a line of ids TAB ids for each match, - for none.")
    permutations = ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_PERMUTATIONS),
        default=list(PERMUTATIONS),
        max_length=10,
    )


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


@extend_schema_view(get=extend_schema(operation_id="matching_studies_list"))
class MatchingStudiesView(TextFilesEndpoint, RemovableListEndpoint):
    """The studies of the project."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = MatchingStudy.objects.select_related("job").defer("texts", "figures")
    serializer_class = MatchingStudySerializer
    max_bytes = 3 * MAX_BYTES + FORM_BYTES

    @extend_schema(
        request={"multipart/form-data": NewMatchingStudySerializer}, responses={201: MatchingStudySerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Score exact Jaccard and MinHash on texts with an answer key, by a job."""
        fields = self.body(NewMatchingStudySerializer)
        with ExitStack() as stack:
            *files, key = self.opened(stack, fields, "first", "second", "key")
            study = launch_study(project=self.project, by=self.caller, files=files, key=key, **fields)
        return self.created(MatchingStudySerializer, study)


class MatchingStudyView(RemovableEndpoint):
    """One study with its figures: quality, scatter and times by method."""

    rows = MatchingStudy.objects.select_related("job").defer("texts")
    checks = {"GET": check_read_corpus, "DELETE": check_manage}
    serializer_class = MatchingStudyFiguresSerializer
