from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from projects.errors import PublicError
from projects.models import ApiToken, Submission
from projects.services.tokens import MAX_TOKENS, make_token, valid_tokens
from tests.audit import entries, events
from tests.factories.corpus import UserFactory

TOKENS = "/api/v1/auth/tokens/"


@pytest.fixture
def ada(db):
    return UserFactory(username="ada")


@pytest.fixture
def browser(ada):
    client = Client()
    client.force_login(ada)
    return client


def bearer(token):
    return Client(headers={"Authorization": f"Token {token}"})


def test_a_token_is_shown_once_listed_and_revoked(browser, ada):
    sent = {"name": "nightly script", "scope": "read", "days": "7"}
    answer = browser.post("/accounts/tokens/", sent)
    _, text = answer.context["made"]
    assert text in answer.content.decode() and answer["Cache-Control"].startswith("max-age=0")
    page = browser.get("/accounts/tokens/").content.decode()
    assert "nightly script" in page and text not in page and text[:15] in page
    token = ApiToken.objects.get()
    assert abs(token.expiry - timezone.now() - timedelta(days=7)) < timedelta(minutes=1)
    assert bearer(text).get("/api/v1/projects/").status_code == 200
    other = make_token(user=ada, name="other", scope="read")[1]
    assert browser.post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 302
    assert bearer(text).get("/api/v1/projects/").status_code == 401
    assert bearer(other).get("/api/v1/projects/").status_code == 200
    assert events(actor="ada") == ["token-made", "token-made", "token-revoked"]
    assert entries(event="token-made")[0].details["scope"] == "read"


def test_the_text_of_a_token_is_stored_nowhere(people):
    key = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
    body = {"name": "script", "scope": "read"}
    headers = {"Idempotency-Key": key}
    made = people.client("manager").post(TOKENS, body, format="json", headers=headers).json()
    assert made["token"] not in str(list(Submission.objects.values()) + list(ApiToken.objects.values()))
    assert made["token"] not in str(list(entries().values()))
    assert len(ApiToken.objects.get().digest) == 128


def test_the_last_use_is_written_once_a_minute(ada):
    token, text = make_token(user=ada, name="script", scope="read")
    client = bearer(text)
    assert client.get("/api/v1/projects/").status_code == 200
    token.refresh_from_db()
    first = token.last_used_at
    assert first is not None
    for _ in range(3):
        client.get("/api/v1/projects/")
    token.refresh_from_db()
    assert token.last_used_at == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(seconds=61))
    client.get("/api/v1/projects/")
    token.refresh_from_db()
    assert token.last_used_at > first - timedelta(seconds=1)


def test_an_account_has_a_maximum_of_tokens_and_expired_ones_do_not_count(ada):
    for number in range(MAX_TOKENS):
        make_token(user=ada, name=str(number), scope="read")
    with pytest.raises(PublicError, match="at most"):
        make_token(user=ada, name="more", scope="read")
    ApiToken.objects.filter(name="0").update(expiry=timezone.now())
    make_token(user=ada, name="more", scope="read")
    assert "0" not in {token.name for token in valid_tokens(ada)}
