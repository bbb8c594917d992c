from __future__ import annotations

import json
import time
import uuid
from functools import cache as cache_once
from typing import Any

import pytest
from django.core.cache import cache
from lxml import html
from rest_framework import serializers

from projects.api.serializers import DictField, ListField, SpecSerializer, StrictSerializer
from tests.permissions.bodies import NDJSON, content_of
from tests.permissions.matrix import ROUTES, WRITES, who_may
from tests.permissions.objects import first_error, undone
from tests.permissions.people import drained
from tests.permissions.test_matrix import url_of
from tests.projects.api.test_openapi import document, operation

MOST_BYTES = 20_000
MOST_SECONDS = 2.0
# A small part of the largest body, so that the walk takes a bearable time; `test_largest_bodies` sends whole
# ones to some addresses.
BODY_BYTES = 1 << 16
SECONDS = 1.0
LARGEST = (4 << 20) - 1000


def fields_of(method, url):
    """The fields of a request's body as the OpenAPI document has them."""
    content = operation(url, method).get("requestBody", {}).get("content", {})
    return sorted({name for media in content.values() for name in properties_of(media["schema"])})


def properties_of(schema):
    if "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    properties: dict[str, Any] = schema.get("properties", {})
    return properties


def hostile_documents(valid, size):
    """What is refused before a field is looked at, by code that all addresses share."""
    yield "unknown keys", valid | {f"k{number}": 0 for number in range(size // 11)}
    yield "a long key", valid | {"k" * size: 0}
    yield "no object", [{}] * (size // 3)
    yield "no object, long", "x" * size


def hostile_fields(fields, valid, size):
    share = size // max(1, len(fields))
    values = {
        "empty objects": [{}] * (share // 3),
        "lists": [[{}, {}, {}, {}]] * (share // 16),
        "numbers": [-1] * (share // 3),
        "large numbers": list(range(10**18, 10**18 + share // 21)),
        "many entries": {f"k{number}": {} for number in range(share // 12)},
        "a long text": "🦔" * (share // 4),
        "control characters": "\x01" * (share // 6),
        "a deep list": json.loads("[" * min(share // 2, 900) + "]" * min(share // 2, 900)),
    }
    for kind, value in values.items():
        yield kind, valid | dict.fromkeys(fields, value)


@cache_once
def many_fields():
    return b"&".join(b"k%d=0" % number for number in range(LARGEST // 10))


def send(caller, role, name, method, body, kind):
    """The response, and the seconds of computing that it took."""
    cache.clear()
    own = caller.world.own
    with undone():
        client = caller.world.client(role)
        client.raise_request_exception = False
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        before = time.process_time()
        response = client.generic(method, url_of(name, own, own), body, content_type=kind, headers=headers)
        return drained(response), time.process_time() - before


def check(response, seconds, limit, said):
    size = len(response.content) if not response.streaming else 0
    assert response.status_code < 500, f"{said}: {first_error(response)}"
    assert size < MOST_BYTES, f"{said}: {size:,} bytes. {first_error(response)}"
    assert seconds < limit, f"{said}: {seconds:.2f} s. {first_error(response)}"


@pytest.mark.parametrize(("name", "method"), [one for one in WRITES if one[1] != "DELETE"])
def test_every_json_body(caller, name, method):
    own = caller.world.own
    content, kind = content_of(name, method, own)
    valid = json.loads(content) if kind == "application/json" else {}
    url = url_of(name, own, own)
    fields = sorted({*valid, *fields_of(method, url)})
    role = who_may(name, method) or "manager"
    for what, body in hostile_fields(fields, valid, BODY_BYTES):
        kind = "application/x-ndjson" if name in NDJSON else "application/json"
        response, seconds = send(caller, role, name, method, json.dumps(body).encode(), kind)
        check(response, seconds, SECONDS, f"{method} {name}, {what}")


@pytest.mark.parametrize(
    ("name", "method", "role"),
    [
        ("api-login", "POST", "anonymous"),
        ("api-alignment", "PUT", "annotator"),
        ("api-placements", "PUT", "annotator"),
        ("api-link-review", "PUT", "adjudicator"),
        ("api-launch-run-experiment", "POST", "manager"),
    ],
)
def test_largest_bodies(caller, name, method, role):
    content, _ = content_of(name, method, caller.world.own)
    valid = json.loads(content)
    fields = sorted(fields_of(method, url_of(name, caller.world.own, caller.world.own)))
    bodies = (
        *hostile_documents(valid, LARGEST),
        *hostile_fields(["links"] if "links" in fields else fields, valid, LARGEST),
    )
    for what, body in bodies:
        sent = json.dumps(body, ensure_ascii=False).encode()
        response, seconds = send(caller, role, name, method, sent, "application/json")
        check(response, seconds, MOST_SECONDS, f"{method} {name}, {what}")


PAGES = sorted(n for n, route in ROUTES.items() if not n.startswith("api-") and "POST" in route.methods)


@pytest.mark.parametrize("name", PAGES)
def test_every_form_of_a_page(caller, name):
    """A text area alone is shown again at its length, up to twice its maximum."""
    own = caller.world.own
    url = url_of(name, own, own)
    for role in ("admin", "adjudicator", "annotator", "anonymous"):
        with undone():
            page = drained(caller.world.client(role).get(url))
        if page.status_code == 200:
            break
    shown = b"" if page.streaming else page.content
    forms = [form for form in html.fromstring(shown).forms if form.method == "POST"] if shown else []
    fields = {field for form in forms for field in form.fields} - {None, "form_token", "csrfmiddlewaretoken"}
    areas = [area for form in forms for area in form.xpath(".//textarea")]
    again = sum(2 * int(area.get("maxlength") or 25_000) for area in areas)
    value = b"x" * (BODY_BYTES // (len(fields) or 1))
    long_values = b"&".join(field.encode() + b"=" + value for field in fields) or b"a=" + value
    bodies = {
        "long values": long_values,
        "a long field": b"x" * BODY_BYTES,
        "900 values": b"&".join(f"{field}=0".encode() for field in fields for _ in range(900 // len(fields))),
        "many fields": many_fields(),
    }
    for what, body in bodies.items():
        response, seconds = send(caller, role, name, "POST", body, "application/x-www-form-urlencoded")
        size = 0 if response.streaming else len(response.content)
        assert response.status_code < 500, f"{what}: {first_error(response)}"
        assert size < len(shown) + again + MOST_BYTES, f"{what}: {size:,} bytes. {first_error(response)}"
        assert seconds < MOST_SECONDS, f"{what}: {seconds:.2f} s. {first_error(response)}"


def test_every_list_of_a_request_has_a_maximum():
    """A list is checked before its elements, an object before its entries."""
    without = [
        f"{type(serializer).__name__}.{place}"
        for serializer in all_requests()
        for place, field in fields_within(serializer)
        if isinstance(field, serializers.ListSerializer | serializers.ListField | serializers.DictField)
        and not isinstance(field, LIMITED)
        and not (isinstance(field, serializers.ListSerializer) and field.max_length)
    ]
    assert not without


LIMITED = (ListField, DictField)


def all_requests():
    """Every serializer of a request; those of the apps are imported with the addresses."""
    ROUTES  # noqa: B018 - imports every view
    classes, waiting = [], [StrictSerializer]
    while waiting:
        subclasses = waiting.pop().__subclasses__()
        classes += subclasses
        waiting += subclasses
    return [one() for one in classes if one.__module__.partition(".")[0] != "tests" and not abstract(one)]


def abstract(serializer):
    return issubclass(serializer, SpecSerializer) and not hasattr(serializer, "spec_class")


def fields_within(field, place=""):
    """Every field that is written, and the elements of lists, each with its place."""
    inner = dict(field.fields) if isinstance(field, serializers.Serializer) else {}
    if (child := getattr(field, "child", None)) is not None:
        inner["[]"] = child
    for name, one in inner.items():
        if not one.read_only:
            yield f"{place}{name}", one
            yield from fields_within(one, f"{place}{name}.")


def test_requests_are_found():
    found = [(type(one).__name__, place) for one in all_requests() for place, _ in fields_within(one)]
    assert ("NewSubclusterDecisionSerializer", "subclusters.[].[]") in found
    assert len(found) > len(WRITES)
