from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from django.urls import URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

import config.urls
from projects.api.openapi import FIELDS
from tests.permissions.matrix import OF_THE_API, ROUTES

DOCS = Path(__file__).resolve().parents[3] / "docs"


@cache
def document():
    """As an installation serves it."""
    schema: dict[str, Any] = json.loads(
        OpenApiJsonRenderer().render(SchemaGenerator().get_schema(public=True))
    )
    return schema


def address_of(url, method):
    """As the document has it, with names in place of values."""
    for address, operations in document()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", address), url) and method.lower() in operations:
            return address
    raise AssertionError(f"{method} {url} is not documented")


def operation(url, method, described=None):
    """The part of the document about a request."""
    return (described or document())["paths"][address_of(url, method)][method.lower()]


def named_routes(patterns, start=""):
    """The name and the whole route of every pattern."""
    for pattern in patterns:
        route = start + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from named_routes(pattern.url_patterns, route)
        else:
            yield str(pattern.name), route


def test_every_endpoint_is_documented():
    guide = (DOCS / "api.md").read_text()
    for _, route in named_routes(config.urls.api):
        if route == "schema/":
            continue
        address = (
            route.replace("<slug:slug>", "{slug}")
            .replace("<int:pk>", "{id}")
            .replace("<slug:kind>", "{kind}")
            .replace("<str:token>", "{token}")
        )
        assert f"/api/v1/{address}" in document()["paths"]
        assert f"`{address}`" in guide, f"docs/api.md says nothing of {address}"


def words_of(text):
    """The words that say something: without articles and the like."""
    return set(re.findall(r"[a-z]+", text.lower())) - {"the", "a", "an", "of", "one", "this"}


def test_every_operation_has_a_summary_and_a_description():
    operations = [one for methods in document()["paths"].values() for one in methods.values()]
    assert len(operations) == sum(len(ROUTES[name].methods) for name in OF_THE_API if name != "api-schema")
    for operation in operations:
        assert operation["description"].endswith((".", ")")), operation["operationId"]
        assert operation["summary"] and "\n" not in operation["summary"]
        assert len(operation["summary"]) <= 120, operation["operationId"]


def test_every_field_is_described_by_more_than_its_name():
    fields = [
        (f"{schema}.{name}", name, field.get("description", ""))
        for schema, value in document()["components"]["schemas"].items()
        for name, field in value.get("properties", {}).items()
    ]
    assert len(fields) > len(OF_THE_API)
    assert [
        place for place, name, text in fields if not words_of(text) - words_of(name.replace("_", " "))
    ] == []


def test_no_description_is_left_over():
    schemas = document()["components"]["schemas"]
    there = {name for schema in schemas.values() for name in schema.get("properties", {})}
    there |= {f"{schema}.{name}" for schema, value in schemas.items() for name in value.get("properties", {})}
    assert set(FIELDS) - there == set()


def test_it_is_valid():
    # It takes seconds to load, which every process that collects this file would spend.
    from openapi_spec_validator import OpenAPIV30SpecValidator

    OpenAPIV30SpecValidator(document()).validate()


def test_everybody_can_fetch_it(client):
    answer = client.get("/api/v1/schema/", headers={"Authorization": "Token gone"})
    assert answer.status_code == 200
    assert answer.content.decode().startswith("openapi: 3.")


def test_the_api_lies_below_its_version():
    of_api = [route for name, route in named_routes(get_resolver().url_patterns) if name.startswith("api-")]
    assert len(of_api) == len(OF_THE_API)
    assert [route for route in of_api if not route.startswith("api/v1/")] == []
