"""The linking page as tests drive it, and batches of known sentences for it."""

from playwright.sync_api import expect

from alignment.models import WordLink
from annotation.schemes import Label
from annotation.services.gold import freeze_gold_set
from corpus.models import Finding
from paragold.text.tokenisation import tokenise
from tests.browser.annotation.answering_page import AnsweringPage
from tests.factories.alignment import linking_batch
from tests.factories.annotation import assignments_of, judge_all, judging_batch
from tests.factories.corpus import CandidatePairFactory, dataset_of

# Two frames later, when a matrix that has just come or changed its size has been built; above the dock.
MIDDLE_OF_CELL = """async ([a, b]) => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const columns = document.querySelectorAll('.word[data-side="b"]').length;
    const grid = document.querySelector(".matrix .grid");
    const inner = grid.getBBox();
    const side = inner.width / columns;
    const place = () => grid.ownerSVGElement.getBoundingClientRect();
    const dock = document.querySelector(".dock").getBoundingClientRect();
    const hidden = place().y + inner.y + (a + 1) * side - dock.y;
    if (hidden > 0) scrollBy(0, hidden);
    const svg = place();
    return [svg.x + inner.x + (b + 0.5) * side, svg.y + inner.y + (a + 0.5) * side];
}"""


class LinkingPage(AnsweringPage):
    stage = "link"
    bare = '.word, [data-part="finished"]:not([hidden])'

    @property
    def paths(self):
        """The links that the ladder draws."""
        return self.page.locator(".ladder path[data-strength]")

    def word(self, side, index):
        return self.page.locator(f'.word[data-side="{side}"][data-index="{index}"]')

    def path(self, a, b):
        return self.page.locator(f'.ladder path[data-a="{a}"][data-b="{b}"]')

    def expect_link(self, a, b, strength):
        """The same in the ladder and, where it is shown, in the matrix."""
        expect(self.path(a, b)).to_have_attribute("data-strength", strength)
        if self.page.locator(".matrix").is_visible():
            expect(self.page.locator(f'[data-mark="{a}-{b}"]')).to_have_class(strength)

    def expect_left(self, count):
        expect(self.part("left-count")).to_have_text(f"{count} left" if count else "No word left")

    def expect_at(self, side, index):
        expect(self.word(side, index)).to_be_focused()

    def expect_pair(self, assignment):
        words = self.page.locator('.word[data-side="a"]')
        expect(words).to_have_text(assignment.item.pair.sentence_a.token_list)

    def link(self, a, b):
        """Two clicks."""
        self.word("a", a).click()
        self.word("b", b).click()

    def submit(self):
        self.wait_out_the_guard()
        self.press("Control+Enter")

    def drag(self, start, end):
        """With the mouse, from the middle of one element to the middle of another."""
        begin, finish = start.bounding_box(), end.bounding_box()
        mouse = self.page.mouse
        mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
        mouse.down()
        mouse.move(finish["x"] + finish["width"] / 2, finish["y"] + finish["height"] / 2, steps=4)
        mouse.up()

    def cell(self, a, b):
        """The middle of a cell of the matrix, in the window."""
        expect(self.page.locator(".matrix")).to_be_visible()
        x, y = self.page.evaluate(MIDDLE_OF_CELL, [a, b])
        return x, y


def paraphrases(project, annotators, texts, *, suggester=""):
    """A linking batch of these pairs of sentences, in an order of its own."""
    dataset = dataset_of(project, 0)
    for text_a, text_b in texts:
        pair = CandidatePairFactory(project=project, text_a=text_a, text_b=text_b)
        for sentence in (pair.sentence_a, pair.sentence_b):
            tokens, sentence.starts = tokenise(sentence.text)
            sentence.tokens = " ".join(tokens)
            sentence.save()
        Finding.objects.create(extraction=dataset.extractions.get(), pair=pair)
    batch = judging_batch(project, annotators, size=len(texts), dataset=dataset)
    for user in annotators:
        judge_all(batch, user, [Label.PARAPHRASE])
    gold = freeze_gold_set(project=project, by=None, name=f"gold {batch.pk}", batches=[batch])
    return linking_batch(project, annotators, source=gold, suggester=suggester)


def stored_links(assignment):
    links = WordLink.objects.filter(alignment__assignment=assignment)
    return sorted(links.values_list("a", "b", "strength", "origin"))


def stored(batch, user, number=0):
    """An assignment as the database has it now."""
    return assignments_of(batch, user)[number]
