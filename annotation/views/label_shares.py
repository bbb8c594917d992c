"""The precision of extractions as the page of a gold set shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.models import GoldSet, Label
from annotation.services.precision import Shares, extraction_precision, recall_estimates
from corpus.models import Extraction
from paragold.agreement.recall import RecallEstimate

from .agreement import bare_percent


@dataclass(frozen=True, slots=True)
class ShownShare:
    """A share and its interval in percent, as text."""

    value: str
    interval: str


@dataclass(frozen=True, slots=True)
class ShownShares:
    """A row of a table of shares; `items` is the number of pairs it rests on."""

    name: str
    items: int
    shares: list[ShownShare]
    extraction: Extraction | None = None


@dataclass(frozen=True, slots=True)
class ShownRecall:
    """A row of a table of recall; `found` of `all` paraphrases, as estimated."""

    name: str
    share: ShownShare
    found: int
    all: int
    extraction: Extraction | None = None


def precision_context(gold_set: GoldSet) -> dict[str, Any]:
    report = extraction_precision(gold_set)
    return {
        "precision": report,
        "label_names": [Label(label).label for label in report.labels],
        "precision_by_extraction": [_row(found.name, shares, found) for found, shares in report.extractions],
        "precision_by_distance": [_row(name, shares) for name, shares in report.distances],
    }


def recall_context(gold_set: GoldSet) -> dict[str, Any]:
    """A table for each batch that holds rejected pairs: the whole dataset first, then its extractions."""
    found = []
    for report in recall_estimates(gold_set):
        rows = [_recall(report.batch.dataset.name if report.batch.dataset else "", report.whole)]
        rows += [_recall(method.name, estimate, method) for method, estimate in report.extractions]
        found.append((report, rows))
    return {"recall": found}


def _recall(name: str, estimate: RecallEstimate, extraction: Extraction | None = None) -> ShownRecall:
    return ShownRecall(
        name,
        ShownShare(
            bare_percent(estimate.value), f"{bare_percent(estimate.low)} to {bare_percent(estimate.high)}"
        ),
        round(estimate.found),
        round(estimate.all),
        extraction,
    )


def _row(name: str, shares: Shares, extraction: Extraction | None = None) -> ShownShares:
    found = []
    for share in shares.values():
        bounds = share.interval
        interval = f"{bare_percent(bounds[0])} to {bare_percent(bounds[1])}" if bounds else ""
        found.append(ShownShare(bare_percent(share.value), interval))
    return ShownShares(name, next(iter(shares.values())).items, found, extraction)
