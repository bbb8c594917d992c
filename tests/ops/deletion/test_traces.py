"""After a deletion no table and no file of the data folder knows the person, or the project with its texts;
what others sent by form and by the API within the last days is among what is looked through."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from corpus.imports import import_corpus
from corpus.models import Dataset
from jobs.models import ACTIVE, Job
from jobs.services.running import run_here
from ops.deletion.people import KEEP, REMOVE, delete_person
from ops.deletion.projects import delete_project, remove_now
from projects.models import Project, Role, Submission
from tests.contract.test_double_submission import filled_in
from tests.factories.corpus import ProjectFactory, UserFactory, dataset_of, member
from tests.factories.house import client_of

from .world import traces

pytestmark = pytest.mark.django_db
NAME, MAIL = "zoë.quixley", "zq@news.example"
SLUG, TITLE, TEXT = "quagmire-9", "Quagmire of Ploverton", "The weir at Ploverton gave way."
NOUNS = ("quagmire", "Ploverton", "marsh pairs", "reeds")


@pytest.fixture(autouse=True)
def var(settings, tmp_path):
    settings.VAR, settings.EXPORTS_DIR, settings.UPLOADS_DIR = (
        tmp_path / "var", tmp_path / "var" / "exports", tmp_path / "var" / "uploads"
    )  # fmt: skip
    settings.UPLOADS_DIR.mkdir(parents=True)


def send(client, address, body, status=201):
    """A request of the API with a key of its own."""
    key = {"Idempotency-Key": str(uuid.uuid4())}
    answer = client.post(f"/api/v1/{address}", body, content_type="application/json", headers=key)
    assert answer.status_code == status, answer.content
    content: dict[str, Any] = answer.json()
    return content


def fill_in(client, address, fields):
    """Send a form as its page does."""
    given = filled_in(client, address, address, fields)
    assert client.post(address, given).status_code == 302


def run_jobs():
    for job in Job.objects.filter(state__in=ACTIVE):
        run_here(job=job)


@pytest.mark.parametrize("answers", [KEEP, REMOVE])
def test_nothing_that_others_sent_names_a_deleted_person(answers):
    admin = UserFactory(username="admin", is_superuser=True)
    project = ProjectFactory(slug="dams")
    boss = client_of(admin)
    zoe = UserFactory(username=NAME, email=MAIL, first_name=NAME)
    member(project, Role.ANNOTATOR, "ben")
    member(project, Role.MANAGER, "mary")
    for role in (Role.ANNOTATOR, Role.MANAGER):
        send(boss, "projects/dams/members/", {"username": NAME, "role": role})
    dataset_of(project, 8)
    dataset: Any = Dataset.objects.get()
    batch = {"size": 2, "dataset": dataset.pk, "annotators": [NAME, "ben"], "overlap": 2}
    send(boss, "projects/dams/operations/draw-judging-batch/", batch | {"name": "by the API"})
    hers = client_of(zoe)
    send(hers, "projects/dams/operations/draw-judging-batch/", batch | {"name": "her own"})
    alone = batch | {"annotators": ["ben"], "overlap": 1}
    send(boss, "projects/dams/operations/draw-judging-batch/", alone | {"name": f"for {NAME}"})
    kept = send(boss, "projects/dams/operations/draw-judging-batch/", alone | {"name": "another"})
    project.batches.filter(name=f"for {NAME}").delete()  # a text that a person wrote
    assert any(NAME in str(row) for row in Submission.objects.values())
    delete_person(user=zoe, by=admin, confirmed=NAME, answers=answers)
    assert traces(NAME, MAIL) == []
    results = list(Submission.objects.values_list("result", flat=True))
    assert kept in [result["data"] for result in results], "what does not name her is answered again"


@pytest.mark.parametrize("made_by", ["form", "API"])
def test_nothing_that_was_sent_tells_of_a_removed_project(made_by, tmp_path):
    admin = UserFactory(username="admin", is_superuser=True)
    boss = client_of(admin)
    other = send(boss, "projects/", {"slug": "other", "name": "Other"})
    if made_by == "form":
        fill_in(boss, reverse("project-new"), {"slug": SLUG, "name": TITLE})
    else:
        send(boss, "projects/", {"slug": SLUG, "name": TITLE})
    project = Project.objects.get(slug=SLUG)
    member(project, Role.ANNOTATOR, "ben")
    articles = [{"id": str(number), "text": TEXT} for number in range(2)]
    line = json.dumps({"cluster_id": "reeds", "articles": articles}).encode()
    file = SimpleUploadedFile("reeds.jsonl", line)
    fill_in(boss, reverse("corpus-import", args=[SLUG]), {"file": file})
    run_jobs()
    path = tmp_path / "reeds.jsonl"
    path.write_bytes(line)
    import_corpus(project=project, by=admin, path=path, filename="reeds.jsonl")
    dataset = dataset_of(project, 8)
    batch = {"size": 2, "annotators": ["ben"], "overlap": 1, "dataset": dataset.pk}
    send(boss, f"projects/{SLUG}/operations/draw-judging-batch/", batch | {"name": "marsh pairs"})
    fill_in(boss, reverse("extraction-new", args=[SLUG]), {})
    run_jobs()
    assert Submission.objects.filter(project=project).count() >= 3
    assert traces(*NOUNS)
    delete_project(project=project, by=admin, confirmed=TITLE)
    remove_now(project=Project.everything.get(pk=project.pk))
    assert traces(*NOUNS) == []
    assert [row.result["data"] for row in Submission.objects.all()] == [other]
