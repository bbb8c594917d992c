import pytest
from django.core.exceptions import PermissionDenied

from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.link_review import adjudicate_links, link_review
from annotation.models import Decision
from projects.errors import Conflict, PublicError
from projects.models import Membership, Role
from tests.audit import events
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of
from tests.factories.corpus import member

pytestmark = pytest.mark.django_db

FIRST = [[0, 0, "sure", "drawn"], [1, 1, "sure", "drawn"]]
SECOND = [[0, 0, "sure", "drawn"], [1, 1, "possible", "drawn"], [2, 2, "possible", "drawn"]]


@pytest.fixture
def judge(project):
    return member(project, Role.ADJUDICATOR, "judge")


@pytest.fixture
def item(project, annotators):
    batch = linking_batch(project, annotators)
    for user, links in zip(annotators, (FIRST, SECOND), strict=True):
        link(assignments_of(batch, user)[0], links)
    return batch.items.get(number=1)


def test_agreed_and_disputed_links_apart(item):
    review = link_review(item)
    assert review.annotators == ["annotator-1", "annotator-2"]
    assert review.agreed == [[0, 0, "sure"]]
    assert [(one.a, one.b, one.strengths) for one in review.disputed] == [
        (1, 1, ["sure", "possible"]), (2, 2, [None, "possible"]),
    ]  # fmt: skip
    assert (review.version, review.basis) == (0, [1, 1])


def test_decisions_are_added_and_the_last_one_stands(item, judge):
    adjudicate_links(item=item, by=judge, links=[[0, 0, "sure"]], version=0, basis=[1, 1])
    adjudicate_links(
        item=item, by=judge, links=[[2, 2, "sure"], [0, 0, "sure"]], version=1, basis=[1, 1], comment="sic"
    )
    assert list(Decision.objects.values_list("version", "content")) == [
        (1, [[0, 0, "sure"]]), (2, [[0, 0, "sure"], [2, 2, "sure"]]),
    ]  # fmt: skip
    assert len(events(event="item-decided")) == 2


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([], r"0-0 is agreed"),
        ([[0, 0, "possible"]], r"0-0 is agreed as sure"),
        ([[0, 0, "sure"], [0, 1, "sure"]], r"0-1 was not drawn"),
        ([[0, 0, "sure"], [1, 1, "weak"]], r"1-1: the strength"),
        ([[0, 0, "sure"], [1, 1, "sure"], [1, 1, "possible"]], r"1-1 is given twice"),
        ([[0, 0, "sure"], ["1", 1, "sure"]], r"A link is"),
    ],
)
def test_what_no_review_may_store(item, judge, links, message):
    with pytest.raises(PublicError, match=message):
        adjudicate_links(item=item, by=judge, links=links, version=0, basis=[1, 1])
    assert not Decision.objects.exists()


def test_a_stale_decision_and_changed_answers_are_a_conflict(item, judge, annotators):
    links = [[0, 0, "sure"]]
    adjudicate_links(item=item, by=judge, links=links, version=0, basis=[1, 1])
    assert adjudicate_links(item=item, by=judge, links=links, version=0, basis=[1, 1]).version == 1
    assert Decision.objects.count() == 1  # the same, sent again
    more = [*links, [1, 1, "sure"]]
    with pytest.raises(Conflict):
        adjudicate_links(item=item, by=judge, links=more, version=0, basis=[1, 1])
    Decision.objects.all().delete()
    link(item.assignments.get(annotator=annotators[0]), SECOND)
    with pytest.raises(Conflict) as refused:
        adjudicate_links(item=item, by=judge, links=links, version=0, basis=[1, 1])
    assert (refused.value.current["version"], refused.value.current["basis"]) == (0, [2, 1])


def test_only_an_adjudicator_who_did_not_link_the_pair_and_when_all_are_in(project, item, annotators, judge):
    Membership.objects.create(project=project, user=annotators[0], role=Role.ADJUDICATOR)
    with pytest.raises(PermissionDenied):
        adjudicate_links(item=item, by=annotators[0], links=[[0, 0, "sure"]], version=0, basis=[1, 1])
    waiting = item.batch.items.get(number=2)
    with pytest.raises(PermissionDenied):
        adjudicate_links(item=waiting, by=judge, links=[], version=0, basis=[])


def test_a_decided_pair_is_linked_no_more(item, judge, annotators):
    adjudicate_links(item=item, by=judge, links=[[0, 0, "sure"]], version=0, basis=[1, 1])
    with pytest.raises(PublicError, match="adjudicator has decided"):
        link(item.assignments.get(annotator=annotators[0]), SECOND)


def test_the_adjudicated_rule_takes_decisions_agreement_and_leaves_out_the_rest(
    project, item, annotators, judge
):
    batch = item.batch
    for number in (2, 3):
        for user in annotators:
            mine = assignments_of(batch, user)[number - 1]
            link(mine, FIRST if number == 2 or user == annotators[0] else SECOND)
    with_none = freeze_gold_alignments(project=project, by=None, name="g", batch=batch, rule="adjudicated")
    assert (with_none.counts["pairs"], with_none.counts["undecided"]) == (1, 2)
    # What the rule leaves out is where people differ: the agreement is that of all pairs.
    assert with_none.agreement["pairs"] == 3
    assert with_none.agreement["value"] < 1
    adjudicate_links(item=item, by=judge, links=[[0, 0, "sure"], [2, 2, "sure"]], version=0, basis=[1, 1])
    gold = freeze_gold_alignments(project=project, by=None, name="g", batch=batch, rule="adjudicated")
    assert (gold.counts["pairs"], gold.counts["undecided"], gold.counts["not_linked_by_all"]) == (2, 1, 0)
    first, second = gold.alignments.all()
    assert first.links == [[0, 0, "sure"], [2, 2, "sure"]]
    assert (first.adjudication["adjudicator"], first.adjudication["version"]) == ("annotator-3", 1)
    assert second.links == [[0, 0, "sure"], [1, 1, "sure"]]
    assert second.adjudication is None
