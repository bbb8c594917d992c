import pytest
from django.urls import reverse

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
