import re
from html import unescape
from pathlib import Path

import pytest
from django.core.cache import cache
from django.urls import reverse

from ops.launcher.installation import REPOSITORY
from projects.models import AuditEntry
from tests.permissions.matrix import ROUTES
from tests.permissions.objects import make_world
from tests.permissions.people import drained
from tests.permissions.test_matrix import no_navigation, url_of

__all__ = ["no_navigation"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_navigation")]
# Links of pages to files that they give themselves: figures, tables, lists.
FILE_LINK = re.compile(r'href="(\?[^"]*\b(?:svg|format)=[^"]*)"')
# They give nothing of the installation.
PUBLIC = {"api-schema"}


@pytest.fixture(scope="module")
def world(module_database):
    return make_world()


def recorded():
    return list(
        AuditEntry.objects.filter(event="file-downloaded").order_by("pk").values_list("target", flat=True)
    )


def check(response, before, url):
    """Whether it is a file; then there is one entry with its name, else none."""
    name = re.search(r'^attachment; filename="(.+)"$', response.headers.get("Content-Disposition", ""))
    assert recorded()[before:] == ([name[1]] if name else []), url
    return bool(name)


def test_every_file_that_is_saved_is_recorded(world):
    client, files, given = world.client("admin"), set(), set()
    given_to_admin = [
        name for name, route in ROUTES.items() if route.statuses("GET")["admin"] == 200 and name not in PUBLIC
    ]
    for name in given_to_admin:
        cache.clear()
        url, before = url_of(name, world.own, world.own), len(recorded())
        response = drained(client.get(url))
        if check(response, before, url):
            files.add(name)
        elif response.headers["Content-Type"].startswith("text/html"):
            for query in map(unescape, FILE_LINK.findall(response.content.decode())):
                before = len(recorded())
                assert check(drained(client.get(url + query)), before, url + query), url + query
                given.add(name)
    called_so = {name for name in given_to_admin if name.endswith(("-download", "-file", "-data"))}
    assert files >= {name for name in called_so if set(ROUTES[name].methods) <= {"GET", "DELETE"}}
    assert given >= {"characteristics", "pairs", "audit-log", "agreement", "progress"}


def test_an_entry_says_whose_project_it_was(world):
    client = world.client("manager")
    client.get(reverse("characteristics", args=[world.own.project.slug]), {"format": "csv"})
    entry = AuditEntry.objects.filter(event="file-downloaded").latest("pk")
    assert (entry.project, entry.actor) == (world.own.project.slug, "manager")
    assert entry.target == f"{world.own.project.slug}-characteristics.csv"


def test_one_place_makes_files_of_answers():
    apps = ("alignment", "annotation", "corpus", "jobs", "ops", "projects")
    found = {
        path.relative_to(REPOSITORY).as_posix()
        for app in apps
        for path in (Path(REPOSITORY) / app).rglob("*.py")
        if re.search(r'"Content-Disposition"|as_attachment', path.read_text(encoding="utf-8"))
    }
    assert found == {"projects/downloads.py", "projects/api/openapi.py"}, "the second describes the header"
