"""What pages say of a job: how long and how fast it is, and why it makes no progress."""

from __future__ import annotations

from django import template

from jobs.kinds import job_kind
from jobs.models import Job
from jobs.services.liveness import Standing
from jobs.services.liveness import standing as standing_of

register = template.Library()

UNITS = (("a second", 1), ("a minute", 60), ("an hour", 3600))


@register.simple_tag
def standing(job: Job) -> Standing:
    return standing_of(job)


@register.filter
def page_of(job: Job) -> str:
    """The address of the page that shows it."""
    return job_kind(job.kind).page_of(job)


@register.filter
def kind_label(job: Job) -> str:
    return job_kind(job.kind).label


@register.filter
def rate(a_second: float | None) -> str:
    """A rate as "12.3 a second", "4.0 a minute" or "1.5 an hour"; empty when it is not known, or less."""
    for unit, seconds in UNITS:
        if a_second and (count := a_second * seconds) >= 1:
            return f"{count:,.1f} {unit}"
    return ""


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
