"""Figures and people as pages show them: `{{ share|percent }}`, `{{ pseudonym|letter }}`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from annotation import presenters

register = template.Library()
register.filter(presenters.letter)


@register.filter
def percent(share: Any) -> str:
    """A share in percent, without the sign; "-" where it is undefined or missing."""
    return presenters.bare_percent(None if share == "" else share)


@register.filter
def decimals(value: Any) -> str:
    """A coefficient with three decimals; "-" where it is undefined or missing."""
    return presenters.decimals(None if value == "" else value)


@register.filter
def interval(ends: Sequence[float] | None) -> str:
    """Both ends in percent; nothing where there is no interval."""
    return " to ".join(map(percent, ends)) if ends else ""
