"""The classifier's row among the stages of a project: beside the way, with what may be done next."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import ClassifierRun
from annotation.services.classifiers.applying import launch_application
from annotation.services.classifiers.training import launch_training
from projects.models import Project, Role
from tests.factories.classifiers import applied, finished, learnable_dataset, learnable_gold, trained
from tests.factories.corpus import ProjectFactory, member
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return ProjectFactory(slug="dams")


def client_of(project: Project, role: str) -> Client:
    client = Client()
    client.force_login(member(project, role, f"the {role}"))
    return client


def row(client: Client) -> tuple[str, list[str], str]:
    """The state, what is there, and what may be done."""
    steps = client.get("/projects/dams/").context["overview"].steps
    step = next(step for step in steps if step.label == "Classifier")
    return step.state, [text for text, _ in step.found], step.action.label if step.action else ""


def test_the_row_leads_from_gold_to_the_table(project: Project) -> None:
    manager = client_of(project, Role.MANAGER)
    assert row(manager) == ("waiting", [], "")
    dataset = learnable_dataset(project)
    gold = learnable_gold(project, dataset)
    assert row(manager) == ("waiting", [], "Train a classifier")
    page = manager.get("/projects/dams/").content.decode()
    assert '<a href="/projects/dams/classifier/new/">Train a classifier</a>' in page
    # The way to gold links goes on without it.
    assert manager.get("/projects/dams/").context["overview"].next[0].label == "Draw a linking batch"

    asked = {"name": "svm", "gold_set": gold, "classes": ["string"], "c": 0.1, "report": False}
    classifier = launch_training(project=project, by=None, **asked)
    assert row(manager) == ("running", ["1 classifier"], "Follow the training")
    finished(classifier)
    assert row(manager) == ("waiting", ["1 classifier"], "Apply svm v1")
    run = launch_application(classifier=classifier, by=None, dataset=dataset, name="kept")
    assert row(manager) == ("running", ["1 classifier"], "Follow the run")
    finished(run)
    done = ["1 classifier", "1 refined dataset"]
    assert row(manager) == ("done", done, "See the run, draw the next batch")
    linked_gold(project, 2)
    assert row(manager) == ("done", done, "Compare what it accepted")


def test_what_stopped_is_named_and_viewers_are_offered_nothing(project: Project) -> None:
    dataset = learnable_dataset(project)
    run = applied(trained(project, learnable_gold(project, dataset)), dataset)
    run.job.state = "failed"
    run.job.save()
    assert row(client_of(project, Role.MANAGER))[2] == "See what stopped the run"
    page = client_of(project, Role.VIEWER).get("/projects/dams/").content.decode()
    assert "1 classifier" in page
    assert "See what stopped the run" not in page
    assert ClassifierRun.objects.count() == 1
