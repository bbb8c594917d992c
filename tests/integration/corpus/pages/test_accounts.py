from __future__ import annotations

import pytest
from django.core.cache import cache

from corpus.views.accounts import TRIES
from tests.factories.corpus import PASSWORD, UserFactory


@pytest.fixture(autouse=True)
def fresh_cache():
    cache.clear()
    yield
    cache.clear()


def test_log_in_and_out(client, db):
    user = UserFactory()
    assert client.get("/").url == "/accounts/login/?next=/"
    page = client.get("/accounts/login/")
    assert page.status_code == 200 and "There is no sign-up" in page.content.decode()
    answer = client.post("/accounts/login/", {"username": user.username, "password": PASSWORD})
    assert (answer.status_code, answer.url) == (302, "/")
    assert client.get("/").status_code == 200
    assert client.get("/accounts/logout/").status_code == 405
    assert client.post("/accounts/logout/").url == "/accounts/login/"
    assert client.get("/").status_code == 302


def test_a_wrong_password_is_told_and_the_name_kept(client, db):
    user = UserFactory()
    answer = client.post("/accounts/login/", {"username": user.username, "password": "wrong"})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "enter a correct username and password" in text and f'value="{user.username}"' in text


def test_guessing_is_slowed_down_for_that_name_only(client, db):
    user, other = UserFactory(), UserFactory()
    for _ in range(TRIES):
        assert (
            client.post("/accounts/login/", {"username": user.username, "password": "x"}).status_code == 422
        )
    right = {"username": user.username, "password": PASSWORD}
    refused = client.post("/accounts/login/", right)
    assert refused.status_code == 429
    assert "Too many tries for this name. Wait 5 minutes" in refused.content.decode()
    assert client.post("/accounts/login/", right | {"username": other.username}).status_code == 302


def test_a_login_takes_the_count_back(client, db):
    user = UserFactory()
    right = {"username": user.username, "password": PASSWORD}
    for _ in range(2):
        for _ in range(TRIES - 1):
            client.post("/accounts/login/", right | {"password": "x"})
        assert client.post("/accounts/login/", right).status_code == 302
        client.logout()


def test_it_leads_on_to_pages_of_this_site_only(client, db):
    user = UserFactory()
    right = {"username": user.username, "password": PASSWORD}
    assert client.post("/accounts/login/", right | {"next": "/projects/new/"}).url == "/projects/new/"
    client.logout()
    assert client.post("/accounts/login/", right | {"next": "https://elsewhere.example/"}).url == "/"
