from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Assignment
from annotation.schemes import Label
from projects.models import Project
from tests.factories.annotation import judge_all, judging_batch
from tests.permissions.people import make_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return make_people()


def test_a_manager_deletes_and_restores_on_pages(people):
    manager = people.client("manager")
    address = reverse("project-delete", args=["dams"])
    refused = manager.post(address, {"confirm": "dams"})
    assert refused.status_code == 422 and "type its name" in refused.content.decode()
    page = manager.post(address, {"confirm": "Dams"}, follow=True).content.decode()
    assert "The project Dams is deleted." in page and "Restore" in page
    assert "1 deleted project" in manager.get(reverse("projects")).content.decode()
    project = Project.everything.get(slug="dams")
    restore = reverse("project-restore", args=[project.pk])
    for role in ("viewer", "stranger"):
        assert "Dams" not in people.client(role).get(reverse("deleted-projects")).content.decode()
        assert people.client(role).post(restore).status_code == 404
    assert "is restored" in manager.post(restore, follow=True).content.decode()
    assert people.client("annotator").get(reverse("project", args=["dams"])).status_code == 200


def test_whoever_managed_only_a_deleted_project_creates_none(people):
    manager = people.client("manager")
    manager.post(reverse("project-delete", args=["dams"]), {"confirm": "Dams"})
    assert manager.get(reverse("project-new")).status_code == 403


def test_an_administrator_deletes_a_person_on_the_page(people):
    batch = judging_batch(people.project, people.annotators, size=2)
    for annotator in people.annotators:
        judge_all(batch, annotator, [Label.PARAPHRASE] * 2)
    admin, person = people.client("admin"), people["annotator"]
    address = reverse("person-delete", args=[person.pk])
    preview = admin.get(address).content.decode()
    assert "Pairs that lose their gold label" in preview and '<td class="num">2</td>' in preview
    assert admin.post(address, {"confirm": "", "answers": "keep"}).status_code == 422
    page = admin.post(address, {"confirm": "annotator", "answers": "keep"}, follow=True).content.decode()
    assert f"shown under person-{person.pk}" in page
    assert Assignment.objects.filter(state="done").count() == 4
