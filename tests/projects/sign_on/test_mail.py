from __future__ import annotations

import re
import socket
import time
from email import message_from_bytes, policy
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress
from django.test import Client

from projects.models import ApiToken, AuditEntry
from projects.services.logins import LIMITS
from tests.factories.corpus import PASSWORD, UserFactory
from tests.signing_on import switch_on

pytestmark = pytest.mark.django_db
NEW = "quiet-harbour-9"


class Mailbox:
    def __init__(self):
        self.letters: list[Any] = []

    async def handle_DATA(self, server, session, envelope):
        self.letters.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def next(self):
        deadline = time.monotonic() + 10
        while not self.letters and time.monotonic() < deadline:
            time.sleep(0.02)
        return self.letters.pop(0)

    def link(self):
        return re.search(r"http://testserver(/\S+)", self.next().get_content())[1]


@pytest.fixture
def mailbox(settings):
    switch_on(settings)
    found = Mailbox()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(found, hostname="127.0.0.1", port=port)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.DEFAULT_FROM_EMAIL = "Paragold <paragold@example.org>"
    yield found
    controller.stop()


def confirmed(**given):
    user = UserFactory(**given)
    address = f"{user.username}@example.org"
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    return user


def ask(email):
    return Client().post("/accounts/password/reset/", {"email": email}, follow=True)


def test_a_forgotten_password(client, mailbox):
    user = confirmed()
    old = Client()
    old.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    ApiToken.objects.create(user=user)
    assert "Forgot your password?" in client.get("/accounts/login/").content.decode()
    assert "a link is on its way" in ask(f"{user.username}@example.org").content.decode()
    form = client.get(mailbox.link())
    assert "set-password" in form.url
    weak = client.post(form.url, {"password1": "short", "password2": "short"})
    assert "too short" in weak.content.decode()
    changed = client.post(form.url, {"password1": NEW, "password2": NEW})
    assert changed.status_code == 302, changed.content.decode()
    assert changed.url == "/accounts/login/"
    assert "password has been reset" in mailbox.next().get_content()
    assert old.get("/").status_code == 302 and not ApiToken.objects.exists(), "sessions and tokens end"
    assert client.get("/").status_code == 302, "nobody is logged in by a link"
    assert client.post("/accounts/login/", {"login": user.username, "password": NEW}).status_code == 302
    assert AuditEntry.objects.filter(target=user.username, event="password-changed").exists()
    assert "This link is not valid" in Client().get(form.url).content.decode()


def test_nobody_learns_who_has_an_account(mailbox):
    user = confirmed()
    pages = [ask(address).content for address in (f"{user.username}@example.org", "nobody@example.org")]
    hidden = re.compile(rb'value="[^"]*"')
    assert hidden.sub(b"", pages[0]) == hidden.sub(b"", pages[1])
    assert mailbox.next()["To"] == f"{user.username}@example.org"
    time.sleep(0.2)
    assert not mailbox.letters


def test_no_mail_to_addresses_that_are_not_confirmed_or_have_no_password(mailbox):
    unconfirmed = UserFactory(email="typo@example.org")
    EmailAddress.objects.create(user=unconfirmed, email="typo@example.org", verified=False, primary=True)
    signed_on, gone = confirmed(), confirmed(is_active=False)
    signed_on.set_unusable_password()
    signed_on.save()
    for address in ("typo", signed_on.username, gone.username):
        assert ask(f"{address}@example.org").status_code == 200
    time.sleep(0.3)
    assert not mailbox.letters


def test_asking_for_links_is_slowed_down(mailbox):
    answers = [ask("me@example.org").status_code for _ in range(LIMITS["account at address"].free + 1)]
    assert answers[0] == 200 and answers[-1] == 429


def test_what_django_allauth_refuses_has_a_page_of_ours(client, mailbox):
    client.force_login(UserFactory())
    answers = [client.post("/accounts/mail/") for _ in range(11)]
    assert [answer.status_code for answer in answers[-2:]] == [302, 429]
    assert "<h1>Too many attempts</h1>" in answers[-1].content.decode()


def test_a_mail_server_that_is_down_is_only_logged(settings, mailbox, caplog):
    user = confirmed()
    settings.EMAIL_PORT = 9
    assert ask(f"{user.username}@example.org").status_code == 200
    deadline = time.monotonic() + 10
    while "could not be sent" not in caplog.text and time.monotonic() < deadline:
        time.sleep(0.02)
    assert "could not be sent" in caplog.text
