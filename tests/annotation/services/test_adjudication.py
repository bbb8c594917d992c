import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Decision, HandingOut
from annotation.permissions import adjudicable_items
from annotation.services.batches import close_batch, reopen_batch
from annotation.services.drawing import draw_judging_batch
from annotation.services.leasing import lease_items
from annotation.services.review import adjudicate_label, label_review
from annotation.services.second_pass import start_second_pass
from projects.errors import Conflict
from tests.factories.annotation import adjudicate, assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import MembershipFactory, dataset_of

YES, NO = "paraphrase", "not_paraphrase"


def decidable(user, project):
    return list(adjudicable_items(user, project).values_list("number", flat=True))


@pytest.fixture
def unfinished(project, three):
    """Two pairs for three; cas has not answered, the others differ on the second."""
    batch = judging_batch(project, three, size=2)
    judge_all(batch, three[0], [YES])
    judge_all(batch, three[1], [YES, NO])
    return batch


def test_a_batch_closed_early_is_decided_with_the_answers_there_are(project, three, adjudicator, unfinished):
    item = unfinished.items.get(number=2)
    with pytest.raises(PermissionDenied):
        adjudicate(item=item, by=adjudicator, label=NO)
    close_batch(batch=unfinished)
    assert decidable(adjudicator, project) == [1, 2]
    adjudicate(item=item, by=adjudicator, label=NO)
    reopen_batch(batch=unfinished)
    assert decidable(adjudicator, project) == []
    judge(assignments_of(unfinished, three[2])[1], YES)
    assert decidable(adjudicator, project) == [2]
    assert Decision.objects.get().label == NO


def test_whoever_takes_part_sees_nothing_early(project, three, adjudicator):
    """Opened again, the batch could hand them an item whose answers they have seen."""
    MembershipFactory(project=project, user=adjudicator, role="annotator")
    batch = draw_judging_batch(
        project=project, by=None, name="as they come", dataset=dataset_of(project, 2), size=2, overlap=2,
        annotators=["ann", "ben", "adj"], seed=1, handing_out=HandingOut.AS_THEY_COME,
    )  # fmt: skip
    lease_items(batch=batch, by=three[0], count=2)
    lease_items(batch=batch, by=three[1], count=1)
    judge_all(batch, three[0], [YES])
    close_batch(batch=batch)
    assert decidable(adjudicator, project) == []
    reopen_batch(batch=batch)
    judge_all(batch, three[1], [NO])
    assert decidable(adjudicator, project) == [1]


def test_nobody_decides_what_they_judged(project, three, unfinished):
    for user in three:
        MembershipFactory(project=project, user=user, role="adjudicator")
    close_batch(batch=unfinished)
    assert [decidable(user, project) for user in three] == [[], [], []]
    for user in three:
        with pytest.raises(PermissionDenied):
            adjudicate(item=unfinished.items.get(number=2), by=user, label=NO)


def test_a_second_pass_ends_for_the_adjudicator_with_the_batch(project, three, adjudicator, unfinished):
    start_second_pass(batch=unfinished, by=three[0], anyway=True)
    assert decidable(adjudicator, project) == []
    close_batch(batch=unfinished)
    assert decidable(adjudicator, project) == [1, 2]


def test_a_decision_on_answers_that_changed_since_they_were_shown_is_a_conflict(project, three, adjudicator):
    batch = judging_batch(project, three[:2], size=1)
    judge_all(batch, three[0], [YES])
    judge_all(batch, three[1], [NO])
    item = batch.items.get()
    shown = label_review(item)
    judge(assignments_of(batch, three[1])[0], YES)
    seen = {"version": shown.version, "basis": shown.basis}
    with pytest.raises(Conflict, match="changed meanwhile"):
        adjudicate_label(item=item, by=adjudicator, label=NO, **seen)
    assert not item.decisions.exists()
