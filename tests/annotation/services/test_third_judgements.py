"""A third judgement where two differ: asked for once, of the right person, and counted."""

from __future__ import annotations

import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from annotation.api.assignments import present
from annotation.models import Assignment, HandingOut
from annotation.services.answers import save_judgement
from annotation.services.batches import close_batch
from annotation.services.competence import posteriors_of
from annotation.services.drawing import draw_judging_batch
from annotation.services.gold import freeze_gold_set, gold_forecast
from annotation.services.reassignment import change_annotator
from annotation.services.third_judgements import (
    ask_for_uncertain,
    fitted_judgements,
    known_competence,
    lacks_third,
    third_judgements,
)
from paragold.metrics.third_judgements import ENOUGH
from projects.errors import PublicError
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import MembershipFactory, ProjectFactory, dataset_of, member

YES, NO = "paraphrase", "not_paraphrase"


def draw(project, people, *, size=6, handing_out=HandingOut.AT_ONCE, **options):
    return draw_judging_batch(
        project=project, by=None, name=options.pop("name", "thirds"), dataset=dataset_of(project, size),
        size=size, overlap=2, annotators=[user.username for user in people], seed=1,
        handing_out=handing_out, third_judgement=True, **options,
    )  # fmt: skip


@pytest.fixture
def people(project):
    return [member(project, "annotator", name) for name in ("ann", "ben", "cas", "dee")]


def answer(item, *labels):
    """The item's annotators answer in the order of their ids."""
    for place, label in zip(item.assignments.order_by("annotator"), labels, strict=False):
        judge(place, label)


@pytest.mark.django_db
class TestThird:
    def test_where_two_differ_and_only_there(self, project, people):
        batch = draw(project, people)
        first, second, *_ = batch.items.all()
        answer(first, YES, YES)
        answer(second, YES)
        assert first.assignments.count() == second.assignments.count() == 2
        answer(second, YES, NO)
        assert second.assignments.count() == 3
        third = second.assignments.get(state="open")
        assert third.annotator not in [place.annotator for place in second.assignments.exclude(pk=third.pk)]
        mine = Assignment.objects.of(third.annotator).filter(item__batch=batch)
        assert third.position == mine.count()  # after all that the person had

    def test_asked_for_once(self, project, people):
        batch = draw(project, people)
        item = batch.items.first()
        answer(item, YES, NO)
        places = list(item.assignments.order_by("pk"))
        for label in (YES, NO, YES):
            judge(places[0], label)
        judge(places[2], YES)
        judge(places[0], NO)
        assert item.assignments.count() == 3

    def test_skipped_goes_to_the_next(self, project, people):
        batch = draw(project, people)
        item = batch.items.first()
        answer(item, YES, NO)
        judge(item.assignments.get(state="open"), None, skipped=True)
        judge(item.assignments.get(state="open"), None, skipped=True)
        waiting = item.assignments.get(state="open")
        assert waiting.annotator is None  # all four had it

    def test_quota_pause_and_competence(self, project, people):
        batch = draw(project, people, size=12)
        item = next(
            item
            for item in batch.items.all()
            if people[0].pk not in item.assignments.values_list("annotator", flat=True)
        )
        able = [user for user in people if not item.assignments.filter(annotator=user).exists()]
        batch.annotators.filter(annotator=able[1]).update(competence=0.9)
        batch.annotators.filter(annotator=able[0]).update(competence=0.6)
        answer(item, YES, NO)
        assert item.assignments.get(state="open").annotator == able[1]
        other = next(
            other
            for other in batch.items.all()
            if set(other.assignments.values_list("annotator", flat=True))
            == set(item.assignments.filter(state="done").values_list("annotator", flat=True))
            and other != item
        )
        change_annotator(batch=batch, by=able[1], annotator=able[1], paused=True)
        answer(other, NO, YES)
        assert other.assignments.get(state="open").annotator == able[0]

    def test_on_demand_anybody_free_takes_it(self, project, people):
        batch = draw(project, people, size=2, handing_out=HandingOut.AS_THEY_COME)
        item = batch.items.first()
        for place, user, label in zip(item.assignments.all(), people, (YES, NO), strict=False):
            Assignment.objects.filter(pk=place.pk).update(annotator=user, position=1)
            judge(Assignment.objects.get(pk=place.pk), label)
        assert item.assignments.get(state="open").annotator is None

    def test_without_the_choice_nothing_is_asked(self, project, people):
        batch = judging_batch(project, people, size=1, overlap=2)
        answer(batch.items.get(), YES, NO)
        assert batch.items.get().assignments.count() == 2

    @pytest.mark.parametrize(("count", "overlap"), [(4, 3), (2, 2)])
    def test_needs_two_of_three(self, project, people, count, overlap):
        with pytest.raises(PublicError, match="overlap of 2 and three annotators"):
            draw_judging_batch(
                project=project, by=None, name="x", dataset=dataset_of(project, 2), size=2, seed=1,
                annotators=[user.username for user in people[:count]], overlap=overlap, third_judgement=True,
            )  # fmt: skip

    def test_saving_and_gold(self, project, people):
        batch = draw(project, people)
        for number, item in enumerate(batch.items.all()):
            answer(item, YES, NO if number < 2 else YES)
        assert third_judgements(batch) == {
            "pairs": 6, "thirds": 2, "asked": 14, "all_three": 18, "saved": pytest.approx(4 / 18),
            "agreed": pytest.approx(4 / 6),
        }  # fmt: skip
        forecast = gold_forecast(project=project, batches=[batch], rule="majority")
        assert (forecast.frozen, forecast.missing) == (4, 2)  # two wait for their third
        for item in batch.items.all()[:2]:
            judge(item.assignments.get(state="open"), YES)
        assert third_judgements(batch)["agreed"] == pytest.approx(4 / 6)  # of the first two still
        gold = freeze_gold_set(project=project, by=None, name="g", batches=[batch], rule="majority")
        assert gold.counts["pairs"] == gold.counts[YES] == 6


