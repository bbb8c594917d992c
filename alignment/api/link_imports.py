"""Links from files: imported whole, or refused whole."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.forms import MAX_MEGABYTES
from alignment.services.link_import import LinkFiles, LinkImport, import_links
from corpus.api.uploads import FORM_BYTES, LimitedBody
from corpus.services.uploads import on_disk
from paragold.formats.answers import most_frequent
from paragold.formats.link_files import LINK_FORMATS
from paragold.formats.link_formats import LINK_COLUMNS
from paragold.formats.tables import choice_from_words
from paragold.problems import FileProblem
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import ListField, StrictSerializer
from projects.permissions import check_manage

MOST_ANNOTATORS = 100
FILES = ("file", "source", "target")
STATUS_CODES = {"imported": status.HTTP_201_CREATED, "refused": status.HTTP_422_UNPROCESSABLE_ENTITY}
REFUSED: dict[str, Any] = {
    **{"status": "refused", "batch": None, "gold_alignments": None},
    **{"pairs": 0, "sure": 0, "possible_only": 0, "unknown": {}},
}


class LinksTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = (
        f"Links and sentences may have {MAX_MEGABYTES} MB each. Split them, or use `manage.py "
        "import_links` on the server, which has no limit."
    )


class NewLinkImportSerializer(StrictSerializer):
    """`source` and `target`, one sentence a line, go with formats that hold no text."""

    file = serializers.FileField(max_length=255, allow_empty_file=True)
    source = serializers.FileField(max_length=255, allow_empty_file=True, required=False)  # type: ignore[assignment]  # a field of that name, not the framework's setting
    target = serializers.FileField(max_length=255, allow_empty_file=True, required=False)
    format = serializers.ChoiceField(
        choices=LINK_FORMATS.ids(),
        required=False,
        help_text="Format of the file; by default it is recognised from the content.",
    )
    encoding = serializers.CharField(
        default="utf-8", max_length=40, help_text="Character encoding of all files, such as utf-8."
    )
    batch = serializers.CharField(
        max_length=80, help_text="A new name makes a batch; the name of an imported batch adds to it."
    )
    annotator = serializers.CharField(
        max_length=150, required=False, help_text="User name of the annotator who drew the links."
    )
    judge = serializers.CharField(
        max_length=200,
        default="",
        allow_blank=True,
        help_text="Whose links are read, if the file has several people's: a name in it; of a zip with a "
        "file for each, the file's name.",
    )
    map = serializers.CharField(
        max_length=1_000,
        default="",
        allow_blank=True,
        help_text="Columns of a table, or fields of JSON Lines, that are not called as usual, such as "
        f"source=first,target=second,sure=links; of {', '.join(LINK_COLUMNS.usual)}.",
    )
    as_gold = serializers.BooleanField(default=False, help_text="The links are final: freeze them as gold.")
    as_suggestions = serializers.BooleanField(
        default=False,
        help_text="Annotators of the batch are to accept or correct the links; of Label Studio, the "
        "predictions are read.",
    )
    annotators = ListField(
        child=serializers.CharField(max_length=150),
        max_length=MOST_ANNOTATORS,
        required=False,
        help_text="Of suggestions in a new batch: user names of those who link its pairs.",
    )
    check = serializers.BooleanField(default=False, help_text="Checks the file only: nothing is written.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            attrs["columns"] = choice_from_words(filter(None, attrs.pop("map").split(",")))
        except FileProblem as problem:
            raise ValidationError({"map": [f"{problem.message} {problem.remedy}"]}) from problem
        if ("annotator" in attrs) + attrs["as_gold"] + attrs["as_suggestions"] != 1:
            message = "Send either an annotator or as_gold or as_suggestions."
            raise ValidationError({"annotator": [message]})
        annotators = attrs.pop("annotators", [])
        if annotators and not attrs["as_suggestions"]:
            raise ValidationError({"annotators": ["These are for as_suggestions."]})
        attrs["suggest_to"] = annotators if attrs["as_suggestions"] else None
        return attrs


class LinkImportSerializer(serializers.Serializer[Any]):
    """`batch` and `gold_alignments` are null until the import; `line` is given on a refusal."""

    status = serializers.ChoiceField(choices=["imported", "checked", "unchanged", "refused"])
    filename = serializers.CharField()
    batch = serializers.IntegerField(allow_null=True)
    gold_alignments = serializers.IntegerField(allow_null=True)
    pairs = serializers.IntegerField()
    sure = serializers.IntegerField()
    possible_only = serializers.IntegerField()
    unknown = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="What of the file was not read, such as unknown fields and labels: counts by name.",
    )
    contradictions = serializers.CharField(
        required=False, help_text="The pairs with the same sentences and different links, if there are any."
    )
    detail = serializers.CharField(required=False)
    line = serializers.IntegerField(
        required=False, help_text="Line of the file, from 1; 0 for the whole file."
    )


class LinkImportsView(LimitedBody, ProjectEndpoint):
    checks = {"POST": check_manage}
    parser_classes = (MultiPartParser,)
    max_bytes = len(FILES) * (MAX_MEGABYTES << 20) + FORM_BYTES
    too_large = LinksTooLarge

    @extend_schema(
        request={"multipart/form-data": NewLinkImportSerializer},
        responses={200: LinkImportSerializer, 201: LinkImportSerializer, 422: LinkImportSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import a file of links of an annotator, as gold or as suggestions, completely or not at all.

        201 imported, 200 checked or imported before, 422 refused, with the line."""
        self.filters()
        fields = self.body(NewLinkImportSerializer)
        sent = {name: fields[name] for name in FILES if name in fields}
        if any(file.size > MAX_MEGABYTES << 20 for file in sent.values()):
            raise LinksTooLarge
        with ExitStack() as stack:
            paths = {name: stack.enter_context(on_disk(file.chunks())) for name, file in sent.items()}
            files = LinkFiles(
                **paths,
                format_name=fields.get("format"),
                encoding=fields["encoding"],
                names={name: file.name for name, file in sent.items()},
                judge=fields["judge"],
                columns=fields["columns"],
            )
            try:
                imported = import_links(
                    project=self.project,
                    by=self.caller,
                    files=files,
                    batch_name=fields["batch"],
                    annotator=fields.get("annotator"),
                    suggest_to=fields["suggest_to"],
                    check=fields["check"],
                )
            except FileProblem as error:
                answer = REFUSED | {"detail": f"Nothing was imported. {error}", "line": error.line}
            else:
                answer = _imported(imported)
        code = STATUS_CODES.get(answer["status"], status.HTTP_200_OK)
        return Response({"filename": files.filename} | answer, status=code)


def _imported(imported: LinkImport) -> dict[str, Any]:
    written = imported.status != "checked"
    return {
        "status": imported.status,
        "batch": imported.batch.pk if written else None,
        "gold_alignments": imported.gold_set.pk if imported.gold_set is not None and written else None,
        "pairs": len(imported.pairs),
        "sure": imported.sure,
        "possible_only": imported.possible_only,
        "unknown": most_frequent(imported.unknown),
    } | ({"contradictions": imported.contradictions} if imported.contradictions else {})
