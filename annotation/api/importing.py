"""Importing judgements from files, as those of an annotator or as a gold set."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Label
from annotation.services.judgement_import import LONGEST_NAME, check_judgements, import_judgements
from corpus.api.uploads import FILE, LimitedBody, ProblemCountField, ProblemSerializer, uploaded
from paragold.formats.judgement_files import JUDGEMENT_FORMATS
from paragold.formats.judgement_formats import AUTO, HIGHEST_SIMILARITY, PAIR_COLUMNS, Reading
from paragold.formats.tables import choice_from_words
from paragold.problems import FileProblem
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import StrictSerializer
from projects.api.transport import NdjsonParser
from projects.errors import PublicError
from projects.permissions import check_manage

STATUS_CODES = {"imported": status.HTTP_201_CREATED, "refused": status.HTTP_422_UNPROCESSABLE_ENTITY}


class SimilarityField(serializers.FloatField):
    def __init__(self, help_text: str) -> None:
        super().__init__(min_value=0, max_value=HIGHEST_SIMILARITY, required=False, help_text=help_text)


class JudgementImportOptions(StrictSerializer):
    name = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_NAME,
        help_text="Name of the batch if there is an annotator, else of the gold set. Default: the file's "
        "name.",
    )
    annotator = serializers.CharField(
        required=False, help_text="User name of the annotator. Without one they become a gold set."
    )
    check = serializers.BooleanField(default=False, help_text="Checks the file only: nothing is written.")
    filename = serializers.CharField(
        default="judgements", max_length=255, help_text="File name to store, if the body is the file."
    )
    encoding = serializers.CharField(default="utf-8", max_length=40)
    file_format = serializers.ChoiceField(choices=[AUTO, *JUDGEMENT_FORMATS.ids()], default=AUTO)
    threshold = SimilarityField("Minimum similarity of a paraphrase.")
    partial_threshold = SimilarityField("Minimum similarity of a partial paraphrase; below it, unrelated.")
    judge = serializers.CharField(
        default="",
        allow_blank=True,
        help_text="Whose judgements are read, if the file has several people's: a name in it (pairs.jsonl: a "
        "pseudonym; Label Studio: number or e-mail address).",
    )
    map = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=1_000,
        help_text="Columns of a table, or fields of JSON Lines, that are not called as usual, such as "
        f"a=q1,b=q2,label=same; of {', '.join(PAIR_COLUMNS.usual)}. Numbers where there is no header.",
    )
    keep_contradictions = serializers.BooleanField(
        default=False,
        help_text="Freezes gold labels although the same two sentences have different ones in the file.",
    )


class JudgementImportSerializer(serializers.Serializer[Any]):
    """Contents of a file, and the result of its import. `detail` is there when the file was refused."""

    filename = serializers.CharField()
    status = serializers.ChoiceField(choices=["imported", "checked", "unchanged", "refused"])
    format = serializers.CharField()
    scheme = serializers.CharField(help_text="Scheme of the labels in the file.")
    pairs = serializers.IntegerField()
    labels = serializers.DictField(
        child=serializers.IntegerField(), help_text=f"By label ({', '.join(Label.values)}) or skipped."
    )
    unknown = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="What of the file was not read, such as unknown fields and labels: counts by name.",
    )
    contradictions = serializers.CharField(
        help_text="The lines with the same two sentences and different labels, in a sentence; empty for none."
    )
    problems = ProblemSerializer(many=True)
    problem_count = ProblemCountField()
    batch = serializers.IntegerField(source="batch.pk", allow_null=True)
    gold_set = serializers.IntegerField(source="gold_set.pk", allow_null=True)
    detail = serializers.CharField(required=False)


class JudgementImportsView(LimitedBody, ProjectEndpoint):
    checks = {"POST": check_manage}
    parser_classes = (NdjsonParser, MultiPartParser)

    @extend_schema(
        parameters=[JudgementImportOptions],
        request={"multipart/form-data": FILE, "application/x-ndjson": OpenApiTypes.BINARY},
        responses={
            200: JudgementImportSerializer, 201: JudgementImportSerializer, 422: JudgementImportSerializer,
        },
    )  # fmt: skip
    def post(self, request: Request, slug: str) -> Response:
        """Import judged pairs, all or nothing: 201 imported, 200 checked or imported before, 422 refused.

        Send the file as the field `file` of a form, or as the body itself (application/x-ndjson); see
        docs/formats/judgements.md."""
        options = self.filters(JudgementImportOptions)
        reading = _reading(options)
        with uploaded(request) as (path, name):
            source: dict[str, Any] = {"path": path, "filename": name or options["filename"]}
            source |= {"reading": reading, "encoding": options["encoding"]}
            if options["check"]:
                report = check_judgements(**source)
            else:
                report = import_judgements(
                    project=self.project, by=self.caller, name=options["name"] or stem(source["filename"]),
                    annotator=options.get("annotator"),
                    keep_contradictions=options["keep_contradictions"], **source,
                )  # fmt: skip
        code = STATUS_CODES.get(report.status, status.HTTP_200_OK)
        data = dict(JudgementImportSerializer(report).data)
        if report.problems:
            first = report.problems[0]
            data["detail"] = f"Nothing was imported. Line {first.line}: {first.message}"
        return Response(data, status=code)


def stem(filename: str) -> str:
    """A file's name without its ending, as far as a name may reach."""
    return (filename.rpartition(".")[0] or filename)[:LONGEST_NAME]


def _reading(options: dict[str, Any]) -> Reading:
    names = ("threshold", "partial_threshold", "judge")
    try:
        given = {name: options[name] for name in names if name in options}
        columns = choice_from_words(filter(None, options["map"].split(",")))
        return Reading(format=options["file_format"], columns=columns, **given)
    except FileProblem as problem:
        raise PublicError(f"{problem.message} {problem.remedy}", field="map") from problem
    except ValueError as error:
        field, _, message = str(error).partition(": ")
        raise PublicError(f"{message}.", field=field) from error
