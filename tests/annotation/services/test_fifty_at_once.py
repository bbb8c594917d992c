from __future__ import annotations

import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from annotation.api.assignments import present
from annotation.api.items import queue_payload
from annotation.models import Answer, Assignment, Batch, HandingOut
from annotation.services.answers import save_judgement
from annotation.services.drawing import draw_judging_batch
from projects.models import Project
from tests.factories.corpus import MembershipFactory, ProjectFactory, dataset_of

PEOPLE, ITEMS, OVERLAP, AHEAD = 50, 30, 3, 2


def answer(user, number):
    assignment = Assignment.objects.of(user).with_sentences().get(pk=number)
    save_judgement(
        assignment=assignment, by=user, key=uuid.uuid4(), version=0, label="paraphrase", describe=present
    )


@pytest.mark.django_db(transaction=True)
def test_fifty_at_once_share_out_a_batch():
    project: Project = ProjectFactory()
    people = [member.user for member in MembershipFactory.create_batch(PEOPLE, project=project)]
    batch: Batch = draw_judging_batch(
        project=project, by=None, name="as they come", dataset=dataset_of(project, ITEMS), size=ITEMS,
        overlap=OVERLAP, annotators=[user.username for user in people], seed=1,
        handing_out=HandingOut.AS_THEY_COME,
    )  # fmt: skip
    together = Barrier(PEOPLE, timeout=300)

    def work(user):
        """What the user was given, all of it answered."""
        given: set[int] = set()
        try:
            together.wait()
            while items := queue_payload(batch, user, limit=AHEAD)["items"]:
                for item in items:
                    given.add(item["assignment"])
                    answer(user, item["assignment"])
        finally:
            connection.close()
        return given

    with ThreadPoolExecutor(PEOPLE) as pool:
        given = list(pool.map(work, people))
    assert sum(map(len, given)) == len(set().union(*given)) == ITEMS * OVERLAP
    places = Assignment.objects.filter(item__batch=batch)
    assert set(places.values_list("state", "version")) == {("done", 1)}
    assert Answer.objects.filter(assignment__in=places).count() == ITEMS * OVERLAP
    assert set(Counter(places.values_list("item", flat=True)).values()) == {OVERLAP}
    assert max(Counter(places.values_list("item", "annotator")).values()) == 1
