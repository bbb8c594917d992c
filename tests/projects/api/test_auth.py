from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils import timezone
from rest_framework.test import APIClient

from projects.models import ApiToken
from tests.factories.corpus import PASSWORD

LOGIN = "/api/v1/auth/login/"


def log_in(username="manager", password=PASSWORD, **fields):
    return APIClient().post(LOGIN, {"username": username, "password": password, **fields}, format="json")


def bearer(token):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def test_a_token_opens_the_api_and_expires_after_thirty_days(people):
    answer = log_in()
    assert answer.status_code == 200
    assert set(answer.data) == {"expiry", "token"}
    stored = ApiToken.objects.get()
    assert abs(stored.expiry - timezone.now() - timedelta(days=30)) < timedelta(minutes=1)
    client = bearer(answer.data["token"])
    assert client.get("/api/v1/projects/").status_code == 200
    ApiToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert client.get("/api/v1/projects/").status_code == 401


def test_the_database_holds_only_a_hash(people):
    token = log_in().data["token"]
    assert token.startswith("pgold_")
    stored = ApiToken.objects.get()
    assert token not in {str(value) for value in vars(stored).values()}
    assert len(stored.digest) == 128
    assert len(stored.token_key) == 15


@pytest.mark.parametrize(
    ("username", "password"), [("manager", "wrong"), ("nobody", PASSWORD), ("MANAGER", PASSWORD)]
)
def test_wrong_credentials_are_all_answered_alike(people, username, password):
    answer = log_in(username, password)
    assert answer.status_code == 401
    assert answer.data == {"detail": "User name and password do not match."}
    assert not ApiToken.objects.exists()


def test_logging_out_ends_one_token(people):
    first, second = (log_in().data["token"] for _ in range(2))
    assert bearer(first).post("/api/v1/auth/logout/").status_code == 204
    assert bearer(first).get("/api/v1/projects/").status_code == 401
    assert bearer(second).get("/api/v1/projects/").status_code == 200


@pytest.mark.parametrize("token", ["", "x", "a b", "pgold_" + "0" * 64, "\xff\xfe"])
def test_a_bad_token_is_a_401(people, token):
    answer = bearer(token).get("/api/v1/projects/")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Token"
    assert isinstance(answer.data["detail"], str)


def test_a_huge_body_is_refused_unread(people):
    body = b'{"username": "' + b"x" * (5 << 20) + b'"}'
    answer = people.client("manager").generic(
        "POST", "/api/v1/projects/", body, content_type="application/json"
    )
    assert answer.status_code == 413


def test_a_session_must_send_its_csrf_token(people):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(people["manager"])
    assert client.post("/api/v1/projects/", {"slug": "s", "name": "S"}, format="json").status_code == 403
    assert client.get("/api/v1/projects/").status_code == 200


def test_the_number_of_tokens_is_bounded(people):
    with override_settings(REST_KNOX={"TOKEN_LIMIT_PER_USER": 2, "TOKEN_TTL": timedelta(days=30)}):
        answers = [log_in() for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 403]
    assert "maximum number of tokens" in answers[2].data["detail"]
    assert ApiToken.objects.filter(user=people["manager"]).count() == 2
