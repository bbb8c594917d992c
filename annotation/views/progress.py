"""The manager's page of progress: what is done, by whom, how fast, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotation.models import Batch, BatchKind
from annotation.presenters import coefficients, pairs_url, person_links
from annotation.services.batch_figures import BatchFigures, batch_figures
from annotation.services.throughput import BatchWork, PersonWork, ProjectWork, project_work
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view

from .batches import DETAILS

WIDTH, HEIGHT = 800, 220
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 32, 40
LABELS_AT_MOST = 8
DAYS_AT_MOST = 60
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Bar:
    """One day, in SVG units."""

    day: str
    answers: int
    x: float
    y: float
    width: float
    height: float
    labelled: bool

    @property
    def centre(self) -> float:
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class Tick:
    value: int
    y: float


@dataclass(frozen=True, slots=True)
class DaysPlot:
    bars: list[Bar]
    ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


def days_plot(days: Sequence[tuple[date, int]]) -> DaysPlot | None:
    """The bars of the calendar days from the first to the last, of the 60 latest; None before the first.

    Days without an answer keep their place, so that a pause is seen.
    """
    if not days:
        return None
    counts = {day.toordinal(): answers for day, answers in days}
    last = max(counts)
    first = max(min(counts), last - DAYS_AT_MOST + 1)
    shown = range(first, last + 1)
    step = _step(max(counts.get(day, 0) for day in shown))
    top = step * max(1, -(-max(counts.get(day, 0) for day in shown) // step))
    scale = (HEIGHT - TOP - BOTTOM) / top
    pitch = (WIDTH - LEFT - RIGHT) / max(len(shown), 12)
    every = -(-len(shown) // LABELS_AT_MOST)
    bars = [
        Bar(
            day=date.fromordinal(day).isoformat(),
            answers=counts.get(day, 0),
            x=round(LEFT + pitch * (place + 0.15), 1),
            y=round(HEIGHT - BOTTOM - counts.get(day, 0) * scale, 1),
            width=round(pitch * 0.7, 1),
            height=round(counts.get(day, 0) * scale, 1),
            labelled=place % every == 0,
        )
        for place, day in enumerate(shown)
    ]
    ticks = [Tick(value, round(HEIGHT - BOTTOM - value * scale, 1)) for value in range(0, top + 1, step)]
    return DaysPlot(bars, ticks)


def _step(highest: int) -> int:
    """The distance of ticks: 1, 2 or 5 times a power of ten, five ticks at most."""
    power = 1
    while True:
        for step in STEPS:
            if highest <= 5 * step * power:
                return step * power
        power *= 10


KINDS = {BatchKind.JUDGE: "Judging", BatchKind.LINK: "Linking", BatchKind.SPLIT: "Splitting"}


@dataclass(frozen=True, slots=True)
class Numbers:
    """A row's numbers, each with the address of its pairs ("" where the kind has no such list)."""

    row: BatchWork | PersonWork
    links: dict[str, str]


@require_safe
@project_view(check_manage)
def progress(request: HttpRequest, project: Project) -> HttpResponse:
    asked = request.GET.get("kind")
    kind = BatchKind(asked) if asked in BatchKind.values else BatchKind.JUDGE
    work = project_work(project, kind)
    batches = [row.batch for row in work.batches]
    figures = batch_figures(request.user, project, batches) if kind == BatchKind.JUDGE else {}
    context: dict[str, Any] = {
        "kind": kind,
        "kinds": KINDS,
        "work": work,
        "batches": [
            (Numbers(row, _batch_links(project, row.batch)), *_figures(figures, row.batch))
            for row in work.batches
        ],
        "people": _people(project, kind, work),
        "days": [
            (day, pairs_url(project, day=day.day.isoformat()) if kind == BatchKind.JUDGE else "")
            for day in work.days
        ],
        "plot": days_plot([(day.day, day.answers) for day in work.days]),
        "left_url": pairs_url(project, state="open") if kind == BatchKind.JUDGE else "",
    }
    return render(request, "annotation/progress.html", context)


def _figures(figures: dict[int, BatchFigures], batch: Batch) -> tuple[BatchFigures, Any]:
    found = figures.get(batch.pk, BatchFigures())
    return found, coefficients(found.agreement)


def _batch_links(project: Project, batch: Batch) -> dict[str, str]:
    if batch.kind != BatchKind.JUDGE:
        return {"batch": reverse(DETAILS[BatchKind(batch.kind)], args=[project.slug, batch.pk])}
    listed = reverse("review-batch", args=[project.slug, batch.pk])
    return {
        "batch": reverse("batch", args=[project.slug, batch.pk]),
        "answered": pairs_url(project, batch=batch.pk, state="answered"),
        "left": pairs_url(project, batch=batch.pk, state="open"),
        "skipped": pairs_url(project, batch=batch.pk, state="skipped"),
        "flagged": pairs_url(project, batch=batch.pk, state="flagged"),
        "disputed": f"{listed}?show=disputed",
        "undecided": f"{listed}?show=undecided",
        "agreement": f"{reverse('agreement', args=[project.slug])}?batch={batch.pk}",
    }


def _people(project: Project, kind: str, work: ProjectWork) -> list[Numbers]:
    if kind != BatchKind.JUDGE:
        return [Numbers(row, {}) for row in work.people]
    links = person_links(project, [row.user_id for row in work.people])
    return [Numbers(row, links[row.user_id]) for row in work.people]
