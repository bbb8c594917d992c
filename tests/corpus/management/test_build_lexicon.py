"""build_lexicon: a lexicon of word pairs from the shell."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from corpus.models import Lexicon
from tests.factories.classifiers import learnable_dataset
from tests.factories.corpus import ProjectFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return learnable_dataset(ProjectFactory())


def build(dataset, *options):
    output = StringIO()
    call_command("build_lexicon", "--project", dataset.project.slug, *options, stdout=output)
    return output.getvalue()


def test_a_lexicon_is_built_and_told(dataset):
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
