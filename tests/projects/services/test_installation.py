"""What administrators decide for the installation, and what the environment leaves to them."""

from __future__ import annotations

import math

import pytest
from django.contrib.auth.models import User
from django.test import Client

from corpus.models import Fetch
from jobs.services.running import run_here
from projects.errors import PublicError
from projects.models import InstallationSettings
from projects.services.installation import change_installation, check_fetching, installation_settings
from tests.factories.corpus import ProjectFactory, UserFactory, member
from tests.factories.fetching import fetch_of, report
from tests.misbehaving_server import page, serving

ON = {
    "fetching": True,
    "fetch_contact": "mailto:corpus@example.org",
    "fetch_delay_seconds": 1.0,
    "fetch_seconds": 30,
    "fetch_megabytes": 2,
}
PAGE, API = "/installation/", "/api/v1/installation/"


@pytest.fixture
def admin(db: None, settings) -> User:
    settings.FETCHING = None
    settings.FETCH_CONTACT = ""
    return UserFactory(username="ada", is_superuser=True)


def test_it_is_off_until_somebody_decides_and_the_environment_may_forbid_it(admin: User, settings) -> None:
    with pytest.raises(PublicError, match="can allow it under Installation: ada"):
        check_fetching()
    change_installation(by=admin, **ON)
    assert check_fetching().fetch_contact == "mailto:corpus@example.org"
    settings.FETCHING = False
    with pytest.raises(PublicError, match="PARAGOLD_FETCHING=0"):
        check_fetching()
    settings.FETCHING = True
    change_installation(by=admin, **ON | {"fetching": False})
    with pytest.raises(PublicError, match="under Installation"):
        check_fetching()


def test_decisions_stay_with_who_took_them(admin: User) -> None:
    first = change_installation(by=admin, **ON)
    assert change_installation(by=admin, **ON) == first
    other = UserFactory(username="bert", is_superuser=True)
    change_installation(by=other, **ON | {"fetch_seconds": 10})
    assert installation_settings().decided_by == other
    assert [row.fetch_seconds for row in InstallationSettings.objects.all()] == [10, 30]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"fetch_contact": ""}, "fetch_contact"),
        ({"fetch_contact": "a\r\nCookie: b"}, "fetch_contact"),
        ({"fetch_delay_seconds": math.nan}, "fetch_delay_seconds"),
        ({"fetch_seconds": 0}, "fetch_seconds"),
        ({"fetch_megabytes": 11}, "fetch_megabytes"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(admin: User, wrong: dict[str, object], field: str) -> None:
    with pytest.raises(PublicError) as refused:
        change_installation(by=admin, **ON | wrong)
    assert refused.value.field == field
    assert not InstallationSettings.objects.exists()


def test_the_page_and_the_api_decide(admin: User) -> None:
    client = Client()
    client.force_login(admin)
    assert "Nobody has decided yet: off" in client.get(PAGE).content.decode()
    told = client.post(PAGE, ON | {"fetching": "on"}, follow=True).content.decode()
    assert "Decided by <bdi>ada</bdi>" in told and "corpus@example.org" in told
    wrong = client.post(PAGE, ON | {"fetching": "on", "fetch_contact": "<me>"})
    assert wrong.status_code == 422 and "plain ASCII" in wrong.content.decode()
    assert client.get(API).json() | {"decided_at": ""} == ON | {
        "forbidden": False, "decided_by": "ada", "decided_at": "",
    }  # fmt: skip
    changed = client.put(API, ON | {"fetching": False}, content_type="application/json")
    assert (changed.status_code, changed.json()["fetching"]) == (200, False)
    for body in ({}, ON | {"fetch_seconds": 99}, ON | {"fetch_contact": ""}, ON | {"more": 1}):
        assert client.put(API, body, content_type="application/json").status_code == 400
    assert InstallationSettings.objects.count() == 2


def test_managers_are_told_whom_to_ask(admin: User, settings) -> None:
    project = ProjectFactory(slug="dams")
    client = Client()
    client.force_login(member(project, "manager", "mia"))
    assert client.get(PAGE).status_code == 403
    for address in ("/projects/dams/corpus/import/", "/projects/dams/corpus/fetch/"):
        assert "<bdi>ada</bdi>" in client.get(address).content.decode()
    settings.FETCHING = False
    assert "PARAGOLD_FETCHING=0" in client.get("/projects/dams/corpus/fetch/").content.decode()
    assert "environment allows it" in client.get("/projects/dams/corpus/import/").content.decode()


def test_a_fetch_keeps_to_the_limits_and_ends_when_it_is_switched_off(admin: User, settings) -> None:
    settings.FETCH_LOOPBACK_FOR_TESTS = True
    change_installation(by=admin, **ON | {"fetch_megabytes": 1})
    with serving() as server:
        server.answers["/huge"] = page("x" * (1 << 20 | 1))
        fetch = fetch_of(ProjectFactory(), ("dam", server.url("/huge")))
        run_here(job=fetch.job)
        assert report(fetch) == [("refused", 200, "It is larger than 1 MB.")]
        assert "mailto:corpus@example.org" in server.heads[0]
        later = fetch_of(ProjectFactory(), ("dam", server.url("/later")))
        change_installation(by=admin, **ON | {"fetching": False})
        run_here(job=later.job)
        assert "can allow it under Installation" in Fetch.objects.get(pk=later.pk).job.error
        assert "/later" not in server.asked
