"""What browsers are told with every answer, by the checklist of docs/security.md, as an installation with TLS
gives it: pages, API, downloads, errors, static files; what kinds of files they are given to show, and which
they are given to save, each with its entry in the audit log."""

import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.test import override_settings
from django.urls import reverse

from ops.launcher.installation import REPOSITORY
from projects.models import AuditEntry
from projects.views import sign_on
from scripts.gate import clean_environment
from tests.factories.corpus import PASSWORD, UserFactory
from tests.permissions.matrix import ROUTES
from tests.permissions.objects import make_world
from tests.permissions.people import by_role, drained
from tests.permissions.test_matrix import no_navigation, url_of
from tests.signing_on import switch_on

__all__ = ["no_navigation"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_navigation")]

POLICY = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
    "font-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
}  # fmt: skip
HEADERS = {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains; preload",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Links of pages to files that they give themselves: figures, tables, lists.
FILE_LINK = re.compile(r'href="(\?[^"]*\b(?:svg|format)=[^"]*)"')
DEVICES = {"camera=()", "geolocation=()", "microphone=()", "payment=()", "usb=()"}
# What a browser may show in place: our own pages, data and figures. All else is saved as a file.
SHOWN = {"text/html", "application/json", "image/svg+xml"}
OWN_COOKIES = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "DEVICE_COOKIE_NAME")
TLS = (
    *("SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD"),
    *("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"),
    *OWN_COOKIES,
)


