from __future__ import annotations

import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.template import TemplateDoesNotExist
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone
from django.views import defaults

from ops import navigation
from projects.models import Project
from projects.services.tokens import make_token
from projects.views.sign_on import needs

from .bodies import content_of
from .matrix import ROUTES, WHO_MAY
from .objects import first_error, make_world, undone
from .people import ROLES, by_role, drained
from .route import WORDS

pytestmark = pytest.mark.django_db

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# What `pk` names where it is no object of a project.
OF_NO_PROJECT = {"person", "deleted project", "token"}
REFUSED = {401, 403, 404, 405}


def patterns(resolver=None):
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern)
        else:
            yield pattern


ADDRESSES = [str(pattern.name) for pattern in patterns()]


def parameters(name):
    """The names of an address's parameters, those of the addresses that include it among them."""
    address = name.partition(":")[0]
    return {key for possible in get_resolver().reverse_dict.getlist(address) for key in possible[0][0][1]}


def url_of(name, project, numbers):
    wanted = parameters(name)
    address, _, kind = name.partition(":")
    values: dict[str, Any] = {key: kind for key in ("kind", "name") if key in wanted}
    if "slug" in wanted:
        values["slug"] = project.project.slug
    if "token" in wanted:
        values["token"] = "0" * 32
    if "code" in wanted:
        values["code"] = "0" * 32
    if "key" in wanted:
        values["key"] = "0-0"
    if "uidb36" in wanted:
        values["uidb36"] = "0"
    if "organization_slug" in wanted:
        values["organization_slug"] = "saml"
    if "pk" in wanted:
        values["pk"] = numbers[ROUTES[name].pk]
    return reverse(address, kwargs=values)


@pytest.fixture(scope="module")
def world(module_database):
    """Made once; every request of these tests is rolled back."""
    return make_world()


@pytest.fixture
def no_navigation(monkeypatch):
    """The same on every page: tests/browser/test_every_page.py opens them with it."""
    monkeypatch.setattr(navigation, "sections", lambda *given: [])


@pytest.fixture
def short_pages(no_navigation, monkeypatch):
    """With Django's own pages for what is refused: test_blindness.py has ours."""

    def missing(name):
        raise TemplateDoesNotExist(name)

    monkeypatch.setattr(defaults, "loader", SimpleNamespace(get_template=missing))


def send(world, role, name, method, url, own):
    cache.clear()
    content, kind = content_of(name, method, own)
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    with undone():
        client = world.client(role)
        return drained(client.generic(method, url, content, content_type=kind, headers=headers))


def test_every_address_stands_in_the_matrix():
    assert "None" not in ADDRESSES, "an address without a name"
    assert sorted(ADDRESSES) == sorted({name.partition(":")[0] for name in ROUTES})


def test_every_named_object_and_every_role_is_there(world):
    for name, route in ROUTES.items():
        assert ("pk" in parameters(name)) == bool(route.pk), name
        for statuses in route.methods.values():
            assert list(by_role(statuses)) == list(ROLES)
        assert not route.what or set(route.what.split(", ")) <= set(WORDS), name
    assert set(world.own.numbers) == set(world.foreign.numbers)


def test_what_anybody_may_one_of_three_may():
    for name, route in ROUTES.items():
        for method, statuses in route.methods.items():
            allowed = {role for role, status in by_role(statuses).items() if status < 400} - {"anonymous"}
            assert not allowed or allowed & set(WHO_MAY), f"{method} {name}"


@pytest.mark.parametrize("name", sorted(ROUTES))
@pytest.mark.usefixtures("short_pages")
def test_each_role_gets_what_the_matrix_says(world, provider, name):
    """On PostgreSQL for the sake of the queries: as one who may."""
    url = url_of(name, world.own, world.own)
    for method, statuses in ROUTES[name].methods.items():
        one = next((role for role in WHO_MAY if by_role(statuses)[role] < 400), "")
        for role, expected in by_role(statuses).items():
            if connection.vendor == "postgresql" and role != one:
                continue
            response = send(world, role, name, method, url, world.own)
            assert response.status_code == expected, f"{role} {method} {url}: {first_error(response)}"
            if role == "anonymous" and expected == 302:
                login = provider.address if name == "openid_connect_login" else reverse("account_login")
                assert response.headers["Location"].startswith(login), f"{method} {url}"


