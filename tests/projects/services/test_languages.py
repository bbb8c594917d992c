import pytest

from projects.errors import PublicError
from projects.language_choices import GENERAL, OWN, STEMS, language_choices
from projects.services.projects import change_project, create_project
from tests.factories.corpus import UserFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("tag", "message"),
    [("nld", r"such as nl \(Dutch\)"), ("dutch", r"such as nl \(Dutch\)"), ("xx", "such as en")],
)
def test_a_language_that_nobody_knows_is_refused(tag, message):
    with pytest.raises(PublicError, match=message):
        create_project(by=UserFactory(), slug="dykes", name="Dykes", language=tag)
    project = create_project(by=UserFactory(), slug="dykes", name="Dykes", language="nl-BE")
    with pytest.raises(PublicError, match=message):
        change_project(project=project, by=project.created_by, language=tag)


def test_languages_are_offered_by_what_is_known_of_them():
    groups = {group: [code for code, _ in languages] for group, languages in language_choices("nl-BE")}
    assert groups[OWN] == ["en", "nl", "nl-BE", "de", "fr", "es"]
    assert "sv" in groups[STEMS] and "ja" in groups[GENERAL]