@pytest.fixture(scope="module")
def with_tls(tmp_path_factory):
    """The settings that PARAGOLD_HTTPS=1 leads to."""
    program = (
        "import json; from django.conf import settings; "
        f"print(json.dumps({{name: getattr(settings, name) for name in {TLS!r}}}))"
    )
    environment = clean_environment(tmp_path_factory.mktemp("var")) | {
        "PARAGOLD_HTTPS": "1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, check=True).stdout
    with override_settings(**json.loads(said)):
        yield


@pytest.fixture(scope="module")
def world(module_database):
    return make_world()


def check(response, what=""):
    headers = response.headers
    given = {name: headers.get(name) for name in HEADERS}
    assert given == HEADERS, what
    assert set(headers["Content-Security-Policy"].split("; ")) == POLICY, what
    assert set(headers["Permissions-Policy"].split(", ")) >= DEVICES, what
    assert "Access-Control-Allow-Origin" not in headers, what


def kind(response):
    return str(response.headers.get("Content-Type", "")).partition(";")[0]


@pytest.mark.parametrize("role", ["anonymous", "annotator", "admin"])
def test_every_address(world, with_tls, role, settings, provider):
    """Every file that is saved is recorded, of links of pages to files too."""
    switch_on(settings, provider)
    client, seen, linked = world.client(role), set(), set()
    for name, route in ROUTES.items():
        if "GET" not in route.methods:
            continue
        cache.clear()
        url = url_of(name, world.own, world.own)
        response = asked(client, name, url)
        assert response.status_code == by_role(route.methods["GET"])[role], url
        seen.add((response.status_code, kind(response)))
        if response.status_code == 200 and kind(response) == "text/html":
            for query in map(unescape, FILE_LINK.findall(response.content.decode())):
                assert saved(asked(client, name, url + query)), url + query
                linked.add(name)
        elif name.endswith(("-download", "-file", "-data")) and set(route.methods) <= {"GET", "DELETE"}:
            assert bool(saved(response)) == (response.status_code == 200), url
    if role == "admin":
        assert {(200, "text/html"), (200, "application/json"), (200, "application/zip")} <= seen
        assert (404, "text/html") in seen or (404, "application/json") in seen
        assert linked >= {"characteristics", "pairs", "audit-log", "agreement", "progress"}
    else:
        assert {302, 401} <= {status for status, _ in seen} or (403, "text/html") in seen


def asked(client, name, url):
    """The answer: with all headers, no page as a file, and as many entries in the audit log as files."""
    before = len(recorded())
    response = drained(client.get(url, secure=True))
    check(response, url)
    if response.status_code == 200 and not saved(response) and name not in ("metrics", "api-schema"):
        assert kind(response) in SHOWN, url
    assert not (saved(response) and kind(response) == "text/html"), url
    if name != "api-schema":  # it gives nothing of the installation
        assert recorded()[before:] == saved(response), url
    return response


def saved(response):
    """The name of the file that the answer is saved as, in a list, or an empty one."""
    return re.findall(r'^attachment; filename="(.+)"$', response.headers.get("Content-Disposition", ""))


def recorded():
    entries = AuditEntry.objects.filter(event="file-downloaded").order_by("pk")
    return list(entries.values_list("target", flat=True))


def test_an_entry_says_whose_project_it_was(world, with_tls):
    address = reverse("characteristics", args=[world.own.project.slug])
    world.client("manager").get(address, {"format": "csv"}, secure=True)
    entry = AuditEntry.objects.filter(event="file-downloaded").latest("pk")
    assert (entry.project, entry.actor) == (world.own.project.slug, "manager")
    assert entry.target == f"{world.own.project.slug}-characteristics.csv"


def test_one_place_makes_files_of_answers():
    apps = ("alignment", "annotation", "corpus", "jobs", "ops", "projects")
    places = {
        path.relative_to(REPOSITORY).as_posix()
        for app in apps
        for path in (Path(REPOSITORY) / app).rglob("*.py")
        if re.search(r'"Content-Disposition"|as_attachment', path.read_text(encoding="utf-8"))
    }
    assert places == {"projects/downloads.py", "projects/api/openapi.py"}, "the second describes the header"


def test_errors_and_static_files(with_tls, client, settings, monkeypatch):
    client.raise_request_exception = False
    page = "/accounts/login/"

    def raising(error):
        def has_administrator():
            raise error

        monkeypatch.setattr(sign_on, "has_administrator", has_administrator)
        return client.get(page, secure=True)

    answers = {
        200: client.get("/static/css/paragold.css", secure=True),
        301: client.get(page),
        400: client.get(page, secure=True, headers={"host": "elsewhere.example"}),
        401: client.get("/api/v1/projects/", secure=True),
        404: client.get("/nothing/", secure=True),
        405: client.put("/accounts/login/", secure=True),
        415: client.post(page, b"x", content_type="text/plain; charset=latin-1", secure=True),
        500: raising(RuntimeError("broken")),
        503: raising(OperationalError("gone")),
    }
    settings.ADDRESS_REQUESTS = 1
    client.get(page, secure=True)
    answers[429] = client.get(page, secure=True)
    for status, response in answers.items():
        assert drained(response).status_code == status
        if status != 301:  # browsers heed HSTS over TLS only
            check(response, str(status))


def test_cookies(with_tls, client, settings):
    user = UserFactory()
    answer = client.post("/accounts/login/", {"login": user.username, "password": PASSWORD}, secure=True)
    client.get("/", secure=True)
    cookies = {name: cookie for response in (client,) for name, cookie in response.cookies.items()}
    assert answer.status_code == 302 and {getattr(settings, name) for name in OWN_COOKIES} <= cookies.keys()
    for name, cookie in cookies.items():
        assert cookie["secure"] and cookie["samesite"] == "Lax", name
        # What browsers demand of a name with this prefix, besides "secure".
        assert name.startswith("__Host-paragold-") and cookie["path"] == "/" and not cookie["domain"], name
        # Scripts of the pages send the token of forms with their requests.
        assert cookie["httponly"] or name == settings.CSRF_COOKIE_NAME, name


def test_the_checklist_names_every_header():
    text = (Path(REPOSITORY) / "docs" / "security.md").read_text(encoding="utf-8")
    for name, value in HEADERS.items():
        assert f"`{name}: {value}`" in text
