from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Batch
from annotation.schemes import Label
from annotation.services.decisions import Step
from projects.models import Role
from tests.audit import entries
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of, gold_set, judge, judge_all, judging_batch
from tests.factories.corpus import MembershipFactory
from tests.factories.subclusters import headline_cluster, split, splitting_batch

YES, NO = Label.PARAPHRASE.value, Label.NOT_PARAPHRASE.value


def judged(project, people):
    batch = judging_batch(project, people, size=2)
    for user, labels in zip(people, ([YES], [NO, YES]), strict=True):
        judge_all(batch, user, labels)
    return batch


def linked(project, people):
    batch = linking_batch(project, people, source=gold_set(project, people, size=2))
    link(assignments_of(batch, people[0])[0])
    link(assignments_of(batch, people[1])[0], [])
    return batch


def clustered(project, people):
    headline_cluster(project, key="headlines")
    batch = splitting_batch(project, people, fewest=6)
    for user, groups in zip(people, ([[1, 2]], [[3, 4]]), strict=True):
        split(batch.items.get(), user, groups)
    return batch


KINDS: dict[str, tuple[Callable[..., Batch], str, str, str]] = {
    "judge": (judged, "batch", "review-batch", "api-adjudication"),
    "link": (linked, "link-detail", "link-review", "api-link-review"),
    "split": (clustered, "split-detail", "split-review", "api-subcluster-review"),
}
BODIES: dict[str, dict[str, Any]] = {
    "judge": {"label": YES, "version": 0},
    "link": {"links": [], "version": 0, "basis": []},
    "split": {"subclusters": [], "version": 0, "basis": []},
}


def api_refusal(client, name, batch, kind):
    url = reverse(name, args=[batch.items.get(number=1).pk])
    answer = client.put(url, BODIES[kind], content_type="application/json")
    assert answer.status_code == 403, answer.content
    return str(answer.json()["detail"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_manager_without_the_role_can_take_it(project, people, annotators, as_, kind):
    make, detail, review, api = KINDS[kind]
    batch = make(project, annotators)
    manager = as_("manager")
    address = reverse(review, args=[project.slug, batch.pk])
    for page in (address, reverse(detail, args=[project.slug, batch.pk])):
        answer = manager.get(page)
        [shown] = answer.context["obstacles"]
        assert (shown.step, shown.items) == (Step.BECOME_ADJUDICATOR, 1)
        text = answer.content.decode()
        assert shown.reason in text and shown.advice in text
        assert "Make me an adjudicator" in text
        assert answer.context["to_decide"] == 0
    said = api_refusal(manager, api, batch, kind)
    assert shown.reason in said and shown.advice in said
    taken = manager.post(reverse("become-adjudicator", args=[project.slug]), {"next": address})
    assert taken.headers["Location"] == address
    entry = entries(event="role-added", details__role="adjudicator").get()
    assert (entry.actor, entry.target) == ("manager-person", "manager-person")
    answer = manager.get(address)
    assert (answer.context["to_decide"], answer.context["obstacles"]) == (1, [])
    assert "Make me an adjudicator" not in answer.content.decode()


def test_who_takes_part_learns_nothing_of_the_others(project, people, annotators, as_):
    MembershipFactory(project=project, user=people["annotator"], role=Role.ADJUDICATOR)
    third = MembershipFactory(project=project, role=Role.ANNOTATOR).user
    batch = judging_batch(project, [*annotators, third], size=6, overlap=2)

    def seen():
        page = as_("annotator").get(reverse("review-batch", args=[project.slug, batch.pk]))
        items = batch.items.order_by("number").values_list("pk", flat=True)
        urls = [reverse("api-adjudication", args=[item]) for item in items]
        told = [as_("annotator").put(url, BODIES["judge"], content_type="application/json") for url in urls]
        return [str(one) for one in page.context["obstacles"]] + [a.content.decode() for a in told]

    before = seen()
    others = [one for one in assignments_of(batch, third) if one.position % 2]
    for assignment in others[:1]:
        judge(assignment, NO)
    assert seen() == before
    assert not any("annotator-" in text for text in before)
