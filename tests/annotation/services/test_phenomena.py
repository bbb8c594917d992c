import uuid

import pytest

from annotation.api.assignments import present
from annotation.models import Item, Phenomenon
from annotation.schemes import Label
from annotation.services.answers import save_judgement
from annotation.services.batches import ask_phenomena
from annotation.services.dataset_figures import phenomena_means
from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import dataset_of


@pytest.fixture
def batch(project, annotators):
    batch = judging_batch(project, annotators, size=2)
    ask_phenomena(batch=batch, scope="paraphrases")
    return batch


def count(assignment, label=Label.PARAPHRASE, **phenomena):
    assignment.refresh_from_db()
    save_judgement(
        assignment=assignment,
        by=assignment.annotator,
        key=uuid.uuid4(),
        version=assignment.version,
        label=label,
        phenomena=phenomena,
        describe=present,
    )


def counts(assignment):
    return dict(assignment.phenomena.values_list("phenomenon", "count"))


def test_counts_are_stored_with_the_answer_and_what_is_not_named_is_none(batch, annotators):
    assignment = assignments_of(batch, annotators[0])[0]
    count(assignment, elaboration=2, reordering=1)
    assert counts(assignment) == dict.fromkeys(Phenomenon.values, 0) | {"elaboration": 2, "reordering": 1}
    assert assignment.answers.get().body["phenomena"] == {"elaboration": 2, "reordering": 1}


def test_another_answer_replaces_them_and_the_history_keeps_them(batch, annotators):
    assignment = assignments_of(batch, annotators[0])[0]
    count(assignment, elaboration=2)
    count(assignment, phrasal=1)
    assert counts(assignment) == dict.fromkeys(Phenomenon.values, 0) | {"phrasal": 1}
    assignment.refresh_from_db()
    save_judgement(
        assignment=assignment, by=assignment.annotator, key=uuid.uuid4(), version=2, label=None,
        describe=present,
    )  # fmt: skip
    assert counts(assignment) == {}
    histories = [answer.body.get("phenomena") for answer in assignment.answers.all()]
    assert histories == [{"elaboration": 2}, {"phrasal": 1}, None]


def test_means_by_dataset_over_pairs_somebody_counted_in(project, batch, annotators):
    first, second = (assignments_of(batch, annotator) for annotator in annotators)
    count(first[0], elaboration=2)
    count(second[0], elaboration=1, phrasal=1)
    count(first[1], elaboration=0)
    other = judging_batch(project, annotators, size=1, dataset=dataset_of(project, 1))
    count(assignments_of(other, annotators[0])[0], spelling=4)
    found = phenomena_means(Item.objects.filter(batch__project=project))
    assert [(of["dataset"], of["pairs"]) for of in found] == [(batch.dataset.pk, 2), (other.dataset.pk, 1)]
    assert {of["base"] for of in found} == {"paraphrases"}
    means, others = ({mean["phenomenon"]: mean for mean in of["means"]} for of in found)
    values = {name: mean["value"] for name, mean in means.items()}
    assert values == dict.fromkeys(Phenomenon.values, 0.0) | {"elaboration": 0.75, "phrasal": 0.25}
    elaboration = means["elaboration"]
    assert (elaboration["low"], elaboration["high"]) == (0, 1.5)
    assert (others["spelling"]["value"], others["spelling"]["low"]) == (4, None)
    assert phenomena_means(Item.objects.none()) == []
