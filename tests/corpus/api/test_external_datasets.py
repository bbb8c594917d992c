"""External datasets through the API: attached, checked, sampled, drawn from."""

import pytest
from rest_framework.test import APIClient

from annotation.models import Batch
from jobs.models import Job
from jobs.services.running import run_here
from tests.factories.corpus import ProjectFactory, member
from tests.factories.external import external_dataset, unattached_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return ProjectFactory(slug="dams")


@pytest.fixture
def api(project):
    client = APIClient()
    client.force_authenticate(member(project, "manager", "manager"))
    return client


def test_attached_and_checked(api):
    address = "/api/v1/projects/dams/external-datasets/"
    refused = api.post(address, {"address": "/etc"}, format="json")
    assert (refused.status_code, list(refused.json())) == (400, ["detail", "address"])
    made = api.post(address, {"address": unattached_folder(), "name": "one"}, format="json").json()
    assert (made["name"], made["size"], made["state"]) == ("one", 1, "queued")
    run_here(job=Job.objects.get(pk=made["job"]))
    [listed] = api.get(address).json()["items"]
    assert (listed["state"], listed["distances"]) == ("done", {"1": 1})


def test_sampled_by_seed(api, project):
    found = external_dataset(project, 40)
    address = f"/api/v1/external-datasets/{found.pk}/sample/"
    items = api.get(address, {"seed": 3, "size": 4}).json()["items"]
    assert len(items) == 4
    assert items == api.get(address, {"seed": 3, "size": 4}).json()["items"]
    assert items != api.get(address, {"seed": 4, "size": 4}).json()["items"]
    assert set(items[0]) == {"part", "row", "values"}
    assert items[0]["values"]["text_a"].startswith("The army moved")
    assert api.get(address, {"size": 101}).status_code == 400


def test_batch_is_drawn_by_its_job(api, project):
    member(project, "annotator", "ann")
    found = external_dataset(project, 40)
    asked = {"name": "first", "size": 5, "annotators": ["ann"], "overlap": 1}
    address = f"/api/v1/external-datasets/{found.pk}/batches/"
    refused = api.post(address, asked | {"strategy": {"by": "cluster"}}, format="json")
    assert refused.status_code == 400
    made = api.post(address, asked | {"strategy": {"by": "edit_distance"}}, format="json")
    assert made.status_code == 201
    run_here(job=Job.objects.get(pk=made.json()["job"]["id"]))
    assert Batch.objects.get().items.count() == 5
