"""The quiet way from an object's page to archiving and deleting it."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse

from jobs.services.removal import kind_of, project_of
from jobs.views.removal import shows_archived
from projects.models import Removable

register = template.Library()


@register.inclusion_tag("jobs/_removal.html", takes_context=True)
def removal(context: template.Context, obj: Removable) -> dict[str, Any]:
    """A link for managers; for everybody, whether the object is archived. Needs `manages` in the context."""
    kind, project = kind_of(obj), project_of(obj)
    return {
        "object": obj,
        "noun": kind.noun,
        "manages": context.get("manages", False),
        "address": reverse("removal", args=[project.slug, kind.name, obj.pk]),
    }


@register.inclusion_tag("jobs/_archived.html", takes_context=True)
def archived(context: template.Context) -> dict[str, Any]:
    """Below a list: the way to what is archived of it, and back."""
    request = context["request"]
    return {"showing": shows_archived(request), "any": getattr(request, "has_archived", False)}
