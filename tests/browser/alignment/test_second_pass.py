"""The second pass: one's own links again, with the words in dispute marked."""

from playwright.sync_api import expect

from annotation.models import SecondLook
from annotation.services.second_pass import start_second_pass
from projects.models import Role
from tests.factories.alignment import link
from tests.factories.annotation import assignments_of
from tests.factories.corpus import ProjectFactory, member

from .linking_page import LinkingPage, paraphrases


def test_what_is_in_dispute_is_marked_and_submitted_again(new_context):
    project = ProjectFactory()
    ann, ben = (member(project, Role.ANNOTATOR, name) for name in ("ann", "ben"))
    texts = [("Dams broke here", "The dam has burst"), ("Two dams broke", "Two dams have burst")]
    batch = paraphrases(project, [ann, ben], texts)
    for mine, theirs in zip(assignments_of(batch, ann), assignments_of(batch, ben), strict=True):
        link(mine, [[0, 0, "sure", "drawn"], [1, 2, "sure", "drawn"]])
        link(theirs, [[0, 0, "sure", "drawn"], [2, 3, "possible", "drawn"]])
    start_second_pass(batch=batch, by=project.created_by)
    page = LinkingPage.of(ann, new_context)
    page.page.goto(f"/projects/{project.slug}/link/{batch.pk}/answer/")
    expect(page.paths).to_have_count(2)
    expect(page.page.locator("path[data-disputed]")).to_have_count(1)
    expect(page.path(1, 2)).to_have_attribute("data-disputed", "")
    expect(page.page.locator(".word.questioned")).to_have_count(4)
    expect(page.word("b", 3)).to_have_attribute("aria-label", "burst, open, in dispute")
    first, second = page.page.locator(".disputes tbody tr").all()
    expect(first.locator(".given")).to_contain_text("sure")
    expect(second.locator(".given")).to_contain_text("none")
    page.press("p")
    expect(page.path(1, 2)).to_have_attribute("data-strength", "possible")
    expect(second).to_have_attribute("aria-current", "true")
    page.press("d")  # as before: none
    expect(second.get_by_role("radio", name="Drop")).to_have_attribute("aria-checked", "true")
    assert page.shortcuts()["collisions"] == []
    assert page.nameless() == []
    page.wait_out_the_guard()
    page.press("Control+Enter", "Control+Enter")
    expect(page.part("counter")).to_have_text("1 of 2")
    page.expect_synced()
    expect(page.part("counter")).to_have_text("1 of 2")
    page.reload()
    expect(page.part("counter")).to_have_text("1 of 2")
    page.wait_out_the_guard()
    expect(page.page.get_by_role("button", name="Keep first answer")).to_be_visible()
    page.press("k")
    expect(page.part("counter")).to_have_text("2 of 2")
    page.expect_synced()
    assert [look.done for look in SecondLook.objects.filter(assignment__annotator=ann)] == [True, True]
