import pytest

from projects.guidelines import guidelines_of
from projects.models import Project
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
