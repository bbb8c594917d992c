import pytest
from django.db import transaction

from alignment.models import AlignerRun, AutomaticAlignment, TrainedAligner
from corpus.models import CandidatePair
from jobs.models import Job
from tests.broken_rows import assert_refused
from tests.factories.alignment import gold_alignment_set
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def gold():
    project = ProjectFactory()
    return gold_alignment_set(project, [member(project, "annotator", name) for name in ("ann", "ben")])


def trained_row(gold, **fields):
    job = Job.objects.create(project=gold.project, kind="train-aligner", title="Train")
    values = {"name": "hmm", "version": 1, "aligner": "hmm", "parameters": {}, "pairs": 1} | fields
    return TrainedAligner(project=gold.project, job=job, **values)


def run_row(trained, **target):
    job = Job.objects.create(project=trained.project, kind="align", title="Align")
    return AlignerRun(project=trained.project, job=job, trained=trained, **target)


def test_trained_aligners(gold):
    trained_row(gold).save()
    assert_refused("trained_aligner_version", trained_row(gold))
    assert_refused("trained_aligner_whole", trained_row(gold, version=2, sha256="a" * 64))
    assert_refused("trained_aligner_whole", trained_row(gold, version=2, bytes=1))
    assert_refused("trained_aligner_gold", trained_row(gold, version=2, gold_set=gold))
    trained_row(gold, version=2, gold_set=gold, learns_from_gold=True).save()


def test_aligner_runs(gold):
    trained = trained_row(gold)
    trained.save()
    dataset = gold.project.datasets.first()
    assert_refused("aligner_run_one_target", run_row(trained))
    assert_refused("aligner_run_one_target", run_row(trained, dataset=dataset, gold_set=gold))
    with transaction.atomic():
        run = run_row(trained, dataset=dataset)
        run.save()
        run_row(trained, gold_set=gold).save()
    assert_refused("aligner_run_dataset_once", run_row(trained, dataset=dataset))
    assert_refused("aligner_run_gold_once", run_row(trained, gold_set=gold))
    pair = CandidatePair.objects.first()
    alignment = AutomaticAlignment.objects.create(run=run, pair=pair, links="0-0 10-2")
    assert alignment.link_list == [(0, 0), (10, 2)]
    assert_refused("automatic_alignment_once", AutomaticAlignment(run=run, pair=pair))
