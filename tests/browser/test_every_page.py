"""Every page of a filled project: no finding of axe, light or dark, none wider than a phone, no complaint;
the pages of the way from the corpus to the export are usable by Tab alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.factories.classifiers import applied, built_lexicon, learnable_dataset, learnable_gold, trained
from tests.permissions.objects import make_objects
from tests.permissions.pages import PAGES, REMOVABLE
from tests.permissions.people import make_people
from tests.permissions.test_matrix import url_of
from tests.signing_on import switch_on

from .axe import problems, source
from .conftest import NARROW, WIDE

ALIKE = {f"removal:{kind}" for kind in REMOVABLE} - {"removal:gold-set", "removal:dataset"}
"""They have one template; the dataset is in the bin."""
WHOSE = ("manager", "annotator", "adjudicator", "admin", "anonymous")
"""A page is opened by the first of these who may."""
CONTROLS = """() => {
    const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
    const usable = (control) => control.checkVisibility() && !control.disabled && control.type !== "hidden";
    window.waiting = new Set(controls.filter(usable));
    return window.waiting.size;
}"""
STOP = """() => {
    const stop = document.activeElement;
    if (stop === document.body) return null;
    for (const control of window.waiting) {
        const together = control.type === "radio" && control.name === stop.name;
        if (control === stop || together) window.waiting.delete(control);
    }
    const { outlineStyle, outlineWidth } = getComputedStyle(stop);
    const [box] = stop.getClientRects();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height, 40) / 2);
    const seen = at && (stop.contains(at) || at.contains(stop));
    // The parts of a date have frames of their own.
    const framed = stop.type === "date" || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
    return seen && framed ? "" : `${stop.outerHTML} ${seen ? "has no frame" : "is covered"}`;
}"""
"""What is wrong with the focused element, null behind the last one."""
LEFT_OUT = "[...window.waiting].filter((one) => one.isConnected).map((one) => one.outerHTML)"
"""The overview puts new controls in the place of old ones."""
HEADINGS = (
    "[...document.querySelectorAll('h1')].length === 1 || document.querySelector('.annotating, .linking')"
)


@pytest.fixture
def world():
    people = make_people()
    objects = make_objects(people.project, people.annotators)
    # Those of the permission matrix have learned nothing.
    dataset = learnable_dataset(people.project, 24)
    gold = learnable_gold(people.project, dataset, name="learned", size=20)
    lexicon = built_lexicon(dataset, name="learned words")
    classes = ["string", "association"]
    classifier = trained(people.project, gold, name="reported", classes=classes, lexicon=lexicon, report=True)
    run = applied(classifier, dataset, name="accepted")
    objects.numbers |= {"classifier": classifier.pk, "classifier run": run.pk, "lexicon": lexicon.pk}
    return people, objects


def addresses(objects):
    """Each page's name, who opens it, and its address; not of those that ask for something first, as the
    password, a link that is valid: tests/projects has them."""
    for name, route in PAGES.items():
        statuses = route.statuses("GET")
        role = next((role for role in WHOSE if statuses[role] == 200), "")
        if role and name not in ALIKE and not name.startswith("api-") and not route.says("no page"):
            yield name, role, url_of(name, objects, objects)


def look(page, address, is_dark):
    """Open a page, and say what is wrong with it: on a telephone in the dark, or wide and light."""
    page.set_viewport_size(NARROW if is_dark else WIDE)
    page.emulate_media(color_scheme="dark" if is_dark else "light")
    response = page.goto(address)
    if response is None or response.status != 200:
        yield f"status {response and response.status}"
    page.wait_for_selector("main [hx-trigger=load]", state="detached")
    if not page.evaluate(HEADINGS):
        yield "not one first heading"
    yield from problems(page)
    page.set_viewport_size(NARROW)
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > NARROW["width"]:
        yield f"{width} pixels wide"


def walk(page):
    """Go by Tab: every control is reached, the focus is seen, the first stop skips the header."""
    page.set_viewport_size(WIDE)
    controls = page.evaluate(CONTROLS)
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    for number in range(2 * controls):
        page.keyboard.press("Tab")
        wrong = page.evaluate(STOP)
        if wrong is None:
            break
        if wrong:
            yield wrong
        if not number and not page.evaluate("document.activeElement.matches('.skip-link')"):
            yield "the header cannot be skipped"
    for control in page.evaluate(LEFT_OUT):
        yield f"not reached by Tab: {control}"


def test_every_page(
    new_context,
    live_server,
    world,
    settings,
    provider,
):
    switch_on(settings, provider)
    people, objects = world
    found: list[str] = []
    pages: dict[str, Page] = {}

    def page_of(role):
        # axe writes styles into the page to measure it, which the pages forbid.
        context = new_context(bypass_csp=True, reduced_motion="reduce")
        context.add_init_script(source())
        if role != "anonymous":
            name = settings.SESSION_COOKIE_NAME
            value = people.client(role).cookies[name].value
            context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda message: found.append(f"{page.url}: {message.type} {message.text}"))
        return page

    # All pages have the same styles: every other one in the dark.
    for number, (name, role, address) in enumerate(addresses(objects)):
        if role not in pages:
            pages[role] = page_of(role)
        found += [f"{address}: {problem}" for problem in look(pages[role], address, number % 2 == 1)]
        if PAGES[name].says("walked"):
            found += [f"{address}: {problem}" for problem in walk(pages[role])]
    assert not found, "\n".join(found)
