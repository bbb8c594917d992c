"""Which jobs do not wait behind long ones: small exports and suggestions do not, large ones do."""

from __future__ import annotations

import pytest

from alignment.models import TrainedAligner
from alignment.services.batches import set_suggester
from alignment.services.dataset_exports import export_dataset
from alignment.services.gold_exports import request_gold_export
from alignment.services.trained_aligners.stored import reference
from jobs.services import ledger
from paragold.aligners.programs import Giza
from projects.models import Project
from tests.factories.corpus import JobFactory, ProjectFactory, dataset_of
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(settings, tmp_path):
    settings.EXPORTS_DIR = tmp_path / "exports"
    project: Project = ProjectFactory()
    return project


def test_an_export_of_a_dataset(project, monkeypatch):
    assert export_dataset(dataset=dataset_of(project, 3), by=None).short
    monkeypatch.setattr(ledger, "SHORT_PAIRS", 3)
    assert not export_dataset(dataset=dataset_of(project, 4), by=None).short


def test_an_export_of_gold(project, monkeypatch):
    gold = linked_gold(project, 4).batch.gold_set
    assert request_gold_export(project=project, by=None, gold_set=gold).short
    monkeypatch.setattr(ledger, "SHORT_PAIRS", 3)
    other = linked_gold(project, 6, name="more").batch.gold_set
    assert not request_gold_export(project=project, by=None, gold_set=other).short


def test_suggestions_unless_a_program_trains_on_much_text_again(project, monkeypatch):
    batch = linked_gold(project, 4).batch
    assert set_suggester(batch=batch, by=None, setting="best").short
    monkeypatch.setattr(Giza, "install_hint", lambda method: "")
    for pairs, short in ((1_000, True), (229_000, False)):
        trained = TrainedAligner.objects.create(
            project=project,
            job=JobFactory(project=project, kind="train_aligner"),
            name="giza",
            version=pairs,
            aligner="giza",
            pairs=pairs,
            parameters={"aligner": "giza"},
            sha256="0" * 64,
            bytes=1,
        )
        assert set_suggester(batch=batch, by=None, setting=reference(trained)).short == short
