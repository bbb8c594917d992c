import pytest

from tests.factories.annotation import judging_batch
from tests.factories.corpus import CandidatePairFactory, DatasetFactory, member

pytestmark = pytest.mark.django_db


def answer(client, project, role, words):
    client.force_login(member(project, role, role))
    return asked(client, project, words)


def asked(client, project, words):
    return client.get(f"/projects/{project.slug}/find/", {"q": words}).content.decode()


def test_a_manager_finds_pages_batches_people_and_pairs(client, project):
    batch = judging_batch(
        project, [member(project, "annotator", "A"), member(project, "annotator", "B")], name="First round"
    )
    pair = CandidatePairFactory(cluster__project=project)
    member(project, "annotator", "first_annotator")
    shown = answer(client, project, "manager", "first")
    assert batch.get_absolute_url() in shown
    assert "first_annotator" in shown
    assert f"/pairs/{pair.pk}/" in asked(client, project, str(pair.pk))
    assert "Draw a batch to judge" in asked(client, project, "draw judge")


def test_viewers_find_neither_people_nor_batches_nor_forms(client, project):
    judging_batch(
        project, [member(project, "annotator", "A"), member(project, "annotator", "B")], name="First round"
    )
    DatasetFactory(project=project, name="first dataset")
    member(project, "annotator", "first_annotator")
    shown = answer(client, project, "viewer", "first")
    assert "first dataset" in shown
    assert "First round" not in shown and "first_annotator" not in shown
    assert "Import a corpus" not in asked(client, project, "")


def test_pairs_of_other_projects_are_not_found(client, project):
    foreign = CandidatePairFactory()
    assert f"Pair {foreign.pk}" not in answer(client, project, "manager", str(foreign.pk))
