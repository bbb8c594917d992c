from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.cache import cache

from annotation.models import Judgement
from annotation.services.batch_figures import batch_figures, figures_of, while_unchanged
from annotation.services.batches import close_batch
from annotation.services.second_pass import end_second_pass, start_second_pass
from tests.factories.annotation import adjudicate, assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import member

YES, NO = "paraphrase", "not_paraphrase"


@pytest.fixture(autouse=True)
def nothing_kept():
    cache.clear()


@pytest.fixture
def batch(project, annotators):
    batch = judging_batch(project, annotators, size=3)
    judge_all(batch, annotators[0], [YES])
    judge_all(batch, annotators[1], [YES, NO, NO])
    return batch


def figures(user, batch):
    batch.refresh_from_db()
    found = batch_figures(user, batch.project, [batch]).get(batch.pk)
    return (found.items, found.judged_by_all, found.disputed, found.undecided) if found else (0, 0, 0, 0)


def test_a_second_look_at_them_counts_nothing(project, batch):
    manager = member(project, "manager", "boss")
    assert figures(manager, batch) == (3, 3, 2, 2)
    Judgement.objects.all().delete()  # past every service: what is kept does not see it
    assert figures(manager, batch) == (3, 3, 2, 2)


def test_every_change_is_seen(project, annotators, batch):
    manager, adjudicator = member(project, "manager", "boss"), member(project, "adjudicator", "adj")

    def retract():
        judge(assignments_of(batch, annotators[1])[0], None)

    def decide():
        adjudicate(item=batch.items.get(number=2), by=adjudicator, label=NO)

    def change():
        judge(assignments_of(batch, annotators[1])[2], YES)

    steps: list[tuple[Callable[[], object], tuple[int, ...], tuple[int, ...]]] = [
        (lambda: None, (3, 3, 2, 2), (3, 3, 2, 2)),
        (retract, (3, 2, 2, 2), (2, 2, 2, 2)),
        (change, (3, 2, 1, 1), (2, 2, 1, 1)),
        (lambda: start_second_pass(batch=batch, by=manager, anyway=True), (3, 2, 1, 1), (1, 1, 0, 0)),
        (lambda: end_second_pass(batch=batch, by=manager), (3, 2, 1, 1), (2, 2, 1, 1)),
        (decide, (3, 2, 1, 0), (2, 2, 1, 0)),
        (lambda: close_batch(batch=batch), (3, 2, 1, 0), (3, 2, 1, 0)),
    ]
    for step, managers, adjudicators in steps:
        step()
        assert (figures(manager, batch), figures(adjudicator, batch)) == (managers, adjudicators)


def test_nobody_is_shown_what_was_counted_for_another(project, annotators, batch):
    member(project, "adjudicator", annotators[0].username)
    manager = member(project, "manager", "boss")
    assert figures(manager, batch) == (3, 3, 2, 2)
    assert figures(annotators[0], batch) == (0, 0, 0, 0)
    assert figures_of(batch.items.all())[batch.pk].disputed == 2


def test_what_is_computed_from_answers_is_cached_until_one_changes(project, annotators, batch):
    manager, adjudicator = member(project, "manager", "boss"), member(project, "adjudicator", "adj")
    computed = iter(range(9))

    def number(name="a", user=manager):
        return while_unchanged(name, user, project, [batch], lambda: next(computed))

    assert [number(), number(), number("b"), number(user=adjudicator), number()] == [0, 0, 1, 2, 0]
    judge(assignments_of(batch, annotators[1])[2], YES)
    assert [number(), number(user=adjudicator), number()] == [3, 4, 3]
