import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Batch
from projects.models import Membership
from tests.factories.annotation import assignments_of, judge, judging_batch
from tests.factories.corpus import dataset_of


@pytest.fixture
def draw(project, as_):
    """Send the form with a dataset of 4 pairs, some fields replaced."""
    dataset = dataset_of(project, 4)

    def send(**fields):
        form = {
            "dataset": dataset.pk,
            "name": "First",
            "size": 3,
            "annotators": ["annotator-person", "second-person"],
            "overlap": 2,
            "seed": 7,
        }
        return as_("manager").post(
            reverse("launch", args=[project.slug, "draw-judging-batch"]), form | fields
        )

    return send


def test_manager_sees_progress_by_name_and_an_adjudicator_by_letter(project, annotators, as_):
    batch = judging_batch(project, annotators, size=3)
    judge(assignments_of(batch, annotators[0])[0], None, skipped=True, flagged=True)
    stage = as_("manager").get(reverse("judge", args=[project.slug])).content.decode()
    assert "<bdi>annotator-person</bdi> 0/3, 1 skipped" in stage
    detail = as_("manager").get(reverse("batch", args=[project.slug, batch.pk]))
    assert [(name, p.done, p.total, p.skipped, p.flagged) for name, p, _ in detail.context["people"]] == [
        ("annotator-person", 1, 3, 1, 1),
        ("second-person", 0, 3, 0, 0),
    ]
    for page in (reverse("judge", args=[project.slug]), reverse("batch", args=[project.slug, batch.pk])):
        assert "annotator-person" not in as_("adjudicator").get(page).content.decode()


def test_more_batches_ask_the_database_no_more(project, annotators, as_):
    address = reverse("judge", args=[project.slug])
    asked = []
    for more in (1, 5):
        for _ in range(more):
            judging_batch(project, annotators, size=1)
        as_("manager").get(address)
        with CaptureQueriesContext(connection) as queries:
            page = as_("manager").get(address).content.decode()
        asked.append(len(queries))
    assert page.count('<a id="row-') == 6
    assert asked[0] == asked[1]


@pytest.mark.parametrize("handing_out", ["at_once", "as_they_come"])
def test_an_adjudicator_who_annotates_sees_own_progress_only(project, annotators, as_, handing_out):
    """As over the API: how far each colleague is stays hidden while a person annotates the batch."""
    batch = judging_batch(project, annotators, size=3)
    Batch.objects.update(handing_out=handing_out)
    judge(assignments_of(batch, annotators[0])[0])
    for assignment in assignments_of(batch, annotators[1]):
        judge(assignment)
    member_too = Membership.objects.create(project=project, user=annotators[0], role="adjudicator")
    pages = (reverse("judge", args=[project.slug]), reverse("batch", args=[project.slug, batch.pk]))
    stage, detail = (as_("annotator").get(page) for page in pages)
    ((_, people, progress),) = stage.context["table"].rows
    assert (people, progress.answered, progress.expected) == ([], 1, 3)
    assert [(person.done, person.total) for _, person, _ in detail.context["people"]] == [(1, 3)]
    assert (detail.context["progress"].answered, detail.context["unanswered"]) == (1, [("A", 2)])
    member_too.delete()
    assert as_("annotator").get(pages[1]).status_code == 403
    others = as_("adjudicator").get(pages[1]).context
    assert (len(others["people"]), others["progress"].answered) == (2, 4)
