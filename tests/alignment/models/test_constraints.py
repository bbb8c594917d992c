import pytest
from django.db import transaction

from alignment.models import (
    AlignerRun,
    AutomaticAlignment,
    Evaluation,
    Experiment,
    ExperimentCell,
    ExperimentRow,
    Export,
    GoldAlignment,
    GoldAlignmentSet,
    SuggestedLinks,
    TrainedAligner,
    WordLink,
)
from alignment.services.scoring import score_aligner
from corpus.models import CandidatePair
from jobs.models import Job
from tests.broken_rows import assert_refused
from tests.factories.alignment import gold_alignment_set
from tests.factories.annotation import dataset_of
from tests.factories.corpus import JobFactory, ProjectFactory, member
from tests.factories.experiments import experiment

pytestmark = pytest.mark.django_db


@pytest.fixture
def gold():
    project = ProjectFactory()
    return gold_alignment_set(project, [member(project, "annotator", name) for name in ("ann", "ben")])


def test_word_links(gold):
    link = WordLink.objects.first()
    values = {"alignment": link.alignment, "a": link.a, "b": link.b}
    assert_refused("word_link_once", WordLink(strength="possible", **values))
    values["b"] = 99
    assert_refused("word_link_strength", WordLink(strength="weak", **values))
    assert_refused("word_link_origin", WordLink(strength="sure", origin="guessed", **values))


def test_suggested_links(gold):
    link = WordLink.objects.select_related("alignment__assignment").first()
    values = {"item": link.alignment.assignment.item, "setting": "identity", "signature": "s", "links": []}
    suggested = SuggestedLinks.objects.create(**values)
    assert_refused("suggested_links_once", SuggestedLinks(**values))
    drawn = WordLink(alignment=link.alignment, a=99, b=99, strength="sure", suggested_by=suggested)
    assert_refused("word_link_suggested", drawn)


def test_gold_alignments(gold):
    values = {"batch": gold.batch, "rule": gold.rule, "agreement": {}, "counts": {}, "signature": ""}
    copy = GoldAlignmentSet(project=gold.project, name=gold.name, version=gold.version, **values)
    assert_refused("gold_links_version", copy)
    item = gold.alignments.first().item
    assert_refused("gold_alignment_once", GoldAlignment(gold_set=gold, item=item, links=[], versions=[]))


def test_evaluations_and_exports(gold):
    evaluation = score_aligner(gold_set=gold, aligner="identity")
    copy = Evaluation(gold_set=gold, aligner="identity", scores={}, signature=evaluation.signature)
    assert_refused("evaluation_once", copy)
    values = {"project": gold.project, "name": "x", "filename": "x", "sha256": "0", "bytes": 1}
    Export.objects.create(manifest={}, **values)
    assert_refused("export_once", Export(manifest={}, **values))


def test_experiments(gold):
    made = experiment([dataset_of(gold.project, 2)], [gold])
    values = {"project": made.project, "test_sentences": True}
    assert_refused("experiment_name", Experiment(job=JobFactory(), name=made.name, **values))
    row = made.rows.first()
    assert_refused("experiment_row_once", ExperimentRow(experiment=made, number=1, aligner="hmm"))
    taught = ExperimentRow(experiment=made, number=9, aligner="hmm", taught_by=gold)
    assert_refused("experiment_row_taught", taught)
    empty = {"links": [], "counts": {}, "scores": {}}
    assert_refused("experiment_cell_once", ExperimentCell(row=row, gold_set=gold, **empty))


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
