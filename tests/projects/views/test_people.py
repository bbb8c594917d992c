import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from projects.models import ApiToken, Invitation, Membership
from projects.services.people import invite, token_of
from tests.audit import entries, events
from tests.factories.corpus import PASSWORD, UserFactory, member
from tests.factories.house import client_of
from tests.projects.sign_on.test_second_factor import add_app
from tests.signing_on import switch_on

CHOSEN = {"username": "nora", "password1": "lighthouse-keeper-9", "password2": "lighthouse-keeper-9"}


@pytest.fixture
def admin(db):
    return client_of(UserFactory(username="root", is_superuser=True))


def link_of(house, **given):
    """The path of an invitation that the manager makes in the browser."""
    sent = {"role": "annotator", "uses": "1", "days": "7"} | given
    assert house.manager.post(house.url("members/invite/"), sent).status_code == 302
    return re.search(r"/join/[^\"]+/", house.manager.get(house.url("members/")).content.decode())[0]


def test_an_invited_person_chooses_name_and_password_and_is_in(house):
    link, visitor = link_of(house), Client()
    page = visitor.get(link).content.decode()
    assert "Join <bdi>Dams</bdi>" in page and "as annotator" in page
    assert visitor.post(link, CHOSEN).url == house.url()
    assert visitor.get(house.url()).status_code == 200
    assert Membership.objects.get(user__username="nora").role == "annotator"
    assert events(actor="nora") == ["account-created", "invitation-accepted"]
    assert Client().get(link).status_code == 404, "it was for one person"
    assert Client().login(username="nora", password=CHOSEN["password1"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"password2": "lighthouse-keeper-8"}, "didn’t match"),
        ({"username": "Manager"}, "already"),
    ],
)
def test_what_is_wrong_with_name_or_password_is_said_and_uses_nothing_up(house, change, message):
    link = link_of(house)
    answer = Client().post(link, CHOSEN | change)
    assert answer.status_code == 422 and message in answer.content.decode()
    assert not User.objects.filter(username="nora").exists()
    assert Client().post(link, CHOSEN).status_code == 302


def test_whoever_has_an_account_joins_with_it_once(house):
    ada = UserFactory(username="ada")
    link, client = link_of(house, uses="2"), client_of(ada)
    assert "Join as ada" in client.get(link).content.decode()
    for _ in range(2):
        assert client.post(link).url == house.url()
    assert Invitation.objects.get().uses_left == 1
    assert house.project.memberships.filter(user=ada).count() == 1


@pytest.mark.parametrize("end", ["revoked", "expired", "changed", "manager left", "deactivated"])
def test_links_that_have_ended_lead_nowhere(house, admin, end):
    link = link_of(house)
    invitation = Invitation.objects.get()
    if end == "revoked":
        url = house.url(f"members/invitations/{invitation.pk}/revoke/")
        assert house.manager.post(url).status_code == 302
    elif end == "expired":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif end == "changed":
        link = link.replace(f"/{invitation.pk}-", f"/{invitation.pk + 1}-")
    elif end == "manager left":
        member(house.project, "manager", "other")
        mine = house.project.memberships.get(user=invitation.created_by, role="manager")
        house.manager.post(house.url(f"members/{mine.pk}/remove/"))
    else:
        admin.post(f"/people/{invitation.created_by_id}/", {"active": "no"})
    for answer in (Client().get(link), Client().post(link, CHOSEN)):
        assert answer.status_code == 404 and "link is not valid" in answer.content.decode()
    assert not User.objects.filter(username="nora").exists()


def test_accounts_are_created_and_their_password_is_shown_once(admin):
    answer = admin.post("/people/", {"username": "nora"})
    password = answer.context["password"]
    assert answer["Cache-Control"].startswith("max-age=0") and password in answer.content.decode()
    nora = User.objects.get(username="nora")
    assert password not in admin.get(f"/people/{nora.pk}/").content.decode()
    assert Client().login(username="nora", password=password)
    again = admin.post("/people/", {"username": "Nora"})
    assert again.status_code == 422 and "There is a user" in again.content.decode()
    assert admin.post("/people/", {"username": "boss", "administrator": "on"}).status_code == 200
    assert User.objects.get(username="boss").is_superuser
    made = entries(event="account-created", actor="root")
    assert [one.details["administrator"] for one in made] == [False, True]


def test_a_reset_ends_the_old_password_sessions_and_tokens(admin):
    nora = UserFactory(username="nora")
    browser = Client()
    browser.login(username="nora", password=PASSWORD)
    ApiToken.objects.create(user=nora)
    password = admin.post(f"/people/{nora.pk}/", {"reset": "yes"}).context["password"]
    assert browser.get("/").status_code == 302 and not ApiToken.objects.exists()
    assert not Client().login(username="nora", password=PASSWORD)
    assert Client().login(username="nora", password=password)
    changed = entries(event="password-changed").get()
    assert (changed.actor, changed.target, changed.details) == ("root", "nora", {"tokens_ended": 1})


def test_deactivated_people_are_out_and_come_back_with_their_roles(house, admin):
    viewer = house.project.memberships.filter(role="viewer")[0].user
    url = f"/people/{viewer.pk}/"
    admin.post(url, {"active": "no"})
    assert house.viewer.get(house.url()).status_code == 302
    assert "Deactivated" in house.manager.get(house.url("members/")).content.decode()
    admin.post(url, {"active": "yes"})
    assert client_of(User.objects.get(pk=viewer.pk)).get(house.url()).status_code == 200
    assert events(actor="root") == ["account-deactivated", "account-activated"]


