import pytest

from annotation.api.items import history_payload, queue_payload
from annotation.models import Answer, Judgement, SecondLook
from annotation.permissions import adjudicable_items
from annotation.services.progress import own_progress
from annotation.services.review import answer_history
from annotation.services.second_pass import end_second_pass, second_pass_summary, start_second_pass
from projects.errors import Conflict, PublicError
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import UserFactory, member

pytestmark = pytest.mark.django_db
YES, NO = "paraphrase", "not_paraphrase"


@pytest.fixture
def batch(project, annotators):
    """Four pairs; the annotators differ on the second and the fourth."""
    batch = judging_batch(project, annotators, size=4)
    judge_all(batch, annotators[0], [YES])
    judge_all(batch, annotators[1], [YES, NO])
    return batch


def start(batch, **options):
    return start_second_pass(batch=batch, by=UserFactory(), **options)


def test_only_own_disputed_items_come_again(batch, annotators):
    start(batch)
    queue = queue_payload(batch, annotators[1], limit=10)
    assert [(item["first"], item["label"], item["state"]) for item in queue["items"]] == [
        (NO, None, "open")
    ] * 2
    assert (queue["done"], queue["total"]) == (0, 2)
    disputed = assignments_of(batch, annotators[1])[1::2]
    assert [item["assignment"] for item in queue["items"]] == [one.pk for one in disputed]
    judge(disputed[0], YES)
    assert (own_progress(batch, annotators[1]).done, own_progress(batch, annotators[0]).done) == (1, 0)
    [decided] = history_payload(batch, annotators[1], limit=10)["items"]
    assert (decided["label"], decided["first"], decided["state"]) == (YES, NO, "done")


def test_blind_to_the_others_second_answer(batch, annotators):
    start(batch)
    before = queue_payload(batch, annotators[0], limit=10)
    for assignment in assignments_of(batch, annotators[1])[1::2]:
        judge(assignment, YES)
    assert queue_payload(batch, annotators[0], limit=10) == before


def test_both_answers_and_both_agreements_are_kept(batch, annotators):
    start(batch)
    first, second = assignments_of(batch, annotators[1])[1::2]
    judge(first, YES)
    judge(second, None, skipped=True)
    looks = SecondLook.objects.filter(assignment__annotator=annotators[1]).order_by(
        "assignment__item__number"
    )
    assert list(looks.values_list("first_label", "label")) == [(NO, YES), (NO, NO)]
    labels = Judgement.objects.filter(assignment__in=[first, second]).order_by("assignment__item__number")
    assert list(labels.values_list("label", flat=True)) == [YES, NO]
    ended = end_second_pass(batch=batch, by=annotators[0])
    assert (ended.before["observed"]["value"], ended.after["observed"]["value"]) == (0.5, 0.75)
    summary = second_pass_summary(batch)
    assert (summary["looks"], summary["decided"], summary["changed"]) == (4, 2, 1)
    given = answer_history(batch, [first.item_id])[first.item_id]
    assert [(answer.words, answer.second_pass) for answer in given] == [
        ("Paraphrase", False), ("Not a paraphrase", False), ("Paraphrase", True),
    ]  # fmt: skip
    assert Answer.objects.filter(assignment=first).count() == 2


def test_taking_back_restores_the_first_answer(batch, annotators):
    start(batch)
    assignment = assignments_of(batch, annotators[1])[1]
    judge(assignment, YES)
    judge(assignment, None)
    assert Judgement.objects.get(assignment=assignment).label == NO
    assert SecondLook.objects.get(assignment=assignment).label == ""
    assert queue_payload(batch, annotators[1], limit=10)["done"] == 0


def test_other_items_and_stale_pages_are_refused(batch, annotators):
    agreed, disputed = assignments_of(batch, annotators[1])[:2]
    stale = disputed.version
    start(batch)
    with pytest.raises(PublicError, match="only disputed pairs"):
        judge(agreed, NO)
    assert Judgement.objects.get(assignment=agreed).label == YES
    disputed.refresh_from_db()
    assert disputed.version == stale + 1
    end_second_pass(batch=batch, by=annotators[0])
    with pytest.raises(PublicError, match="second pass has ended"):
        judge(disputed, YES)
    assert Judgement.objects.get(assignment=disputed).label == NO


def test_a_page_from_the_first_pass_is_answered_with_what_is_stored(batch, annotators):
    import uuid

    from annotation.api.assignments import present
    from annotation.services.answers import save_judgement

    disputed = assignments_of(batch, annotators[1])[1]
    seen = disputed.version
    start(batch)
    with pytest.raises(Conflict) as refused:
        save_judgement(
            assignment=disputed, by=annotators[1], key=uuid.uuid4(), version=seen, label=YES, describe=present
        )
    assert refused.value.current["first"] == NO


def test_adjudicators_wait_for_the_second_looks(project, batch, annotators):
    adjudicator = member(project, "adjudicator", "adj")
    item = batch.items.get(number=2)
    assert item in adjudicable_items(adjudicator, item.batch.project)
    start(batch)
    assert item not in adjudicable_items(adjudicator, item.batch.project)
    assert adjudicable_items(adjudicator, project).count() == 2
    for person in annotators:
        judge(assignments_of(batch, person)[1], YES)
    assert item in adjudicable_items(adjudicator, item.batch.project)
    end_second_pass(batch=batch, by=annotators[0])
    assert adjudicable_items(adjudicator, project).count() == 4
