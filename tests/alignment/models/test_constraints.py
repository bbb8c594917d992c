import pytest

from alignment.models import (
    Evaluation,
    Experiment,
    ExperimentCell,
    ExperimentRow,
    Export,
    GoldAlignment,
    GoldAlignmentSet,
    SuggestedLinks,
    WordLink,
)
from alignment.services.scoring import score_aligner
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
