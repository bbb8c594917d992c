from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.models import Decision
from annotation.schemes import Label
from projects.models import Role
from projects.services import audit
from tests.audit import entries, events
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import MembershipFactory


@pytest.fixture
def batch(project, annotators):
    """Four pairs; 2 and 4 are disputed, 3 is flagged with a comment."""
    batch = judging_batch(project, annotators, size=4, name="Dams")
    judge_all(batch, annotators[0], (Label.PARAPHRASE, Label.NOT_PARAPHRASE))
    mine = assignments_of(batch, annotators[1])
    for number, assignment in enumerate(mine, start=1):
        judge(assignment, flagged=number == 3, comment="<script>which dam?</script>" if number == 3 else "")
    return batch


@pytest.fixture
def send(as_, project):
    def post(number, batch, role="adjudicator", **fields):
        item = batch.items.get(number=number)
        form = {"label": Label.PARAPHRASE, "version": 0, "basis": "1,1", "comment": ""} | fields
        return as_(role).post(reverse("adjudicate", args=[project.slug, item.pk]), form)

    return post


def listed(answer):
    return [one.item.number for one in answer.context["table"].rows]


def test_who_sees_answers_is_recorded_once_in_ten_minutes(project, batch, people, as_, monkeypatch):
    address = reverse("review-batch", args=[project.slug, batch.pk])
    for role in ("adjudicator", "manager", "manager"):
        as_(role).get(address)
    seen = list(entries(event="answers-seen", project_id=project.pk))
    assert [entry.actor_id for entry in seen] == [people["adjudicator"].pk, people["manager"].pk]
    assert "Dams" in seen[0].target and seen[0].details == {"page": "review"}
    monkeypatch.setattr(audit, "SEEN_AGAIN", timedelta(0))
    as_("manager").get(address)
    assert len(events(event="answers-seen")) == 3


def test_adjudicator_who_judged_a_pair_neither_sees_nor_decides_it(project, batch, annotators, as_, send):
    MembershipFactory(project=project, user=annotators[0], role=Role.ADJUDICATOR)
    answer = as_("annotator").get(reverse("review-batch", args=[project.slug, batch.pk]), {"show": "all"})
    assert listed(answer) == []
    figures = as_("annotator").get(reverse("review", args=[project.slug])).context["rows"][0][1]
    assert figures.items == 0
    assert send(2, batch, role="annotator").status_code == 403
    assert not Decision.objects.exists()
