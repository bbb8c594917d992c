import pytest
from playwright.sync_api import Error, expect

from annotation.models import Answer
from annotation.schemes import Label
from projects.models import Role
from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import ProjectFactory, member

from .answering_page import KEPT
from .judging_page import JudgingPage, labels_of

PAIRS = 30
NEXT_PAIRS = "**/queue/?*"
LABELS = [Label.NOT_PARAPHRASE if number % 3 else Label.PARAPHRASE for number in range(PAIRS)]


def test_thirty_judgements_are_stored_once_and_in_order(new_context):
    project = ProjectFactory()
    ada = member(project, Role.ANNOTATOR, "ada")
    batch = judging_batch(project, [ada], size=PAIRS)
    mine = assignments_of(batch, ada)
    keys = ["f" if label == Label.NOT_PARAPHRASE else "j" for label in LABELS]
    page = JudgingPage.of(ada, new_context).open(batch)
    # All that are left come, so that none is missing without the network.
    with page.page.expect_response(NEXT_PAIRS):
        page.answer(*keys[:8])
    page.expect_synced()

    page.context.set_offline(True)
    page.answer(*keys[8:18])
    page.expect_unsynced(10)
    page.expect_pair(mine[18])
    expect(page.part("network")).to_contain_text("your answers are kept in this browser")
    assert Answer.objects.count() == 8
    page.page.evaluate(KEPT)
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        page.page.reload()
    page.page.close()  # the browser's own page of the error would load the address again by itself
    page = JudgingPage(page.context.new_page())

    page.context.set_offline(False)
    with page.page.expect_response(NEXT_PAIRS):
        page.open(batch)
    page.expect_synced()
    page.expect_count(18, PAIRS)
    page.expect_pair(mine[18])
    page.answer(*keys[18:24])
    page.expect_synced()
    page.context.set_offline(True)
    page.answer(*keys[24:])
    page.expect_unsynced(6)
    expect(page.part("network")).to_contain_text("your answers are kept in this browser")
    page.context.set_offline(False)
    page.expect_synced()
    expect(page.part("network")).to_have_text("All answers are stored.")
    page.expect_finished("All 30 pairs are judged")
    assert labels_of(batch, ada) == LABELS
    answers = Answer.objects.order_by("pk").values_list("assignment", flat=True)
    assert list(answers) == [assignment.pk for assignment in mine]
