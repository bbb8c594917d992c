import json

import pytest
from django.urls import reverse

from alignment.services.trained_aligners.stored import short_signature
from jobs.operations import operations
from projects.errors import PublicError
from tests.factories.corpus import member
from tests.factories.trained_aligners import QUICK, trained_aligner
from tests.paragold.text.tiny_encoder import write_encoder

pytestmark = pytest.mark.django_db


@pytest.fixture
def installed(tmp_path, monkeypatch):
    folder = write_encoder(tmp_path / "tiny")
    about = {"title": "Tiny | for tests", "licence": "MIT", "language": "en"}
    (folder / "paragold.json").write_text(json.dumps(about))
    monkeypatch.setenv("PARAGOLD_ENCODER", str(folder))
    return folder


def field_of(project):
    operation = operations()["train-aligner"]
    return operation.page.form(operation=operation, project=project).fields["encoder"]


def test_a_launch_is_refused_where_there_is_no_encoder_or_a_folder_is_named(dataset, installed, monkeypatch):
    with pytest.raises(PublicError, match="Choose nothing: none or default: the one of this installation"):
        trained_aligner(dataset, aligner="best", encoder=str(installed), run=False)
    (installed / "tokenizer.json").unlink()
    with pytest.raises(PublicError, match=r"has no tokenizer\.json"):
        trained_aligner(dataset, aligner="best", encoder="default", run=False)
    monkeypatch.delenv("PARAGOLD_ENCODER")
    with pytest.raises(PublicError, match="PARAGOLD_ENCODER names no folder"):
        trained_aligner(dataset, aligner="best", encoder="default", run=False)
    assert not dataset.project.trained_aligners.exists()
    field = field_of(dataset.project)
    assert field.disabled and "No encoder is installed" in field.help_text


def test_name_licence_and_hash_are_on_the_page_and_in_signatures(dataset, installed, client):
    project = dataset.project
    field = field_of(project)
    assert field.initial == "default" and "measured" not in field.help_text
    assert [value for value, _ in field.choices] == ["", "default"]
    trained = trained_aligner(dataset, aligner="best", **QUICK)
    assert trained.encoder.startswith("Tiny / for tests (licence: MIT), SHA-256 ")
    assert trained.encoder in trained.signature and trained.encoder in short_signature(trained)
    client.force_login(member(project, "manager", "max"))
    page = client.get(reverse("aligner", args=[project.slug, trained.pk])).content.decode()
    assert f"Encoder of words in context: <bdi>{trained.encoder}</bdi>" in page
    assert not trained_aligner(dataset, aligner="best", encoder="", **QUICK).encoder


def test_the_form_says_what_to_do_where_an_encoder_does_not_say_its_language(dataset, installed):
    (installed / "paragold.json").write_text('{"title": "Old"}')
    help_text = field_of(dataset.project).help_text
    assert 'does not say its language: add "language": "en" (or another) to paragold.json' in help_text
