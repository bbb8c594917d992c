import base64
import hmac
import re
import secrets
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from projects.models import AuditEntry
from projects.services.logins import LIMITS
from tests.factories.corpus import PASSWORD, UserFactory
from tests.signing_on import switch_on

pytestmark = pytest.mark.django_db
CODE_PAGE = "/accounts/second-factor/authenticate/"


@pytest.fixture(autouse=True)
def switched_on(settings):
    switch_on(settings)


def code_of(secret, later=0):
    """The present code, or one that the app shows `later` periods of 30 seconds from now (RFC 4226, 6238)."""
    period = int(time.time()) // 30 + later
    digest = hmac.digest(base64.b32decode(secret), period.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 15
    return f"{(int.from_bytes(digest[start : start + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"


def wrong_code(secret):
    return f"{(int(code_of(secret)) + 1) % 10**6:06}"


def add_app(user):
    secret = base64.b32encode(secrets.token_bytes(20)).decode()
    Authenticator.objects.create(user=user, type="totp", data={"secret": encrypt(secret)})
    return secret


def add_recovery_codes(user):
    data = {"migrated_codes": [encrypt(f"{n:08}") for n in range(10)]}
    return Authenticator.objects.create(user=user, type="recovery_codes", data=data).wrap().get_unused_codes()


def log_in(client, user):
    return client.post("/accounts/login/?next=/glossary/", {"login": user.username, "password": PASSWORD,
                                                            "next": "/glossary/"})  # fmt: skip


def token(user, **fields):
    body = {"username": user.username, "password": PASSWORD, **fields}
    return Client().post("/api/v1/auth/login/", body, content_type="application/json")


def test_an_app_is_set_up_by_hand(client):
    user = UserFactory()
    log_in(client, user)
    asked = client.get("/accounts/second-factor/app/")
    assert asked.url == "/accounts/again/?next=%2Faccounts%2Fsecond-factor%2Fapp%2F"
    again = client.post(asked.url, {"password": PASSWORD, "next": "/accounts/second-factor/app/"})
    assert again.url == "/accounts/second-factor/app/"
    page = client.get(again.url).content.decode()
    assert "<svg" in page
    secret = re.search(r'value="([A-Z2-7]{32})"', page)[1]
    wrong = client.post(again.url, {"code": wrong_code(secret)})
    assert "Incorrect code" in wrong.content.decode() and not Authenticator.objects.exists()
    assert client.post(again.url, {"code": code_of(secret)}).url == "/accounts/second-factor/codes/"
    repeated = Client()
    log_in(repeated, user)
    answer = repeated.post(CODE_PAGE, {"code": code_of(secret)})
    assert "Incorrect code" in answer.content.decode(), "the code that set the app up is used up"
    codes = re.findall(r"<code>(\d+)</code>", client.get("/accounts/second-factor/codes/").content.decode())
    assert len(codes) == 10
    stored = Authenticator.objects.get(type="totp").data["secret"]
    assert secret not in stored
    other = Client()
    assert log_in(other, user).url == CODE_PAGE
    assert other.post(CODE_PAGE, {"code": codes[0]}).url == "/glossary/"
    assert "On: a code or a passkey" in other.get("/accounts/").content.decode()


def test_a_password_alone_does_not_log_in(client):
    user = UserFactory()
    secret = add_app(user)
    assert log_in(client, user).url == CODE_PAGE
    for address in ("/", "/accounts/", "/accounts/second-factor/", "/accounts/second-factor/app/remove/"):
        assert client.get(address).url.startswith("/accounts/login/")
    assert client.get("/api/v1/projects/").status_code == 401
    assert client.get(CODE_PAGE).status_code == 200
    assert "Incorrect code" in client.post(CODE_PAGE, {"code": wrong_code(secret)}).content.decode()
    assert client.post(CODE_PAGE, {"code": code_of(secret)}).url == "/glossary/"
    assert client.get("/accounts/").status_code == 200


@pytest.mark.parametrize("how", ["page", "again", "api"])
def test_a_used_code_is_refused_by_every_process(client, how, monkeypatch):
    """Also one of the period before, which is still valid, after another was used; each has its own cache."""
    user = UserFactory()
    secret = add_app(user)
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now)  # the periods stay what they are
    code, before, later = (code_of(secret, period) for period in (0, -1, 1))

    def works(code):
        cache.clear()
        if how == "api":
            return token(user, code=code).status_code == 200
        if how == "page":
            log_in(client := Client(), user)
            return client.post(CODE_PAGE, {"code": code}).status_code == 302
        client = Client()
        client.force_login(user)
        return client.post("/accounts/second-factor/reauthenticate/", {"code": code}).status_code == 302

    assert works(code) and not works(code) and not works(f" {code[:3]}-{code[3:]}")
    assert works(before) and works(later)
    assert not works(later) and not works(code) and not works(before)


