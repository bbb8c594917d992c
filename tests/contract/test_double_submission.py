"""Every form and every request that makes something, sent twice: one thing is made."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from lxml import html

from jobs.models import JobState
from projects.models import AuditEntry, Submission
from tests.permissions.bodies import content_of
from tests.permissions.matrix import ROUTES
from tests.permissions.objects import Objects, World, first_error, make_world, undone
from tests.permissions.pages import REMOVABLE, SIGN_ON
from tests.permissions.people import by_role, drained
from tests.permissions.test_matrix import url_of

pytestmark = pytest.mark.django_db

ARTICLES = b'[{"id": "1", "text": "A dam broke."}, {"id": "2", "text": "It did."}]'
LINES = b'{"cluster_id": "new", "articles": ' + ARTICLES + b"}\n"
JUDGED = b'{"a": "A dam broke.", "b": "It broke.", "label": 1}\n'

# By the name of the address that a form is sent to: the page that it is on, where that is another, and what
# is filled in beside what the page suggests.
FORMS: dict[str, tuple[str, Callable[[Objects], dict[str, Any]]]] = {
    "project-new": ("", lambda own: {"name": "Another", "slug": "another"}),
    "invitation-new": ("members", lambda own: {}),
    "corpus-import": ("", lambda own: {"file": SimpleUploadedFile("new.jsonl", LINES)}),
    "extraction-new": ("", lambda own: {}),
    "preset-new": ("extraction-new", lambda own: {"preset_name": "mine"}),
    "dataset-new": ("", lambda own: {"name": "again", "extractions": [own["extraction"]]}),
    "headline-matching-new": ("", lambda own: {}),
    "text-matching-new": (
        "",
        lambda own: {
            **{"method": "exact", "permutations": "16", "max_entry": "0", "threshold": "0.3", "seed": "1"},
            "first": SimpleUploadedFile("a.tsv", b"a\tOne dam broke.\n"),
            "second": SimpleUploadedFile("b.tsv", b"b\tA dam broke, one.\n"),
        },
    ),
    "lexicon-new": ("", lambda own: {"kind": "association", "name": "words", "dataset": own["dataset"]}),
    "batch-new": ("", lambda own: {"dataset": own["fresh dataset"], "size": "1"}),
    "judgements-import": ("", lambda own: {"file": SimpleUploadedFile("judged.jsonl", JUDGED)}),
    "split-new": ("", lambda own: {"again": "on"}),
    "gold-new": ("", lambda own: {"name": "new", "batches": [own["answered batch"]]}),
    "gold-subclusters-new": ("", lambda own: {"name": "n", "batch": own["split batch"], "rule": "shared"}),
    "link-new": ("", lambda own: {"gold_set": own["gold set"]}),
    "gold-links-new": ("", lambda own: {"name": "new", "batch": own["link batch"], "rule": "papers"}),
    "score": ("aligners", lambda own: {}),
    "aligner-new": ("", lambda own: {"datasets": [own["dataset"]]}),
    "aligner-apply": ("aligner", lambda own: {}),
    "aligner-again": ("aligner", lambda own: {}),
    "experiment-new": ("", lambda own: {}),
    "export-new": ("", lambda own: {"gold_set": own["gold set"], "gold_links": ""}),
    "export-dataset": ("", lambda own: {"dataset": own["dataset"]}),
}
# What makes nothing new by itself, or cannot succeed with these objects.
OTHERS = {
    "list-action:pairs", "list-action:batches", "list-action:items", "list-action:jobs",
    "example-data", "become-adjudicator", "member-remove", "batch-hand-over",
    *SIGN_ON, "login", "logout", "account", "tokens", "token-revoke", "join", "first-administrator", "people",
    "person",
    "invitation-revoke", "batch-trial",
    "project-delete", "project-restore", "person-delete",
    "project-settings", "members", "import",
    "extraction-dry-run",
    "matching-new", "preset-delete", "datasets-of-presets", "job-cancel",
    "job-retry", "batch", "second-pass", "batch-annotator", "adjudicate",
    "batch-phenomena", "split-detail", "classifier-new", "classifier-apply", "classifier-run",
    "lexicon", "link-import", "link-suggestions", "link-detail", "score-file",
    "archives", "archive-delete", *(f"removal:{kind}" for kind in REMOVABLE),
}  # fmt: skip
COUNTED = [
    model
    for label in ("ops", "projects", "jobs", "corpus", "annotation", "alignment")
    for model in apps.get_app_config(label).get_models()
    if model not in (Submission, AuditEntry)
]


@pytest.fixture(scope="module")
def world(module_database: None) -> World:
    world = make_world()
    world.own.project.jobs.filter(state=JobState.RUNNING).update(state=JobState.CANCELLED)
    return world


def rows() -> dict[str, int]:
    return {model._meta.label: model._default_manager.count() for model in COUNTED}


def filled_in(client: Client, page: str, target: str, given: dict[str, Any]) -> dict[str, Any]:
    """The fields of the longest form on a page that is sent to `target`, with what is `given`."""
    document = html.fromstring(client.get(page).content)

    def addresses(form: html.FormElement) -> set[str]:
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


def rewound(fields: dict[str, Any]) -> dict[str, Any]:
    for value in fields.values():
        if isinstance(value, SimpleUploadedFile):
            value.seek(0)
    return fields


@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_form_sent_twice_makes_one_thing(world: World, name: str) -> None:
    page, given = FORMS[name]
    own, target = world.own, url_of(name, world.own, world.own)
    with undone():
        client = world.client("manager")
        page_url = url_of(page or name, own, own)
        fields = filled_in(client, page_url, target, given(own))
        before = rows()
        first = client.post(target, rewound(fields))
        assert first.status_code == 302, first_error(first)
        made = rows()
        # Uploads are files until they are checked.
        assert made != before or name in ("judgements-import", "corpus-import")
        again = client.post(target, rewound(fields))
        assert again.headers["Location"] == first.headers["Location"], first_error(again)
        assert rows() == made
        fresh = filled_in(client, page_url, target, {})
        assert fresh["form_token"] != fields["form_token"]


def test_every_form_is_tried_or_named() -> None:
    posted = {
        name
        for name, route in ROUTES.items()
        if not name.startswith("api-") and by_role(route.methods.get("POST", "405 " * 7))["admin"] < 405
    } | {name for name, route in ROUTES.items() if not name.startswith("api-") and "POST" in route.methods}
    assert posted | set(SIGN_ON) == set(FORMS) | OTHERS


MAKING = sorted(
    name
    for name, route in ROUTES.items()
    if name.startswith("api-") and by_role(route.methods.get("POST", "405 " * 7))["admin"] in (201, 202)
)
# Those that make a project are removed with it, too: they name it.
OF_NO_PROJECT = {
    *("api-tokens", "api-projects"),
}
STREAMED = {"api-imports", "api-judgement-imports"}


@pytest.mark.parametrize("name", [name for name in MAKING if name not in STREAMED])
def test_a_request_sent_twice_with_its_key_makes_one_thing(world: World, name: str) -> None:
    url = url_of(name, world.own, world.own)
    content, kind = content_of(name, "POST", world.own)

    def send(key: object, content: bytes = content) -> Any:
        headers = {"Idempotency-Key": str(key)}
        client = world.client("admin")
        return drained(client.generic("POST", url, content, content_type=kind, headers=headers))

    with undone():
        key = uuid.uuid4()
        first = send(key)
        assert first.status_code in (201, 202), first_error(first)
        about = Submission.objects.get(key=f"api:{key}").project
        assert (about is None) == (name in OF_NO_PROJECT), "it goes with the project that it tells of"
        made = rows()
        again = send(key)
        assert (again.status_code, again.json()) == (first.status_code, first.json())
        assert rows() == made
        if kind == "application/json" and content != b"{}":
            assert send(key, content[:-1] + b', "other": 1}').status_code == 422
            assert rows() == made
