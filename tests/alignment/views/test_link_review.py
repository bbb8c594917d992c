"""The pages on which disputed links are listed and decided."""

import json

import pytest
from django.urls import reverse

from alignment.services.link_review import link_review
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch(project, annotators):
    batch = linking_batch(project, annotators)
    for number in range(2):
        first, second = (assignments_of(batch, user)[number] for user in annotators)
        link(first, [[0, 0, "sure", "drawn"], [1, 1, "sure", "drawn"]])
        link(second, [[0, 0, "sure", "drawn"]], comment="not sure of the second")
    return batch


def test_the_canvas_shows_letters_and_no_names(as_, project, batch):
    item = batch.items.get(number=1)
    page = as_("adjudicator").get(reverse("link-canvas", args=[project.slug, item.pk]))
    bootstrap = page.context["bootstrap"]
    assert bootstrap["review"]["annotators"] == ["A", "B"]
    assert bootstrap["review"]["disputed"] == [{"a": 1, "b": 1, "strengths": ["sure", None]}]
    second = batch.items.get(number=2)
    assert bootstrap["urls"]["next"] == reverse("link-canvas", args=[project.slug, second.pk])
    assert "annotator-person" not in page.content.decode()
    assert "second-person" not in page.content.decode()


def test_a_decision_is_stored_once_and_a_stale_one_refused(as_, batch):
    item = batch.items.get(number=1)
    client = as_("adjudicator")
    url = reverse("api-link-review", args=[item.pk])
    body = {"links": [[0, 0, "sure"], [1, 1, "possible"]], "version": 0, "basis": link_review(item).basis}
    stored = client.put(url, json.dumps(body), content_type="application/json")
    assert (stored.status_code, stored.json()["version"]) == (200, 1)
    again = client.put(url, json.dumps(body), content_type="application/json")
    assert (again.status_code, again.json()["version"]) == (200, 1)  # the same once more: the answer was lost
    other = client.put(url, json.dumps(body | {"links": [[0, 0, "sure"]]}), content_type="application/json")
    assert other.status_code == 409
    assert other.json()["current"]["version"] == 1
    assert other.json()["current"]["content"] == [[0, 0, "sure"], [1, 1, "possible"]]
    assert client.get(url).json()["decision"]["links"] == [[0, 0, "sure"], [1, 1, "possible"]]
