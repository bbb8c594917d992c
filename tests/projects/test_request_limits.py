"""Too many requests in a minute are answered 429, by account and by address, over all processes."""

from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.test import Client
from redis.exceptions import RedisError

from projects import request_limits
from projects.models import ApiToken
from tests.factories.corpus import UserFactory

pytestmark = pytest.mark.django_db
LOGIN_PAGE, API = "/accounts/login/", "/api/v1/projects/"


class Clock:
    now = 1_800_000_000.0 + 20

    def time(self):
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch, settings):
    clock = Clock()
    monkeypatch.setattr(request_limits, "time", clock)
    settings.ACCOUNT_REQUESTS, settings.ADDRESS_REQUESTS = 10, 5
    caches["requests"].clear()
    return clock


def process(user=None, **options):
    """A browser at a web process of its own: each client of the tests has its own middleware."""
    client = Client(**options)
    if user is not None:
        client.force_login(user)
    return client


def bearer(user):
    return Client(headers={"Authorization": f"Token {ApiToken.objects.create(user=user)[1]}"})


def statuses(number, *clients, path=API):
    """Of so many requests by the clients in turn."""
    return [clients[n % len(clients)].get(path).status_code for n in range(number)]


def test_an_account_is_limited_over_all_processes_sessions_and_tokens(clock):
    mary, paul = UserFactory(), UserFactory()
    browser, other, first, second = process(mary), process(mary), bearer(mary), bearer(mary)
    assert statuses(12, browser, other, first, second) == [200] * 10 + [429] * 2
    page, answer = browser.get("/"), first.get(API)
    assert page.status_code == 429 and b"More than 10 requests" in page.content
    assert page.headers["Retry-After"] == answer.headers["Retry-After"] == "40"
    assert answer.json() == {"detail": "More than 10 requests within a minute. Try again in 40 seconds."}
    assert statuses(1, process(paul), bearer(paul)) == [200]
    clock.now += 40
    assert statuses(2, browser, first) == [200, 200]


def test_without_a_login_the_address_is_limited_and_nobody_who_is_logged_in_there():
    assert statuses(6, process(), process(), path=LOGIN_PAGE) == [200] * 5 + [429]
    assert statuses(1, process(REMOTE_ADDR="192.0.2.1"), path=LOGIN_PAGE) == [200]
    assert statuses(1, process(UserFactory())) == [200]


def test_tokens_that_are_not_valid_count_for_their_address():
    guesses = [Client(headers={"Authorization": f"Token pgold_{n:x<60}"}) for n in range(7)]
    assert statuses(7, *guesses) == [401] * 5 + [429] * 2


def test_an_upload_is_refused_before_it_is_read():
    client = process(UserFactory())
    statuses(10, client)
    assert client.post("/projects/new/", {"file": b"x" * 100}).status_code == 429


def test_health_is_always_answered():
    assert statuses(20, process(), path="/livez") == [200] * 20


def test_few_requests_ask_redis(settings):
    settings.ACCOUNT_REQUESTS = 1000
    with patch.object(request_limits, "add", wraps=request_limits.add) as add:
        statuses(20, process(UserFactory()))
    assert [call.args[2] for call in add.call_args_list] == [20]


def test_without_the_shared_count_each_process_counts_alone(monkeypatch):
    def away(*_):
        raise RedisError("gone")

    monkeypatch.setattr(request_limits, "add", away)
    mary = UserFactory()
    assert statuses(12, process(mary)) == [200] * 10 + [429] * 2
    assert statuses(1, process(mary)) == [200]


def test_zero_is_no_limit(settings):
    settings.ACCOUNT_REQUESTS = 0
    assert statuses(30, process(UserFactory())) == [200] * 30
