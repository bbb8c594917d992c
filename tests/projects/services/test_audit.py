from datetime import timedelta
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from projects.audit_events import EVENTS
from projects.errors import PublicError
from projects.models import AppendOnly, AuditEntry, Role
from projects.services import people
from projects.services.audit import prune, record
from tests.audit import entries, events
from tests.factories.corpus import PASSWORD, ProjectFactory, UserFactory, member

LOGIN = "/accounts/login/"


def aged(days):
    """An entry that is made so many days ago."""
    then = timezone.now() - timedelta(days=days)
    with patch("django.utils.timezone.now", return_value=then):
        return record("login", actor=None)


@pytest.fixture
def admin(db):
    return UserFactory(username="root", is_superuser=True)


def test_logins_failures_and_logouts_are_recorded_with_their_address_and_request(db):
    ada = UserFactory(username="ada")
    browser = Client(REMOTE_ADDR="192.0.2.7", headers={"X-Request-ID": "request-of-ada"})
    browser.post(LOGIN, {"login": "ada", "password": "wrong"})
    browser.post(LOGIN, {"login": "my-secret-passphrase", "password": PASSWORD})
    browser.post(LOGIN, {"login": "ada", "password": PASSWORD})
    browser.post("/accounts/logout/")
    found = list(AuditEntry.objects.order_by("pk"))
    assert [(one.event, one.actor, one.target) for one in found] == [
        ("login-failed", "", "ada"),
        ("login-failed", "", "no such account"),
        ("login", "ada", "ada"),
        ("logout", "ada", "ada"),
    ]
    assert found[2].actor_id == ada.pk
    assert {(one.address, one.request_id) for one in found} == {("192.0.2.7", "request-of-ada")}
    assert "secret" not in str([vars(one) for one in found])


@pytest.mark.parametrize("where", ["model", "queryset", "database"])
@pytest.mark.parametrize("change", ["update", "delete"])
def test_no_entry_is_changed_or_deleted(db, where, change):
    entry = record("login", actor=None, target="ada")
    acts = {
        ("model", "update"): entry.save,
        ("model", "delete"): entry.delete,
        ("queryset", "update"): lambda: AuditEntry.objects.update(target="eve"),
        ("queryset", "delete"): lambda: AuditEntry.objects.all().delete(),
        ("database", "update"): lambda: AuditEntry._base_manager.update(target="eve"),
        ("database", "delete"): lambda: QuerySet(AuditEntry).delete(),
    }
    with pytest.raises((AppendOnly, DatabaseError), match="append-only"), transaction.atomic():
        acts[where, change]()
    assert list(AuditEntry.objects.values_list("target", flat=True)) == ["ada"]


def test_an_entry_is_not_replaced_on_sqlite(db):
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite has INSERT OR REPLACE")
    entry = record("login", actor=None, target="ada")
    columns = "id, at, event, actor, project, target, details, address, request_id"
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            f"INSERT OR REPLACE INTO projects_auditentry ({columns}) "
            "VALUES (%s, '2000-01-01', 'login', '', '', 'eve', '{}', '', '')",
            [entry.pk],
        )
    assert AuditEntry.objects.get().target == "ada"


