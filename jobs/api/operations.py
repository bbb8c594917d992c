"""Launching operations: an address for each, made from its declaration."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.operations import Operation, Rows, job_of
from jobs.resources import JobSerializer
from paragold.spec import Parameter, SpecError
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import (
    MAX_PARAMETERS,
    DictField,
    IdField,
    ListField,
    StrictSerializer,
    api_default,
    api_field,
    with_rows,
)
from projects.permissions import check_manage

MAX_ROWS = 1000
TYPES = {"flag": "boolean", "whole number": "integer", "number": "number"}


class LaunchedSerializer(serializers.Serializer[Any]):
    """What was made, with the job that does the work."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="__str__")
    job = serializers.SerializerMethodField(help_text="null where nothing is left to do.")

    @extend_schema_field(JobSerializer(allow_null=True))
    def get_job(self, made: Any) -> Any:
        job = job_of(made)
        return job and JobSerializer(job).data


def serializer_of(operation: Operation) -> type[StrictSerializer]:
    """The request that launches an operation; rows are named by their ids."""
    fields: dict[str, Any] = {one.name: api_field(one) for one in operation.parameters()}
    for rows in operation.rows:
        about = {"required": rows.required, "help_text": rows.help}
        if rows.many:
            fields[rows.name] = ListField(child=_key_field(rows), max_length=MAX_ROWS, **about)
        else:
            fields[rows.name] = _key_field(rows, allow_null=not rows.required, **about)
    if operation.settings:
        help_text = operation.settings
        fields["settings"] = DictField(max_length=MAX_PARAMETERS, required=False, help_text=help_text)
    name = "".join(part.title() for part in operation.kind.split("-"))
    return type(f"{name}Serializer", (StrictSerializer,), {**fields, "__doc__": operation.help})


def _key_field(rows: Rows, **options: Any) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.CharField(max_length=150, **options) if rows.key else IdField(**options)


def schema_of(operation: Operation) -> dict[str, Any]:
    """The JSON Schema of the request."""
    properties = {one.name: _schema_of_parameter(one) for one in operation.parameters()}
    for rows in operation.rows:
        identifier = {"type": "string"} if rows.key else {"type": "integer", "minimum": 1}
        kind = {"type": "array", "items": identifier, "maxItems": MAX_ROWS} if rows.many else identifier
        properties[rows.name] = {"description": rows.help, **kind}
    if operation.settings:
        properties["settings"] = {"type": "object", "description": operation.settings}
    return {
        "title": operation.kind,
        "description": operation.help,
        "type": "object",
        "properties": properties,
        "required": [rows.name for rows in operation.rows if rows.required],
        "additionalProperties": False,
    }


def _schema_of_parameter(parameter: Parameter) -> dict[str, Any]:
    about: dict[str, Any] = {"title": parameter.label, "description": parameter.explained()}
    choices = [value for value, _ in parameter.choices]
    if parameter.kind in ("choices", "words"):
        items = {"enum": choices} if choices else {"type": "string"}
        return {**about, "type": "array", "items": items, "default": sorted(parameter.default)}
    about |= {"type": TYPES.get(parameter.kind, "string"), "default": api_default(parameter)}
    if choices:
        about["enum"] = choices
    bounds = {"minimum": parameter.minimum, "maximum": parameter.maximum, "maxLength": parameter.max_length}
    return about | {name: bound for name, bound in bounds.items() if bound is not None}


def operation_view(operation: Operation) -> type[ProjectEndpoint]:
    """The endpoint of an operation."""
    serializer = serializer_of(operation)
    of_kind = operation.kind.replace("-", "_")

    class OperationView(ProjectEndpoint):
        checks = {"GET": check_manage, "POST": check_manage}

        @extend_schema(operation_id=f"describe_{of_kind}", responses=OpenApiTypes.OBJECT)
        def get(self, request: Request, slug: str) -> Response:
            """What can be chosen, as JSON Schema."""
            self.filters()
            return Response(schema_of(operation))

        @extend_schema(
            operation_id=f"launch_{of_kind}",
            description=f"{operation.help} The job is stored at once, even if no worker is running.",
            request=serializer,
            responses={201: LaunchedSerializer},
        )
        def post(self, request: Request, slug: str) -> Response:
            offered = {rows.name: rows.offered(self.project) for rows in operation.rows}
            given = self.body(serializer)
            for rows in operation.rows:
                given |= with_rows(given, rows.key or "pk", **{rows.name: offered[rows.name]})
            others = {name: given.pop(name) for name in (*offered, "settings") if name in given}
            try:
                arguments = operation.arguments(given)
            except SpecError as error:
                problems = {name or "non_field_errors": [message] for name, message in error.problems}
                raise serializers.ValidationError(problems) from error
            made = operation.launch(project=self.project, by=self.caller, **arguments, **others)
            return self.created(LaunchedSerializer, made)

    return OperationView
