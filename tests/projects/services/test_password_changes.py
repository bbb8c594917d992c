from io import StringIO
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from projects.models import ApiToken
from tests.factories.corpus import PASSWORD, UserFactory

NEW = "lighthouse-keeper-9"


def by_command(user):
    with patch("getpass.getpass", return_value=NEW):
        call_command("changepassword", user.username, stdout=StringIO())


def by_saving(user):
    user.set_password(NEW)
    user.save()


def by_locking(user):
    user.set_unusable_password()
    user.save(update_fields=["password"])


@pytest.mark.parametrize("change", [by_command, by_saving, by_locking])
def test_tokens_and_sessions_end(db, change):
    user, other = UserFactory(), UserFactory()
    browser = Client()
    browser.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    assert browser.get("/").status_code == 200
    tokens = [ApiToken.objects.create(one)[1] for one in (user, user, other)]
    change(user)
    found = [
        Client(headers={"Authorization": f"Token {token}"}).get("/api/v1/projects/").status_code
        for token in tokens
    ]
    assert found == [401, 401, 200]
    assert browser.get("/").status_code == 302


def test_a_token_is_not_made_with_a_password_that_has_just_changed(db):
    user = UserFactory()
    stale = User.objects.get(pk=user.pk)
    by_saving(user)
    with patch("projects.api.auth.authenticate", return_value=stale):
        body = {"username": user.username, "password": PASSWORD}
        answer = Client().post("/api/v1/auth/login/", body, content_type="application/json")
    assert answer.status_code == 401
    assert not ApiToken.objects.exists()
