"""Gold sets: freezing one through the page, and reading one."""

import pytest
from django.urls import reverse

from annotation.models import GoldSet
from annotation.schemes import Label
from projects.models import GoldRule
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import MembershipFactory, ProjectFactory


@pytest.fixture
def freeze(project, as_):
    def send(batch, **fields):
        form = {"name": "gold", "batches": [batch.pk], "rule": GoldRule.DISAGREEMENT_NEGATIVE} | fields
        return as_("manager").post(reverse("launch", args=[project.slug, "freeze-gold-set"]), form)

    return send


def test_judgements_become_gold_by_the_rule(project, annotators, freeze, as_):
    batch = judging_batch(project, annotators, size=4)
    judge_all(batch, annotators[0], (Label.PARAPHRASE,))
    judge_all(batch, annotators[1], (Label.PARAPHRASE, Label.NOT_PARAPHRASE))
    answer = freeze(batch)
    found = GoldSet.objects.get()
    assert answer.headers["Location"] == reverse("gold-set", args=[project.slug, found.pk])
    answer = as_("viewer").get(reverse("gold-set", args=[project.slug, found.pk]))
    assert [label for _, label, _ in answer.context["rows"]] == ["Paraphrase", "Not a paraphrase"] * 2
    assert [(v["letter"], v["word"]) for v in answer.context["rows"][1][2]] == [
        ("A", "Paraphrase"),
        ("B", "Not a paraphrase"),
    ]
    assert found.signature in answer.content.decode()
    assert "annotator-person" not in answer.content.decode()
    only = as_("viewer").get(reverse("gold-set", args=[project.slug, found.pk]), {"label": "paraphrase"})
    assert [label for _, label, _ in only.context["rows"]] == ["Paraphrase"] * 2


def test_batch_without_judgements_is_refused_at_its_field(project, annotators, freeze):
    batch = judging_batch(project, annotators, size=2)
    answer = freeze(batch, name="typed")
    assert answer.status_code == 422
    assert "No pair can be gold yet" in str(answer.context["form"].errors["batches"])
    assert answer.context["form"]["name"].value() == "typed"
    assert not GoldSet.objects.exists()


def test_batch_of_another_project_cannot_be_frozen(project, annotators, freeze):
    other = ProjectFactory()
    for user in annotators:
        MembershipFactory(project=other, user=user)
    answer = freeze(judging_batch(other, annotators, size=1))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["batches"]
