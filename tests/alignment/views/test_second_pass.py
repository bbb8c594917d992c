"""The second pass over links: as that over judgements, a manager starts it; one's own disputed pairs come
back, marked and without names, and until one submits again the first links count."""

from importlib import import_module

import pytest
from django.apps import apps
from django.urls import reverse

from alignment.models import Alignment
from alignment.services.link_agreement import batch_agreement
from alignment.services.link_review import adjudicate_links
from alignment.services.second_pass import content_of
from annotation.api.items import history_payload
from annotation.models import Assignment, SecondLook, SecondPass
from annotation.services.second_pass import second_pass_summary, start_second_pass
from projects.errors import PublicError
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of

pytestmark = pytest.mark.django_db

FIRST = [[0, 0, "sure", "drawn"], [1, 1, "sure", "drawn"]]
SECOND = [[0, 0, "sure", "drawn"], [2, 2, "possible", "drawn"]]


@pytest.fixture
def batch(project, annotators):
    """Two people differ on the first pair, and agree on the others."""
    batch = linking_batch(project, annotators)
    for user, links in zip(annotators, (FIRST, SECOND), strict=True):
        for place, assignment in enumerate(assignments_of(batch, user)):
            link(assignment, FIRST if place else links)
    return batch


@pytest.fixture
def mine(batch, annotators):
    """The first pair's assignments, the annotator's and the other's, once the pass has begun."""
    start_second_pass(batch=batch, by=batch.project.created_by)
    return [assignments_of(batch, user)[0] for user in annotators]


def queue(as_, batch, who="annotator"):
    return as_(who).get(reverse("api-queue", args=[batch.pk])).json()


def kept(assignment):
    return content_of(Alignment.objects.get(assignment=assignment))["links"]


def test_nobody_sees_that_links_are_disputed_before_the_pass_begins(as_, project, batch):
    assert queue(as_, batch)["items"] == []
    page = as_("annotator").get(reverse("link", args=[project.slug])).content.decode()
    assert "Second pass" not in page and "disputed" not in page


def test_ones_own_links_come_back_with_what_is_in_dispute(as_, batch, mine):
    given = queue(as_, batch)
    assert (given["total"], given["done"]) == (1, 0)
    [item] = given["items"]
    assert (item["links"], item["disputed"]) == (FIRST, [[1, 1], [2, 2]])
    assert (item["state"], item["version"], item["assignment"]) == ("open", 2, mine[0].pk)
    assert item["suggestions"] == []


def test_until_one_submits_again_the_first_links_count(as_, batch, mine, annotators):
    link(mine[0], SECOND, submitted=False)
    assert queue(as_, batch)["items"][0]["links"] == SECOND, "the own draft"
    assert kept(mine[0]) == FIRST and Assignment.objects.get(pk=mine[0].pk).state == "done"
    assert second_pass_summary(batch)["withheld"] == 0
    link(mine[0], SECOND)
    assert kept(mine[0]) == SECOND
    assert (queue(as_, batch)["done"], queue(as_, batch)["items"]) == (1, [])
    [given] = history_payload(batch, annotators[0], limit=9)["items"]
    assert (given["links"], given["state"]) == (SECOND, "done")
    link(mine[0], [*FIRST, [2, 2, "sure", "drawn"]], submitted=False)  # undo: open again
    assert kept(mine[0]) == FIRST and queue(as_, batch)["done"] == 0


def test_what_an_adjudicator_has_decided_is_in_no_second_pass(batch, people, annotators):
    item = assignments_of(batch, annotators[0])[0].item
    adjudicate_links(item=item, by=people["adjudicator"], links=[[0, 0, "sure"]], version=0, basis=[1, 1])
    with pytest.raises(PublicError, match="no disagreements in this batch that nobody has decided"):
        start_second_pass(batch=batch, by=people["manager"])


def test_a_pass_of_an_earlier_release_is_stored(as_, batch, annotators):
    """There each pair came back once all had submitted it, and nothing but the answers was stored."""
    migration = import_module("alignment.migrations.0007_remove_what_went")
    migration.record_passes(apps, None)
    assert not SecondPass.objects.exists()
    own = assignments_of(batch, annotators[0])[0]
    link(own, SECOND)
    migration.record_passes(apps, None)
    made = SecondPass.objects.get(batch=batch)
    assert made.ended_at is None
    looks = SecondLook.objects.order_by("assignment")
    assert [(look.done, look.links["first"]["links"]) for look in looks] == [(True, FIRST), (False, SECOND)]
    assert kept(own) == SECOND
    assert queue(as_, batch)["done"] == 1
    first, second = batch_agreement(batch)["passes"]
    assert first["annotators"][0]["all"]["f1_all"] < 1 == second["annotators"][0]["all"]["f1_all"]
