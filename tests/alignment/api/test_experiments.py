"""Experiments by the API."""

from __future__ import annotations

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from alignment.models import Experiment
from jobs.services.running import run_here
from projects.models import Role
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory, member
from tests.factories.trained_aligners import QUICK, linked_gold

pytestmark = pytest.mark.django_db


def test_from_asking_to_the_errors() -> None:
    project = ProjectFactory()
    gold, dataset = linked_gold(project, 6), dataset_of(project, 5)
    client = APIClient()
    client.force_authenticate(member(project, Role.MANAGER, "manager"))
    address = reverse("api-experiments", args=[project.slug])
    aligners = [{"aligner": "identity"}, {"aligner": "hmm", **QUICK}]
    body = {"datasets": [dataset.pk], "gold_alignments": [gold.pk], "aligners": aligners}
    elsewhere = linked_gold(ProjectFactory(), 6).pk
    foreign = {"aligner": "best", "taught_by": gold.pk, "other_gold": [elsewhere]}
    for wrong in (
        {"aligners": [{"aligner": "giza"}]},
        {"aligners": [foreign]},
        {"aligners": [foreign | {"taught_by": elsewhere, "other_gold": []}]},
        {"gold_alignments": [999]},
        {"more": 1},
    ):
        assert client.post(address, body | wrong, format="json").status_code == 400
    response = client.post(address, body, format="json")
    assert response.status_code == 201
    made = Experiment.objects.get(pk=response.data["id"])
    assert [row["name"] for row in client.get(address).data["items"]] == [made.name]
    assert client.delete(reverse("api-experiment", args=[made.pk])).status_code == 400
    run_here(job=made.job)
    table = client.get(reverse("api-experiment", args=[made.pk])).data
    assert [(row["aligner"], row["pairs"]) for row in table["rows"]] == [("identity", 0), ("hmm", 5)]
    cell = table["rows"][1]["cells"][0]
    assert cell["gold_alignments"] == gold.pk
    assert set(table["comparisons"][str(gold.pk)]["all"]["others"]) == {"2"}
    page = reverse("experiment-cell", args=[project.slug, cell["id"]])
    errors = client.get(page, {"format": "json"}).json()["pairs"]
    assert errors[0]["missing"] or errors[0]["false"]
    assert client.delete(reverse("api-experiment", args=[made.pk])).status_code == 204
