import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotation.models import Answer
from annotation.schemes import Label
from annotation.services.batches import close_batch, reopen_batch
from projects.models import Role
from tests.factories.annotation import assignments_of, judge, judging_batch
from tests.factories.corpus import PASSWORD, member

from .answering_page import API, sign_in
from .judging_page import answers_to, labels_of

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


@pytest.fixture
def batch(project, ada):
    return judging_batch(project, [ada], size=5)


def test_unsent_answers_survive_a_reload(page, batch, ada):
    page.answer("j")
    page.expect_synced()
    page.lose_server()
    page.answer("f", "j", "f")
    page.press("u")
    page.expect_unsynced(4)
    assert answers_to(batch, ada) == 1
    page.reload()
    page.expect_unsynced(4)
    page.expect_count(3, 5)
    page.expect_pair(assignments_of(batch, ada)[3])
    page.find_server()
    page.send_now()
    page.expect_synced()
    assert labels_of(batch, ada) == [YES, NO, YES, None, None]
    assert answers_to(batch, ada) == 5
    page.press("u")
    page.expect_pair(assignments_of(batch, ada)[2])


def test_an_answer_whose_reply_was_lost_is_stored_once(page, batch, ada):
    lost = []

    def swallow(route):
        if not lost and route.request.method == "PUT":
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.page.route(API, swallow)
    page.answer("j", "f")
    page.expect_synced()
    assert lost == [200]
    assert labels_of(batch, ada) == [YES, NO, None, None, None]
    assert answers_to(batch, ada) == 2


def test_a_server_that_is_busy_is_asked_again(page, batch, ada):
    refused = []

    def busy(route):
        if len(refused) < 2 and route.request.method == "PUT":
            refused.append(route.request.headers["idempotency-key"])
            route.fulfill(status=503, headers={"Retry-After": "0"})
        else:
            route.continue_()

    page.page.route(API, busy)
    page.answer("j")
    page.expect_synced()
    assert len(refused) == 2
    assert str(Answer.objects.get().key) == refused[0] == refused[1]


@pytest.mark.parametrize(
    ("choice", "label", "answers"), [("Take the stored one", NO, 1), ("Keep mine as the newest", YES, 2)]
)
def test_a_stale_answer_is_shown_and_overwrites_nothing(page, batch, ada, choice, label, answers):
    first, second, *_ = assignments_of(batch, ada)
    page.ready()
    judge(first, NO, comment="from my other machine")
    page.answer("j")
    expect(page.notice).to_contain_text("Pair 1 was changed in another place.")
    expect(page.notice.locator("dd")).to_have_text(["paraphrase", "not a paraphrase"])
    page.expect_unsynced(1)
    assert labels_of(batch, ada)[0] == NO
    page.expect_pair(second)
    page.answer("f")
    page.expect_unsynced(1)
    page.reload()
    expect(page.notice).to_have_count(1)
    page.button(choice).focus()
    page.press("Enter")
    page.expect_synced()
    expect(page.notice).to_have_count(0)
    assert labels_of(batch, ada)[:2] == [label, NO]
    assert first.answers.count() == answers


def test_another_user_never_sends_what_the_first_one_left(page, project, batch, ada):
    ben = member(project, Role.ANNOTATOR, "ben")
    theirs = judging_batch(project, [ben], size=2)
    page.lose_server()
    page.answer("j", "f")
    page.expect_unsynced(2)
    page = page.hand_over(ben)
    with page.saves() as sent:
        page.open(theirs)
        page.expect_count(0, 2)
        expect(page.part("unsynced")).to_be_hidden()
        page.answer("f")
        page.expect_synced()
    assert len(sent) == 1
    assert answers_to(batch, ada) == 0
    assert labels_of(theirs, ben) == [NO, None]
    sign_in(page.context, ada)
    page.open(batch)
    page.expect_synced()
    assert labels_of(batch, ada) == [YES, NO, None, None, None]
    assert (answers_to(batch, ada), answers_to(theirs, ben)) == (2, 1)


def test_a_tab_left_open_stores_nothing_under_the_next_user(page, project, batch, ada):
    ben = member(project, Role.ANNOTATOR, "ben")
    page.lose_server()
    page.answer("j", "j")
    sign_in(page.context, ben)
    page.find_server()
    page.part("unsynced").click()
    expect(page.notice).to_contain_text("2 answers were not taken.")
    page.expect_unsynced(2)
    assert Answer.objects.count() == 0
    sign_in(page.context, ada)
    page.reload()
    page.expect_synced()
    expect(page.notice).to_have_count(0)
    assert answers_to(batch, ada) == 2


def test_a_wrong_password_is_said_and_the_login_may_wait(page, batch, ada):
    page.ready()
    Session.objects.all().delete()
    page.press("j")
    dialog = page.login_dialog
    expect(dialog.get_by_label("Username")).to_have_value("ada")
    expect(dialog.get_by_label("Password")).to_be_focused()
    page.page.keyboard.type("wrong")
    page.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("not correct")
    page.close_dialog()
    expect(page.notice).to_contain_text("You are logged out.")
    page.answer("f")
    page.expect_unsynced(2)
    expect(dialog).to_be_hidden()
    page.part("notices").get_by_role("button", name="Log in").focus()
    page.press("Enter")
    page.log_in_again(PASSWORD)
    page.expect_synced()
    expect(page.notice).to_have_count(0)
    assert labels_of(batch, ada)[:2] == [YES, NO]


def test_a_closed_batch_is_told_and_keeps_the_answer(page, batch, ada):
    page.ready()
    close_batch(batch=batch)
    page.answer("j", "f")
    expect(page.notice).to_contain_text("2 answers were not taken.")
    expect(page.notice).to_contain_text(f"The batch {batch.name} is closed")
    page.expect_unsynced(2)
    assert answers_to(batch, ada) == 0
    reopen_batch(batch=batch)
    page.button("Try again").focus()
    page.press("Enter")
    page.expect_synced()
    assert labels_of(batch, ada)[:2] == [YES, NO]
