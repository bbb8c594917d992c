"""The statements in SQL (docs/adr/0038) beside the same questions asked through Django."""

import uuid
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import Exists, Min, OuterRef, Q
from django.utils import timezone

from annotation.models import Answer, Assignment, Batch, HandingOut, SecondLook, SecondPass, TrainingTry
from annotation.models.item import BATCH_FIELDS, ITEM_FIELDS, OWN_BATCH_FIELDS, PLACE_FIELDS, PROJECT_FIELDS
from annotation.services.answer_rows import adapted, circumstances, lock_own
from annotation.services.batches import close_batch
from annotation.services.drawing import draw_judging_batch
from annotation.services.leasing import FREE, HELD, OWN, lease_items
from annotation.services.progress import RUN_OUT, UNTAKEN, own_progress
from annotation.services.reassignment import change_annotator
from annotation.services.second_pass import start_second_pass
from projects.models import Membership
from projects.sessions import AccountBackend, SessionStore
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import ProjectFactory, UserFactory, dataset_of, member

pytestmark = pytest.mark.django_db
NAMES = ("ann", "ben", "cas")


@pytest.fixture
def world(project):
    """Batches in all states of several projects, and people some of whom have left."""
    foreign = ProjectFactory(slug="foreign")
    for place in (project, foreign):
        people = [member(place, "annotator", name) for name in NAMES]
        at_once = judging_batch(place, people[:2], size=4, name="at once")
        judge_all(at_once, people[0], ["paraphrase"])
        judge_all(at_once, people[1], ["paraphrase", "not_paraphrase"])
        start_second_pass(batch=at_once, by=UserFactory())
        judge(assignments_of(at_once, people[0])[1], "not_paraphrase")
        taken = draw_judging_batch(
            project=place, by=None, name="as they come", dataset=dataset_of(place, 9), size=9,
            annotators=list(NAMES), seed=1, overlap=2, handing_out=HandingOut.AS_THEY_COME,
        )  # fmt: skip
        for person, count in zip(people, (3, 5, 0), strict=True):
            lease_items(batch=taken, by=person, count=count)
        judge(assignments_of(taken, people[0])[0], "paraphrase")
        Assignment.objects.of(people[1]).filter(item__batch=taken, position__gt=3).update(
            leased_until=timezone.now() - timedelta(minutes=1)
        )
        change_annotator(batch=taken, by=UserFactory(), annotator=people[0], quota=4)
        change_annotator(batch=taken, by=UserFactory(), annotator=people[2], paused=True)
        gone = judging_batch(place, people[:1], size=1, name="deleted")
        Batch.objects.filter(pk=gone.pk).update(deleted_at=timezone.now())
        closed = judging_batch(place, people, size=2, name="closed")
        close_batch(batch=closed)
        # What a training is does not matter here.
        Batch.objects.filter(pk=at_once.pk).update(requires=closed)
        Batch.objects.filter(pk=taken.pk).update(requires=gone.pk)
        for person, passed in zip(people, (True, False, False), strict=True):
            TrainingTry.objects.create(
                batch=closed, annotator=person, number=1, items=1, right=1, passed=passed
            )
    type(project).objects.filter(pk=project.pk).update(guidelines_version=2)
    Membership.objects.filter(project=project, user=people[0]).update(guidelines_version=2)
    Membership.objects.filter(project=foreign, user__username="ben").update(role="viewer")
    return people


def rows(statement, names):
    with connection.cursor() as cursor:
        cursor.execute(statement, names)
        return [tuple(row) for row in cursor.fetchall()]


def values(row, fields):
    return tuple(getattr(row, field) for field in fields)


def qualified(user, batch):
    tries = TrainingTry.objects.filter(batch=batch.requires, annotator=user, passed=True)
    return batch.requires is None or tries.exists()


def still_annotates(user, project):
    return Membership.objects.filter(
        project=project, project__deleted_at=None, user=user, role="annotator"
    ).exists()


def test_own_batches(world):
    for user in (*world, UserFactory()):
        for batch in Batch.everything.all():
            asked = Batch.objects.assigned_to(user).filter(pk=batch.pk, deleted_at=None).first()
            expected = asked if asked and still_annotates(user, batch.project) else None
            own = Batch.objects.own(user, batch.pk)
            assert (own is None) == (expected is None), (user, batch)
            if own:
                assert values(own, OWN_BATCH_FIELDS) == values(expected, OWN_BATCH_FIELDS)
                assert values(own.project, PROJECT_FIELDS) == values(expected.project, PROJECT_FIELDS)
                assert own.qualified == qualified(user, expected)
                version = expected.project.guidelines_version
                members = expected.project.memberships.filter(user=user, role="annotator")
                assert own.guidelines_read == members.filter(guidelines_version__gte=version).exists()


