"""docs/openapi.yaml is what the code says, and the code says it of every endpoint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator

import config.urls
from projects.api.descriptions import FIELDS
from projects.api.serializers import SpecSerializer, StrictSerializer, WholeListSerializer

DOCS = Path(__file__).resolve().parents[3] / "docs"
COMMAND = "python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml"


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load((DOCS / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
    return found


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the code says now; it takes seconds to write."""
    path = tmp_path_factory.mktemp("api") / "openapi.yaml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(path))
    return path.read_text()


def test_the_description_is_up_to_date(generated: str) -> None:
    same = generated == (DOCS / "openapi.yaml").read_text()
    assert same, f"docs/openapi.yaml is out of date; run `{COMMAND}`"


def test_no_schema_is_described_by_a_base_of_all_serializers() -> None:
    schemas = document()["components"]["schemas"].values()
    said = {" ".join(schema.get("description", "").split()) for schema in schemas}
    for base in (StrictSerializer, SpecSerializer, WholeListSerializer):
        assert " ".join(str(base.__doc__).split()) not in said


def named_routes(patterns: Iterable[URLPattern | URLResolver], start: str = "") -> Iterator[tuple[str, str]]:
    """The name and the whole route of every pattern."""
    for pattern in patterns:
        route = start + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from named_routes(pattern.url_patterns, route)
        else:
            yield str(pattern.name), route


def test_every_endpoint_is_documented(generated: str) -> None:
    guide = (DOCS / "api.md").read_text()
    for _, route in named_routes(config.urls.api):
        if route == "schema/":
            continue
        address = (
            route.replace("<slug:slug>", "{slug}")
            .replace("<int:pk>", "{id}")
            .replace("<str:token>", "{token}")
        )
        assert f"  /api/v1/{address}:\n" in generated
        assert f"`{address}`" in guide, f"docs/api.md says nothing of {address}"


def words_of(text: str) -> set[str]:
    """The words that say something: without articles and the like."""
    return set(re.findall(r"[a-z]+", text.lower())) - {"the", "a", "an", "of", "one", "this"}


def test_every_operation_has_a_summary_and_a_description() -> None:
    operations = [one for methods in document()["paths"].values() for one in methods.values()]
    assert len(operations) > 100
    for operation in operations:
        assert operation["description"].endswith((".", ")")), operation["operationId"]
        assert operation["summary"] and "\n" not in operation["summary"]
        assert len(operation["summary"]) <= 120, operation["operationId"]


def test_every_field_is_described_by_more_than_its_name() -> None:
    fields = [
        (f"{schema}.{name}", name, field.get("description", ""))
        for schema, value in document()["components"]["schemas"].items()
        for name, field in value.get("properties", {}).items()
    ]
    assert len(fields) > 400
    assert [
        place for place, name, text in fields if not words_of(text) - words_of(name.replace("_", " "))
    ] == []


def test_no_description_is_left_over() -> None:
    schemas = document()["components"]["schemas"]
    there = {name for schema in schemas.values() for name in schema.get("properties", {})}
    there |= {f"{schema}.{name}" for schema, value in schemas.items() for name in value.get("properties", {})}
    assert set(FIELDS) - there == set()


def test_it_is_valid() -> None:
    # It takes seconds to load, which every process that collects this file would spend.
    from openapi_spec_validator import OpenAPIV30SpecValidator

    OpenAPIV30SpecValidator(document()).validate()


def test_every_list_has_one_shape() -> None:
    schemas = document()["components"]["schemas"]
    lists = []
    for address, operations in document()["paths"].items():
        for content in (
            operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {}).values()
        ):
            schema = content["schema"]
            if "$ref" in schema:
                schema = schemas[schema["$ref"].split("/")[-1]]
            assert schema.get("type") != "array", address
            if schema.get("properties", {}).get("items", {}).get("type") == "array":
                assert {"items", "next"} <= set(schema["required"]), address
                lists.append(address)
    assert len(lists) > 20


def test_everybody_can_fetch_it(client: Client) -> None:
    answer = client.get("/api/v1/schema/", headers={"Authorization": "Token gone"})
    assert answer.status_code == 200
    assert answer.content.decode().startswith("openapi: 3.")


def test_it_is_made_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/api/v1/schema/").content
    monkeypatch.setattr(SchemaGenerator, "get_schema", None)
    assert client.get("/api/v1/schema/").content == first


def test_the_api_lies_below_its_version() -> None:
    of_api = [route for name, route in named_routes(get_resolver().url_patterns) if name.startswith("api-")]
    assert len(of_api) > 60
    assert [route for route in of_api if not route.startswith("api/v1/")] == []
