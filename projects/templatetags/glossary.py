"""A term of the glossary on a page: `{% term "AER" %}`, `{% term "Overlap" "overlap" %}`."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from projects.glossary import terms

register = template.Library()


@register.simple_tag
def term(name: str, words: str = "") -> SafeString:
    """The words, else the name, linked to the term's explanation, which shows when they are pointed at.

    Raises KeyError where docs/glossary.md does not have the term.
    """
    found = terms()[name]
    return format_html(
        '<a class="term" href="{}#{}" title="{}">{}</a>',
        reverse("glossary"),
        found.anchor,
        found.meaning,
        words or name,
    )
