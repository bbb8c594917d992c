import pytest

from corpus.models import Dataset
from tests.factories.corpus import member
from tests.factories.house import client_of
from tests.factories.news import DEMO, extract, project_with


@pytest.fixture
def project(db):
    return project_with(DEMO, slug="floods", held_out_share=0.4)


def test_the_datasets_of_2005_are_frozen_in_one_step_and_set_side_by_side(project):
    manager = client_of(member(project, "manager", "mira"))
    candidates = extract(project, "candidates-2005")
    url = f"/projects/floods/candidates/extractions/{candidates.pk}/"
    page = manager.get(url).content.decode()
    assert page.count('name="several-presets"') == page.count("checked") - 1 == 3
    viewer = client_of(member(project, "viewer", "vic"))
    assert "several-presets" not in viewer.get(url).content.decode()
    sent = {"several-presets": ["L12", "F2", "F3"], "several-held_out": "all"}
    answer = manager.post(f"{url}datasets/", sent, follow=True)
    page = answer.content.decode()
    assert "Frozen: L12, F2, F3." in page
    assert [dataset.name for dataset in answer.context["shown"]] == ["L12", "F2", "F3"]
    manager.post(f"{url}datasets/", {"several-presets": ["F3"], "several-held_out": "apart"})
    assert {found.held_out for found in Dataset.objects.filter(name__startswith="F3 ")} == {"only", "rest"}
    assert "L12, F2, F3 out of" in manager.get("/projects/floods/candidates/datasets/new/").content.decode()