def test_own_assignments(world):
    for user in world:
        for assignment in Assignment.objects.exclude(annotator=None):
            mine = Assignment.objects.of(user).filter(pk=assignment.pk, item__batch__deleted_at=None).first()
            expected = mine if mine and still_annotates(user, mine.item.batch.project) else None
            own = Assignment.objects.all().own_with_batch(user, assignment.pk)
            assert (own is None) == (expected is None), (user, assignment)
            if own:
                assert values(own, PLACE_FIELDS) == values(expected, PLACE_FIELDS)
                assert values(own.item, ITEM_FIELDS) == values(expected.item, ITEM_FIELDS)
                assert values(own.item.batch, BATCH_FIELDS) == values(expected.item.batch, BATCH_FIELDS)
                assert own.item.batch.qualified == qualified(user, expected.item.batch)
                assert values(lock_own(own, user), PLACE_FIELDS) == values(expected, PLACE_FIELDS)


def test_what_decides_on_an_answer(world):
    answers = list(Answer.objects.all())
    assert answers
    for answer in answers:
        batch = answer.assignment.item.batch
        for key in (answer.key, uuid.uuid4()):
            stored = Answer.objects.filter(assignment=answer.assignment, key=key).first()
            read = circumstances(answer.assignment, key)
            assert (read.state, read.third_judgement, read.second_pass) == (
                batch.state,
                batch.third_judgement,
                SecondPass.objects.filter(batch=batch).exists(),
            )
            earlier = read.earlier and (read.earlier.body, read.earlier.body_sha256, read.earlier.response)
            assert earlier == (stored and (stored.body, stored.body_sha256, stored.response))


def test_own_progress(world):
    untaken, run_out = free(timezone.now()).values()
    either = untaken | run_out
    for user in world:
        for batch in Batch.objects.all():
            mine = Assignment.objects.of(user).filter(item__batch=batch)
            settled = batch.annotators.filter(annotator=user).first()
            paused = bool(settled and settled.paused)
            done, skipped = mine.exclude(state="open").count(), mine.filter(state="skipped").count()
            total = mine.count()
            if SecondPass.objects.filter(batch=batch, ended_at=None).exists():
                looks = SecondLook.objects.filter(assignment__in=mine)
                done, skipped, total = looks.filter(done=True).count(), 0, looks.count()
            elif batch.handing_out == HandingOut.AS_THEY_COME and batch.state == "open" and settled:
                quota = settled.quota if settled.quota is not None else batch.items.count()
                if not paused and quota > total and free_items(batch, user, either).exists():
                    total = min(quota, batch.items.count())
            read = own_progress(batch, user)
            assert (read.done, read.skipped, read.total, read.paused) == (done, skipped, total, paused)


def free(now):
    """The two kinds of places that can be taken, by their statements."""
    return {UNTAKEN: Q(annotator=None), RUN_OUT: Q(leased_until__lt=now)}


def places(which):
    return Assignment.objects.filter(which, state="open", version=0)


def free_items(batch, user, which):
    """Items with a place that `user` could take."""
    mine = Assignment.objects.of(user).filter(item=OuterRef("pk"))
    return batch.items.filter(Exists(places(which).filter(item=OuterRef("pk"))), ~Exists(mine)).order_by(
        "number"
    )


def test_places_that_can_be_taken(world):
    now = timezone.now()
    seen = 0
    for user in world:
        for batch in Batch.objects.all():
            names = {"batch": batch.pk, "annotator": user.pk, "now": adapted(now), "missing": 5}
            mine = Assignment.objects.of(user).filter(item__batch=batch)
            assert rows(HELD, names) == [(mine.filter(state="open", leased_until__gt=now).count(),)]
            last = mine.order_by("-position").first()
            assert rows(OWN, names) == [(mine.count(), last.position if last else 0)]
            for statement, which in free(now).items():
                expected = [
                    places(which).filter(item=item).aggregate(first=Min("pk"))["first"]
                    for item in free_items(batch, user, which)[:5]
                ]
                assert [place for (place,) in rows(FREE.format(free=statement), names)] == expected
                seen += len(expected)
    assert seen > 5


def test_sessions_and_accounts(client, django_user_model):
    user = django_user_model.objects.create_user("somebody")
    client.force_login(user)
    for session in Session.objects.all():
        assert SessionStore(session.session_key).load() == session.get_decoded()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert all(SessionStore(key).load() == {} for key in Session.objects.values_list("pk", flat=True))
    read = AccountBackend().get_user(user.pk)
    assert values(read, [field.attname for field in user._meta.concrete_fields]) == values(
        django_user_model.objects.get(pk=user.pk), [field.attname for field in user._meta.concrete_fields]
    )
