import uuid

import pytest

from projects.services.tokens import OWN_ANSWERS, make_token

from .bodies import content_of
from .matrix import OF_THE_API, ROUTES, WHO_MAY
from .objects import first_error, make_world, undone
from .people import by_role, drained
from .test_matrix import url_of

pytestmark = pytest.mark.django_db

SCOPES = ("read", "annotate", "manage")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
A_SESSION_IS_NO_TOKEN = {401}
OPEN = {
    name
    for name in OF_THE_API
    for statuses in ROUTES[name].methods.values()
    if by_role(statuses)["anonymous"] == 200
}


@pytest.fixture(scope="module")
def world(module_database):
    return make_world()


@pytest.fixture(scope="module")
def tokens(world):
    return {
        (role, scope): make_token(user=world.people[role], name=scope, scope=scope)[1]
        for role in WHO_MAY
        for scope in SCOPES
    }


def send(world, name, method, token):
    content, kind = content_of(name, method, world.own)
    with undone():
        client = world.client("anonymous")
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        url = url_of(name, world.own, world.own)
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        return drained(client.generic(method, url, content, content_type=kind, headers=headers))


def status_of(name, role, method):
    """What the matrix says without a token; None for a method that the address does not have."""
    statuses = ROUTES[name].statuses("GET" if method == "HEAD" else method)
    if set(statuses.values()) == A_SESSION_IS_NO_TOKEN:
        return 204  # it ends the token
    return None if statuses[role] == 405 else statuses[role]


@pytest.mark.parametrize("name", sorted(set(OF_THE_API) - OPEN))
def test_a_scope_restricts_what_a_role_allows(world, tokens, name):
    person = "annotator" if name in OWN_ANSWERS or name == "api-token" else "admin"
    for method in METHODS:
        # HEAD is GET without its content; a method that is not there is tried with the least and the most.
        missing = method != "HEAD" and status_of(name, person, method) is None
        scopes = ("read",) if method == "HEAD" else ("read", "manage") if missing else SCOPES
        for scope in scopes:
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


def test_answers_to_what_is_assigned_are_all_there_is_to_annotating():
    """An address that is renamed loses its place here, never gains one."""
    assert set(OF_THE_API) >= OWN_ANSWERS
    for name in OWN_ANSWERS:
        assert set(ROUTES[name].methods) == {"PUT"}
        assert by_role(ROUTES[name].methods["PUT"])["manager"] == 404


def test_a_token_opens_no_page(world, tokens):
    client = world.client("anonymous")
    client.credentials(HTTP_AUTHORIZATION=f"Token {tokens['admin', 'manage']}")
    for page in ("/", "/people/", "/accounts/tokens/", "/installation/audit/"):
        assert client.get(page).status_code == 302
