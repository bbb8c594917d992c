"""Trainings and control items: where right answers come from, who passes, and what never counts."""

import uuid

import pytest
from django.core.exceptions import PermissionDenied

from annotation.api.assignments import present
from annotation.models import Assignment, Batch, Item, TrainingTry
from annotation.permissions import own_assignment, visible_items
from annotation.services.answers import save_judgement
from annotation.services.batch_figures import batch_figures
from annotation.services.batches import close_batch
from annotation.services.drawing import draw_judging_batch
from annotation.services.gold import freeze_gold_set
from annotation.services.progress import own_work
from annotation.services.training import (
    control_report,
    draw_training,
    known_answers,
    start_try,
)
from annotation.services.training_answers import value_of
from projects.errors import PublicError
from tests.factories.annotation import adjudicate, assignments_of, gold_set, judge, judge_all, judging_batch
from tests.factories.corpus import dataset_of, member

pytestmark = pytest.mark.django_db
P, N = "paraphrase", "not_paraphrase"


@pytest.fixture
def gold(project):
    """Of twelve pairs, alternately paraphrases and others, judged by two experts."""
    return gold_set(project, [member(project, "annotator", name) for name in ("xav", "yun")], size=12)


def training(project, people, gold, *, size=4, measure="accuracy", threshold=0.75, name="training"):
    return draw_training(
        project=project, by=None, name=name, size=size, annotators=[user.username for user in people],
        measure=measure, threshold=threshold, seed=1, gold_set=gold,
    )  # fmt: skip


def answer(assignment, label, **fields):
    """Answers through the service; returns what is acknowledged."""
    assignment.refresh_from_db()
    return save_judgement(
        assignment=assignment, by=assignment.annotator, key=uuid.uuid4(), version=assignment.version,
        label=label, describe=present, **fields,
    )  # fmt: skip


def known(assignment):
    return Item.everything.get(pk=assignment.item_id).known_label


def other(label):
    return N if label == P else P


def pass_training(batch, user, wrong=0):
    for number, assignment in enumerate(assignments_of(batch, user)):
        right = known(assignment)
        response = answer(assignment, other(right) if number < wrong else right)
    return response


def test_a_training_has_as_many_pairs_of_each_label_and_all_get_all_of_them(project, gold):
    people = [member(project, "annotator", name) for name in ("ann", "ben")]
    batch = training(project, people, gold)
    assert (batch.trial, batch.measure, batch.threshold) == (True, "accuracy", 0.75)
    assert sorted(Item.everything.filter(batch=batch).values_list("known_label", flat=True)) == [N, N, P, P]
    assert [len(assignments_of(batch, user)) for user in people] == [4, 4]
    assert not batch.items.exists()


def test_the_right_answer_is_acknowledged_and_the_first_answer_counts(project, gold):
    ann = member(project, "annotator", "ann")
    first = assignments_of(training(project, [ann], gold), ann)[0]
    right = known(first)
    assert answer(first, None, comment="hm") == {"version": 1, "done": 0, "total": 4}
    assert answer(first, other(right)) == {"version": 2, "done": 1, "total": 4, "right": right}
    for label in (right, None):
        with pytest.raises(PublicError, match="first answer counts"):
            answer(first, label)
    assert answer(first, other(right), flagged=True)["right"] == right
    with pytest.raises(PublicError, match="none can be skipped"):
        answer(assignments_of(first.item.batch, ann)[1], None, skipped=True)


def test_failing_trying_again_and_passing(project, gold):
    ann = member(project, "annotator", "ann")
    batch = training(project, [ann], gold)
    assert pass_training(batch, ann, wrong=2)["passed"] is False
    before = list(Assignment.objects.of(ann).filter(item__batch=batch).values_list("item", flat=True))
    assert start_try(batch=batch, by=ann) == 2
    assert start_try(batch=batch, by=ann) == 2  # goes on with it
    after = list(Assignment.objects.of(ann).filter(item__batch=batch).values_list("item", flat=True))
    assert sorted(after) == sorted(before) and after != before
    assert pass_training(batch, ann, wrong=1)["passed"] is True
    tries = TrainingTry.objects.values_list("number", "right", "items", "value", "passed")
    assert list(tries) == [(1, 2, 4, 0.5, False), (2, 3, 4, 0.75, True)]


def test_the_measures():
    answers = [(P, P), (P, P), (N, N), (N, P)]
    assert value_of("accuracy", answers, [P, N]) == 0.75
    assert value_of("kappa", answers, [P, N]) == pytest.approx((0.75 - 0.5) / 0.5)
    assert value_of("kappa", [(P, P)], [P, N]) is None


