import numpy as np
import pytest

from alignment.models import ExperimentCell, GoldAlignmentSet
from alignment.services.gold_links import BOOTSTRAP_SEED, linked_pairs
from jobs.models import JobState
from paragold.aligners.registry import aligner_of
from paragold.metrics.error_rate import counts_by_words, table_of
from projects.errors import PublicError
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory
from tests.factories.experiments import experiment
from tests.factories.trained_aligners import QUICK, linked_gold

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def gold_of_module(module_database):
    """In a project with a dataset."""
    gold = linked_gold(ProjectFactory(), 6)
    dataset_of(gold.project, 5)
    return gold


@pytest.fixture
def gold(gold_of_module):
    return GoldAlignmentSet.objects.get(pk=gold_of_module.pk)


@pytest.fixture
def dataset(gold):
    return gold.project.datasets.get(size=5)


def test_every_row_is_scored_on_every_gold_set(gold, dataset):
    other = linked_gold(gold.project, 4, name="other links")
    made = experiment([dataset], [gold, other])
    assert made.job.state == JobState.DONE
    assert [(row.number, row.aligner, row.dataset, row.pairs) for row in made.rows.all()] == [
        (1, "identity", None, 0),
        (2, "hmm", dataset, 5),
    ]
    assert ExperimentCell.objects.filter(row__experiment=made).count() == 4
    cell = ExperimentCell.objects.get(row__experiment=made, row__number=1, gold_set=gold)
    pairs = linked_pairs(gold)
    method = aligner_of({"aligner": "identity"}).fit(())
    drawn = [method.align(*pair.tokens) for pair in pairs]
    assert cell.link_lists == drawn
    table = table_of(
        counts_by_words(drawn, pairs),
        seed=BOOTSTRAP_SEED,
    )
    assert cell.scores["all"]["aer"] == cell.aer == table["all"]["aer"] == 0
    assert tuple(cell.scores["all"]["aer_interval"]) == table["all"]["aer_interval"]
    assert np.sum(cell.counts["all"], axis=0)[0] == table["all"]["scored"]
    # The gold has no link between words that differ, and the baseline draws none.
    assert cell.scores["non_identical"]["aer"] is None


def test_the_best_row_is_tested_against_the_others(gold, dataset):
    made = experiment([dataset], [gold])
    found = made.comparisons[str(gold.pk)]
    assert found["all"]["best"] == 1
    difference = found["all"]["others"]["2"]
    cells = {cell.row.number: cell for cell in ExperimentCell.objects.filter(row__experiment=made)}
    assert difference["difference"] == pytest.approx(cells[1].aer - cells[2].aer)
    assert 0 < difference["p"] <= 1
    # Only the row that drew links between words that differ can be compared there.
    assert found["non_identical"] is None or found["non_identical"]["others"] == {}


def test_best_learns_from_gold_links_but_never_from_those_it_is_tested_on(gold, dataset):
    other = linked_gold(gold.project, 8, name="other links")
    taught = {"aligner": "best", "taught_by": other, **QUICK}
    made = experiment([dataset], [gold, other], aligners=[{"aligner": "best", **QUICK}, taught])
    rules, learned = made.rows.all()
    assert (rules.taught_by, learned.taught_by) == (None, other)
    assert learned.aligner_label == f"best, learned from {other}"
    assert "rules:" in rules.signature
    pairs = {pair.tokens for pair in linked_pairs(other)}
    assert learned.signature.endswith(f"|held-out:{len(pairs)}")
    assert made.job.parameters["aligners"][1]["taught_by"] == other.pk
    # Everything but the equal words was learned: the gold has no other links.
    assert learned.cells.get(gold_set=other).aer < 0.2


def test_other_gold_is_used_as_far_as_it_helps_and_never_with_a_tested_sentence(gold, dataset):
    other = linked_gold(gold.project, 12, name="other links")
    taught = {"aligner": "best", "taught_by": gold, **QUICK}
    besides = taught | {"other_gold": [other]}
    made = experiment([dataset], [gold], aligners=[taught, besides])
    without, row = made.rows.all()
    assert (without.transfers, [one["gold"] for one in row.transfers]) == ([], [str(other)])
    assert row.aligner_label == f"best, learned from {gold} besides {other}"
    assert made.job.parameters["aligners"][1]["other_gold"] == [other.pk]
    assert list(row.other_gold.all()) == [other]
    tested = experiment([dataset], [other], aligners=[besides]).rows.get()
    assert tested.transfers == []
    with pytest.raises(PublicError, match="Choose both, or no other gold links"):
        experiment([dataset], [gold], aligners=[{"aligner": "best", "other_gold": [other]}])
