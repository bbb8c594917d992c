import pytest

from annotation.models import Assignment
from annotation.services.batches import close_batch, reopen_batch, show_decisions
from annotation.services.drawing import draw_judging_batch
from ops.own_decisions import own_differences, shown_batches
from projects.errors import PublicError
from tests.factories.annotation import adjudicate, judge_all, judging_batch
from tests.factories.corpus import dataset_of, member

pytestmark = pytest.mark.django_db
YES, NO = "paraphrase", "not_paraphrase"


@pytest.fixture
def adjudicator(project):
    return member(project, "adjudicator", "adj")


@pytest.fixture
def judged(project, annotators, adjudicator):
    """Four pairs; Ann says yes, Ben no to the second and the fourth; decided: the second is none."""
    batch = judging_batch(project, annotators, size=4)
    judge_all(batch, annotators[0], [YES])
    judge_all(batch, annotators[1], [YES, NO])
    adjudicate(batch.items.get(number=2), adjudicator, NO, "another day")
    return batch


def page(client, user, batch):
    client.force_login(user)
    return client.get(f"/projects/{batch.project.slug}/batches/{batch.pk}/decisions/")


def test_only_decisions_that_differ_from_the_own_answer_are_shown(client, judged, annotators):
    close_batch(batch=judged)
    show_decisions(batch=judged, shown=True)
    [difference] = own_differences(annotators[0], judged)
    assert (difference.number, difference.own, difference.decided) == (
        2,
        ["Paraphrase"],
        ["Not a paraphrase"],
    )
    assert "another day" in page(client, annotators[0], judged).content.decode()
    assert own_differences(annotators[1], judged) == []
    assert "No decision differs" in page(client, annotators[1], judged).content.decode()
    client.force_login(annotators[0])
    assert f"/batches/{judged.pk}/decisions/" in client.get("/").content.decode()


def test_nothing_is_shown_before_the_batch_is_closed_or_where_it_is_not_allowed(
    client, judged, annotators, project, adjudicator
):
    show_decisions(batch=judged, shown=True)
    assert page(client, annotators[0], judged).status_code == 404
    close_batch(batch=judged)
    assert page(client, annotators[0], judged).status_code == 200
    stranger = member(project, "annotator", "cas")
    assert [page(client, user, judged).status_code for user in (stranger, adjudicator)] == [404, 404]
    reopen_batch(batch=judged)
    assert page(client, annotators[0], judged).status_code == 404
    close_batch(batch=judged)
    show_decisions(batch=judged, shown=False)
    assert page(client, annotators[0], judged).status_code == 404
    show_decisions(batch=judged, shown=True)
    project.memberships.filter(user=annotators[0]).delete()
    assert not shown_batches(annotators[0]).exists()


def test_each_annotator_has_an_own_order_if_that_is_asked_for(project, annotators):
    dataset = dataset_of(project, 12)
    options = {"project": project, "by": None, "dataset": dataset, "size": 12, "overlap": 2, "seed": 3}
    names = [user.username for user in annotators]
    batch = draw_judging_batch(name="own", annotators=names, own_order=True, **options)
    orders = [
        list(Assignment.objects.of(user).filter(item__batch=batch).values_list("item__number", "position"))
        for user in annotators
    ]
    for order in orders:
        assert sorted(number for number, _ in order) == list(range(1, 13))
        assert [position for _, position in order] == list(range(1, 13))
    assert orders[0] != orders[1]
    assert batch.sampling["own_order"] is True
    options["dataset"] = dataset_of(project, 12)
    with pytest.raises(PublicError, match="on demand"):
        draw_judging_batch(
            name="taken", annotators=names, own_order=True, handing_out="as_they_come", **options
        )
