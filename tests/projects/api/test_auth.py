from datetime import timedelta

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


def test_logging_out_ends_one_token(people):
    first, second = (log_in().data["token"] for _ in range(2))
    assert bearer(first).post("/api/v1/auth/logout/").status_code == 204
    assert bearer(first).get("/api/v1/projects/").status_code == 401
    assert bearer(second).get("/api/v1/projects/").status_code == 200


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
