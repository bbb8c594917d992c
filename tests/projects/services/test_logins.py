from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from projects.models import LoginCount
from projects.services.logins import LIMITS
from tests.factories.corpus import PASSWORD, UserFactory

ACCOUNT, UNKNOWN, ADDRESS, DEVICE = (
    LIMITS[kind].free for kind in ("account at address", "account on unknown devices", "address", "device")
)
THREADS = 8


class Clock:
    """A clock that moves only when it is moved."""

    def __init__(self):
        self.time = datetime(2026, 3, 2, 9, tzinfo=timezone.get_default_timezone())

    def now(self):
        return self.time

    def move(self, seconds):
        self.time += timedelta(seconds=seconds)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("projects.services.logins.timezone.now", clock.now)
    return clock


def by_page(client, username, password):
    return client.post("/accounts/login/", {"login": username, "password": password})


def by_api(client, username, password):
    body = {"username": username, "password": password}
    return client.post("/api/v1/auth/login/", body, content_type="application/json")


both = pytest.mark.parametrize("log_in", [by_page, by_api])
IN = {200, 302}
WRONG = {401, 422}


def guesses(number, name="owner", **client):
    """The statuses of wrong passwords, each by a client without cookies; page and API in turn."""
    logins = (by_page, by_api)
    return [logins[n % 2](Client(**client), name, f"guess{n}").status_code for n in range(number)]


@both
def test_an_account_at_an_address_waits_longer_after_each_failure(db, clock, log_in):
    UserFactory(username="owner")
    assert set(guesses(ACCOUNT)) <= WRONG
    refused = log_in(Client(), "owner", PASSWORD)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5")
    assert "Try again in 5 seconds" in refused.content.decode()
    clock.move(5)
    assert log_in(Client(), "owner", "wrong").status_code in WRONG
    assert log_in(Client(), "owner", PASSWORD).headers["Retry-After"] == "10"
    clock.move(10)
    assert log_in(Client(), "owner", PASSWORD).status_code in IN
    assert log_in(Client(), "owner", "wrong").status_code in WRONG  # the count began again


def test_many_addresses_at_one_account_are_slowed(db):
    UserFactory(username="owner")
    found = [guesses(1, REMOTE_ADDR=f"192.0.2.{n}")[0] for n in range(UNKNOWN + 1)]
    assert set(found[:-1]) <= WRONG and found[-1] == 429


def test_a_stranger_does_not_lock_out_a_known_device(db):
    UserFactory(username="owner")
    owner, log_in = Client(), by_page
    assert log_in(owner, "owner", PASSWORD).status_code in IN
    owner.post("/accounts/logout/")
    for n in range(UNKNOWN + 5):  # from everywhere, the owner's own address among them
        guesses(1, REMOTE_ADDR=f"192.0.2.{n}")
    guesses(ADDRESS + 5)
    assert log_in(Client(), "owner", PASSWORD).status_code == 429
    assert log_in(owner, "owner", "mistyped").status_code in WRONG
    assert log_in(owner, "owner", PASSWORD).status_code in IN


def test_guessing_on_a_known_device_is_slowed_as_well(db):
    UserFactory(username="owner")
    thief = Client()
    by_page(thief, "owner", PASSWORD)
    thief.post("/accounts/logout/")
    found = [by_page(thief, "owner", "wrong").status_code for _ in range(DEVICE + 1)]
    assert found == [422] * DEVICE + [429]
    assert by_page(Client(), "owner", PASSWORD).status_code == 302


def test_a_device_is_known_for_the_accounts_that_logged_in_there(db):
    UserFactory(username="owner")
    UserFactory(username="attacker")
    attacker = Client()
    by_page(attacker, "attacker", PASSWORD)
    attacker.post("/accounts/logout/")
    found = [by_page(attacker, "owner", "wrong").status_code for _ in range(ACCOUNT + 1)]
    assert found[-1] == 429


def test_a_forged_device_cookie_is_ignored(db):
    UserFactory(username="owner")
    owner = Client()
    by_page(owner, "owner", PASSWORD)
    cookie = owner.cookies[settings.DEVICE_COOKIE_NAME]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and "owner" not in cookie.value
    guesses(ACCOUNT)
    forger = Client()
    forger.cookies[settings.DEVICE_COOKIE_NAME] = cookie.value[:-2] + (
        "aa" if cookie.value[-2:] != "aa" else "bb"
    )
    assert by_page(forger, "owner", PASSWORD).status_code == 429


def test_failures_are_forgotten_in_a_day(db, clock):
    UserFactory(username="owner")
    guesses(ACCOUNT)
    clock.move(24 * 3600 + 1)
    assert guesses(1)[0] in WRONG
    assert max(LoginCount.objects.values_list("failures", flat=True)) == 1


@pytest.mark.parametrize(
    ("proxies", "forwarded", "slowed"),
    [
        (0, "192.0.2.{n}", True),  # without a proxy anybody can write the header
        (1, "192.0.2.{n}", False),
        (1, "192.0.2.{n}, 198.51.100.7", True),  # what the client itself sent does not count
        (2, "192.0.2.{n}, 198.51.100.7", False),
        (1, "2001:db8:1:2::{n}", True),  # one /64 network
        (1, "2001:db8:1:{n}::1", False),
    ],
)
def test_the_address_behind_proxies(db, proxies, forwarded, slowed):
    with override_settings(TRUSTED_PROXIES=proxies):
        found = [
            guesses(1, f"user{n}", HTTP_X_FORWARDED_FOR=forwarded.format(n=n))[0] for n in range(ADDRESS + 1)
        ]
    assert (429 in found) is slowed


@both
def test_whether_an_account_exists_makes_no_difference(db, monkeypatch, log_in):
    UserFactory(username="owner")
    UserFactory(username="paused", is_active=False)
    UserFactory(username="without").set_unusable_password()
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self, password, salt):
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    seen = set()
    for name in ("owner", "paused", "without", "nobody"):
        for _ in range(2):
            hashed.clear()
            with CaptureQueriesContext(connection) as queries:
                answer = log_in(Client(), name, "wrong")
            text = answer.content.decode().replace(f'value="{name}"', "")
        seen.add((answer.status_code, len(hashed), len(queries), text if log_in is by_api else len(text)))
    assert len(seen) == 1, seen
    LoginCount.objects.all().delete()
    for name in ("owner", "nobody"):
        found = [
            log_in(Client(REMOTE_ADDR="192.0.2.1" if name == "owner" else "192.0.2.2"), name, "wrong")
            for _ in range(ACCOUNT + 1)
        ]
        assert [answer.status_code == 429 for answer in found] == [False] * ACCOUNT + [True]


@pytest.mark.django_db(transaction=True)
def test_tries_at_the_same_time_do_not_pass_the_limit():
    UserFactory(username="owner")

    def guess(number):
        try:
            return guesses(1)[0]
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(guess, range(3 * THREADS)))
    assert len([status for status in found if status != 429]) == ACCOUNT
    assert set(found) <= WRONG | {429}
    assert set(LoginCount.objects.values_list("failures", flat=True)) == {ACCOUNT}


def test_successes_cost_an_address_nothing(db):
    for n in range(ADDRESS + 5):
        UserFactory(username=f"annotator{n}")
        assert by_page(Client(), f"annotator{n}", PASSWORD).status_code == 302
