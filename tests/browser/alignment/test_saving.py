"""Links on their way: drafts, stale versions, lost networks, other people on the same browser."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotation.models import Answer, AssignmentState
from annotation.services.batches import close_batch
from projects.models import Role
from tests.browser.annotation.answering_page import sign_in
from tests.factories.alignment import link
from tests.factories.annotation import assignments_of
from tests.factories.corpus import PASSWORD, member

from .linking_page import paraphrases, stored, stored_links

DRAWN = [(0, 6, "sure", "drawn")]
ELSEWHERE = [[1, 4, "sure", "drawn"]]


def test_a_draft_is_saved_by_itself(page, batch, ada):
    page.open(batch)
    with page.page.expect_response("**/alignment/") as reply:
        page.link(0, 6)
    assert reply.value.request.post_data_json["submitted"] is False
    page.expect_synced()
    assignment = stored(batch, ada)
    assert (assignment.state, stored_links(assignment)) == (AssignmentState.OPEN, DRAWN)
    assert assignment.answers.count() == 1


def test_flag_and_comment_are_saved_with_the_links(page, batch, ada):
    page.open(batch)
    page.link(0, 6)
    page.press("x", "c")
    page.page.keyboard.type("a remark, s n p")
    page.close_dialog()
    page.expect_said("Comment saved.")
    page.expect_synced()
    assignment = stored(batch, ada)
    assert (assignment.flagged, assignment.comment) == (True, "a remark, s n p")
    assert stored_links(assignment) == DRAWN


@pytest.mark.parametrize(
    ("choice", "links"),
    [("Keep mine as the newest", DRAWN), ("Take the stored one", [(1, 4, "sure", "drawn")])],
)
def test_links_changed_elsewhere_are_shown_and_not_overwritten(page, batch, ada, choice, links):
    page.open(batch)
    link(stored(batch, ada), ELSEWHERE, submitted=False)
    page.link(0, 6)
    expect(page.notice).to_contain_text("Pair 1 was changed in another place.")
    expect(page.notice).to_contain_text(
        "Only in yours" + "Police – officers" + "Only in the stored one" + "shot – killed"
    )
    page.expect_unsynced(1)
    assert stored_links(stored(batch, ada)) == [(1, 4, "sure", "drawn")]
    page.button(choice).focus()
    with page.saves() as sent:
        page.press("Enter")
        page.expect_link(*links[0][:3])
        if choice.startswith("Keep"):
            page.expect_sent(sent)
    expect(page.notice).to_have_count(0)
    expect(page.paths).to_have_count(1)
    page.expect_synced()
    assert stored_links(stored(batch, ada)) == links
    if choice.startswith("Take"):
        page.press("u")
        page.expect_link(0, 6, "sure")


def test_links_drawn_without_a_network_survive_a_reload(page, three, ada):
    first, second, _ = assignments_of(three, ada)
    page.open(three)
    page.lose_server()
    page.link(0, 1)
    page.expect_unsynced(1)  # the draft
    page.submit()
    page.press("Control+Enter")
    page.expect_pair(second)
    page.link(1, 2)
    page.expect_unsynced(3)
    assert Answer.objects.filter(assignment__item__batch=three).count() == 0
    page.reload()
    page.expect_unsynced(3)
    page.expect_pair(second)
    page.expect_link(1, 2, "sure")
    expect(page.part("counter")).to_have_text("1 of 3")
    page.find_server()
    page.send_now()
    page.expect_synced()
    assert [one.state for one in assignments_of(three, ada)] == ["done", "open", "open"]
    assert stored_links(first) == [(0, 1, "sure", "drawn")]
    assert stored_links(second) == [(1, 2, "sure", "drawn")]
    assert Answer.objects.filter(assignment__item__batch=three).count() == 3


def test_the_network_comes_back(page, batch, ada):
    page.open(batch)
    page.context.set_offline(True)
    page.link(0, 6)
    expect(page.part("unsynced")).to_have_text("1 unsynced, no network")
    page.context.set_offline(False)
    page.expect_synced()
    assert stored_links(stored(batch, ada)) == DRAWN
    assert stored(batch, ada).answers.count() == 1


def test_another_user_never_sends_what_the_first_one_left(page, project, batch, ada):
    ben = member(project, Role.ANNOTATOR, "ben")
    theirs = paraphrases(project, [ben], [("One dam broke", "A dam burst")])
    page.open(batch)
    page.lose_server()
    page.link(0, 6)
    page.expect_unsynced(1)
    page = page.hand_over(ben)
    with page.saves() as sent:
        page.open(theirs)
        expect(page.paths).to_have_count(0)
        expect(page.part("unsynced")).to_be_hidden()
        page.press("x")
        page.expect_synced()
    assert len(sent) == 1
    assert stored(batch, ada).answers.count() == 0
    sign_in(page.context, ada)
    page.open(batch)
    page.expect_link(0, 6, "sure")
    page.expect_synced()
    assert stored_links(stored(batch, ada)) == DRAWN


def test_a_session_that_ended_loses_nothing(page, batch, ada):
    page.open(batch)
    Session.objects.all().delete()
    page.link(0, 6)
    page.press("x")
    page.log_in_again(PASSWORD)
    page.expect_link(0, 6, "sure")
    page.expect_synced()
    assert stored_links(stored(batch, ada)) == DRAWN


def test_a_closed_batch_is_told_and_keeps_the_links(page, batch, ada):
    page.open(batch)
    close_batch(batch=batch)
    page.link(0, 6)
    expect(page.notice).to_contain_text(f"The batch {batch.name} is closed")
    page.reload()
    expect(page.part("notices")).to_contain_text("This batch is closed.")
    page.expect_link(0, 6, "sure")
    page.expect_unsynced(1)
    assert stored(batch, ada).answers.count() == 0


def test_nothing_of_another_annotator_is_shown(page, project, ada):
    ben = member(project, Role.ANNOTATOR, "benvolio")
    batch = paraphrases(project, [ada, ben], [("One dam broke", "A dam burst")])
    theirs = stored(batch, ben)
    mine = stored(batch, ada)
    addresses = [
        page.address(batch),
        *(f"/api/v1/batches/{batch.pk}/{what}/" for what in ("queue", "history")),
        f"/api/v1/assignments/{mine.pk}/",
    ]
    before = [page.context.request.get(address).text() for address in addresses]
    link(theirs, [[1, 1, "sure", "drawn"]], comment="clear", flagged=True)
    assert [page.context.request.get(address).text() for address in addresses] == before
    page.open(batch)
    expect(page.paths).to_have_count(0)
    assert "benvolio" not in page.page.content()
    assert page.context.request.get(f"/api/v1/assignments/{theirs.pk}/").status == 404
