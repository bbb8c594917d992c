"""The second step of a judgement, where a batch asks for it."""

import pytest
from playwright.sync_api import expect

from annotation.services.batches import ask_phenomena
from projects.models import Role
from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import ProjectFactory, member

from .judging_page import JudgingPage


@pytest.fixture
def ada():
    return member(ProjectFactory(), Role.ANNOTATOR, "ada")


@pytest.fixture
def batch(ada):
    batch = judging_batch(ada.memberships.get().project, [ada], size=3)
    ask_phenomena(batch=batch, scope="paraphrases")
    return batch


@pytest.fixture
def page(ada, batch, new_context):
    return JudgingPage.of(ada, new_context).open(batch)


def counts(assignment):
    return {name: count for name, count in assignment.phenomena.values_list("phenomenon", "count") if count}


def test_phenomena_are_counted_with_the_keyboard_alone(page, batch, ada):
    first, second, _ = assignments_of(batch, ada)
    page.answer("j")
    expect(page.page.get_by_label("Elaboration")).to_be_focused()
    page.press("2", "ArrowRight", "1", "3", "ArrowLeft", "ArrowRight", "ArrowRight", "1", "Enter")
    page.expect_pair(second)
    page.expect_synced()
    first.refresh_from_db()
    assert first.judgement.label == "paraphrase"
    assert counts(first) == {"elaboration": 2, "phrasal": 3, "spelling": 1}


def test_an_answer_given_again_has_its_counts(page, batch, ada):
    first = assignments_of(batch, ada)[0]
    page.answer("j")
    page.press("4", "Enter")
    page.expect_count(1, 3)
    page.expect_synced()
    page.press("u")
    page.expect_pair(first)
    page.expect_synced()
    assert counts(first) == {}
    page.press("Control+y")
    page.expect_synced()
    assert counts(first) == {"elaboration": 4}
