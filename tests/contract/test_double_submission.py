from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from lxml import html

from jobs.models import JobState
from projects.models import AuditEntry, Submission
from tests.permissions.bodies import NDJSON, content_of
from tests.permissions.matrix import OF_THE_API, ROUTES
from tests.permissions.objects import first_error, undone
from tests.permissions.pages import PAGES, SIGN_ON
from tests.permissions.people import drained
from tests.permissions.test_matrix import parameters, url_of

pytestmark = pytest.mark.django_db

COUNTED = [
    model
    for label in ("ops", "projects", "jobs", "corpus", "annotation", "alignment")
    for model in apps.get_app_config(label).get_models()
    if model not in (Submission, AuditEntry)
]


@pytest.fixture
def world(caller):
    caller.world.own.project.jobs.filter(state=JobState.RUNNING).update(state=JobState.CANCELLED)
    return caller.world


def rows():
    return {model._meta.label: model._default_manager.count() for model in COUNTED}


def filled_in(client, page, target, given):
    """The fields of the longest form on a page that is sent to `target`, with what is `given`."""
    document = html.fromstring(client.get(page).content)

    def addresses(form):
        named = [form.action or page, *form.xpath(".//button/@formaction")]
        return {address.partition("?")[0] or page for address in named}

    forms = [form for form in document.forms if form.method == "POST" and target in addresses(form)]
    assert forms, f"no form for {target} on {page}"
    form = max(forms, key=lambda form: len(form.fields))
    fields: dict[str, Any] = {}
    for name, value in form.form_values():
        fields.setdefault(name, []).append(value)
    assert "form_token" in fields, f"{page}: the form for {target} has no token"
    return fields | given


def rewound(fields):
    for value in fields.values():
        if isinstance(value, SimpleUploadedFile):
            value.seek(0)
    return fields


@pytest.mark.parametrize("name", sorted(name for name, route in PAGES.items() if route.form))
def test_a_form_sent_twice_makes_one_thing(world, name):
    route = PAGES[name]
    assert route.form
    own, target = world.own, url_of(name, world.own, world.own)
    with undone():
        client = world.client("manager")
        page = url_of(route.on or name, own, own)
        fields = filled_in(client, page, target, route.form(own))
        before = rows()
        first = client.post(target, rewound(fields))
        assert first.status_code == 302, first_error(first)
        made = rows()
        assert made != before
        again = client.post(target, rewound(fields))
        assert again.headers["Location"] == first.headers["Location"], first_error(again)
        assert rows() == made
        fresh = filled_in(client, page, target, {})
        assert fresh["form_token"] != fields["form_token"]


def test_every_form_is_tried_or_makes_nothing():
    for name, route in PAGES.items():
        if "POST" in route.methods and name not in SIGN_ON:
            assert bool(route.form) != route.says("makes nothing"), f"{name}: say what is filled in, or that"


MAKING = [
    name for name in OF_THE_API if ROUTES[name].statuses("POST")["admin"] in (201, 202) and name not in NDJSON
]


@pytest.mark.parametrize("name", MAKING)
def test_a_request_sent_twice_with_its_key_makes_one_thing(world, name):
    url = url_of(name, world.own, world.own)
    content, kind = content_of(name, "POST", world.own)

    def send(key, content=content):
        headers = {"Idempotency-Key": str(key)}
        client = world.client("admin")
        return drained(client.generic("POST", url, content, content_type=kind, headers=headers))

    with undone():
        key = uuid.uuid4()
        first = send(key)
        assert first.status_code in (201, 202), first_error(first)
        about = Submission.objects.get(key=f"api:{key}").project
        assert (about is None) == (not parameters(name)), "it goes with the project that it tells of"
        made = rows()
        again = send(key)
        assert (again.status_code, again.json()) == (first.status_code, first.json())
        assert rows() == made
        if kind == "application/json" and content != b"{}":
            assert send(key, content[:-1] + b', "other": 1}').status_code == 422
            assert rows() == made
