from __future__ import annotations

import copy
import json
import re
import uuid
from functools import cache
from typing import Any

import pytest
from django.core.cache import cache as requests_of_last_minute
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.permissions.bodies import BODIES, MULTIPART, content_of
from tests.permissions.matrix import OF_THE_API, ROUTES, who_may
from tests.permissions.objects import first_error, undone
from tests.permissions.people import drained
from tests.permissions.test_matrix import url_of
from tests.projects.api.test_openapi import document, operation

API = [name for name in OF_THE_API if name != "api-schema"]
JSON = "application/json"
KEY = "Idempotency-Key"
NULL = {"type": "string", "nullable": True, "enum": [None]}
OTHER_TYPES: tuple[Any, ...] = (0, True, "5", [], {}, None)


@cache
def closed_document():
    """The document, in which an answer has no field but those that it describes."""
    closed = copy.deepcopy(document())

    def close(schema):
        if isinstance(schema, dict):
            if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
                schema.setdefault("additionalProperties", False)
            if schema.get("nullable") and "allOf" in schema:
                schema["anyOf"] = [{"allOf": schema.pop("allOf")}, NULL]
            for inner in schema.values():
                close(inner)
        elif isinstance(schema, list):
            for inner in schema:
                close(inner)

    close(closed)
    return closed


def problems(schema, value):
    """What of `value` differs from the schema."""
    from openapi_schema_validator import OAS30Validator  # a second for each process that collects

    whole = schema | {"components": closed_document()["components"]}
    errors = OAS30Validator(whole).iter_errors(value)
    return [f"{'/'.join(map(str, error.path))}: {error.message[:300]}" for error in errors]


def described(url, method):
    return operation(url, method, closed_document())


def check_answer(url, method, response):
    """The status, the type and every field of an answer are documented."""
    documented = described(url, method)["responses"]
    code = str(response.status_code)
    answer = documented.get(code) or documented.get(f"{code[0]}XX")
    assert answer is not None, f"{method} {url} answered {code}: {first_error(response)}"
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    content = answer.get("content", {})
    assert kind in content or not (response.content or content), f"{method} {url} answered {kind}"
    if kind == JSON and response.content:
        assert problems(content[kind]["schema"], response.json()) == [], f"{method} {url}"


def send(caller, role, method, url, content, kind=JSON):
    requests_of_last_minute.clear()
    headers = {KEY: str(uuid.uuid4())}
    with undone():
        response = caller.world.client(role).generic(method, url, content, content_type=kind, headers=headers)
        drained(response)
        return response


@pytest.mark.parametrize("name", API)
def test_every_field_of_an_answer_is_described(caller, name):
    own = caller.world.own
    url = url_of(name, own, own)
    for method in ROUTES[name].methods:
        role = who_may(name, method) or "admin"
        content, kind = content_of(name, method, own)
        check_answer(url, method, send(caller, role, method, url, content, kind))
        if method != "GET":
            check_answer(url, method, send(caller, role, method, url, b'{"no such field": 1}'))


@pytest.mark.parametrize(("name", "method"), sorted(BODIES))
def test_a_key_that_comes_again_with_another_body(caller, name, method):
    own = caller.world.own
    url, role = url_of(name, own, own), who_may(name, method)
    content, kind = content_of(name, method, own)
    if kind != JSON or KEY not in {one["name"] for one in described(url, method).get("parameters", [])}:
        return
    other = json.dumps(json.loads(content) | {"milliseconds": 7}).encode()
    headers = {KEY: str(uuid.uuid4())}
    with undone():
        client = caller.world.client(role)
        first = drained(client.generic(method, url, content, content_type=kind, headers=headers))
        if first.status_code >= 400 or (method == "POST" and first.status_code == 200):
            return  # nothing was made
        second = client.generic(method, url, other, content_type=kind, headers=headers)
        assert second.status_code == 422, first_error(second)
        check_answer(url, method, second)
        assert list(second.json()) == ["detail"]


REFUSED: dict[str, tuple[bytes, str]] = {
    "api-imports": (b'{"cluster_id": 1}', "application/x-ndjson"),
    "api-judgement-imports": (b'{"a": "A dam broke.", "b": 1}', "application/x-ndjson"),
    "api-link-imports": (
        encode_multipart(
            BOUNDARY,
            {
                "file": SimpleUploadedFile("l.json", b'[{"id": 1}]'),
                "batch": "new",
                "whose": "annotator:annotator",
            },
        ),
        MULTIPART_CONTENT,
    ),
}


def test_a_refused_file_is_answered_with_the_fields_that_are_described(caller):
    own = caller.world.own
    with_fields = {
        name
        for name in API
        for method in ROUTES[name].methods
        if "anyOf" in str(described(url_of(name, own, own), method)["responses"].get("422"))
    }
    assert with_fields == set(REFUSED)
    for name, (content, kind) in REFUSED.items():
        url = url_of(name, own, own)
        answer = send(caller, "admin", "POST", url, content, kind)
        assert answer.status_code == 422, first_error(answer)
        assert answer.json()["detail"], url
        check_answer(url, "POST", answer)


def places(value, at=()):
    """Where a JSON value has fields and elements, at any depth."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in inner:
        yield (*at, name)
        yield from places(child, (*at, name))


def replaced(body, at, value):
    changed = copy.deepcopy(body)
    inner = changed
    for name in at[:-1]:
        inner = inner[name]
    inner[at[-1]] = value
    return changed


@pytest.mark.parametrize(("name", "method"), sorted(BODIES))
def test_a_value_of_another_type_is_refused(caller, name, method):
    own = caller.world.own
    url, role = url_of(name, own, own), who_may(name, method)
    if name in MULTIPART:
        return
    schema = described(url, method).get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema")
    if schema is None:
        return
    body = BODIES[name, method](own)
    assert problems(schema, body) == []
    whole = schema
    if "$ref" in schema:
        whole = closed_document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    fields = [(field,) for field in whole["properties"] if field not in body]
    for at in (*places(body), *fields):
        for value in OTHER_TYPES:
            changed = replaced(body, at, value)
            if problems(schema, changed):
                answer = send(caller, role, method, url, json.dumps(changed).encode())
                assert 400 <= answer.status_code < 500, f"{method} {url}: {at} took {value!r}"
                check_answer(url, method, answer)


@pytest.mark.parametrize("name", [name for name in API if "GET" in ROUTES[name].methods])
def test_a_filter_takes_what_is_described_alone(caller, name):
    own = caller.world.own
    url, role = url_of(name, own, own), who_may(name, "GET")
    for parameter in described(url, "GET").get("parameters", []):
        if parameter["in"] != "query" or not role:
            continue
        schema = parameter["schema"]
        schema = schema.get("items", schema)
        for value in ("maybe", "TRUE", "0", "1.5"):
            refused = {"enum": value not in schema.get("enum", [value])}
            if schema.get("type") in ("integer", "number"):
                refused["number"] = not re.fullmatch(r"-?\d+(\.\d+)?", value)
            if any(refused.values()):
                answer = send(caller, role, "GET", f"{url}?{parameter['name']}={value}", b"")
                assert answer.status_code == 400, f"{url} took {parameter['name']}={value}"
