"""The judging page as tests drive it."""

from playwright.sync_api import expect

from annotation.models import Answer, Judgement
from tests.factories.annotation import assignments_of

from .answering_page import AnsweringPage

# Every change of the pair is painted, and the last one long enough ago for an answer to count; the next pair
# is not just being fetched.
READY = """() => {
    const painted = performance.getEntriesByName("paragold:painted");
    const asked = performance.getEntriesByName("paragold:key").length;
    const part = (name) => document.querySelector(`[data-part="${name}"]`);
    const ended = !part("finished").hidden && !part("finished-title").textContent.startsWith("Fetching");
    return painted.length > 0 && painted.length === asked && (ended || !part("pair").hidden)
        && performance.now() - painted.at(-1).startTime > 155;
}"""


class JudgingPage(AnsweringPage):
    stage = "judge"
    bare = '[data-part="sentence"] bdi, [data-part="finished"]:not([hidden])'

    def sentence(self, side):
        return self.page.locator(f'[data-side="{side}"] [data-part="sentence"]')

    def ready(self):
        self.page.wait_for_function(READY)

    def answer(self, *keys):
        for key in keys:
            self.ready()
            self.press(key)

    def expect_pair(self, assignment):
        expect(self.sentence("a")).to_have_text(assignment.item.pair.sentence_a.text)
        expect(self.sentence("b")).to_have_text(assignment.item.pair.sentence_b.text)

    def expect_count(self, done, total, skipped=0):
        words = f", {skipped} skipped" if skipped else ""
        expect(self.part("counter")).to_have_text(f"{done} of {total}{words}")


def labels_of(batch, user):
    """The user's stored labels, in the order of the queue; None where there is none."""
    stored = dict(Judgement.objects.filter(assignment__item__batch=batch).values_list("assignment", "label"))
    return [stored.get(assignment.pk) for assignment in assignments_of(batch, user)]


def answers_to(batch, user):
    """How many answers of the user the server has acknowledged, undone ones among them."""
    return Answer.objects.filter(assignment__in=assignments_of(batch, user)).count()
