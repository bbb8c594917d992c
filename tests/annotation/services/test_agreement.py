from annotation.models import Item
from annotation.services.agreement import agreement_report
from annotation.services.second_pass import start_second_pass
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch

YES, NO = "paraphrase", "not_paraphrase"


def report(batch):
    return agreement_report(project=batch.project, batches=[batch], items=Item.objects.filter(batch=batch))


def test_before_the_second_pass_the_latest_answer_counts(project, annotators):
    """A slip that was mended at once is no disagreement; what the second pass changed is."""
    batch = judging_batch(project, annotators, size=2)
    for person in annotators:
        judge_all(batch, person, [YES])
    slipped, differing = assignments_of(batch, annotators[0])
    judge(slipped, NO)
    judge(slipped, YES)
    judge(differing, NO)
    assert report(batch)["passes"]["changed"] == 1
    start_second_pass(batch=batch, by=annotators[0])
    assert report(batch)["passes"] is None
    judge(differing, YES)
    passes = report(batch)["passes"]
    assert (passes["changed"], passes["labels"]) == (1, 4)
    assert (passes["first"]["observed"]["value"], passes["last"]["observed"]["value"]) == (0.5, 1.0)
