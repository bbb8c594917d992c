"""build_lexicon: a lexicon of word pairs from the shell."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from corpus.models import Dataset, Lexicon
from paragold.text import wordnet
from tests.factories.classifiers import learnable_dataset
from tests.factories.corpus import ProjectFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    return learnable_dataset(ProjectFactory())


def build(dataset: Dataset, *options: str) -> str:
    output = StringIO()
    call_command("build_lexicon", "--project", dataset.project.slug, *options, stdout=output)
    return output.getvalue()


def test_a_lexicon_is_built_and_told(dataset: Dataset) -> None:
    asked = ("--dataset", dataset.name, "--ranks", "20", "--wait")
    said = build(dataset, *asked)
    lexicon = Lexicon.objects.get()
    best = lexicon.entries.get(rank=1)
    assert f"association v1: {lexicon.size:,} word pairs." in said
    assert f"     1  {best.first} | {best.second}" in said
    told = json.loads(build(dataset, *asked, "--json"))
    assert (told["lexicon"], told["size"]) == ("association v2", lexicon.size)
    assert told["signature"] == lexicon.signature
    waiting = build(dataset, "--dataset", dataset.name, "--kind", "morphology", "--name", "stems")
    assert "Build stems v1" in waiting
    assert Lexicon.objects.get(name="stems").job.state == "queued"


def test_what_cannot_be_built_is_said_plainly(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, str(tmp_path / "absent"))
    for options, message in (
        (("--dataset", "x"), "There is no dataset 'x'"),
        (("--dataset", dataset.name, "--ranks", "0"), "Maximum word pairs must be a whole number from 1"),
        (("--dataset", dataset.name, "--min-score", "nan"), "Minimum log-likelihood ratio must be"),
        (("--dataset", dataset.name, "--kind", "wordnet"), "let PARAGOLD_WORDNET name a file"),
    ):
        with pytest.raises(CommandError, match=message):
            build(dataset, *options)
    assert not Lexicon.objects.exists()
