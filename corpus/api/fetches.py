"""Lists of addresses whose pages are fetched, and the report of each address."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import AddressState, Fetch, FetchedAddress
from corpus.services.fetching import (
    LIST_BYTES,
    check_fetched,
    discard_fetch,
    fetch_or_problems,
    launch_fetch,
    launch_reading,
)
from jobs.api.jobs import JobSerializer
from jobs.services import running
from paragold.problems import PROBLEMS_SHOWN, FileProblem
from paragold.sources.address_lists import ADDRESSES, address_list
from paragold.sources.records import Place
from projects.api.endpoint import DetailEndpoint, ListEndpoint, ObjectEndpoint
from projects.api.serializers import ListField, RowSerializer, StrictSerializer
from projects.api.transport import BoundedJSONParser
from projects.permissions import check_manage

from .imports import ImportSerializer
from .uploads import FILE, FORM_BYTES, LimitedBody, ProblemCountField, ProblemSerializer, sent_file


class FetchSerializer(RowSerializer[Fetch]):
    job = JobSerializer()
    requested_by = serializers.CharField(source="requested_by.username", allow_null=True, default=None)
    imported = serializers.IntegerField(
        source="corpus_import_id",
        allow_null=True,
        help_text="Number of the import of its pages; null before there is one.",
    )

    class Meta:
        model = Fetch
        fields = ("id", "filename", "repeated", "job", "imported", "requested_by", "requested_at")


class FetchedAddressSerializer(RowSerializer[FetchedAddress]):
    class Meta:
        model = FetchedAddress
        fields = (
            "id", "number", "cluster", "key", "url", "state", "reason", "status", "final_url", "encoding",
            "size", "seconds", "attempts",
        )  # fmt: skip


class OneAddressSerializer(StrictSerializer):
    cluster = serializers.CharField(max_length=200)
    url = serializers.CharField(max_length=2000)


class NewFetchSerializer(StrictSerializer):
    filename = serializers.CharField(default="addresses", max_length=255)
    addresses = ListField(child=OneAddressSerializer(), max_length=ADDRESSES, allow_empty=False)


class FetchOptionsSerializer(StrictSerializer):
    encoding = serializers.CharField(default="utf-8", max_length=40, help_text="Encoding of a file.")


class AddressFilterSerializer(StrictSerializer):
    state = serializers.ChoiceField(choices=AddressState.choices, required=False)


class ListProblemsSerializer(serializers.Serializer[Any]):
    detail = serializers.CharField()
    problems = ProblemSerializer(many=True)
    problem_count = ProblemCountField()


FETCHES = Fetch.objects.select_related("job", "requested_by", "corpus_import")


@extend_schema_view(get=extend_schema(operation_id="fetches_list"))
class FetchesView(LimitedBody, ListEndpoint):
    """The lists of addresses for fetching."""

    checks = {"GET": check_manage, "POST": check_manage}
    rows = Fetch.objects.select_related("job", "requested_by")
    serializer_class = FetchSerializer
    parser_classes = (BoundedJSONParser, MultiPartParser)
    max_bytes = LIST_BYTES + FORM_BYTES

    @extend_schema(
        operation_id="fetches_create",
        parameters=[FetchOptionsSerializer],
        request={"application/json": NewFetchSerializer, "multipart/form-data": FILE},
        responses={201: FetchSerializer, 202: JobSerializer, 422: ListProblemsSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Fetch the pages of a list by a job: `addresses`, or a file as the field `file`.

        422: the list has problems, and nothing of it is fetched. A worker reads a file; 202 when it is busy:
        once the job is done, its `parameters` hold the id of the `fetch` or the `problems`."""
        options = self.filters(FetchOptionsSerializer)
        if str(request.content_type).startswith("multipart/"):
            return self.read(request, options["encoding"])
        given = self.body(NewFetchSerializer)
        rows = enumerate(given["addresses"], start=1)
        listed = address_list((Place("", number), row["cluster"], row["url"]) for number, row in rows)
        if listed.problems:
            return refused(listed.problems)
        fetch = launch_fetch(project=self.project, by=self.caller, filename=given["filename"], listed=listed)
        return self.created(FetchSerializer, fetch)

    def read(self, request: Request, encoding: str) -> Response:
        """Have a worker read a file, and wait for it."""
        pieces, size, filename = sent_file(request)
        job = launch_reading(
            project=self.project,
            by=self.caller,
            pieces=pieces,
            size=size,
            filename=filename,
            encoding=encoding,
        )
        if not running.wait_for(job, seconds=running.API_SECONDS):
            return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)
        outcome = fetch_or_problems(job)
        if isinstance(outcome, Fetch):
            return self.created(FetchSerializer, outcome)
        return refused(outcome)


def refused(problems: list[FileProblem]) -> Response:
    first = problems[0]
    data = {
        "detail": f"Nothing is fetched. {first.file or f'Line {first.line}'}: {first.message}",
        "problems": [problem.as_json() for problem in problems[:PROBLEMS_SHOWN]],
        "problem_count": len(problems),
    }
    return Response(data, status=status.HTTP_422_UNPROCESSABLE_ENTITY)


@extend_schema_view(get=extend_schema(operation_id="fetches_retrieve"))
class FetchView(DetailEndpoint):
    """How far a fetch is; its job is stopped and taken up again by `jobs/{id}/`."""

    checks = {"GET": check_manage, "DELETE": check_manage}
    rows = FETCHES
    serializer_class = FetchSerializer

    @extend_schema(operation_id="fetches_discard", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Forget a list, its report and its pages; what was imported of them stays."""
        discard_fetch(fetch=self.object)
        return Response(status=status.HTTP_204_NO_CONTENT)


class FetchedAddressesView(ObjectEndpoint):
    checks = {"GET": check_manage}
    rows = FETCHES

    @extend_schema(
        operation_id="fetched_addresses_list",
        parameters=[AddressFilterSerializer],
        responses=FetchedAddressSerializer(many=True),
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What became of each address."""
        filters = self.filters(AddressFilterSerializer)
        return self.paged(self.object.addresses.filter(**filters).defer("page"), FetchedAddressSerializer)


class FetchImportView(ObjectEndpoint):
    checks = {"POST": check_manage}
    rows = FETCHES

    @extend_schema(operation_id="fetches_import", request=None, responses={202: ImportSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Have the articles found in the pages that were fetched. Nothing is stored yet: once `imports/{id}/`
        is `checked`, `imports/{id}/store/` stores them."""
        source = check_fetched(fetch=self.object, by=self.caller)
        return Response(ImportSerializer(source).data, status=status.HTTP_202_ACCEPTED)
