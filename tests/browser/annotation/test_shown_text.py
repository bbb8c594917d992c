from playwright.sync_api import expect

from corpus.models import Extraction, Finding
from projects.models import Role
from tests.factories.annotation import assignments_of, judge, judging_batch
from tests.factories.corpus import (
    CandidatePairFactory,
    ClusterFactory,
    ProjectFactory,
    dataset_of,
    member,
)

from .hostile_texts import HOSTILE, MARKUP, names_of_unseen
from .judging_page import JudgingPage, labels_of

TEXT_AND_MARKS = """(shown) => [
    shown.textContent,
    [...shown.querySelectorAll(".invisible")].map((mark) => mark.dataset.name),
]"""


def test_texts_are_shown_as_they_are_stored(new_context):
    name = "</title><script>window.ran=1</script>\u202ename"
    project = ProjectFactory(name=name, guidelines="\n\n".join(MARKUP))
    ada = member(project, Role.ANNOTATOR, "ada")
    dataset = dataset_of(project, 0)
    for number in range(0, len(HOSTILE), 2):
        text, other = HOSTILE[number], HOSTILE[number - 1]
        pair = CandidatePairFactory(
            project=project,
            cluster=ClusterFactory(project=project, key=f"{number} {text}"),
            text_a=f"{number} {text}",
            text_b=f"{text} {other}",
        )
        article = pair.sentence_a.article
        article.source, article.title, article.url = text, other, "javascript:window.ran=1"
        article.save()
        Finding.objects.create(extraction=Extraction.objects.get(), pair=pair)
    size = dataset.pairs().count()
    batch = judging_batch(project, [ada], size=size, dataset=dataset, name=f"<b>batch</b> {MARKUP[1]}")
    assignments = assignments_of(batch, ada)
    for assignment in assignments:
        judge(assignment, None, comment=assignment.item.pair.sentence_b.text)

    page = JudgingPage.of(ada, new_context).open(batch)
    expect(page.page.get_by_text(batch.name)).to_be_visible()
    assert project.name in page.page.title()
    for assignment in assignments:
        pair = assignment.item.pair
        page.expect_count(assignment.position - 1, size)
        page.ready()
        a, b = (page.sentence(side).evaluate(TEXT_AND_MARKS) for side in "ab")
        assert a == [pair.sentence_a.text, names_of_unseen(pair.sentence_a.text)]
        assert b == [pair.sentence_b.text, names_of_unseen(pair.sentence_b.text)]
        if assignment.position % 3 == 0:
            article = pair.sentence_a.article
            page.press("d", "i")
            source = page.page.locator('[data-side="a"] [data-part="from"]')
            expect(source).to_have_text(
                " · ".join([article.source, article.published, f"cluster {pair.cluster.key}", article.title]),
                use_inner_text=False,
            )
            assert source.locator("a").count() == 0
            page.press("c")
            assert page.page.locator("#comment-text").input_value() == pair.sentence_b.text
            page.close_dialog()
        page.answer("j")
    page.expect_finished(f"All {size} pairs are judged")
    page.press("g")
    expect(page.page.get_by_role("dialog", name="Guidelines")).to_contain_text(MARKUP[0])
    page.expect_nothing_ran()
    assert page.page.locator("#guidelines a[href^=javascript], #guidelines img").count() == 0
    page.expect_synced()
    assert set(labels_of(batch, ada)) == {"paraphrase"}