def test_there_is_no_change_without_its_entry_and_no_entry_without_its_change(admin, monkeypatch):
    def fails(*_, **__):
        raise PublicError("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(people, "record", fails)
        with pytest.raises(PublicError):
            people.create_account(by=admin, username="nora")
    assert not User.objects.filter(username="nora").exists()
    with pytest.raises(PublicError), transaction.atomic():
        people.create_account(by=admin, username="nora")
        fails()
    assert not events()


def test_entries_outlive_the_person_and_the_project(admin):
    project = ProjectFactory(slug="dams")
    ada = member(project, Role.MANAGER, "ada")
    record("project-changed", actor=ada, project=project, target="name")
    before = list(entries().values())
    project.memberships.all().delete()
    ada.delete()
    project.delete()
    assert list(entries().values()) == before
    [entry] = before
    assert (entry["actor"], entry["project"]) == ("ada", "dams")


@pytest.mark.parametrize(("days", "left"), [(30, {10, 29}), (0, {10, 29, 31, 99})])
def test_entries_are_removed_after_their_time_and_that_is_recorded(db, settings, days, left):
    settings.AUDIT_DAYS = days
    ids = {aged(age).pk: age for age in (10, 29, 31, 99)}
    fresh = set(AuditEntry.objects.exclude(pk__in=ids).values_list("pk", flat=True))
    assert prune() == (2 if days else 0)
    kept = set(AuditEntry.objects.values_list("pk", flat=True))
    assert {age for pk, age in ids.items() if pk in kept} == left
    assert fresh <= kept
    if days:
        pruned = entries(event="log-pruned").get()
        assert pruned.details["entries"] == 2
        assert pruned.pruned_before is not None
        assert prune() == 0, "once a day"
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            QuerySet(AuditEntry).delete()


def test_the_page_filters_and_gives_files(admin):
    project = ProjectFactory(slug="dams")
    record("role-added", actor=admin, project=project, target="=1+1", role="viewer")
    record("token-made", actor=UserFactory(username="ada"), target="script")
    browser = Client()
    browser.force_login(admin)
    page = browser.get("/installation/audit/?person=ada").content.decode()
    assert "API token made" in page and "Role given" not in page.split("<table")[1]
    today = timezone.now().date()
    address = f"/installation/audit/?project=dams&event=role-added&since={today}&until={today}"
    csv = b"".join(browser.get(f"{address}&format=csv").streaming_content).decode("utf-8-sig")
    assert csv.splitlines()[0].startswith("id,at,event,actor,")
    assert len(csv.splitlines()) == 2 and "'=1+1" in csv
    downloads = [one.target for one in entries(event="file-downloaded")]
    assert downloads == ["audit-log.csv"]
    assert "Nothing matches" in browser.get("/installation/audit/?until=2001-01-01").content.decode()


def test_programs_get_the_same_and_page_on(admin):
    made = [record("token-made", actor=admin, target=str(number)).pk for number in range(3)]
    browser = Client()
    browser.force_login(admin)
    address = "/installation/audit/?format=json&event=token-made&limit=2"
    first = browser.get(address).json()
    assert [one["id"] for one in first["items"]] == made[:2]
    assert first["items"][0] | {"at": "", "address": "", "request_id": ""} == {
        "id": made[0], "at": "", "event": "token-made", "actor": "root", "actor_id": admin.pk, "project": "",
        "project_id": None, "target": "0", "details": {}, "address": "", "request_id": "",
    }  # fmt: skip
    rest = browser.get(f"{address}&cursor={first['next']}").json()
    assert ([one["id"] for one in rest["items"]], rest["next"]) == (made[2:], None)
    assert browser.get("/installation/audit/?format=json&event=looked").status_code == 400
    assert browser.get("/installation/audit/?format=json&who=ada").status_code == 400


def test_every_event_has_a_label_and_fits():
    longest = AuditEntry._meta.get_field("event").max_length
    assert all(len(event) <= longest and label for event, label in EVENTS.items())


def test_a_login_over_the_api_is_recorded_as_well(db):
    UserFactory(username="ada")
    body = {"username": "ada", "password": PASSWORD}
    token = Client().post("/api/v1/auth/login/", body, content_type="application/json").json()["token"]
    Client(headers={"Authorization": f"Token {token}"}).post("/api/v1/auth/logout/")
    kinds = list(AuditEntry.objects.order_by("pk").values_list("event", "actor"))
    assert kinds == [("token-made", "ada"), ("login", "ada"), ("token-revoked", "ada")]
    assert token not in str([vars(one) for one in AuditEntry.objects.all()])
