"""The pages of external datasets, and the form that draws from one."""

import shutil

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch
from jobs.services.running import run_here
from projects.models import Project
from tests.factories.corpus import ProjectFactory, member
from tests.factories.external import external_dataset, unattached_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = ProjectFactory()
    member(project, "annotator", "ann")
    return project


@pytest.fixture
def manager(project: Project) -> Client:
    client = Client()
    client.force_login(member(project, "manager", "manager"))
    return client


def text_of(client: Client, name: str, project: Project, *args: int, query: str = "") -> str:
    return client.get(reverse(name, args=[project.slug, *args]) + query).content.decode()


def test_page_shows_a_sample_by_seed_and_says_when_the_folder_is_gone(project, manager):
    found = external_dataset(project, 40, name="large")
    first = text_of(manager, "external-dataset", project, found.pk)
    assert first.count("part-0000") >= 10 + 3
    assert found.manifest_sha256 in first
    assert first != text_of(manager, "external-dataset", project, found.pk, query="?seed=2")
    assert "whole number" in text_of(manager, "external-dataset", project, found.pk, query="?seed=x")
    assert "large" in text_of(manager, "candidates", project)
    assert "Attach a folder" in text_of(manager, "candidates", project)
    shutil.rmtree(found.address)
    gone = manager.get(reverse("external-dataset", args=[project.slug, found.pk]))
    assert gone.status_code == 200
    assert 'role="alert"' in gone.content.decode()


def test_folder_is_attached_by_the_form(project, manager):
    page = reverse("external-dataset-new", args=[project.slug])
    refused = manager.post(page, {"address": "/etc"})
    assert refused.status_code == 422
    assert "administrator allows" in refused.content.decode()
    made = manager.post(page, {"address": unattached_folder()})
    found = project.external_datasets.get()
    assert made.url == reverse("external-dataset", args=[project.slug, found.pk])
    assert "being checked" in manager.get(made.url).content.decode()


def test_batch_is_drawn_by_the_form_for_datasets(project, manager):
    found = external_dataset(project, 40, name="large")
    page = reverse("batch-new", args=[project.slug])
    assert (
        f'value="external-{found.pk}" selected' in manager.get(f"{page}?external={found.pk}").content.decode()
    )
    asked = {
        "dataset": f"external-{found.pk}", "name": "first", "size": 5, "annotators": ["ann"], "overlap": 1,
        "seed": 1,
    }  # fmt: skip
    refused = manager.post(page, asked | {"by": "cluster"})
    assert refused.status_code == 422
    assert "by edit distance or by score" in refused.content.decode()
    made = manager.post(page, asked)
    extraction = project.extractions.get()
    assert made.url == reverse("extraction", args=[project.slug, extraction.pk])
    run_here(job=extraction.job)
    batch = Batch.objects.get(name="first")
    assert reverse("batch", args=[project.slug, batch.pk]) in manager.get(made.url).content.decode()
    assert "large" in text_of(manager, "batch", project, batch.pk)
