import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from tests.factories.corpus import PASSWORD, UserFactory
from tests.signing_on import session_key, switch_on

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def switched_on(settings):
    switch_on(settings)


def logged_in(user, agent, address="192.0.2.1"):
    client = Client(headers={"User-Agent": agent}, REMOTE_ADDR=address)
    client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    return client


def test_a_session_is_seen_and_ended():
    user = UserFactory()
    phone, laptop = logged_in(user, "Phone", "192.0.2.7"), logged_in(user, "Laptop")
    page = laptop.get("/accounts/sessions/").content.decode()
    assert "Phone" in page and "192.0.2.7" in page and "this session" in page
    ended = UserSession.objects.get(user_agent="Phone").pk
    assert laptop.post("/accounts/sessions/", {"session": ended}).url == "/accounts/sessions/"
    assert phone.get("/").url.startswith("/accounts/login/")
    assert phone.get("/api/v1/projects/").status_code == 401
    assert laptop.get("/").status_code == 200
    assert "Phone" not in laptop.get("/accounts/sessions/").content.decode()


def test_others_sessions_cannot_be_ended():
    other, client = logged_in(UserFactory(), "other"), logged_in(UserFactory(), "browser")
    client.post("/accounts/sessions/", {"session": UserSession.objects.get(user_agent="other").pk})
    assert other.get("/").status_code == 200
    assert "other" not in client.get("/accounts/sessions/").content.decode().split("<table")[1]


def test_nothing_is_stored_where_it_is_off(settings):
    switch_on(settings, sessions=False)
    client = logged_in(UserFactory(), "browser")
    assert session_key(client) and not UserSession.objects.exists()
    assert client.get("/accounts/sessions/").status_code == 404


def test_all_others_are_ended_at_once():
    user = UserFactory()
    clients = [logged_in(user, f"browser {n}") for n in range(3)]
    clients[0].post("/accounts/sessions/")
    assert [client.get("/").status_code for client in clients] == [200, 302, 302]
