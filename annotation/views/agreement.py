"""The page of agreement: figures with intervals, tables and a plot, over all or some judging batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django import forms
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_noop

from annotation.models import Batch, BatchKind
from annotation.permissions import check_see_answers, visible_items
from annotation.presenters import ShownEstimate, decimals, letter, pairs_url, shown, shown_all
from annotation.schemes import Label
from annotation.services.agreement import agreement_report
from annotation.services.batch_figures import while_unchanged
from annotation.services.pseudonyms import number_of
from paragold.charts import Chart, interval_chart
from paragold.metrics.label_agreement import Counts
from projects.models import Project, Scheme
from projects.reports import Asked, Report, report
from projects.views.figures import linked

Url = Callable[..., str]
"""Gives the address of the pairs behind a number, of one batch or of all of a scheme."""
PERIOD_NAMES = {"tenths": gettext_noop("Tenths of the work"), "days": gettext_noop("Days")}
SHADES = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a shaded table: its text, its shade from 0 to SHADES, its pairs, what the tooltip adds."""

    text: str
    shade: int
    url: str
    note: str = ""


class BatchesForm(forms.Form):
    """Which batches: one, or all of a scheme."""

    batch = forms.IntegerField(required=False)
    scheme = forms.ChoiceField(choices=Scheme.choices, required=False)


def chosen_batches(project: Project, chosen: Mapping[str, Any]) -> tuple[list[Batch], list[Batch]]:
    """The judging batches that there are, and those that are chosen.

    Batches of different schemes have no labels in common: without a choice those of the newest's scheme.
    """
    batches = list(Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE, measure=""))
    if (only := chosen.get("batch")) is None:
        schemes = [batch.scheme for batch in batches]
        scheme = chosen.get("scheme", (schemes or [project.scheme])[0])
        return batches, [batch for batch in batches if batch.scheme == scheme]
    one = list(Batch.objects.filter(project=project, kind=BatchKind.JUDGE, pk=only))
    if not one:
        raise Http404(_("The project has no judging batch with this number."))
    return batches, one


class AgreementForm(BatchesForm):
    """Which batches, and the periods of the curve."""

    by = forms.ChoiceField(choices=PERIOD_NAMES.items(), required=False)


@report("annotation/agreement.html", check_see_answers, choices=lambda data, project: AgreementForm(data))
def agreement(asked: Asked) -> Report:
    """Agreement over the items whose answers the reader may see, of one batch or of all of a scheme."""
    project, chosen = asked.project, asked.chosen
    only, by = chosen.get("batch"), chosen.get("by", "tenths")
    batches, shown_batches = chosen_batches(project, chosen)
    visible = visible_items(asked.user, project, shown_batches)
    report_of = partial(agreement_report, project=project, batches=shown_batches, items=visible, by=by)
    answer = while_unchanged(f"agreement:1:{by}", asked.user, project, shown_batches, report_of)

    def page() -> dict[str, Any]:
        scheme, passes = answer["scheme"], answer["passes"]
        url: Url = partial(pairs_url, project, **({"scheme": scheme} if only is None else {"batch": only}))
        return {
            "all_batches": batches,
            "chosen": only,
            "schemes": [Scheme(name) for name in sorted({batch.scheme for batch in batches})],
            "by": by,
            "periods_by": PERIOD_NAMES,
            "shown": shown_all(answer["first_pass"] or answer["overall"], answer["second_pass"]),
            "shared_url": url(shared=1),
            "by_batch": [
                (batch, _of_batch(row), pairs_url(project, batch=batch.pk, shared=1))
                for batch, row in zip(shown_batches, answer["batches"], strict=True)
            ],
            "two_by_two": [_two(entry, url) for entry in answer["pairs"]],
            "matrix": kappa_matrix(answer, url),
            "confused": confusion(answer["labels"], answer["confusion"], url),
            "both_passes": list(zip(shown_all(passes["first"]), shown_all(passes["last"]), strict=True))
            if passes
            else [],
            "over_time": agreement_figure(answer, by, url),
        }

    return Report(answer=answer, page=page, figures=lambda context: [context["over_time"]], name="agreement")


def _of_batch(row: Mapping[str, Any]) -> list[ShownEstimate]:
    """The agreement of a batch, of its first pass where it had a second one."""
    first = row["first_pass"]
    return shown_all(first, row["agreement"]) if first else shown_all(row["agreement"])


def _url_of_two(url: Url, entry: Mapping[str, Any]) -> str:
    return url(person=number_of(entry["first"]), other=number_of(entry["second"]))


def kappa_matrix(answer: Mapping[str, Any], url: Url) -> list[tuple[str, list[Cell | None]]]:
    """A row for each annotator's letter: Cohen's kappa with every other, None where no pair is shared."""
    entries = {frozenset((entry["first"], entry["second"])): entry for entry in answer["pairs"]}

    def cell(person: str, other: str) -> Cell | None:
        entry = entries.get(frozenset((person, other)))
        if entry is None:
            return None
        kappa = entry["kappa"]
        interval = f"{decimals(kappa['low'])} to {decimals(kappa['high'])}, n {kappa['items']}"
        note = kappa["undefined_because"] or interval
        return Cell(decimals(kappa["value"]), _shade(kappa["value"] or 0.0), _url_of_two(url, entry), note)

    people = answer["annotators"]
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


def agreement_figure(answer: Mapping[str, Any], by: str, url: Url) -> Chart | None:
    """Alpha over time, ordinal where the labels are in order; None where no period has one."""
    name = "alpha_ordinal" if "alpha_ordinal" in answer["overall"] else "alpha_nominal"
    plotted = shown(name, answer["overall"][name]).name
    chart = interval_chart(
        [(period["period"], period["agreement"][name]) for period in answer["periods"]],
        name="agreement",
        title=_("%(plotted)s over time") % {"plotted": plotted},
        x_axis=_("day of the last answer")
        if by == "days"
        else _("tenths of the work, in the order of the last answer"),
        y_axis=plotted,
    )
    if chart is None:
        return None
    rows = []
    for period in answer["periods"]:
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
        caption=_(
            "The line is %(plotted)s, the band its 95 %% interval. A pair counts where its last answer "
            "was given."
        )
        % {"plotted": plotted},
        head=(_("Period"), _("First"), _("Last"), _("Pairs"), _("Agreement, %"), plotted),
        rows=rows,
        text_columns=3,
    )


def _with_interval(figure: Any) -> str:
    return f"{figure.value} ({figure.interval})" if figure.interval else str(figure.value)
