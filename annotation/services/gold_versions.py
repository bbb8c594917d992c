"""Versions of gold sets: one at a time, and none that holds what the version before it holds."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Max, Model

from projects.models import Project

GoldT = TypeVar("GoldT", bound=Any)


def next_version(sets: Any, name: str) -> int:
    """One more than the latest version of that name in a project's gold sets."""
    return (sets.filter(name=name).aggregate(latest=Max("version"))["latest"] or 0) + 1


def lock_versions(project: Project) -> None:
    """Whoever freezes in the project at the same time waits until this transaction ends."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def unless_unchanged(gold_set: GoldT, *, rows: str) -> GoldT:
    """The new version, or the latest one before it where nothing has changed; the new one is then deleted.

    `rows` is the related name of what the set holds. The version that was there says `already_frozen`.
    """
    others = type(gold_set).objects.filter(project=gold_set.project_id, name=gold_set.name)
    before = others.exclude(pk=gold_set.pk).order_by("-version").first()
    if before is None or _content(before, rows) != _content(gold_set, rows):
        return gold_set
    gold_set.delete()
    before.already_frozen = True
    return before


def _content(gold_set: Any, rows: str) -> tuple[Any, list[Any]]:
    held = getattr(gold_set, rows)
    fields = [name for name in _columns(held.model) if name not in ("id", "gold_set_id")]
    stored = type(gold_set).objects.values_list("rule", "signature", "counts").get(pk=gold_set.pk)
    return stored, list(held.order_by("item").values_list(*fields))


def _columns(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]
