"""The second pass on the pages: started and ended by managers, judged on the judging page."""

from django.urls import reverse

from annotation.models import SecondPass
from annotation.schemes import Label
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch


def test_from_start_to_end(project, annotators, as_):
    batch = judging_batch(project, annotators, size=2)
    detail = reverse("batch", args=[project.slug, batch.pk])
    address = reverse("second-pass", args=[project.slug, batch.pk])
    manager = as_("manager")
    judge_all(batch, annotators[0], (Label.PARAPHRASE,))
    page = manager.get(detail)
    assert page.context["unanswered"] == [("second-person", 2)]
    assert "2 answers are missing" in page.content.decode()
    assert "Start without the 2 missing answers" in page.content.decode()
    judge_all(batch, annotators[1], (Label.PARAPHRASE, Label.NOT_PARAPHRASE))
    assert "Start the second pass" in manager.get(detail).content.decode()
    manager.post(address, {"second_pass": "start"})
    assert "0 of 2 disputed answers" in manager.get(detail).content.decode()
    stage = as_("annotator").get(reverse("judge", args=[project.slug])).content.decode()
    assert "Judge 1 pair" in stage
    page = as_("annotator").get(reverse("judge-batch", args=[project.slug, batch.pk]))
    [item] = page.context["bootstrap"]["queue"]["items"]
    assert (item["first"], item["label"]) == ("paraphrase", None)
    judge(assignments_of(batch, annotators[0])[1], Label.NOT_PARAPHRASE)
    everything = reverse("review-batch", args=[project.slug, batch.pk]) + "?show=all"
    review = manager.get(everything).content.decode()
    assert "History: 3 answers" in review
    assert ", second pass" in review
    assert "History" not in as_("adjudicator").get(everything).content.decode()
    manager.post(address, {"second_pass": "end"})
    assert SecondPass.objects.get(batch=batch).ended_at is not None
    after = manager.get(detail).content.decode()
    assert "It has ended; both passes are kept." in after
    assert "100.00 %" in after
    again = manager.post(address, {"second_pass": "end"}, follow=True).content.decode()
    assert "No second pass of this batch is running." in again
    assert manager.post(address, {"second_pass": "pause"}).status_code == 404
