"""What waits for a training or for new guidelines is refused with what to do; tries over the API."""

import uuid

import pytest

from annotation.services.drawing import draw_judging_batch
from annotation.services.training import draw_training
from projects.models import EarlierGuidelines, Membership
from projects.services.projects import change_project
from tests.factories.annotation import assignments_of, gold_set, judging_batch
from tests.factories.corpus import dataset_of, member


@pytest.fixture
def batches(people):
    """A training of two pairs for nobody yet but the second annotator, and a batch that requires it."""
    project = people.project
    gold = gold_set(project, [member(project, "annotator", name) for name in ("xav", "yun")], size=4)
    training = draw_training(
        project=project, by=None, name="learn", size=2, annotators=["second"], seed=1, measure="kappa",
        threshold=0.5, gold_set=gold,
    )  # fmt: skip
    real = draw_judging_batch(
        project=project, by=None, name="real", dataset=dataset_of(project, 2), size=2, seed=1, overlap=1,
        annotators=["annotator"], requires=training,
    )  # fmt: skip
    return training, real


def put(client, assignment, **fields):
    body = {"label": "paraphrase", "version": assignment.version} | fields
    url = f"/api/v1/assignments/{assignment.pk}/judgement/"
    return client.put(url, body, format="json", headers={"Idempotency-Key": str(uuid.uuid4())})


def test_new_guidelines_are_confirmed_before_items_come(people):
    project, client = people.project, people.client("annotator")
    batch = judging_batch(project, people.annotators, size=2)
    queue, confirm = f"/api/v1/batches/{batch.pk}/queue/", f"/api/v1/projects/{project.slug}/guidelines/"
    change_project(project=project, by=people["manager"], guidelines="Be strict.")
    change_project(project=project, by=people["manager"], guidelines="Be  strict.\r\n")
    project.refresh_from_db()
    assert project.guidelines_version == 2
    assert list(EarlierGuidelines.objects.values_list("version", "replaced_by__username")) == [(1, "manager")]
    answer = client.get(queue)
    assert (answer.status_code, "guidelines have changed" in answer.data["detail"]) == (403, True)
    # An answer to what is there already is taken.
    assert put(client, assignments_of(batch, people["annotator"])[0]).status_code == 200
    assert client.post(confirm, {"version": 1}, format="json").status_code == 400
    assert client.post(confirm, {"version": 2}, format="json").status_code == 200
    assert client.get(queue).status_code == 200
    second = Membership.objects.get(user=people["second"], role="annotator")
    assert second.guidelines_version == 1
    assert client.get(f"/api/v1/projects/{project.slug}/").data["guidelines_version"] == 2
