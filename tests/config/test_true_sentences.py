"""Sentences of pages that were false: each says what is so."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from jobs.models import JobState
from ops.facts import Facts
from ops.overview import overview_of
from projects.models import Project, Role
from tests.factories.corpus import JobFactory, member

pytestmark = pytest.mark.django_db


def words_of_data(project: Project, user: User) -> str:
    """What the overview says of the bar of its last phase."""
    return overview_of(Facts(user, project)).phases[-1].words


def test_scoring_aligners_is_done_after_an_experiment(project: Project) -> None:
    user = member(project, Role.MANAGER, "manager")
    assert "aligners scored" in words_of_data(project, user)
    job = JobFactory(project=project, kind="experiment", state=JobState.DONE)
    project.experiments.create(job=job, name="one", test_sentences=True)
    assert "aligners scored" not in words_of_data(project, user)
