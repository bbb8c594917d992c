"""The step `characteristics`: the figures of pairs, in the shape of table 2 of Brockett and Dolan 2005."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from paragold.extraction.characteristics import Characteristics, as_csv, as_latex, as_markdown
from paragold.extraction.criteria import SHARED_WORD_LENGTH, Criteria
from paragold.extraction.selection import Selection, alternatives, widest
from paragold.shards.commits import place, record
from paragold.shards.plan import Plan
from paragold.shards.steps.align import tokens_of
from paragold.shards.steps.step import PAIR_TEXTS, Step, pair_batches
from paragold.spec import Spec, param

_LEAST = ("distance_least", "shortest", "ratio_least", "shared_least")
_GREATEST = ("distance_greatest", "position_greatest", "longest", "shared_greatest")
_SUMMED = ("pairs", "distance", "length", "shared")
_CLUSTERS = "clusters.parquet"


class CharacteristicsSpec(Spec):
    """How the table is headed."""

    heading: str = param("pairs", "Heading", "The head of the column.", max_length=200)


class CharacteristicsStep(Step):
    """The table as JSON, Markdown, CSV and LaTeX."""

    id, label = "characteristics", "compute the figures of table 2"
    reads, gives = "pairs", "table"
    parameters = CharacteristicsSpec
    stages = {"map": "measure pairs", "reduce": "make the table"}

    def tasks(self, plan: Plan) -> dict[str, int]:
        return {"map": len(plan.reads), "reduce": 1}

    def work(self, plan: Plan, folder: Path, stage: str, number: int, inside: Path) -> dict[str, Any]:
        return _measure(plan, number, inside) if stage == "map" else _table(plan, folder, inside)

    def described(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, Any]:
        numbers = json.loads((folder / "characteristics.json").read_text(encoding="utf-8"))
        counts = {name: numbers[name] for name in ("pairs", "clusters")}
        return {"counts": counts, "details": {"settings": plan.settings}}


def _measure(plan: Plan, number: int, inside: Path) -> dict[str, Any]:
    """Write the clusters of a part; the extremes and the sums of its pairs, which add up."""
    columns = (*PAIR_TEXTS, "cluster_id", "sentence_a", "sentence_b", "edit_distance")
    clusters, parts = pa.array([], pa.string()), list[dict[str, Any]]()
    for batch in pair_batches(plan.inputs[number], columns):
        clusters = pc.unique(pa.concat_arrays([clusters, batch["cluster_id"].cast(pa.string())]))
        if len(batch):
            parts.append(_of_batch(batch))
    pq.write_table(pa.table({"cluster_id": clusters}), inside / _CLUSTERS)
    return {"figures": _together(parts)}


def _of_batch(batch: Any) -> dict[str, Any]:
    pairs = tokens_of(batch)
    lengths = np.array([[len(first), len(second)] for first, second in pairs])
    shared = np.array([len(_long_words(first) & _long_words(second)) for first, second in pairs])
    places = np.maximum(batch["sentence_a"].to_numpy(), batch["sentence_b"].to_numpy())
    distances = batch["edit_distance"].to_numpy()
    shorter, longer = lengths.min(axis=1), lengths.max(axis=1)
    return {
        "pairs": len(pairs),
        "distance": int(distances.sum()),
        "length": int(lengths.sum()),
        "shared": int(shared.sum()),
        "distance_least": int(distances.min()),
        "distance_greatest": int(distances.max()),
        "position_greatest": int(places.max()),
        "shortest": int(shorter.min()),
        "longest": int(longer.max()),
        "ratio_least": float((shorter / longer).min()),
        "shared_least": int(shared.min()),
        "shared_greatest": int(shared.max()),
    }


def _long_words(tokens: Any) -> set[str]:
    return {token.lower() for token in tokens if len(token.lower()) >= SHARED_WORD_LENGTH}


def _together(parts: list[dict[str, Any]]) -> dict[str, Any]:
    if not parts:
        return {}
    return {
        **{name: sum(part[name] for part in parts) for name in _SUMMED},
        **{name: min(part[name] for part in parts) for name in _LEAST},
        **{name: max(part[name] for part in parts) for name in _GREATEST},
    }


def _table(plan: Plan, folder: Path, inside: Path) -> dict[str, Any]:
    """Write the table of all parts."""
    numbers = range(len(plan.reads))
    parts = [record(folder, "map", number)["figures"] for number in numbers]
    figures = _together([part for part in parts if part])
    clusters = pa.array([], pa.string())
    for number in numbers:
        own = pq.read_table(place(folder, "map", number) / _CLUSTERS)["cluster_id"].combine_chunks()
        clusters = pc.unique(pa.concat_arrays([clusters, own]))
    values: dict[str, Any] = {"pairs": 0}
    if figures:
        pairs, means = figures["pairs"], {name: figures.pop(name) for name in _SUMMED[1:]}
        values = {
            **figures,
            "distance_mean": means["distance"] / pairs,
            "length_mean": means["length"] / pairs / 2,
            "shared_mean": means["shared"] / pairs,
        }
    criteria = plan.options["criteria"]
    asked = widest(alternatives(Criteria(**criteria))) if criteria else [Selection()]
    column = Characteristics(name=plan.settings["heading"], asked=asked, clusters=len(clusters), **values)
    document = {**asdict(column), "asked": [selection.settings() for selection in asked]}
    for ending, text in (
        ("json", json.dumps(document, indent=1, sort_keys=True) + "\n"),
        ("md", as_markdown([column])),
        ("csv", as_csv([column])),
        ("tex", as_latex([column])),
    ):
        (inside / f"characteristics.{ending}").write_bytes(text.encode())
    return {}
