"""How long something takes, in words that promise no more than is known."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds as "8 s", "12 min" or "3 h 20 min"; empty for None."""
    if seconds is None:
        return ""
    if seconds < 90:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(round(minutes / 5) * 5, 60)
    return f"{hours:,} h {minutes} min" if minutes and hours < 24 else f"{hours:,} h"
