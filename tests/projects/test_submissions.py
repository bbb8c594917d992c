from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from projects.errors import KeyReused
from projects.models import Submission
from projects.submissions import Claim, StillRunning, claim
from tests.factories.corpus import UserFactory

AT_ONCE = 10


@pytest.fixture
def user(db):
    return UserFactory()


def ask(user, key="k", body="b", **options):
    return claim(user=user, key=key, body_sha256=body, **options)


def at_once(work):
    """What AT_ONCE threads get that begin together."""
    together = threading.Barrier(AT_ONCE)

    def begin(number):
        try:
            together.wait()
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(begin, range(AT_ONCE)))


def test_the_second_gets_the_result_of_the_first(user):
    first = ask(user)
    assert isinstance(first, Claim)
    first.settle("/done/")
    assert ask(user) == "/done/"
    assert isinstance(ask(user, key="another"), Claim)
    assert isinstance(ask(UserFactory()), Claim)


def test_what_was_refused_may_be_sent_again(user):
    ask(user).release()
    assert isinstance(ask(user), Claim)


def test_the_same_key_with_another_body_is_refused(user):
    ask(user)
    with pytest.raises(KeyReused):
        ask(user, body="other")


def test_whoever_waits_too_long_is_told_so(user):
    ask(user)
    with pytest.raises(StillRunning):
        ask(user, wait=0)


def test_a_request_that_was_cut_off_is_taken_over(user):
    ask(user)
    Submission.objects.update(begun_at=timezone.now() - timedelta(minutes=10))
    assert isinstance(ask(user, wait=0), Claim)
    with pytest.raises(StillRunning):
        ask(user, wait=0)


def test_old_ones_are_removed(user):
    ask(user).settle("/done/")
    Submission.objects.update(begun_at=timezone.now() - timedelta(days=3))
    ask(user, key="another")
    assert Submission.objects.get().key == "another"


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_does_the_work():
    user = UserFactory()
    done: list[int] = []

    def work(number):
        first = ask(user)
        if not isinstance(first, Claim):
            return first
        done.append(number)
        first.settle(f"/made by {number}/")
        return f"/made by {number}/"

    results = at_once(work)
    assert len(done) == 1
    assert set(results) == {f"/made by {done[0]}/"}


@pytest.mark.django_db(transaction=True)
def test_when_the_first_of_many_is_refused_the_next_does_the_work():
    user = UserFactory()
    refused: list[int] = []

    def work(number):
        first = ask(user)
        if not isinstance(first, Claim):
            return first
        if len(refused) < 3:
            refused.append(number)
            first.release()
            return None
        first.settle(number)
        return number

    results = [result for result in at_once(work) if result is not None]
    assert (len(refused), len(results), len(set(results))) == (3, AT_ONCE - 3, 1)
