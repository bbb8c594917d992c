"""Sentences of pages that were false: each says what is so."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from jobs.models import JobState
from ops.overview import DONE, TO_DO, overview_of
from projects.models import Project, Role
from tests.factories.corpus import ClusterFactory, JobFactory, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(project: Project) -> Client:
    client = Client()
    client.force_login(member(project, Role.MANAGER, "manager"))
    return client


def state_of(project: Project, user: User, label: str) -> str:
    return next(step.state for step in overview_of(user, project).steps if step.label == label)


def test_scoring_aligners_is_done_after_an_experiment(project: Project) -> None:
    user = member(project, Role.MANAGER, "manager")
    assert state_of(project, user, "Score aligners") == TO_DO
    job = JobFactory(project=project, kind="experiment", state=JobState.DONE)
    project.experiments.create(job=job, name="one", test_sentences=True)
    assert state_of(project, user, "Score aligners") == DONE


def test_pairs_across_clusters_are_not_denied(project: Project, manager: Client) -> None:
    ClusterFactory(project=project)
    page = manager.get(reverse("corpus", args=[project.slug])).content.decode()
    assert "only ever made within a cluster" not in page


@pytest.mark.parametrize("name", ["corpus-import", "fetch-new"])
def test_no_administrator_is_invented(project: Project, manager: Client, name: str, settings: Any) -> None:
    settings.FETCHING = None
    assert "none yet" not in manager.get(reverse(name, args=[project.slug])).content.decode()
    User.objects.create_superuser("root-person")
    assert "root-person" in manager.get(reverse(name, args=[project.slug])).content.decode()
