from __future__ import annotations

from playwright.sync_api import expect

from annotation.schemes import Label
from projects.models import Role
from tests.factories.annotation import assignments_of, judge, judging_batch
from tests.factories.corpus import ProjectFactory, member

from .judging_page import JudgingPage


def test_the_page_is_the_same_whatever_another_annotator_answers(new_context):
    project = ProjectFactory()
    ada, ben = (member(project, Role.ANNOTATOR, name) for name in ("ada", "benvolio"))
    batch = judging_batch(project, [ada, ben], size=4)
    mine = assignments_of(batch, ada)
    judge(mine[0])
    page = JudgingPage.of(ada, new_context)
    for number, assignment in enumerate(assignments_of(batch, ben)):
        label = Label.NOT_PARAPHRASE if number % 2 else Label.PARAPHRASE
        judge(assignment, label, flagged=True, comment="the numbers differ")
    received: list[str] = []
    page.page.on("response", lambda response: received.append(response.url))
    page.open(batch)
    page.press("i", "v")
    expect(page.page.locator('[data-part="from"]').first).to_contain_text("cluster")
    page.press("u")
    page.expect_pair(mine[0])
    seen = page.page.content()
    assert "the numbers differ" not in seen
    assert "benvolio" not in seen
    theirs = {f"/assignments/{one.pk}/" for one in assignments_of(batch, ben)}
    assert not [url for url in received if any(address in url for address in theirs)]
    for one in assignments_of(batch, ben):
        assert page.context.request.get(f"/api/v1/assignments/{one.pk}/").status == 404
