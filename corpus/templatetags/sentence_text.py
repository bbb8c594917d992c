"""Stored text as it is stored: escaped, and what cannot be seen named in its place.

The same rules as static/js/shared/text.js, for pages that the server draws.
"""

from __future__ import annotations

import re
import unicodedata

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\U000e0000-\U000e007f]"
)
JOINERS = ("\u200c", "\u200d")
# Letters of these scripts, and emoji, are spelled with joiners: there they are no trick.
JOINING: tuple[str, ...] = (
    *("ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "TAMIL"),
    *("TELUGU", "KANNADA", "MALAYALAM", "SINHALA"),
)


@register.filter
def marked(text: str) -> SafeString:
    """`text` as HTML in which an invisible character is followed by nothing and preceded by its number."""
    parts = []
    start = 0
    for match in INVISIBLE.finditer(text):
        if match[0] in JOINERS and _is_spelling(text[: match.start()]):
            continue
        parts.append(escape(text[start : match.start()]))
        name = unicodedata.name(match[0], "control character").lower()
        parts.append(
            format_html(
                '<span class="invisible" data-name="U+{}" title="{}">{}</span>',
                f"{ord(match[0]):04X}",
                name,
                match[0],
            )
        )
        start = match.end()
    parts.append(escape(text[start:]))
    return mark_safe("".join(parts))  # noqa: S308 - every part is escaped above


def _is_spelling(before: str) -> bool:
    if not before:
        return False
    last = before[-1]
    return (
        last == "\ufe0f"
        or unicodedata.category(last) == "So"
        or unicodedata.name(last, "").startswith(JOINING)
    )
