"""What several pages of annotation show: letters of people, agreement, links to pairs, obstacles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop as _

from annotation.models import Batch, Item, Measure
from annotation.permissions import adjudicable_items
from annotation.services.decisions import obstacles
from annotation.services.freezing import SECOND_PASS
from annotation.services.pseudonyms import number_of, pseudonyms
from paragold.metrics.label_agreement import Estimate
from projects.models import Project
from projects.permissions import can_manage

PSEUDONYM = re.compile(r"annotator-[1-9][0-9]{0,8}", re.ASCII)


def letter(pseudonym: str) -> str:
    """`annotator-1` is A, `annotator-27` and those after it keep their number, others their name."""
    if not PSEUDONYM.fullmatch(pseudonym):
        return pseudonym
    place = number_of(pseudonym)
    return ascii_uppercase[place - 1] if place <= len(ascii_uppercase) else str(place)


NAMES = {
    "observed": _("agreement"),
    "cohen_kappa": "Cohen's kappa",
    "krippendorff_alpha": "Krippendorff's alpha",
}
ESTIMATE_NAMES = {
    "observed": _("Agreement"),
    "fleiss_kappa": "Fleiss' kappa",
    "alpha_nominal": "Krippendorff's alpha",
    "alpha_ordinal": _("Krippendorff's alpha, ordinal"),
    "kappa": _("Kappa"),
    "agreement": "1 - mean AER",
    "f1_sure": "F1 sure",
    "f1_all": "F1 all",
}
IN_PERCENT = {"observed", "agreement", "f1_sure", "f1_all"}


@dataclass(frozen=True, slots=True)
class ShownEstimate:
    """An estimate as text: value and interval ("" without one), its n, and why it is undefined.

    Where there was a second pass, it is that of the first one, and `second_pass` the other one.
    """

    name: str
    value: str
    interval: str
    items: int
    undefined_because: str
    second_pass: ShownEstimate | None = None


def coefficients(
    agreement: Mapping[str, Any] | None, second_pass: Mapping[str, Any] | None = None
) -> dict[str, ShownEstimate]:
    """The figures by name, from coefficients or from what a gold set stored of them, of both passes."""
    second_pass = second_pass or (agreement or {}).get(SECOND_PASS)
    second = coefficients(second_pass) if second_pass else {}
    rows = {}
    for name, title in NAMES.items():
        if agreement and name in agreement:
            figure = agreement[name]
            text = (percent if name == "observed" else decimals)(figure["value"])
            rows[name] = ShownEstimate(
                *(gettext(title), text, "", figure["items"], figure["undefined_because"]), second.get(name)
            )
    return rows


def shown(name: str, estimate: Estimate, second_pass: Estimate | None = None) -> ShownEstimate:
    """Shares of agreement in percent, everything else with three decimals."""
    value, end = (percent, bare_percent) if name in IN_PERCENT else (decimals, decimals)
    interval = "" if estimate["low"] is None else f"{end(estimate['low'])} to {end(estimate['high'])}"
    return ShownEstimate(
        name=gettext(ESTIMATE_NAMES.get(name, NAMES.get(name, name))),
        value=value(estimate["value"]),
        interval=interval,
        items=estimate["items"],
        undefined_because=estimate["undefined_because"],
        second_pass=shown(name, second_pass) if second_pass else None,
    )


def shown_all(
    estimates: Mapping[str, Estimate], second_pass: Mapping[str, Estimate] | None = None
) -> list[ShownEstimate]:
    return [shown(name, estimate, (second_pass or {}).get(name)) for name, estimate in estimates.items()]


def bare_percent(share: float | str | None) -> str:
    """A share from 0 to 1 in percent with two decimals, "-" where undefined or, in a template, missing."""
    return "-" if share is None or isinstance(share, str) else f"{100 * share:.2f}"


def percent(share: float | None) -> str:
    """The same with its sign."""
    return bare_percent(share) + ("" if share is None else " %")


def percents(interval: Sequence[float] | None) -> tuple[float, float] | None:
    """Both ends of an interval of shares in percent, for charts."""
    return (100 * interval[0], 100 * interval[1]) if interval else None


def decimals(value: float | str | None) -> str:
    """A coefficient with three decimals, "-" where it is undefined or, in a template, missing."""
    return "-" if value is None or isinstance(value, str) else f"{value:.3f}"


def measure_words(measure: str) -> Callable[[float | None], str]:
    """How values of a training's measure are shown."""
    return percent if measure == Measure.ACCURACY else decimals


def pairs_url(project: Project, **query: Any) -> str:
    """The address of the pairs that a number counts; None leaves a filter out."""
    query_string = urlencode({name: value for name, value in query.items() if value is not None})
    return f"{reverse('judged-pairs', args=[project.slug])}?{query_string}"


def person_links(
    project: Project, users: Iterable[int], batch: Batch | None = None
) -> dict[int, dict[str, str]]:
    """By user id, the addresses of what the person answered, has left, skipped and flagged, for managers.

    Addresses name people by the numbers of their pseudonyms.
    """
    of_batch = {} if batch is None else {"batch": batch.pk}
    names = pseudonyms(project, users)
    return {user: state_links(project, **of_batch, person=number_of(names[user])) for user in names}


def state_links(project: Project, **query: Any) -> dict[str, str]:
    """The addresses of the answered, judged, left, skipped and flagged pairs of what is asked."""
    states = {"answered": "answered", "given": "done", "left": "open"}
    states |= {"skipped": "skipped", "flagged": "flagged"}
    return {name: pairs_url(project, **query, state=state) for name, state in states.items()}


def undecided_context(
    request: HttpRequest, project: Project, batch: Batch, undecided: Iterable[int]
) -> dict[str, Any]:
    """The undecided items on a batch's page: how many the reader may decide, how many not, and why."""
    items = set(undecided)
    mine = adjudicable_items(request.user, project).filter(batch=batch).order_by()
    to_decide = len(items & set(mine.values_list("pk", flat=True)))
    batch_items = Item.objects.filter(batch=batch)
    if can_manage(request.user, project):  # others learn of the batch, not of which items are undecided
        batch_items = batch_items.filter(pk__in=items)
    return {
        "to_decide": to_decide,
        "blocked": len(items) - to_decide,
        "obstacles": obstacles(request.user, batch, batch_items),
    }
