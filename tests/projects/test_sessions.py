from datetime import timedelta

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from projects.sessions import SessionStore
from tests.factories.corpus import UserFactory

pytestmark = pytest.mark.django_db
PAGE = "/accounts/"


@pytest.fixture
def client():
    client = Client()
    client.force_login(UserFactory(username="mary"))
    return client


def test_a_session_is_its_persons(client):
    assert "Account of <bdi>mary</bdi>" in client.get(PAGE).content.decode()


def test_a_session_that_began_with_release_0_2_0_goes_on(client):
    session = client.session
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session.save()
    assert client.get(PAGE).status_code == 200


def test_an_expired_session_is_nobodys_and_its_key_is_not_used_again(client):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get(PAGE).status_code == 302
    store = SessionStore(client.session.session_key)
    assert (store.load(), store.session_key) == ({}, None)


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "another"}])
def test_a_deactivated_account_and_a_new_password_end_it_at_once(client, change):
    type(UserFactory()).objects.filter(username="mary").update(**change)
    assert client.get(PAGE).status_code == 302
