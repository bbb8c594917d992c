"""Figures and people as pages show them: `{{ share|percent }}`, `{{ pseudonym|letter }}`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation import presenters

register = template.Library()
register.filter(presenters.letter)
register.filter(presenters.decimals)
register.filter("percent", presenters.bare_percent)


@register.filter
def bounds(estimate: Mapping[str, Any]) -> str:
    """The bounds `low` and `high` of an estimate in percent; nothing where there are none."""
    low, high = estimate["low"], estimate["high"]
    return "" if low is None else interval((low, high))


@register.filter
def interval(ends: Sequence[float] | None) -> str:
    """Both ends in percent; nothing where there is no interval."""
    return " to ".join(map(presenters.bare_percent, ends)) if ends else ""


@register.simple_tag
def share_cell(share: Any, ends: Any = None) -> SafeString:
    """A cell of a table: a share in percent and, where there is one, its interval."""
    small = format_html(' <small class="interval">{}</small>', interval(ends)) if ends else SafeString()
    return format_html('<td class="num">{}{}</td>', presenters.bare_percent(share), small)


@register.filter
def feature_words(name: str) -> str:
    """A feature in words, such as "names unmatched, greater of both (weighted)"."""
    words = []
    for part in name.split(" * "):
        group, _, measure = part.rpartition(":")
        measure = (
            re.sub(r"_(lesser|greater)\b", r", \1 of both", measure).replace("/", " by ").replace("_", " ")
        )
        words.append(f"{measure} ({group})" if group else measure)
    return " × ".join(words)
