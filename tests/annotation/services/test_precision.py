import pytest

from annotation.schemes import Label
from annotation.services.dataset_figures import drawn_at_random, extraction_precision
from annotation.services.gold import freeze_gold_set
from paragold.metrics.samples import label_share
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import dataset_of

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


@pytest.fixture
def dataset(project):
    return dataset_of(project, 8)


def frozen(project, annotators, batch, labels=(YES, NO)):
    for annotator in annotators:
        judge_all(batch, annotator, labels)
    return freeze_gold_set(project=project, by=None, name="gold", batches=[batch])


def test_shares_of_the_extraction_that_the_pairs_were_drawn_from(project, annotators, dataset):
    batch = judging_batch(project, annotators, size=8, dataset=dataset)
    report = extraction_precision(frozen(project, annotators, batch, (YES, NO, NO, NO)))
    assert (report["pairs"], report["counted"]) == (8, 8)
    (found,) = report["extractions"]
    assert found["extraction"] == dataset.extractions.get().pk
    assert found["shares"] == [label_share(YES, 2, 8), label_share(NO, 6, 8)]
    (drawn_from,) = report["datasets"]
    assert drawn_from["dataset"] == dataset.pk
    assert drawn_from["shares"] == [label_share(YES, 2, 8, 8), label_share(NO, 6, 8, 8)]


@pytest.mark.parametrize(
    ("sampling", "random"),
    [
        ({}, True),
        ({"by": "random", "per_cluster": None}, True),
        ({"by": "method"}, False),
        ({"by": "random", "per_cluster": 2}, False),
    ],
)
def test_only_random_draws_count(project, annotators, dataset, sampling, random):
    batch = judging_batch(project, annotators, size=4, dataset=dataset)
    batch.sampling = sampling
    batch.save()
    assert drawn_at_random(batch) is random
    report = extraction_precision(frozen(project, annotators, batch))
    assert (report["pairs"], report["counted"]) == (4, 4 if random else 0)
