"""Every address of the API, every method, every scope: a token never does more than its scope says."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from projects.services.tokens import OWN_ANSWERS, make_token

from .bodies import content_of
from .matrix import ROUTES
from .objects import World, first_error, make_world, undone
from .people import by_role, drained
from .test_matrix import url_of

pytestmark = pytest.mark.django_db

NAMES = sorted(name for name in ROUTES if name.startswith("api-"))
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
# Who may do most of what anybody may.
PEOPLE = ("admin", "adjudicator", "annotator")
# It ends a token, so that a session gets 401 in the matrix; the login takes no token.
TOKENS_ONLY = {"api-logout": 204}
OPEN = {"api-login", "api-schema"}


@pytest.fixture(scope="module")
def world(module_database: None) -> World:
    return make_world()


@pytest.fixture(scope="module")
def tokens(world: World) -> dict[tuple[str, str], str]:
    return {
        (role, scope): make_token(user=world.people[role], name=scope, scope=scope)[1]
        for role in PEOPLE
        for scope in ("read", "annotate", "manage")
    }


def send(world: World, name: str, method: str, token: str) -> Any:
    content, kind = content_of(name, method, world.own)
    with undone():
        client = world.client("anonymous")
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        url = url_of(name, world.own, world.own)
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        return drained(client.generic(method, url, content, content_type=kind, headers=headers))


def status_of(name: str, role: str, method: str) -> int | None:
    """What the matrix says without a token; None for a method that the address does not have."""
    if method == "POST" and name in TOKENS_ONLY:
        return TOKENS_ONLY[name]
    statuses = ROUTES[name].methods.get("GET" if method == "HEAD" else method)
    return by_role(statuses)[role] if statuses else None


@pytest.mark.parametrize("name", sorted(set(NAMES) - OPEN))
def test_a_scope_restricts_what_a_role_allows(
    world: World, tokens: dict[tuple[str, str], str], name: str
) -> None:
    person = "annotator" if name in OWN_ANSWERS or name == "api-token" else "admin"
    for method in METHODS:
        for scope in ("read", "annotate", "manage"):
            allowed = (
                scope == "manage"
                or method in ("GET", "HEAD")
                or name == "api-logout"
                or (scope == "annotate" and name in OWN_ANSWERS)
            )
            answer = send(world, name, method, tokens[person, scope])
            said = f"{scope} {person} {method} {name}: {first_error(answer)}"
            if not allowed:
                assert answer.status_code == 403 and "scope of this token" in answer.json()["detail"], said
            elif (status := status_of(name, person, method)) is not None:
                assert answer.status_code == status, said
            else:
                assert answer.status_code in (404, 405), said


def test_answers_to_what_is_assigned_are_all_there_is_to_annotating() -> None:
    """An address that is renamed loses its place here, never gains one."""
    assert set(NAMES) >= OWN_ANSWERS
    for name in OWN_ANSWERS:
        assert set(ROUTES[name].methods) == {"PUT"}
        assert by_role(ROUTES[name].methods["PUT"])["manager"] == 404


def test_a_token_opens_no_page(world: World, tokens: dict[tuple[str, str], str]) -> None:
    client = world.client("anonymous")
    client.credentials(HTTP_AUTHORIZATION=f"Token {tokens['admin', 'manage']}")
    for page in ("/", "/people/", "/accounts/tokens/", "/installation/audit/"):
        assert client.get(page).status_code == 302
