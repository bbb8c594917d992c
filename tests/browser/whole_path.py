"""The steps of the whole path as people take them: by keyboard, each in a browser of their own."""

import re
from pathlib import Path

from playwright.sync_api import expect

# The pages ignore answers within 150 ms of a new pair: nobody reads that fast.
TOO_EARLY = 160
# Milliseconds for what the server does at one go, ten times what a busy machine needs.
STORED_WITHIN = 300_000

ZIP = re.compile(r"^Download \S+\.zip$")
"""The links to files of exports."""


def press(element):
    """Activate a link or button with the keyboard alone."""
    element.focus()
    element.press("Enter")


def follow(page, name):
    press(page.get_by_role("link", name=name).first)


def push(page, name):
    press(page.get_by_role("button", name=name).first)


def fill(page, label, text):
    field = page.get_by_label(re.compile(f"^{re.escape(label)}:?$"))
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    expect(field).to_have_value(text)


def tick(page, name):
    box = page.get_by_role("checkbox", name=name).first
    box.focus()
    if not box.is_checked():
        box.press("Space")


def create_project(page, name, slug, language="en"):
    page.goto("/")
    follow(page, "New project")
    fill(page, "Name", name)
    page.get_by_label("Language", exact=True).select_option(language)
    press(page.get_by_text("More settings"))
    fill(page, "Address", slug)
    push(page, "Create project")
    page.wait_for_url(f"**/projects/{slug}/")


def add_member(page, slug, username, role):
    page.goto(f"/projects/{slug}/members/")
    fill(page, "Username", username)
    page.locator("#id_role").select_option(role)
    push(page, "Add member")
    expect(page.get_by_role("rowheader", name=username).first).to_be_visible()


def import_file(page, slug, path):
    page.goto(f"/projects/{slug}/corpus/")
    follow(page, "Import")
    page.get_by_label("Articles", exact=True).set_input_files(path)
    push(page, "Upload and check")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Check")
    page.locator("button[name=confirm]").press("Enter", timeout=STORED_WITHIN)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Imported", timeout=STORED_WITHIN)


def extract(page, slug, preset):
    page.goto(f"/projects/{slug}/candidates/new/")
    follow(page, preset)
    push(page, "Launch the extraction")
    page.wait_for_url("**/extractions/*/")
    expect(page.locator(".state.done").first).to_be_visible(timeout=STORED_WITHIN)


def make_dataset(page, slug, name, extractions):
    page.goto(f"/projects/{slug}/launch/freeze-dataset/")
    fill(page, "Name", name)
    for extraction in extractions:
        tick(page, extraction)
    press(page.locator("form.stack button.main"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def draw_batch(page, slug, dataset, size):
    page.goto(f"/projects/{slug}/launch/draw-judging-batch/")
    options = page.get_by_label("Dataset", exact=True).locator("option")
    wanted = next(text for text in options.all_inner_texts() if text.startswith(dataset))
    page.get_by_label("Dataset", exact=True).select_option(label=wanted)
    fill(page, "Pairs", str(size))
    push(page, "Draw the batch")
    expect(page.locator("form.stack")).to_have_count(0)


def wait_until_read(page):
    """Until a page with pairs to judge takes an answer: every key's pair is painted, and was a moment ago."""
    page.wait_for_function(
        """early => {
            const painted = performance.getEntriesByName("paragold:painted");
            const keys = performance.getEntriesByName("paragold:key");
            return painted.length > 0 && painted.length >= keys.length
                && performance.now() - painted.at(-1).startTime > early;
        }""",
        arg=TOO_EARLY,
    )


def judge_all(page, slug, keys):
    """Judge everything that waits with `keys`, round and round. Returns how many pairs there were."""
    page.goto(f"/projects/{slug}/judge/")
    press(page.locator("a.button.main"))
    sentence = page.locator("[data-side=a] [data-part=sentence]")
    counter = page.locator("[data-part=counter]")
    finished = page.locator("[data-part=finished]")
    expect(sentence).to_be_visible()
    total = int(counter.inner_text().split(" of ")[1])
    for number in range(total):
        expect(sentence).to_be_visible()  # not just being fetched
        wait_until_read(page)
        page.keyboard.press(keys[number % len(keys)])
        expect(counter).to_have_text(f"{number + 1} of {total}")
    expect(finished).to_be_visible()
    expect(page.locator("[data-part=unsynced]")).to_be_hidden()
    return total


def link_all(page, slug, possible):
    """Link everything that waits: all suggestions, and by hand the first word of both sentences.

    Returns how many pairs there were.
    """
    page.goto(f"/projects/{slug}/link/")
    press(page.locator("a.button.main"))
    counter = page.locator("[data-part=counter]")
    word = page.locator(".word[data-side=a]").first
    expect(word).to_be_visible()
    total = int(counter.inner_text().split(" of ")[1])
    for number in range(total):
        page.wait_for_timeout(TOO_EARLY)
        accept = page.locator("[data-action=accept-all]")
        if accept.is_visible():
            page.keyboard.press("a")
        page.locator('.word[data-side=a][data-index="0"]').focus()
        page.keyboard.press("ArrowRight")
        page.locator('.word[data-side=b][data-index="0"]').focus()
        page.keyboard.press("p" if possible else "s")
        page.keyboard.press("Control+Enter")
        if counter.inner_text() == f"{number} of {total}":
            page.keyboard.press("Control+Enter")
        expect(counter).to_have_text(f"{number + 1} of {total}")
    expect(page.locator("[data-part=finished]")).to_be_visible()
    expect(page.locator("[data-part=unsynced]")).to_be_hidden()
    return total


def freeze(page, address, name):
    page.goto(address)
    fill(page, "Name", name)
    press(page.locator("form.stack button.main"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def download(page, slug):
    page.goto(f"/projects/{slug}/export/")
    with page.expect_download() as event:
        press(page.get_by_role("link", name=ZIP).first)
    path = event.value.path()
    return Path(path).read_bytes()