def test_a_password_or_a_passkey_alone_gives_no_token():
    user = UserFactory()
    add_app(user)
    recovery = add_recovery_codes(user)[0]
    without = token(user)
    assert without.status_code == 401 and "second factor" in without.json()["detail"]
    assert [token(user, code=recovery).status_code for _ in range(2)] == [200, 401], "it works once"
    Authenticator.objects.all().delete()
    Authenticator.objects.create(user=user, type="webauthn", data={"name": "key", "credential": {}})
    assert token(user).status_code == 401
    assert token(user, code="123456").status_code == 401


@pytest.mark.parametrize("how", ["page", "api"])
def test_guessing_codes_is_slowed_down(client, how):
    """Although the password is right each time, and in a browser that is known."""
    user = UserFactory()
    secret = add_app(user)
    answers = []
    for _ in range(LIMITS["account at address"].free + 1):
        cache.clear()  # what django-allauth counts is of one process
        if how == "page":
            log_in(client, user)
            answers.append(client.post(CODE_PAGE, {"code": wrong_code(secret)}))
        else:
            answers.append(token(user, code=wrong_code(secret)))
    assert {answer.status_code for answer in answers[:-1]} <= {200, 401}
    assert answers[-1].status_code == 429 and int(answers[-1].headers["Retry-After"]) > 0
    if how == "page":
        assert client.post(CODE_PAGE, {"code": code_of(secret)}).status_code == 429


def test_guessing_the_password_again_is_slowed_down(client):
    user = UserFactory()
    log_in(client, user)
    answers = []
    for _ in range(LIMITS["device"].free + 1):
        cache.clear()
        answers.append(client.post("/accounts/again/", {"password": "wrong"}).status_code)
    assert answers[0] == 200 and answers[-1] == 429


def test_an_administrator_removes_it_for_somebody_who_lost_the_phone(client):
    user, admin = UserFactory(), UserFactory(is_superuser=True)
    add_app(user)
    add_recovery_codes(user)
    client.force_login(admin)
    assert "Remove second factor" in client.get(f"/people/{user.pk}/").content.decode()
    client.post(f"/people/{user.pk}/", {"second_factor": "remove"})
    assert not Authenticator.objects.filter(user=user).exists()
    assert AuditEntry.objects.filter(event="second-factor-removed", actor_id=admin.pk).exists()
    assert log_in(Client(), user).url == "/glossary/"


def test_the_command_removes_it_for_the_only_administrator():
    user = UserFactory(is_superuser=True)
    add_app(user)
    call_command("remove_second_factor", user.username)
    assert not Authenticator.objects.exists()


def test_another_secret_key_fits_no_code(settings, client):
    user = UserFactory()
    secret = add_app(user)
    settings.SECRET_KEY = "y" * 60
    log_in(client, user)
    assert client.post(CODE_PAGE, {"code": code_of(secret)}).status_code == 200
    assert client.get("/").status_code == 302
