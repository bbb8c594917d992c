from playwright.sync_api import expect

from tests.browser.annotation.hostile_texts import HOSTILE, MARKUP, names_of_unseen
from tests.factories.alignment import link
from tests.factories.annotation import assignments_of

from .linking_page import paraphrases, stored

WORDS = """(page) => ["a", "b"].map((side) => {
    const words = [...page.querySelectorAll(`.word[data-side="${side}"]`)];
    const prose = page.querySelector(`.prose[data-side="${side}"]`);
    return {
        tokens: words.map((word) => word.textContent),
        labels: words.map((word) => word.ariaLabel.split(", open")[0]),
        prose: prose.textContent,
        unseen: [...prose.querySelectorAll(".invisible")].map((mark) => mark.dataset.name),
    };
})"""


def test_words_are_shown_as_they_are_stored(page, project, ada):
    project.name = f"</title>{MARKUP[0]}"
    project.save()
    texts = [
        (f"{number} {' '.join(HOSTILE[number : number + 8])}", f"{number} {HOSTILE[number]} {HOSTILE[-1]}")
        for number in range(0, len(HOSTILE), 8)
    ]
    batch = paraphrases(project, [ada], texts)
    batch.name = f"<i>links</i> {MARKUP[1]}"
    batch.save()
    page.open(batch)
    expect(page.page.get_by_text(batch.name)).to_be_visible()
    for number, assignment in enumerate(assignments_of(batch, ada)):
        page.expect_pair(assignment)
        pair = assignment.item.pair
        shown = page.page.locator("main").evaluate(WORDS)
        for sentence, one in zip((pair.sentence_a, pair.sentence_b), shown, strict=True):
            assert one["tokens"] == one["labels"] == sentence.token_list
            assert one["prose"] == sentence.text
            assert one["unseen"] == names_of_unseen(sentence.text)
        if number == 0:
            link(assignment, [[1, 1, "sure", "drawn"]], submitted=False)
            page.link(0, 0)
            page.press("n", "x")
            expect(page.notice).to_contain_text(f"{pair.sentence_a.token_list[1]} – ")
            page.button("Take the stored one").click()
            page.expect_link(1, 1, "sure")
            expect(page.paths).to_have_count(1)
        page.press("k")
    for assignment in assignments_of(batch, ada):  # they come again, in the order in which they were skipped
        page.expect_pair(assignment)
        page.press("k")
    page.expect_finished("0 of")
    page.expect_nothing_ran()
    page.expect_synced()
    assert stored(batch, ada).state == "skipped"
