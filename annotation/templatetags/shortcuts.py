"""Keys on buttons: the person's own where chosen, else the defaults. keyboard.js listens to them."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.services.key_bindings import own_keys
from annotation.shortcuts import PAGES, PRINTED, Shortcut, all_keys, shown, shown_keys, spoken

register = template.Library()


@register.simple_tag(takes_context=True)
def shortcut(context: Any, page: str, action: str, meaning: str = "") -> SafeString:
    """The attributes of a button that has a key: what is announced, what is listened to, what it means."""
    bound, own = _find(context, page, action)
    # A key that the person gave to another action is not this one's, even if it is a default.
    elsewhere = {key for name, key in own.items() if name != action}
    chords = [key for key in all_keys(bound, own) if key not in PRINTED and key not in elsewhere]
    printed = [key for key in all_keys(bound, own) if key in PRINTED]
    spelled = ["+".join(spoken(part) for part in key.split("+")) for key in shown_keys(bound, own)]
    return format_html(
        'aria-keyshortcuts="{}" data-code="{}" data-key="{}" data-help="{}"',
        " ".join(spelled), " ".join(chords), "".join(printed), meaning or bound.help,
    )  # fmt: skip


@register.simple_tag(takes_context=True)
def key(context: Any, page: str, action: str) -> SafeString:
    """The first key of an action as a small cap on its button."""
    bound, own = _find(context, page, action)
    return format_html('<kbd aria-hidden="true">{}</kbd>', shown(shown_keys(bound, own)[0]))


def _find(context: Any, page: str, action: str) -> tuple[Shortcut, dict[str, str]]:
    request = context["request"]
    if not hasattr(request, "own_keys"):
        request.own_keys = own_keys(request.user)
    bound = next(key for key in PAGES[page].shortcuts if key.action == action)
    return bound, request.own_keys.get(page, {})
