"""Agreement as the pages show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from paragold.agreement.coefficients import Agreement
from paragold.agreement.estimates import Estimate

NAMES = {
    "observed": "agreement",
    "cohen_kappa": "Cohen's kappa",
    "krippendorff_alpha": "Krippendorff's alpha",
}
ESTIMATE_NAMES = {
    "observed": "Agreement",
    "fleiss_kappa": "Fleiss' kappa",
    "alpha_nominal": "Krippendorff's alpha",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
}


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One figure: its name, its value as text ("-" when undefined), its n, and why it is undefined."""

    name: str
    value: str
    items: int
    undefined_because: str


def coefficients(agreement: Mapping[str, Agreement | Mapping[str, Any]] | None) -> dict[str, Coefficient]:
    """The figures by name, from coefficients or from what a gold set stored of them."""
    found = {}
    for name in NAMES:
        if not agreement or name not in agreement:
            continue
        figure = agreement[name]
        fields = asdict(figure) if isinstance(figure, Agreement) else figure
        text = percent(fields["value"]) if name == "observed" else decimals(fields["value"])
        found[name] = Coefficient(NAMES[name], text, fields["items"], fields["undefined_because"])
    return found


@dataclass(frozen=True, slots=True)
class ShownEstimate:
    """An estimate as text: value and interval ("" without one), its n, and why it is undefined."""

    name: str
    value: str
    interval: str
    items: int
    undefined_because: str


def shown(name: str, estimate: Estimate) -> ShownEstimate:
    """Observed agreement in percent, everything else with three decimals."""
    form = bare_percent if name == "observed" else decimals
    interval = "" if estimate.low is None else f"{form(estimate.low)} to {form(estimate.high)}"
    title = ESTIMATE_NAMES.get(name, NAMES.get(name, name))
    unit = " %" if name == "observed" and estimate.value is not None else ""
    return ShownEstimate(
        title, form(estimate.value) + unit, interval, estimate.items, estimate.undefined_because
    )


def shown_all(estimates: Mapping[str, Estimate]) -> list[ShownEstimate]:
    return [shown(name, estimate) for name, estimate in estimates.items()]


def bare_percent(share: float | None) -> str:
    """A share from 0 to 1 in percent with two decimals and without the sign."""
    return percent(share, sign=False)


def percent(share: float | None, *, sign: bool = True) -> str:
    """A share from 0 to 1 in percent with two decimals, "-" when undefined."""
    if share is None:
        return "-"
    return f"{100 * share:.2f}{' %' if sign else ''}"


def decimals(value: float | None) -> str:
    """A coefficient with three decimals, "-" when undefined."""
    return "-" if value is None else f"{value:.3f}"
