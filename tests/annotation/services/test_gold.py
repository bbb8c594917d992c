import pytest
from django.contrib.auth.models import User

from annotation.schemes import Label
from annotation.services.gold import freeze_gold_set
from annotation.services.review import review_items
from projects.errors import PublicError
from tests.factories.annotation import adjudicate, assignments_of, judge, judging_batch
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db
YES, NO, PARTIAL, UNRELATED = (
    Label.PARAPHRASE.value,
    Label.NOT_PARAPHRASE.value,
    Label.PARTIAL.value,
    Label.UNRELATED.value,
)


def judged(project, *columns):
    """A batch with one annotator a column; None leaves an item open."""
    people = [member(project, "annotator", f"person{n}") for n in range(len(columns))]
    batch = judging_batch(project, people, size=len(columns[0]))
    for user, labels in zip(people, columns, strict=True):
        for assignment, label in zip(assignments_of(batch, user), labels, strict=True):
            if label is not None:
                judge(assignment, label)
    return batch


def labels_of(gold_set):
    return [gold.label for gold in gold_set.judgements.all()]


def freeze(batch, rule):
    return freeze_gold_set(project=batch.project, by=None, name="gold", batches=[batch], rule=rule)


def test_disagreement_counts_as_not_a_paraphrase():
    batch = judged(ProjectFactory(), [YES, YES, NO, NO], [YES, NO, YES, NO])
    gold_set = freeze(batch, "disagreement_negative")
    assert labels_of(gold_set) == [YES, NO, NO, NO]
    assert gold_set.counts == {
        "items": 4,
        "judgements_missing": 0,
        "waiting_for_adjudicator": 0,
        "disputed": 2,
        "pairs": 4,
        "paraphrase": 1,
        "not_paraphrase": 3,
    }
    assert gold_set.agreement["observed"]["value"] == 0.5
    assert gold_set.agreement["cohen_kappa"]["value"] == 0


def test_three_way_disputes_are_never_paraphrases():
    project = ProjectFactory(scheme="three_way")
    batch = judged(
        project, [YES, YES, PARTIAL, UNRELATED, YES], [YES, PARTIAL, UNRELATED, UNRELATED, UNRELATED]
    )
    assert labels_of(freeze(batch, "disagreement_negative")) == [
        YES,
        PARTIAL,
        UNRELATED,
        UNRELATED,
        UNRELATED,
    ]


def test_majority_of_three_and_a_tie_of_two():
    batch = judged(ProjectFactory(), [YES, YES, NO], [YES, NO, NO], [NO, YES, NO])
    assert labels_of(freeze(batch, "majority")) == [YES, YES, NO]
    tie = judged(ProjectFactory(), [YES], [NO])
    assert labels_of(freeze(tie, "majority")) == [NO]


def test_disputed_pairs_wait_for_the_adjudicator():
    project = ProjectFactory()
    batch = judged(project, [YES, YES], [YES, NO])
    first = freeze(batch, "adjudicated")
    assert (labels_of(first), first.counts["waiting_for_adjudicator"]) == ([YES], 1)
    judge_of_last_resort = member(project, "adjudicator", "judy")
    adjudicate(item=batch.items.get(number=2), by=judge_of_last_resort, label=YES, comment="the same")
    second = freeze(batch, "adjudicated")
    assert (labels_of(second), second.version) == ([YES, YES], 2)
    decision = second.judgements.last().adjudication
    assert (decision["label"], decision["comment"]) == (YES, "the same")


def test_incomplete_pairs_are_left_out_and_an_empty_gold_set_is_refused():
    batch = judged(ProjectFactory(), [YES, YES], [YES, None])
    gold_set = freeze(batch, "disagreement_negative")
    assert (labels_of(gold_set), gold_set.counts["judgements_missing"]) == ([YES], 1)
    open_batch = judged(ProjectFactory(), [YES], [None])
    with pytest.raises(PublicError, match="1 lack judgements"):
        freeze(open_batch, "disagreement_negative")


def test_a_gold_set_does_not_change_with_later_answers():
    batch = judged(ProjectFactory(), [YES], [YES])
    gold_set = freeze(batch, "disagreement_negative")
    user = User.objects.get(username="person0")
    judge(assignments_of(batch, user)[0], NO, comment="on second thoughts")
    gold = gold_set.judgements.get()
    assert gold.label == YES
    assert [(vote["annotator"], vote["label"]) for vote in gold.votes] == [
        ("annotator-1", YES),
        ("annotator-2", YES),
    ]
    assert review_items([batch])[0].disputed