def test_a_batch_waits_for_the_training_that_it_requires(project, gold):
    ann, late = (member(project, "annotator", name) for name in ("ann", "late"))
    batch = training(project, [ann], gold)
    real = draw_judging_batch(
        project=project, by=None, name="real", dataset=dataset_of(project, 3), size=3, seed=1, overlap=2,
        annotators=["ann", "late"], requires=batch,
    )  # fmt: skip
    mine = assignments_of(real, ann)[0]
    for with_sentences in (True, False):
        with pytest.raises(PermissionDenied, match="Pass the training training first"):
            own_assignment(ann, mine.pk, with_sentences=with_sentences)
    assert [own.training for own in own_work(ann, project, "judge")] == [batch, None]
    pass_training(batch, ann)
    assert own_assignment(ann, mine.pk) == own_assignment(ann, mine.pk, with_sentences=False) == mine
    assert [(own.training, own.passed) for own in own_work(ann, project, "judge")] == [
        (None, False),
        (None, True),
    ]
    # Who annotates the batch and was not given the training begins it.
    assert not Batch.objects.own(late, real.pk).qualified
    assert start_try(batch=batch, by=late) == 1
    assert pass_training(batch, late)["passed"]
    assert Batch.objects.own(late, real.pk).qualified


def test_right_answers_of_an_expert_are_decisions_and_then_judgements(project):
    ann, ben = (member(project, "annotator", name) for name in ("ann", "ben"))
    expert = member(project, "adjudicator", "eva")
    batch = judging_batch(project, [ann, ben], size=4)
    judge_all(batch, ann, [P])
    judge_all(batch, ben, [P, N])
    disputed = assignments_of(batch, ben)[1].item
    adjudicate(disputed, expert, N)
    with pytest.raises(PublicError, match="is open"):
        known_answers(project=project, expert_batch=batch, expert=expert)
    close_batch(batch=batch)
    batch.refresh_from_db()
    of_eva = known_answers(project=project, expert_batch=batch, expert=expert).labels
    assert list(of_eva.values()) == [(disputed.pair_id, N)]
    of_ben = known_answers(project=project, expert_batch=batch, expert=ben)
    assert sorted(label for _, label in of_ben.labels.values()) == [N, N, P, P]
    assert of_ben.source.endswith("in batch 1")
    with pytest.raises(PublicError, match="Choose where"):
        known_answers(project=project)


@pytest.fixture
def controlled(project, gold):
    """A batch of ten pairs for two, two of them control items."""
    people = [member(project, "annotator", name) for name in ("ann", "ben")]
    batch = draw_judging_batch(
        project=project, by=None, name="real", dataset=dataset_of(project, 8), size=10, seed=1, overlap=2,
        annotators=["ann", "ben"], control=20, known=known_answers(project=project, gold_set=gold),
    )  # fmt: skip
    return batch, people


def test_control_items_are_mixed_into_a_batch_and_count_nowhere(project, controlled):
    batch, people = controlled
    controls = Item.everything.filter(batch=batch).exclude(known_label="")
    assert (controls.count(), batch.items.count()) == (2, 8)
    assert sorted(Item.everything.filter(batch=batch).values_list("number", flat=True)) == list(range(1, 11))
    for user in people:
        judge_all(batch, user, [P])
    manager = member(project, "manager", "mia")
    assert not visible_items(manager, project).filter(pk__in=controls.values("pk")).exists()
    assert batch_figures(manager, project, [batch])[batch.pk].judged_by_all == 8
    frozen = freeze_gold_set(project=project, by=manager, name="new", batches=[batch])
    assert (frozen.counts["items"], frozen.counts["pairs"], frozen.judgements.count()) == (8, 8, 8)


def test_control_items_were_never_given_to_the_annotators(project, gold):
    with pytest.raises(PublicError, match="only 0 pairs of gold v1"):
        draw_judging_batch(
            project=project, by=None, name="real", dataset=dataset_of(project, 8), size=8, seed=1,
            overlap=1, annotators=["xav"], control=20,
            known=known_answers(project=project, gold_set=gold),
        )  # fmt: skip


def test_pairs_of_control_items_and_of_trainings_are_apart(project, gold, controlled):
    ann = controlled[1][0]
    with pytest.raises(PublicError, match="only 10 of gold v1"):
        training(project, [ann], gold, size=11)
    batch = training(project, [ann], gold, size=10)
    both = Item.everything.filter(batch__in=[batch, controlled[0]]).exclude(known_label="")
    assert both.values("pair").distinct().count() == both.count() == 12


def test_accuracy_on_control_items_by_annotator_and_week(project, controlled):
    batch, (ann, _) = controlled
    for number, assignment in enumerate(place for place in assignments_of(batch, ann) if known(place)):
        judge(assignment, other(known(assignment)) if number else known(assignment))
    judge(next(place for place in assignments_of(batch, ann) if not known(place)), P)
    total, week = control_report(project=project, batches=[batch])
    assert (total["week"], total["right"], total["accuracy"]["items"]) == ("", 1, 2)
    assert total["accuracy"]["value"] == week["accuracy"]["value"] == 0.5
    assert 0 < total["accuracy"]["low"] < 0.5 < total["accuracy"]["high"] < 1
    assert week["week"].startswith("20") and week["annotator"] == total["annotator"]
