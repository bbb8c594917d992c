"""Whom sites may write to: it goes out in the User-Agent of every request."""

from __future__ import annotations

CONTACT_CHARACTERS = 200
NEEDED = "plain ASCII without brackets, such as mailto:corpus@example.org"


def is_contact(text: str) -> bool:
    """Whether a header can hold it within brackets, as browsers and robots write it."""
    plain = text.isascii() and text.isprintable() and not set("()<>") & set(text)
    return plain and 0 < len(text) <= CONTACT_CHARACTERS
