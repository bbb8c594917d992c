import re

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import expect

from projects.models import AuditEntry
from tests.factories.corpus import PASSWORD, UserFactory
from tests.signing_on import switch_on

from .axe import problems

FOCUSED = """() => {
    const one = document.activeElement;
    return one === document.body ? null : (one.labels?.[0] ?? one).textContent.trim().replace(/\\s+/g, " ");
}"""
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def page(new_context, settings):
    """The login page, in a browser with an authenticator that always consents."""
    switch_on(settings)
    UserFactory(username="mary")
    context = new_context(bypass_csp=True)  # axe writes styles into the page, which the pages forbid
    page = context.new_page()
    authenticator = context.new_cdp_session(page)
    authenticator.send("WebAuthn.enable")
    authenticator.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    page.goto("/accounts/login/")
    return page


def focus(page, name):
    """Go by Tab to the link, button or field of this name."""
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        if seen[-1] == name:
            return
    raise AssertionError(f"{name} is not reached by Tab on {page.url}: {seen}")


def press(page, name, *, heading):
    """Press a link or button; the page that comes has this heading, and no finding of axe."""
    focus(page, name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(heading))
    page.wait_for_load_state()
    assert problems(page) == []


def log_in(page, *, heading):
    focus(page, "Username")
    page.keyboard.type("mary")
    focus(page, "Password")
    page.keyboard.type(PASSWORD)
    press(page, "Log in", heading=heading)


def second_factor(page, name, *, heading):
    """Press something on the page of the second factor; the password is asked for again."""
    press(page, "mary, your account", heading="Account of mary")
    press(page, "Second factor", heading="Second factor")
    press(page, name, heading=heading)


def password_again(page, *, heading):
    focus(page, "Password")
    page.keyboard.type(PASSWORD)
    press(page, "Continue", heading=heading)


def test_a_passkey_is_made_logs_in_and_is_removed(page):
    log_in(page, heading="Projects")
    second_factor(page, "Add passkey", heading="Enter your password again")
    password_again(page, heading="Add passkey")
    focus(page, "Passwordless")
    page.keyboard.press("Space")
    press(page, "Add passkey", heading="Recovery codes")
    assert Authenticator.objects.get(type="webauthn").wrap().is_passwordless

    press(page, "Log out", heading="Log in")
    press(page, "Log in by a passkey", heading="Projects")
    press(page, "Log out", heading="Log in")
    log_in(page, heading="Second factor")
    page.goto("/accounts/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Second factor")
    press(page, "Log in as somebody else", heading="Log in")
    log_in(page, heading="Second factor")
    press(page, "Use a passkey", heading="Projects")
    assert AuditEntry.objects.filter(event="login", actor="mary").count() == 3

    second_factor(page, "Show passkeys", heading="Passkeys")
    press(page, "Rename Passkey 1", heading="Enter your password again")
    password_again(page, heading="Rename the passkey")
    focus(page, "Name")
    page.keyboard.type("Laptop")
    press(page, "Rename passkey", heading="Passkeys")
    press(page, "Remove Laptop", heading="Remove the passkey")
    press(page, "Remove passkey", heading="Passkeys")
    assert not Authenticator.objects.filter(type="webauthn").exists()
    press(page, "Log out", heading="Log in")
    log_in(page, heading="Projects")
