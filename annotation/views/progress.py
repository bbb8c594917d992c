"""The manager's page of progress: what is done, by whom, how fast, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from annotation.models import Batch, BatchKind
from annotation.presenters import coefficients, pairs_url, person_links, state_links
from annotation.services.batch_figures import BatchFigures, batch_figures
from annotation.services.progress import DayWork, ProjectWork, project_work
from paragold.charts import Chart, bar_chart
from projects.models import Project
from projects.permissions import check_manage
from projects.views.figures import linked, page_with_figures
from projects.views.project_view import SAFE, project_view

KINDS = {BatchKind.JUDGE: "Judging", BatchKind.LINK: "Linking", BatchKind.SPLIT: "Splitting"}
MAX_DAYS = 60


@project_view(check_manage, SAFE)
def progress(request: HttpRequest, project: Project) -> HttpResponse:
    kind_name = request.GET.get("kind")
    kind = BatchKind(kind_name) if kind_name in BatchKind.values else BatchKind.JUDGE
    work = project_work(project, kind)
    batches = [row.batch for row in work.batches]
    judging = kind == BatchKind.JUDGE
    figures = batch_figures(request.user, project, batches) if judging else {}
    rows = [(row, figures.get(row.batch.pk, BatchFigures())) for row in work.batches]
    links = person_links(project, [row.user_id for row in work.people]) if judging else {}
    figure = _answers_a_day(project, work, judging)
    context: dict[str, Any] = {
        "kind": kind,
        "kinds": KINDS,
        "work": work,
        # Each row with the addresses of the pairs that its numbers count.
        "batches": [
            (
                *(row, _batch_links(project, row.batch), of_batch),
                coefficients(of_batch.agreement, of_batch.second_pass),
            )
            for row, of_batch in rows
        ],
        "people": [(row, links.get(row.user_id, {})) for row in work.people],
        "answers_a_day": figure,
        "left_url": pairs_url(project, state="open") if judging else "",
    }
    return page_with_figures(request, "annotation/progress.html", context, [figure])


def _answers_a_day(project: Project, work: ProjectWork, judging: bool) -> Chart | None:
    """The numbers lead to the pairs where pairs are judged."""

    def answers(day: DayWork) -> str:
        url = pairs_url(project, day=day.day.isoformat()) if judging else ""
        return linked(f"{day.answers:,}", url)

    return answers_a_day(
        days_shown([(day.day, day.answers) for day in work.days]),
        head=("Day", "Answers", "People"),
        rows=[(day.day.isoformat(), answers(day), day.people) for day in work.days],
    )


def answers_a_day(
    days: Sequence[tuple[str, int]], *, head: Sequence[str], rows: Sequence[Sequence[object]]
) -> Chart | None:
    """The answers of named days as bars, with `rows` as the data below them; None without a day."""
    chart = bar_chart(days, name="answers-a-day", title="Answers a day", x_axis="day", y_axis="answers")
    if chart is None:
        return None
    caption = "An answer counts on the day it was last changed."
    return replace(chart, caption=caption, head=head, rows=rows, text_columns=1)


def days_shown(days: Sequence[tuple[date, int]]) -> list[tuple[str, int]]:
    """Answers of every calendar day from the first to the last, of the latest MAX_DAYS; [] before the first.

    Days without an answer keep their place, so that a pause is seen.
    """
    if not days:
        return []
    answers = {day.toordinal(): number for day, number in days}
    last = max(answers)
    first = max(min(answers), last - MAX_DAYS + 1)
    return [(date.fromordinal(day).isoformat(), answers.get(day, 0)) for day in range(first, last + 1)]


def _batch_links(project: Project, batch: Batch) -> dict[str, str]:
    if batch.kind != BatchKind.JUDGE:
        return {"batch": batch.get_absolute_url()}
    listed = reverse("review-batch", args=[project.slug, batch.pk])
    return {
        "batch": reverse("batch", args=[project.slug, batch.pk]),
        **state_links(project, batch=batch.pk),
        "disputed": f"{listed}?show=disputed",
        "undecided": f"{listed}?show=undecided",
        "agreement": f"{reverse('agreement', args=[project.slug])}?batch={batch.pk}",
    }
