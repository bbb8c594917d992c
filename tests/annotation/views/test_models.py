"""The page of a model that answered, the form that has it answer, and what export and freeze say of it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from projects.models import Role
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import member
from tests.factories.models import answered_by_model

pytestmark = pytest.mark.django_db
YES, NO = "paraphrase", "not_paraphrase"


@pytest.fixture
def manager(client, project):
    client.force_login(member(project, Role.MANAGER, "boss"))
    return client


@pytest.fixture
def batch(project):
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben", "cas")]
    batch = judging_batch(project, people, size=30)
    for user, labels in zip(people, ([YES], [YES], [YES, YES, NO]), strict=True):
        judge_all(batch, user, labels)
    return batch


def page(manager, name, project, *arguments, query=""):
    return manager.get(reverse(name, args=[project.slug, *arguments]) + query)


def test_the_page_of_a_model(manager, project, batch):
    model = answered_by_model(batch, threshold=0.0, price=0.5)  # calls everything a paraphrase
    shown = page(manager, "model-annotator", project, model.pk).content.decode()
    assert "average advantage probability" in shown
    assert "15.00" in shown  # 30 answers at 0.5
    answer = page(manager, "model-annotator", project, model.pk, query="?format=json&people=crowd").json()
    assert answer["test"]["epsilon"] == 0.1
    assert [row["observed"]["value"] for row in answer["annotators"]] == [1.0, 1.0, pytest.approx(2 / 3)]
    assert [row["won"] for row in answer["annotators"]] == [True, True, True]
    assert str(model) in page(manager, "batch", project, batch.pk).content.decode()