@pytest.mark.parametrize("change", ["by page", "by saving"])
def test_what_ended_with_an_account_does_not_work_again(house, admin, settings, change):
    switch_on(settings)
    link = link_of(house)
    manager = Invitation.objects.get().created_by
    waiting, browser, stranger = Client(), Client(), client_of(UserFactory())
    browser.post("/accounts/login/", {"login": manager.username, "password": PASSWORD})
    add_app(manager)
    asked = waiting.post("/accounts/login/", {"login": manager.username, "password": PASSWORD})
    assert asked.url == "/accounts/second-factor/authenticate/" and waiting.get(asked.url).status_code == 200
    _, token = ApiToken.objects.create(user=manager)
    program = Client(headers={"Authorization": f"Token {token}"})
    for active in (False, True):
        if change == "by page":
            admin.post(f"/people/{manager.pk}/", {"active": "yes" if active else "no"})
        else:
            manager.is_active = active
            manager.save()
    assert User.objects.get(pk=manager.pk).is_active
    assert [client.get("/").status_code for client in (browser, house.manager)] == [302, 302]
    assert waiting.get(asked.url).status_code == 302
    assert program.get("/api/v1/projects/").status_code == 401
    assert Client().get(link).status_code == 404 and not Invitation.objects.exists()
    assert stranger.get("/").status_code == 200 and admin.get("/").status_code == 200


def test_a_demoted_administrator_does_not_return_by_an_own_invitation(house, admin):
    other = UserFactory(username="other", is_superuser=True)
    link = f"/join/{token_of(invite(project=house.project, by=other, role='manager'))}/"
    mine = client_of(other)
    assert mine.get(link).status_code == 200
    admin.post(f"/people/{other.pk}/", {"administrator": "no"})
    assert mine.post(link).status_code == 404 and mine.get(house.url()).status_code == 404
    assert "Revoke" not in house.manager.get(house.url("members/")).content.decode()
    member(house.project, "manager", "other")
    assert Client().get(link).status_code == 200, "whoever manages the project may invite"


@pytest.mark.parametrize("taken", ["ÉMILE", "e\u0301mile", "straße", "ﬁona", "Ω"])
def test_names_that_differ_in_case_only_are_one_account(admin, taken):
    for name in ("émile", "strasse", "Fiona", "ω"):
        UserFactory(username=name)
    answer = admin.post("/people/", {"username": taken})
    assert answer.status_code == 422 and "There is a user" in answer.content.decode()


@pytest.mark.parametrize(
    "name", ["\u0430da", "adα", "\u0455mith", "A\u0440ple"]
)  # Cyrillic or Greek among Latin
def test_a_name_has_letters_of_one_script(admin, house, name):
    answer = admin.post("/people/", {"username": name})
    assert answer.status_code == 422 and "letters of one script" in answer.content.decode()
    joined = Client().post(link_of(house), CHOSEN | {"username": name})
    assert joined.status_code == 422 and "letters of one script" in joined.content.decode()
    for allowed in ("анна", "ελένη", "山田太郎", "yamada_太郎", "ada.2-x@y"):
        assert admin.post("/people/", {"username": allowed}).status_code == 200


def test_nobody_locks_themselves_out(house, admin):
    root = User.objects.get(username="root")
    for sent in ({"active": "no"}, {"administrator": "no"}, {"reset": "yes"}):
        admin.post(f"/people/{root.pk}/", sent)
        root.refresh_from_db()
        assert root.is_active and root.is_superuser and root.check_password(PASSWORD)
    assert not events()
    # A manager who is left alone with a deactivated one stays.
    other = member(house.project, "manager", "other")
    User.objects.filter(pk=other.pk).update(is_active=False)
    mine = house.project.memberships.get(role="manager", user__is_active=True)
    house.manager.post(house.url(f"members/{mine.pk}/remove/"))
    assert Membership.objects.filter(pk=mine.pk).exists()


def test_people_change_their_own_password(client, db):
    user = UserFactory(username="ada")
    client.login(username="ada", password=PASSWORD)
    ApiToken.objects.create(user=user)
    new = {"new_password1": "lighthouse-keeper-9", "new_password2": "lighthouse-keeper-9"}
    wrong = client.post("/accounts/", new | {"old_password": "wrong"})
    assert wrong.status_code == 422 and "entered incorrectly" in wrong.content.decode()
    assert client.post("/accounts/", new | {"old_password": PASSWORD}).url == "/accounts/"
    assert "The password is changed" in client.get("/accounts/").content.decode()
    assert Client().login(username="ada", password="lighthouse-keeper-9")
    assert not ApiToken.objects.exists()
    changed = entries(event="password-changed").get()
    assert (changed.actor, changed.target) == ("ada", "ada")


def test_guessing_at_the_join_page_is_slowed_down_like_a_login(house):
    link, visitor = link_of(house), Client()
    taken = CHOSEN | {"username": house.project.memberships.first().user.username}
    answers = [visitor.post(link, taken).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


def test_guessing_the_old_password_is_slowed_down(client, db):
    UserFactory(username="ada")
    client.login(username="ada", password=PASSWORD)
    answers = [client.post("/accounts/", {"old_password": "x"}).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]
