"""What the two demo annotators answered, as written down in the folder `demo`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

FOLDER = Path(settings.BASE_DIR) / "demo"


@dataclass(frozen=True, slots=True)
class DemoJudgement:
    pair: str
    annotator: str
    label: str
    comment: str


@dataclass(frozen=True, slots=True)
class DemoLinks:
    """`links` are [a, b, strength]; the indices count tokens from 0."""

    pair: str
    annotator: str
    links: list[list[Any]]
    null_a: list[int]
    null_b: list[int]


def judgements() -> Iterable[DemoJudgement]:
    """The lines of judgements.tsv: pair, annotator, label, comment."""
    lines = (FOLDER / "judgements.tsv").read_text(encoding="utf-8").rstrip("\n").split("\n")
    for line in lines[1:]:
        pair, annotator, label, comment = line.split("\t")
        yield DemoJudgement(pair, annotator, label, comment)


def word_links() -> Iterable[DemoLinks]:
    """The lines of links.jsonl: pair, annotator, sure, possible, null_a, null_b."""
    for line in (FOLDER / "links.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n"):
        entry = json.loads(line)
        links = [[a, b, "sure"] for a, b in entry["sure"]] + [
            [a, b, "possible"] for a, b in entry["possible"]
        ]
        yield DemoLinks(entry["pair"], entry["annotator"], links, entry["null_a"], entry["null_b"])
