import json
import re

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client, override_settings

from projects.models import Role
from tests.browser.alignment.linking_page import paraphrases
from tests.factories.annotation import judging_batch
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db

HEADERS = 600  # bytes of an answer's headers, about
WORDS = " ".join(f"word{number}" for number in range(24))


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    root = tmp_path_factory.mktemp("static")
    storage = {"BACKEND": "config.static.ModuleManifestStorage"}
    with override_settings(STATIC_ROOT=root, STORAGES={**settings.STORAGES, "staticfiles": storage}):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield root


@pytest.fixture
def project():
    return ProjectFactory(guidelines="Same event, same claim.\n\n" * 20)


def load(project, path, static):
    """The requests of a first load of an annotator's page, and its bytes."""
    client = Client(headers={"accept-encoding": "gzip"})
    client.force_login(project.memberships.get(role=Role.ANNOTATOR).user)
    packed = client.get(path)
    assert packed.headers["Content-Encoding"] == "gzip"
    page = client.get(path, headers={"accept-encoding": ""}).content.decode()
    files = [static / name for name in re.findall(r'(?:href|src)="/static/([^"]+)"', page)]
    for file in files:
        assert not re.search(r"^\s*(?:@import|import\b)", file.read_text(), re.MULTILINE)
    weights = [len(packed.content), *((file.parent / f"{file.name}.gz").stat().st_size for file in files)]
    return len(weights), sum(weights) + HEADERS * len(weights)


def test_judging(project, collected):
    batch = judging_batch(project, [member(project, Role.ANNOTATOR, "ada")], size=40)
    requests, weight = load(project, f"/projects/{project.slug}/judge/{batch.pk}/answer/", collected)
    assert requests <= 10
    assert weight <= 35_000


def test_linking(project, collected):
    texts = [(f"{number} {WORDS}", f"{WORDS} {number}") for number in range(12)]
    annotators = [member(project, Role.ANNOTATOR, "ada")]
    batch = paraphrases(project, annotators, texts, suggester="identity")
    requests, weight = load(project, f"/projects/{project.slug}/link/{batch.pk}/answer/", collected)
    assert requests <= 12
    assert weight <= 80_000


def test_modules_that_only_others_import_have_no_name_with_a_hash(collected):
    names = json.loads((collected / "staticfiles.json").read_text())["paths"]
    assert "js/annotation/judge.js" in names
    assert "js/shared/rows.js" not in names
