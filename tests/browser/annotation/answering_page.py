"""What the judging and the linking page have in common, as tests drive it."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager, suppress
from typing import ClassVar

from django.conf import settings
from django.test import Client
from playwright.sync_api import Error, Request, expect

from tests.browser.conftest import PATIENCE

API = re.compile(r"/api/v1/")
LOST = "() => fetch('/api/v1/').then(() => false, () => true)"
ELAPSED = "since => performance.now() - since > 160"
NAMED = {"button", "link", "textbox", "searchbox", "listbox", "option", "dialog", "application"}
# Nothing of this is in the pages themselves, so it would come from a text.
PASTED = "#main :is(script, img, iframe, svg:not([aria-hidden]), style, form, input:not([data-part]), object)"
# A look into the outbox waits for what is being written into it.
KEPT = """() => new Promise((resolve) => {
    try {
        const opening = indexedDB.open("paragold");
        opening.onerror = () => resolve(0);
        opening.onsuccess = () => {
            const outbox = opening.result.transaction("outbox").objectStore("outbox");
            outbox.count().onsuccess = ({ target }) => {
                opening.result.close();
                resolve(target.result);
            };
        };
    } catch { resolve(0); }
})"""
NO_DIALOG = """() => !document.querySelector("dialog[open]") && !document.activeElement.closest("dialog")"""
# What a page does after a dialog has closed waits in line behind the key, and is done a turn later.
NEXT_TURN = "() => new Promise((resolve) => setTimeout(resolve))"


def sign_in(context, user):
    """Gives the browser a session of the user's, in place of any other; logging in has tests of its own."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    context.clear_cookies(name=name)
    session = client.cookies[name].value
    context.add_cookies([{"name": name, "value": session, "domain": "localhost", "path": "/"}])


class AnsweringPage:
    """One tab with an annotation page."""

    stage: ClassVar[str]
    bare: ClassVar[str]  # what is on the screen once the first item is

    def __init__(self, page):
        self.page = page
        self.context = page.context
        self.dialogs: list[str] = []
        page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))

    @classmethod
    def of(cls, user, new_context, **options):
        """A browser of the user's own, logged in."""
        context = new_context(**options)
        sign_in(context, user)
        return cls(context.new_page())

    def open(self, batch):
        self.page.goto(self.address(batch))
        self.page.locator(self.bare).first.wait_for()
        return self

    def address(self, batch):
        return f"/projects/{batch.project.slug}/{self.stage}/{batch.pk}/answer/"

    def reload(self):
        """Not before the browser has written down the last answer, which takes it a moment after the key."""
        self.page.evaluate(KEPT)
        self.page.reload()
        self.page.locator(self.bare).first.wait_for()

    def part(self, name):
        return self.page.locator(f'[data-part="{name}"]')

    def action(self, name):
        return self.page.locator(f'[data-action="{name}"]')

    def button(self, name):
        return self.page.get_by_role("button", name=name)

    @property
    def login_dialog(self):
        return self.page.get_by_role("dialog", name="Log in again")

    def log_in_again(self, password):
        """In the dialog that comes to the page, whose password field has the focus."""
        expect(self.login_dialog.get_by_label("Password")).to_be_focused()
        self.page.keyboard.type(password)
        self.press("Enter")
        expect(self.login_dialog).to_be_hidden()

    @property
    def notice(self):
        return self.page.get_by_role("alert")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def close_dialog(self, key="Escape"):
        self.press(key)
        self.page.wait_for_function(NO_DIALOG)
        self.page.evaluate(NEXT_TURN)

    def wait_out_the_guard(self):
        """Answers within 150 ms of a new item are ignored; this is called when the item is there."""
        self.page.wait_for_function(ELAPSED, arg=self.page.evaluate("performance.now()"))

    def expect_synced(self):
        expect(self.part("unsynced")).to_be_hidden()

    def expect_unsynced(self, count):
        expect(self.part("unsynced")).to_contain_text(f"{count} unsynced")

    def expect_said(self, text):
        expect(self.part("live")).to_contain_text(text)

    def expect_standing(self, text):
        """What is said of the item: that it has come again, or is answered; "" for nothing."""
        expect(self.part("standing")).to_have_text(text)
        expect(self.part("standing")).to_be_visible(visible=bool(text))

    def expect_finished(self, text):
        expect(self.part("finished")).to_be_visible()
        expect(self.part("finished")).to_contain_text(text)

    def lose_server(self):
        """Requests to the API fail from now on; pages still come, so that a reload is possible."""

        def refuse(route):
            with suppress(Error):  # the page may have gone away meanwhile
                route.abort()

        self.page.route(API, refuse)
        # Chromium may let through a request that the page sends right after the first route.
        self.page.wait_for_function(LOST)

    def find_server(self):
        """From now on, and not a moment later, the page may send by itself what it has kept."""
        self.page.unroute(API)

    def send_now(self):
        """The press on the badge that sends at once; harmless when all was sent and the badge is gone."""
        self.part("unsynced").dispatch_event("click")

    def hand_over(self, user):
        """Somebody else logs in on this browser, and opens a tab of their own in place of this one.

        The login comes first: what this page still sends while it is being closed goes under the new name.
        """
        self.page.evaluate(KEPT)
        sign_in(self.context, user)
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.close()
        return type(self)(self.context.new_page())

    @contextmanager
    def saves(self):
        """The saves that are sent within the block."""
        sent: list[Request] = []

        def watch(request):
            if request.method == "PUT":
                sent.append(request)

        self.page.on("request", watch)
        yield sent
        self.page.remove_listener("request", watch)

    def expect_sent(self, sent):
        """Waits until something is in the list of `saves`."""
        self.wait_until(lambda: bool(sent))

    def wait_until(self, true):
        """Lets the browser's events come in until it is true."""
        deadline = time.monotonic() + PATIENCE / 1000
        while not true():
            assert time.monotonic() < deadline, f"Not within {PATIENCE} ms"
            self.page.wait_for_timeout(20)

    def expect_no_overflow(self):
        root = self.page.locator("html")
        assert root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0

    def expect_nothing_ran(self):
        """No stored text became an element, a script or a dialog."""
        assert self.page.locator(PASTED).count() == 0
        assert self.page.evaluate("window.ran") is None
        assert self.dialogs == []

    def shortcuts(self):
        """{collisions, declared}: keys that two buttons of a scope share, and how many elements name keys."""
        return self.page.evaluate(
            """async () => {
                const { findCollisions, readShortcuts } = await import("/static/js/shared/keyboard.js");
                return {
                    collisions: findCollisions(readShortcuts(document)).map(({ key }) => key),
                    declared: document.querySelectorAll("[aria-keyshortcuts]:not([data-close])").length,
                };
            }"""
        )

    def nameless(self):
        """What a screen reader meets without a name: the roles."""
        session = self.context.new_cdp_session(self.page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        return [
            node["role"]["value"]
            for node in nodes
            if not node["ignored"]
            and node.get("role", {}).get("value") in NAMED
            and not node.get("name", {}).get("value", "").strip()
        ]

    def listed_keys(self):
        """What the list of keys says: {meaning: keys}, the keys parted by spaces."""
        dialog = self.page.get_by_role("dialog", name="Keys")
        keys = dialog.locator("dt").evaluate_all(
            "all => all.map((dt) => [...dt.children].map((kbd) => kbd.textContent).join(' '))"
        )
        return dict(zip(dialog.locator("dd").all_text_contents(), keys, strict=True))
