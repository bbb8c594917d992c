import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Answer, Placement
from annotation.services.subclusters import agreement_of, subcluster_review
from projects.errors import Conflict, PublicError
from tests.factories.subclusters import decide, headline_cluster, split, splitting_batch


def test_a_draft_a_submission_and_their_history(project, annotators):
    item = splitting_batch(project, annotators).items.get()
    drafted = split(item, annotators[0], [[1, 2]], submitted=False)
    assert (drafted.state, drafted.version) == ("open", 1)
    done = split(item, annotators[0], [[1, 2], [3, 4]], flagged=True, comment="?")
    assert (done.state, done.version, done.flagged, done.comment) == ("done", 2, True, "?")
    placed = {one.headline.number: one.group for one in done.placements.select_related("headline")}
    assert placed == {1: 1, 2: 1, 3: 2, 4: 2, 5: None, 6: None}
    assert [answer.version for answer in Answer.objects.filter(assignment=done)] == [1, 2]
    skipped = split(item, annotators[0], [], submitted=False, skipped=True)
    assert skipped.state == "skipped"


@pytest.mark.parametrize(
    ("placements", "message"),
    [
        ([[7, 1]], "There is no headline 7 in this cluster; they are 1 to 6"),
        ([[True, 1]], "There is no headline True"),
        ([["1", 1]], "There is no headline '1'"),
        ([[1, 1], [1, 2]], "Headline 1 is placed twice"),
        ([[1, 0]], "a group is 1 to 200, or null for none, not 0"),
        ([[1, 201]], "not 201"),
        ([[1, "a"]], "not 'a'"),
        ([[1]], "A placement is"),
    ],
)
def test_placements_are_checked(project, annotators, placements, message):
    item = splitting_batch(project, annotators).items.get()
    with pytest.raises(PublicError, match=message):
        split(item, annotators[0], [], placements=placements)
    assert not Placement.objects.exists()


def test_agreement_of_every_two_over_all_clusters(project, annotators):
    headline_cluster(project, list("abcdef"), key="one")
    headline_cluster(project, list("abcd"), key="two")
    batch = splitting_batch(project, annotators)
    one, two = (batch.items.get(cluster__key=key) for key in ("one", "two"))
    split(one, annotators[0], [[1, 2, 3], [4, 5, 6]])
    assert agreement_of(batch)[0] == []
    split(one, annotators[1], [[1, 2], [3, 4, 5, 6]])
    for annotator in annotators:
        split(two, annotator, [[1, 2]])
    (row,), overall = agreement_of(batch)
    people = (row["first"], row["second"], len(row["clusters"]), row["same"])
    assert people == ("annotator-1", "annotator-2", 2, 1)
    assert (row["headlines"], row["all"]["together"], row["all"]["pairs"]) == (10, 5, 21)
    assert row["mean_adjusted_rand"] == pytest.approx((1.2 / 3.7 + 1) / 2)
    assert overall == row["all"]
    (only,), _ = agreement_of(batch, [one.pk])
    assert only["all"]["together"] == 4


def test_an_adjudicator_decides_and_decides_again(project, annotators, people):
    item = splitting_batch(project, annotators).items.get()
    for annotator, groups in zip(annotators, ([[1, 2, 3]], [[1, 2]]), strict=True):
        split(item, annotator, groups)
    first = decide(item, people["adjudicator"], [[3, 1], [5, 4], [6]], comment="as A")
    assert (first.version, first.content, first.comment) == (1, [[1, 3], [4, 5]], "as A")
    with pytest.raises(Conflict) as stale:
        decide(item, people["adjudicator"], [], version=0)
    assert (stale.value.current["version"], stale.value.current["basis"]) == (1, [1, 1])
    assert decide(item, people["adjudicator"], [[1, 2]]).version == 2
    assert subcluster_review(item).decision.content == [[1, 2]]
    with pytest.raises(PublicError, match="An adjudicator has decided"):
        split(item, annotators[0], [])


def test_what_an_adjudicator_may_not_do(project, annotators, people):
    item = splitting_batch(project, annotators).items.get()
    split(item, annotators[0], [[1, 2]])
    adjudicator = people["adjudicator"]
    with pytest.raises(PermissionDenied):
        decide(item, adjudicator, [[1, 2]])
    split(item, annotators[1], [[1, 2, 3]])
    for who in ("manager", "annotator", "viewer"):
        with pytest.raises(PermissionDenied):
            decide(item, people[who], [[1, 2]])
    with pytest.raises(PublicError, match="There is no headline 9"):
        decide(item, adjudicator, [[1, 9]])
    with pytest.raises(PublicError, match="Headline 1 is in two"):
        decide(item, adjudicator, [[1, 2], [1, 3]])
    with pytest.raises(PublicError, match="5000 are allowed"):
        decide(item, adjudicator, [[1, 2]], comment="x" * 5001)


def test_an_answer_that_changed_meanwhile_is_seen_first(project, annotators, people):
    item = splitting_batch(project, annotators).items.get()
    for annotator in annotators:
        split(item, annotator, [[1, 2]])
    split(item, annotators[0], [[1, 2, 3]])
    with pytest.raises(Conflict):
        decide(item, people["adjudicator"], [[1, 2]], basis=[1, 1])
