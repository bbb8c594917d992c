"""The page for splitting clusters, and that for deciding them, as tests drive them."""

from playwright.sync_api import expect

from annotation.services.subclusters import submitted_items
from tests.browser.annotation.answering_page import AnsweringPage

MIDDLE = """(element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""


def submitted(batch, user):
    """What the user has submitted of the batch, in the order of its items."""
    return [
        one.groups
        for entry in submitted_items(batch)
        for one in entry.submissions
        if one.assignment.annotator == user
    ]


class SplittingPage(AnsweringPage):
    stage = "split"
    bare = '.headline, [data-part="finished"]:not([hidden])'

    def decide(self, item):
        self.page.goto(f"/projects/{item.batch.project.slug}/split/items/{item.pk}/review/")
        self.page.locator(".disputes tbody tr").first.wait_for()

    def row(self, number):
        return self.page.locator(f'.headline[data-number="{number}"]')

    def place(self, name):
        """The open headlines ("open"), a group by its number, those in none (0), or that for a "new" one."""
        return self.page.locator(f'.board :is(section, p)[data-drop="{name}"]')

    def expect_in(self, place, numbers):
        """The headlines that stand there, in order."""
        rows = self.place(place).locator(".headline")
        expect(rows).to_have_count(len(numbers))
        for row, number in zip(rows.all(), numbers, strict=True):
            expect(row).to_have_attribute("data-number", str(number))

    def expect_current(self, number):
        expect(self.row(number)).to_be_focused()

    def expect_left(self, words):
        expect(self.part("left-count")).to_have_text(words)

    def submit(self):
        self.wait_out_the_guard()
        self.press("Control+Enter")

    def drag(self, start, end):
        """With the mouse, in steps as a hand makes them."""
        start.scroll_into_view_if_needed()
        x, y = start.evaluate(MIDDLE)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 10, y + 10)
        expect(self.page.locator(".ghost")).to_be_visible()
        self.page.mouse.move(*end.evaluate(MIDDLE))
        expect(self.page.locator(".over")).to_have_count(1)
        self.page.mouse.up()
        expect(self.page.locator(".ghost")).to_have_count(0)