@pytest.mark.parametrize("name", sorted(name for name, route in ROUTES.items() if route.json))
def test_programs_get_what_people_see(world, name):
    """The analysis of a page as JSON: for the same roles, whose tokens are taken too."""
    url = f"{url_of(name, world.own, world.own)}?format=json"
    for role, expected in by_role(ROUTES[name].methods["GET"]).items():
        clients = [world.client(role)]
        if role != "anonymous":
            clients.append(world.client("anonymous"))
            token = make_token(user=world.people[role], name=f"{name} {role}", scope="read")[1]
            clients[1].credentials(HTTP_AUTHORIZATION=f"Token {token}")
        for client in clients:
            response = client.get(url)
            said = f"{role} {url}: {first_error(response)}"
            assert response.status_code == (401 if expected == 302 else expected), said
            assert response.headers["Content-Type"] == "application/json", said
            assert isinstance(response.json(), dict), said


@pytest.mark.parametrize("name", sorted(ROUTES))
@pytest.mark.usefixtures("short_pages")
def test_other_methods_are_refused(world, name):
    url = url_of(name, world.own, world.own)
    for method in set(METHODS) - set(ROUTES[name].methods):
        for role in ("anonymous", "admin"):
            response = send(world, role, name, method, url, world.own)
            if role == "anonymous" and response.status_code == 302:
                assert response.headers["Location"].startswith(reverse("account_login")), f"{method} {url}"
            else:
                assert response.status_code in REFUSED, f"{role} {method} {url}: {first_error(response)}"


# Pages of one's own account are of no project; tests/projects/sign_on has others' passkeys and wrong links.
# The documentation is everybody's.
@pytest.mark.parametrize(
    "name",
    sorted(
        name
        for name in ROUTES
        if parameters(name) and not needs(name) and not name.startswith("documentation-page:")
    ),
)
@pytest.mark.usefixtures("short_pages")
def test_another_project_does_not_exist(world, name):
    url = url_of(name, world.foreign, world.foreign)
    for method in ROUTES[name].methods:
        for role in ("annotator", "manager"):
            response = send(world, role, name, method, url, world.foreign)
            assert response.status_code == 404, f"{role} {method} {url}: {first_error(response)}"


@pytest.mark.usefixtures("short_pages")
def test_a_deleted_project_does_not_exist(world):
    """Nor do its objects, not even for administrators and for the annotators whose answers they hold."""
    requests = [
        (method, url_of(name, world.own, world.own), *content_of(name, method, world.own))
        for name, route in ROUTES.items()
        for method in route.methods
        if parameters(name) & {"slug", "pk"} and route.pk not in OF_NO_PROJECT
    ]
    assert len(requests) > len(ROUTES) / 2
    with undone():
        project = Project.objects.filter(pk=world.own.project.pk)
        project.update(deleted_at=timezone.now(), deleted_by=world.people["manager"])
        for method, url, content, kind in requests:
            for role in ("annotator", "admin"):
                response = drained(world.client(role).generic(method, url, content, content_type=kind))
                assert response.status_code == 404, f"{role} {method} {url}: {first_error(response)}"
        for role in ("annotator", "manager", "admin"):
            for name in ("projects", "account", "keys", "people"):
                page = world.client(role).get(reverse(name)).content.decode()
                assert "Dams" not in page, f"{role} {name}"


@pytest.mark.parametrize("name", sorted(name for name in ROUTES if parameters(name) >= {"slug", "pk"}))
@pytest.mark.usefixtures("short_pages")
def test_another_projects_object_is_not_in_ones_own(world, name):
    """Not even for the administrator, who sees both projects; the others may not open one of their own."""
    url = url_of(name, world.own, world.foreign)
    for method, statuses in ROUTES[name].methods.items():
        for role, ordinary in by_role(statuses).items():
            if ordinary < 400 and role != "anonymous":
                response = send(world, role, name, method, url, world.own)
                assert response.status_code == 404, f"{role} {method} {url}: {first_error(response)}"
