import pytest

from annotation.services.dataset_figures import recall_estimates
from annotation.services.gold import freeze_gold_set
from corpus.models import Finding
from paragold.metrics.samples import recall_estimate
from tests.factories.annotation import assignments_of, judge
from tests.factories.corpus import ExtractionFactory, member

from .test_drawing import crowded_dataset, draw


@pytest.fixture
def people(project):
    return [member(project, "annotator", name) for name in ("ann", "ben")]


@pytest.fixture
def gold(project, people):
    """Four found pairs, three of them paraphrases, and eight of 50 others, one of them one. A second
    extraction of the dataset found one of the paraphrases."""
    dataset = crowded_dataset(project)
    other = ExtractionFactory(project=project)
    dataset.extractions.add(other)
    batch = draw(dataset, 12, rejected=67)
    positive = {"rejected": 1, "": 3}
    for item in batch.items.order_by("number"):
        paraphrase = positive[item.stratum] > 0
        if paraphrase and not item.stratum and positive[""] == 3:
            Finding.objects.create(extraction=other, pair=item.pair)
        positive[item.stratum] -= 1
        for assignment in item.assignments.select_related("item__batch__project", "annotator"):
            judge(assignment, "paraphrase" if paraphrase else "not_paraphrase")
    assert assignments_of(batch, people[0])
    return freeze_gold_set(project=project, by=None, name="gold", batches=[batch])


def test_both_samples_and_every_method(gold):
    [report] = recall_estimates(gold)
    accepted, rejected = report["samples"]["accepted"], report["samples"]["rejected"]
    assert accepted == (3, 4, 4)
    assert rejected[:2] == (1, 8)
    source = gold.batches.get(pk=report["batch"]).sampling["strata"][-1]
    assert rejected[2] == round(54 * 8 / source["looked_at"])
    assert report["dataset"] == recall_estimate(accepted, rejected)
    all_three, one = report["extractions"]
    assert all_three["extraction"] < one["extraction"]
    assert (all_three["recall"]["found"], one["recall"]["found"]) == (3, 1)
    assert "posterior:jeffreys" in report["signature"]


def test_without_rejected_pairs_nothing_is_estimated(project, people):
    batch = draw(crowded_dataset(project), 4)
    for person in people:
        for assignment in assignments_of(batch, person):
            judge(assignment)
    assert recall_estimates(freeze_gold_set(project=project, by=None, name="gold", batches=[batch])) == []
