"""A term of the glossary on a page: `{% term "AER" %}`, `{% term "Overlap" "overlap" %}`."""

from __future__ import annotations

from django import template
from django.forms import BoundField, CheckboxInput
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from projects.glossary import Term, split_by_terms, terms

register = template.Library()


@register.simple_tag
def term(name: str, words: str = "") -> SafeString:
    """The words, else the name, linked to the term's explanation, which shows when they are pointed at.

    Raises KeyError where docs/glossary.md does not have the term.
    """
    return _link(terms()[name], words or gettext(name))


@register.filter
def with_terms(text: str) -> SafeString:
    """The text, with each term of the glossary in it linked at its first place."""
    return _linked(text, set(), "")


@register.simple_tag
def explained(field: BoundField, part: str) -> SafeString:
    """The label ("label") or help text ("help_text") of a field; a form links each term once.

    A link opens another tab, so that nothing typed is lost. The label of a checkbox has none, since people
    click it to set the box; nor has HTML.
    """
    text = gettext(str(getattr(field, part)))
    if isinstance(text, SafeString) or (part == "label" and isinstance(field.field.widget, CheckboxInput)):
        return conditional_escape(text)
    places: dict[str, tuple[str, str]] = field.form.__dict__.setdefault("places_of_terms", {})
    here = (field.html_name, part)
    for _, term in split_by_terms(text):
        if term:
            places.setdefault(term.name, here)
    return _linked(text, {name for name, place in places.items() if place != here}, ' target="_blank"')


def _linked(text: str, seen: set[str], target: str) -> SafeString:
    """`seen` are the names of terms that are not linked again."""
    parts = []
    for words, term in split_by_terms(str(text)):
        parts.append((_link(term, words, target) if term and term.name not in seen else words,))
        seen |= {term.name} if term else set()
    return format_html_join("", "{}", parts)


def _link(term: Term, words: str, target: str = "") -> SafeString:
    return format_html(
        '<a class="term" href="{}#{}" title="{}"{}>{}</a>',
        reverse("glossary"),
        term.anchor,
        term.meaning,
        mark_safe(target),  # noqa: S308 - a constant of this module
        words,
    )
