"""A training is failed and passed by keyboard; then come the pairs of a batch, control items among them."""

import pytest
from playwright.sync_api import expect

from annotation.models import Item, TrainingTry
from annotation.services.drawing import draw_judging_batch
from annotation.services.training import draw_training, known_answers
from projects.guidelines import guidelines_of
from projects.services.projects import change_project
from tests.factories.annotation import assignments_of, gold_set
from tests.factories.corpus import dataset_of, member

from .judging_page import JudgingPage


@pytest.fixture
def batches(project, ada):
    """A training of four pairs, and a batch of five, one a control item, that requires it."""
    project.guidelines = guidelines_of(project.scheme, "en")
    project.save()
    gold = gold_set(project, [member(project, "annotator", name) for name in ("xav", "yun")], size=8)
    training = draw_training(
        project=project, by=None, name="Training 1", size=4, annotators=[ada.username], seed=1,
        measure="accuracy", threshold=0.75, gold_set=gold,
    )  # fmt: skip
    real = draw_judging_batch(
        project=project, by=None, name="Real", dataset=dataset_of(project, 4), size=5, seed=1, overlap=1,
        annotators=[ada.username], control=20, known=known_answers(project=project, gold_set=gold),
        requires=training,
    )  # fmt: skip
    return training, real


def answer_training(page, training, ada, wrong):
    """Answers every pair, `wrong` of them wrong, and reads each feedback."""
    expect(page.part("counter")).to_have_text("0 of 4")
    known = dict(Item.everything.filter(batch=training).values_list("pk", "known_label"))
    mine = sorted(assignments_of(training, ada), key=lambda assignment: assignment.position)
    feedback = page.page.locator("#feedback")
    for number, assignment in enumerate(mine):
        page.expect_pair(assignment)
        right = known[assignment.item_id] == "paraphrase"
        page.answer("j" if right == (number >= wrong) else "f")
        verdict = "Right" if number >= wrong else "Not right"
        expect(feedback.get_by_role("heading", name=verdict, exact=True)).to_be_visible()
        label = "Paraphrase" if right else "Not a paraphrase"
        expect(page.part("right-answer")).to_have_text(label)
        expect(feedback.locator("[data-rule]:visible")).to_contain_text(f"{label}:")
        expect(feedback).to_contain_text(assignment.item.pair.sentence_a.text)
        page.press("Enter")


def test_a_training_is_failed_passed_and_followed_by_the_batch_that_requires_it(
    project, ada, batches, new_context
):
    training, real = batches
    page = JudgingPage.of(ada, new_context)
    page.page.goto(f"/projects/{project.slug}/judge/{real.pk}/answer/")
    expect(page.page.get_by_role("heading", level=1)).to_have_text("Pass the training first")
    page.page.get_by_role("button", name="Go to the training").focus()
    page.press("Enter")
    answer_training(page, training, ada, wrong=2)
    expect(page.page.get_by_role("heading", level=1)).to_have_text("Not passed yet")
    expect(page.page.get_by_role("table").nth(1).locator("tbody tr")).to_have_count(2)
    page.page.get_by_role("button", name="Try again").focus()
    page.press("Enter")
    answer_training(page, training, ada, wrong=1)
    expect(page.page.get_by_role("heading", level=1)).to_have_text("Training passed")
    assert list(TrainingTry.objects.values_list("right", "passed")) == [(2, False), (3, True)]
    page.page.get_by_role("link", name="Go on with Real").focus()
    page.press("Enter")
    page.answer("j", "j", "j", "j", "j")
    page.expect_finished("All 5 pairs are judged")
    page.expect_synced()
    manager = JudgingPage.of(member(project, "manager", "mia"), new_context).page
    manager.goto(f"/projects/{project.slug}/agreement/competence/?batch={real.pk}")
    expect(manager.get_by_role("table").first.locator("tbody tr").first).to_contain_text("All")


def test_new_guidelines_are_confirmed_before_the_work_goes_on(project, ada, batches, new_context):
    training, _ = batches
    change_project(project=project, by=project.created_by, guidelines="**Paraphrase**: it says the same.")
    page = JudgingPage.of(ada, new_context)
    page.page.goto(f"/projects/{project.slug}/judge/{training.pk}/answer/")
    expect(page.page.get_by_role("main")).to_contain_text("it says the same")
    page.page.get_by_role("button", name="I have read them").focus()
    page.press("Enter")
    page.ready()
    expect(page.part("counter")).to_have_text("0 of 4")
