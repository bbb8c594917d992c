"""The manager's page of progress: what is done, by whom, how fast, and what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from annotation.models import Batch, BatchKind
from annotation.presenters import coefficients, pairs_url, person_links, state_links
from annotation.services.batch_figures import BatchFigures, batch_figures
from annotation.services.progress import project_work
from paragold.charts import Chart, bar_chart
from projects.models import Project
from projects.permissions import check_manage
from projects.reports import Asked, Report, report
from projects.views.figures import linked
from projects.views.keyset import listed_page

KINDS = {
    BatchKind.JUDGE: gettext_noop("Judging"),
    BatchKind.LINK: gettext_noop("Linking"),
    BatchKind.SPLIT: gettext_noop("Splitting"),
}
MAX_DAYS = 60


class WorkForm(forms.Form):
    kind = forms.ChoiceField(choices=KINDS.items(), required=False)


@report("annotation/progress.html", check_manage, choices=lambda data, project: WorkForm(data))
def progress(asked: Asked) -> Report:
    """Work done by each person, its pace, and the work left. Archived batches and trials are left out."""
    project = asked.project
    kind = BatchKind(asked.chosen.get("kind", BatchKind.JUDGE))
    batches = list(Batch.objects.current().filter(project=project, kind=kind, trial=False))
    work, bars = project_work(batches)

    def page() -> dict[str, Any]:
        judging = kind == BatchKind.JUDGE
        page = listed_page(list(zip(batches, work["batches"], strict=True)), asked.request.GET)
        shown_batches = [batch for batch, _ in page.rows]
        figures = batch_figures(asked.user, project, shown_batches) if judging else {}
        links = person_links(project, [row["user"] for row in work["people"]]) if judging else {}
        rows = []
        for batch, row in page.rows:
            of_batch = figures.get(batch.pk, BatchFigures())
            links_of_batch = _batch_links(project, batch)
            shown = coefficients(of_batch.agreement, of_batch.second_pass)
            rows.append((row, batch, bars[batch.pk], links_of_batch, of_batch, shown))
        return {
            "kind": kind,
            "kinds": KINDS,
            "page": page,
            # Each row with the addresses of the pairs that its numbers count.
            "by_batch": rows,
            "by_person": [(row, links.get(row["user"], {})) for row in work["people"]],
            "answers_a_day": _work_by_day(project, work["days"], judging),
            "left_url": pairs_url(project, state="open") if judging else "",
        }

    return Report(answer=work, page=page, figures=lambda context: [context["answers_a_day"]], name="progress")


def _work_by_day(project: Project, days: Sequence[Mapping[str, Any]], judging: bool) -> Chart | None:
    """The numbers lead to the pairs where pairs are judged."""
    rows = []
    for row in days:
        day = row["day"].isoformat()
        url = pairs_url(project, day=day) if judging else ""
        rows.append((day, linked(f"{row['answers']:,}", url), row["people"]))
    shown = days_shown([(row["day"], row["answers"]) for row in days])
    return answers_a_day(shown, head=(gettext("Day"), gettext("Answers"), gettext("People")), rows=rows)


def answers_a_day(
    days: Sequence[tuple[str, int]], *, head: Sequence[str], rows: Sequence[Sequence[object]]
) -> Chart | None:
    """The answers of named days as bars, with `rows` as the data below them; None without a day."""
    chart = bar_chart(
        days,
        name="answers-a-day",
        title=gettext("Answers a day"),
        x_axis=gettext("day"),
        y_axis=gettext("answers"),
    )
    if chart is None:
        return None
    caption = gettext("An answer counts on the day it was last changed.")
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
