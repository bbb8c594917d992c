"""The page of agreement: figures with intervals, tables and a plot, over all or some judging batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone

from annotation.models import Batch, BatchKind
from annotation.permissions import check_see_answers, visible_items
from annotation.presenters import decimals, letter, pairs_url, shown, shown_all
from annotation.schemes import Label
from annotation.services.agreement import PERIODS, agreement_report
from annotation.services.pseudonyms import number_of
from paragold.charts import Chart, interval_chart
from paragold.metrics.label_agreement import Counts
from projects.models import Project, Scheme
from projects.views.figures import linked, page_with_figures
from projects.views.project_view import SAFE, project_view

Url = Callable[..., str]
"""Gives the address of the pairs behind a number, of one batch or of all of a scheme."""
PERIOD_NAMES = {"tenths": "Tenths of the work", "days": "Days"}
SHADES = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a shaded table: its text, its shade from 0 to SHADES, its pairs, what the tooltip adds."""

    text: str
    shade: int
    url: str
    note: str = ""


@project_view(check_see_answers, SAFE)
def agreement(request: HttpRequest, project: Project) -> HttpResponse:
    batches = list(Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE))
    chosen, scheme, by = choice(batches, request.GET)
    report = agreement_report(
        project=project, batches=chosen, items=visible_items(request.user, project), by=by
    )
    only = chosen[0].pk if request.GET.get("batch") and len(chosen) == 1 else None
    url: Url = partial(pairs_url, project, **({"scheme": scheme} if only is None else {"batch": only}))
    passes = report["passes"]
    context: dict[str, Any] = {
        "report": report,
        "batches": batches,
        "chosen": only,
        "schemes": [Scheme(name) for name in sorted({batch.scheme for batch in batches})],
        "scheme": scheme,
        "by": by,
        "periods_by": PERIOD_NAMES,
        "overall": shown_all(report["first_pass"] or report["overall"], report["second_pass"]),
        "shared_url": url(shared=1),
        "by_batch": [
            (
                batch,
                shown_all(row["first_pass"], row["agreement"])
                if row["first_pass"]
                else shown_all(row["agreement"]),
                pairs_url(project, batch=batch.pk, shared=1),
            )
            for batch, row in zip(chosen, report["batches"], strict=True)
        ],
        "pairs": [_two(entry, url) for entry in report["pairs"]],
        "matrix": kappa_matrix(report, url),
        "confusion": confusion(report["labels"], report["confusion"], url),
        "passes": passes,
        "both_passes": list(zip(shown_all(passes["first"]), shown_all(passes["last"]), strict=True))
        if passes
        else [],
    }
    over_time = agreement_figure(report, by, url)
    context["over_time"] = over_time
    return page_with_figures(request, "annotation/agreement.html", context, [over_time])


def _url_of_two(url: Url, entry: Mapping[str, Any]) -> str:
    return url(person=number_of(entry["first"]), other=number_of(entry["second"]))


def choice(batches: list[Batch], query: QueryDict) -> tuple[list[Batch], str, str]:
    """The batches, scheme and periods that an address asks for; invalid values are ignored.

    Batches of different schemes have no labels in common: without a choice those of the newest's scheme.
    """
    batch_named = [batch for batch in batches if str(batch.pk) == query.get("batch")]
    by = query.get("by", "")
    by = by if by in PERIODS else "tenths"
    if batch_named:
        return batch_named, batch_named[0].scheme, by
    scheme_name = query.get("scheme")
    schemes = [batch.scheme for batch in batches]
    scheme = scheme_name if scheme_name in schemes else (schemes or [""])[0]
    return [batch for batch in batches if batch.scheme == scheme], scheme, by


def kappa_matrix(report: Mapping[str, Any], url: Url) -> list[tuple[str, list[Cell | None]]]:
    """A row for each annotator's letter: Cohen's kappa with every other, None where no pair is shared."""
    entries = {frozenset((entry["first"], entry["second"])): entry for entry in report["pairs"]}

    def cell(person: str, other: str) -> Cell | None:
        entry = entries.get(frozenset((person, other)))
        if entry is None:
            return None
        kappa = entry["kappa"]
        interval = f"{decimals(kappa['low'])} to {decimals(kappa['high'])}, n {kappa['items']}"
        note = kappa["undefined_because"] or interval
        return Cell(decimals(kappa["value"]), _shade(kappa["value"] or 0.0), _url_of_two(url, entry), note)

    people = report["annotators"]
    return [(letter(who), [cell(who, other) for other in people]) for who in people]


def _shade(share: float) -> int:
    return max(0, min(SHADES, round(share * SHADES)))


def confusion(labels: tuple[str, ...], counts: Counts, url: Url) -> list[tuple[str, list[Cell], int]]:
    """A row for each label: its name, how often each label stood against it, and their sum."""
    rows = []
    for label, row in zip(labels, counts, strict=True):
        total = int(row.sum())
        cells = [
            Cell(f"{count:,}", _shade(count / total if total else 0), url(label=label, other_label=other))
            for other, count in zip(labels, row.tolist(), strict=True)
        ]
        rows.append((str(Label(label).label), cells, total))
    return rows


def _two(entry: Mapping[str, Any], url: Url) -> dict[str, Any]:
    return {
        "url": _url_of_two(url, entry),
        "letters": (letter(entry["first"]), letter(entry["second"])),
        "observed": shown("observed", entry["observed"]),
        "kappa": shown("cohen_kappa", entry["kappa"]),
    }


def agreement_figure(report: Mapping[str, Any], by: str, url: Url) -> Chart | None:
    """Alpha over time, ordinal where the labels are in order; None where no period has one."""
    name = "alpha_ordinal" if "alpha_ordinal" in report["overall"] else "alpha_nominal"
    plotted = shown(name, report["overall"][name]).name
    chart = interval_chart(
        [(period["period"], period["agreement"][name]) for period in report["periods"]],
        name="agreement",
        title=f"{plotted} over time",
        x_axis="day of the last answer"
        if by == "days"
        else "tenths of the work, in the order of the last answer",
        y_axis=plotted,
    )
    if chart is None:
        return None
    rows = []
    for period in report["periods"]:
        alpha, observed = (shown(key, period["agreement"][key]) for key in (name, "observed"))
        pairs = url(shared=1, first=period["first"].isoformat(), last=period["last"].isoformat())
        rows.append(
            (
                period["period"],
                *(f"{timezone.localtime(end):%Y-%m-%d %H:%M}" for end in (period["first"], period["last"])),
                linked(f"{observed.items:,}", pairs),
                *(_with_interval(figure) for figure in (observed, alpha)),
            )
        )
    return replace(
        chart,
        caption=f"The line is {plotted}, the band its 95 % interval. A pair counts where its last answer was "
        "given.",
        head=("Period", "First", "Last", "Pairs", "Agreement, %", plotted),
        rows=rows,
        text_columns=3,
    )


def _with_interval(figure: Any) -> str:
    return f"{figure.value} ({figure.interval})" if figure.interval else str(figure.value)
