"""What `best` knows of links before it sees any of a project's own: a link classifier learned elsewhere.

The file is made by scripts/starting_point.py from the word links of public data sets, none of which it holds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from paragold.aligners.link_classifier import FEATURES, LinkClassifier
from paragold.problems import FileProblem

FILE = Path(__file__).with_name("starting_point_english.json")
_KIND = "paragold starting point"
_DIGITS = 8
"""Significant digits of a number in the file: sums that differ in the last bits are written alike."""


@dataclass(frozen=True, slots=True)
class StartingPoint:
    """A classifier that was learned elsewhere, and from what."""

    classifier: LinkClassifier
    sources: Sequence[Mapping[str, Any]]
    """Of each data set learned from: name, pairs, SURE and POSSIBLE links, files with their SHA-256."""
    signature: str


def dumps(
    classifier: LinkClassifier, sources: Sequence[Mapping[str, Any]], parameters: Mapping[str, Any]
) -> str:
    """The text of a file: JSON whose `signature` is the beginning of a SHA-256 over all the rest."""
    numbers = {name: [_rounded(value) for value in values] for name, values in classifier.numbers().items()}
    content = {
        "kind": _KIND,
        "features": list(FEATURES),
        "sources": list(sources),
        "parameters": dict(parameters),
        "numbers": numbers,
    }
    return json.dumps(content | {"signature": _signature(content)}, indent=1) + "\n"


def _rounded(value: float) -> float | None:
    """None stands for infinity: the scale of a feature that has no weight."""
    return float(f"{value:.{_DIGITS}g}") if np.isfinite(value) else None


def _signature(content: Mapping[str, Any]) -> str:
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def loads(text: str) -> StartingPoint:
    """What `dumps` wrote. Raises FileProblem for anything else and where the text was changed."""
    try:
        content = json.loads(text)
        signature = content.pop("signature")
        changed = content["kind"] != _KIND or signature != _signature(content)
    except (ValueError, KeyError, AttributeError, TypeError):
        changed = True
    remedy = "Restore the file, or make it again with scripts/starting_point.py."
    if changed:
        raise FileProblem("It is not a starting point, or it was changed.", remedy)
    if content["features"] != list(FEATURES):
        raise FileProblem("It was trained on another set of link features.", remedy)
    numbers = {
        name: np.array([np.inf if value is None else value for value in values])
        for name, values in content["numbers"].items()
    }
    return StartingPoint(LinkClassifier.of_numbers(numbers), content["sources"], signature)


@cache
def english() -> StartingPoint:
    """The one that comes with Paragold. Raises FileProblem when its file is missing or was changed."""
    try:
        return loads(FILE.read_text("utf-8"))
    except OSError as error:
        raise FileProblem(f"It cannot be read ({error.strerror}).", "Restore it.", file=str(FILE)) from error
    except FileProblem as error:
        raise FileProblem(error.message, error.remedy, file=str(FILE)) from None
