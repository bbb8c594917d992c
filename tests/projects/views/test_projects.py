import pytest

from projects.guidelines import guidelines_of
from projects.models import Membership, Project
from projects.services.projects import change_project
from tests.audit import events
from tests.factories.corpus import UserFactory
from tests.factories.house import client_of

NEW = {
    "name": "Dams & Floods", "slug": "", "language": "en", "scheme": "binary", "overlap": "2",
    "gold_rule": "majority", "count_phenomena": "none", "held_out_share": "0.25", "seed": "7",
    "guidelines": "Same *event*.",
}  # fmt: skip


@pytest.fixture
def admin(db):
    return client_of(UserFactory(is_superuser=True))


def test_a_project_is_made_with_an_address_of_its_name(admin):
    answer = admin.post("/projects/new/", NEW)
    assert answer.url == "/projects/dams-floods/"
    project = Project.objects.get()
    assert (project.name, project.gold_rule, project.held_out_share, project.seed) == (
        "Dams & Floods",
        "majority",
        0.0,
        7,
    )
    assert Membership.objects.get().role == "manager"
    assert admin.get(answer.url).status_code == 200


def test_settings_change_and_what_the_import_fixed_does_not(house):
    page = house.manager.get(house.url("settings/")).content.decode()
    assert page.count("Cannot be changed: clusters were imported with this value.") == 4
    answer = house.manager.post(
        house.url("settings/"),
        NEW | {"seed": "99", "language": "de", "name": "Dykes", "licence": "cc-by-4.0"},
    )
    assert answer.status_code == 302
    house.project.refresh_from_db()
    assert (house.project.name, house.project.gold_rule) == ("Dykes", "majority")
    assert (house.project.seed, house.project.language, house.project.held_out_share) == (1, "en", 0.0)
    assert house.project.licence == "CC-BY-4.0"
    assert events() == ["project-changed"]


def test_members_are_added_and_removed(house):
    UserFactory(username="nora")
    url = house.url("members/")
    assert house.manager.post(url, {"username": "nora", "role": "viewer"}).status_code == 302
    nora = Membership.objects.get(user__username="nora")
    page = house.manager.get(url).content.decode()
    assert "nora is viewer of Dams now." in page and "Role given: <bdi>nora</bdi> (viewer)" in page
    assert house.manager.post(house.url(f"members/{nora.pk}/remove/")).status_code == 302
    assert not Membership.objects.filter(user__username="nora").exists()


def test_a_project_keeps_a_manager(house):
    own = Membership.objects.get(project=house.project, role="manager")
    answer = house.manager.post(house.url(f"members/{own.pk}/remove/"))
    assert "A project needs a manager" in answer.content.decode()
    assert Membership.objects.filter(pk=own.pk).exists()


def test_the_preview_is_of_the_languages_that_the_first_import_has_fixed(admin):
    admin.post(
        "/projects/new/", {**NEW, "second_language": "fr", "guidelines": guidelines_of("binary", "en")}
    )
    project = Project.objects.get()
    assert project.guidelines.startswith("# Is it a translation?")
    asked = {"scheme": "binary", "guidelines": project.guidelines, "preview": "1"}
    answer = admin.post(f"/projects/{project.slug}/settings/", asked)
    assert "Is it a translation?" in answer.context["preview"]


def test_untouched_guidelines_follow_language_and_scheme(admin):
    admin.post("/projects/new/", {**NEW, "language": "nl", "guidelines": guidelines_of("binary", "en")})
    project = Project.objects.get()
    assert project.guidelines.startswith("# Is het een parafrase?")
    change_project(project=project, by=project.created_by, language="de", scheme="three_way")
    project.refresh_from_db()
    assert project.guidelines.startswith("# Paraphrase, teilweise Paraphrase oder kein Zusammenhang?")
    change_project(project=project, by=project.created_by, language="sv")
    project.refresh_from_db()
    assert project.guidelines.startswith("# Paraphrase, partial paraphrase or unrelated?")
    change_project(project=project, by=project.created_by, guidelines="Own words.", language="fr")
    project.refresh_from_db()
    assert project.guidelines == "Own words."