@pytest.mark.django_db
def test_competence_of_earlier_batches(project, people):
    good, fair, bad, new = people
    truth = [YES, NO, YES, YES, NO, NO, YES, NO] * 5
    batch = judging_batch(project, [good, fair, bad], size=len(truth))
    judge_all(batch, good, truth)
    judge_all(batch, fair, [NO, *truth[1:20], YES, *truth[21:]])
    judge_all(batch, bad, [NO if n % 4 == 0 else label for n, label in enumerate(truth)])
    known = known_competence(project, fitted_judgements(project, "binary")[1])
    assert known[good.pk] >= known[fair.pk] > known[bad.pk] > 0.5
    assert new.pk not in known
    drawn = draw(project, people, name="next")
    stored = dict(drawn.annotators.values_list("annotator", "competence"))
    assert stored == {**known, new.pk: None}


@pytest.mark.django_db
class TestUncertain:
    @pytest.fixture
    def batch(self, project, people):
        """Three of four annotators judged 40 pairs; each errs in other ones of them."""
        truth = [YES, NO, YES, YES, NO, NO, YES, NO] * 5
        batch = judging_batch(project, people, size=len(truth), overlap=4)
        Assignment.objects.filter(item__batch=batch, annotator=people[3]).delete()
        other = {YES: NO, NO: YES}
        for who, user in enumerate(people[:3]):
            errors = [other[label] if n % 7 == 2 * who else label for n, label in enumerate(truth)]
            judge_all(batch, user, errors)
        return batch

    def test_the_most_uncertain_get_another(self, project, people, batch):
        boss = member(project, "manager", "boss")
        uncertain = [
            item.number
            for item in batch.items.all()
            if (posterior := posteriors_of(boss, batch).get(item.pk)) and posterior[1] <= ENOUGH
        ]
        assert 1 < len(uncertain) < 20
        ask_for_uncertain(project=project, by=boss, batch=batch, pairs=len(uncertain) - 1)
        asked = Assignment.objects.filter(item__batch=batch, state="open")
        assert {place.annotator for place in asked} == {people[3]}  # the others have them
        assert set(asked.values_list("item__number", flat=True)) < set(uncertain)
        assert asked.count() == len(uncertain) - 1
        ask_for_uncertain(project=project, by=boss, batch=batch, pairs=50)
        assert sorted(asked.values_list("item__number", flat=True)) == uncertain  # each once
        with pytest.raises(PublicError, match="waits for no answer"):
            ask_for_uncertain(project=project, by=boss, batch=batch, pairs=50)

    def test_refused(self, project, people, batch):
        close_batch(batch=batch)
        with pytest.raises(PublicError, match="closed"):
            ask_for_uncertain(project=project, by=None, batch=batch, pairs=5)

    def test_says_why_nothing_is_known(self, project, people):
        two = judging_batch(project, people[:2], size=4)
        judge_all(two, people[0], [YES])
        with pytest.raises(PublicError, match=r"not known which labels are uncertain\. No annotator shares"):
            ask_for_uncertain(project=project, by=None, batch=two, pairs=5)


@pytest.mark.django_db
def test_lacks_third_beside_django(project, people):
    """The statement in SQL beside the same question asked through Django."""
    batch = judging_batch(project, people, size=5, overlap=4)
    for user, labels in zip(people, ((YES, NO, YES), (YES, YES), (NO, YES)), strict=False):
        for place, label in zip(assignments_of(batch, user), labels, strict=False):
            judge(place, label)
    Assignment.objects.filter(item__number=1, annotator=people[3], item__batch=batch).delete()
    Assignment.objects.filter(item__number=3, state="open", item__batch=batch).update(state="skipped")
    pair = judging_batch(project, people[:2], size=2)
    answer(pair.items.all()[0], YES, NO)
    answer(pair.items.all()[1], YES, YES)
    seen = set()
    for item in [*batch.items.all(), *pair.items.all()]:
        labels = [
            *item.assignments.filter(judgement__isnull=False).values_list("judgement__label", flat=True)
        ]
        expected = len(labels) == len(set(labels)) == 2 and not item.assignments.filter(state="open").exists()
        assert lacks_third(item.pk) == expected, (item, labels)
        seen.add(expected)
    assert seen == {True, False}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("handing_out", HandingOut)
def test_both_answer_at_once(handing_out):
    """Both annotators of each item answer at the same moment: each difference gets one third."""
    project = ProjectFactory()
    people = [row.user for row in MembershipFactory.create_batch(4, project=project)]
    batch = draw(project, people, size=20)
    batch.handing_out = handing_out
    batch.save()
    pairs = [list(item.assignments.order_by("pk")) for item in batch.items.all()]
    together = Barrier(2, timeout=60)

    def work(side):
        try:
            for number, places in enumerate(pairs):
                user = places[side].annotator
                mine = Assignment.objects.of(user).with_sentences().get(pk=places[side].pk)
                label = NO if side and number % 2 else YES
                together.wait()
                save_judgement(
                    assignment=mine, by=user, key=uuid.uuid4(), version=0, label=label, describe=present
                )
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, (0, 1)))
    counted = Counter(Assignment.objects.filter(item__batch=batch).values_list("item__number", flat=True))
    assert [counted[number] for number in range(1, 21)] == [2, 3] * 10
