"""What pages say of a job: how long and how fast it is, and why it makes no progress; the way to removal."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from jobs.kinds import job_kind
from jobs.models import Job
from jobs.services.liveness import Standing, standing as standing_of
from jobs.services.removal import kind_of, project_of
from jobs.views.removal import shows_archived
from projects.models import Removable

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


@register.simple_tag(takes_context=True)
def removal(context: template.Context, obj: Removable) -> SafeString:
    """Since when an object is archived; for managers, the way to archive, restore or delete it."""
    kind, archived_at = kind_of(obj), obj.archived_at
    shown = SafeString()
    if archived_at:
        text = _("This %(noun)s is archived since %(day)s.")
        text %= {"noun": kind.noun, "day": f"{archived_at:%Y-%m-%d}"}
        shown += format_html('<p class="quiet">{}</p>', text)
    if context.get("manages"):
        address = reverse("removal", args=[project_of(obj).slug, kind.name, obj.pk])
        does = _("Restore or delete the %(noun)s …") if archived_at else _("Delete or archive the %(noun)s …")
        does %= {"noun": kind.noun}
        shown += format_html('<p class="quiet"><a href="{}">{}</a></p>', address, does)
    return shown


@register.simple_tag(takes_context=True)
def archived(context: template.Context) -> str:
    """Below a list: the way to what is archived of it, and back."""
    request = context["request"]
    if shows_archived(request):
        only, back = _("Only what is archived is listed."), _("List what is in use")
        return format_html('<p class="quiet">{} <a href="?">{}</a></p>', only, back)
    if getattr(request, "has_archived", False):
        return format_html('<p class="quiet"><a href="?archived=true">{}</a></p>', _("List what is archived"))
    return ""
