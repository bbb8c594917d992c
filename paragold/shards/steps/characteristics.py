"""The step `characteristics`: the figures of pairs, in the shape of table 2 of Brockett and Dolan 2005."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
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
from paragold.shards.steps.step import PAIR_TEXTS, Stage, Step, pair_batches
from paragold.spec import Spec, param

Figures = dict[str, tuple[float, float, float]]
"""The sum, the minimum and the maximum of each measure of some pairs."""
_CLUSTERS = "clusters.parquet"


class CharacteristicsSpec(Spec):
    """How the table is headed."""

    heading: str = param("pairs", "Heading", "The head of the column.", max_length=200)


class CharacteristicsStep(Step):
    """The table as JSON, Markdown, CSV and LaTeX."""

    id, label = "characteristics", "compute the figures of table 2"
    reads, gives = "pairs", "table"
    parameters = CharacteristicsSpec

    def stages(self, plan: Plan) -> dict[str, Stage]:
        return {
            "map": Stage("measure pairs", _measure, len(plan.reads)),
            "reduce": Stage("make the table", _table, 1, ("map",)),
        }

    def counts(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, int]:
        numbers = json.loads((folder / "characteristics.json").read_text(encoding="utf-8"))
        return {name: numbers[name] for name in ("pairs", "clusters")}


def _measure(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the clusters of a part; the sums and extremes of its pairs."""
    columns = (*PAIR_TEXTS, "cluster_id", "sentence_a", "sentence_b", "edit_distance")
    clusters, parts = set[str](), list[Figures]()
    for batch in pair_batches(plan.inputs[number], columns):
        clusters.update(pc.unique(batch["cluster_id"]).to_pylist())
        if len(batch):
            parts.append(_figures(batch))
    pq.write_table(pa.table({"cluster_id": pa.array(clusters, pa.string())}), inside / _CLUSTERS)
    return {"figures": _together(parts)}


def _figures(batch: Any) -> Figures:
    pairs = tokens_of(batch)
    lengths = np.array([[len(first), len(second)] for first, second in pairs])
    shorter, longer = lengths.min(axis=1), lengths.max(axis=1)
    measures = {
        "pairs": np.ones(len(pairs), np.int64),
        "distance": batch["edit_distance"].to_numpy(),
        "position": np.maximum(batch["sentence_a"].to_numpy(), batch["sentence_b"].to_numpy()),
        "length": lengths.ravel(),
        "ratio": shorter / longer,
        "shared": np.array([len(_long_words(first) & _long_words(second)) for first, second in pairs]),
    }
    return {name: (one.sum().item(), one.min().item(), one.max().item()) for name, one in measures.items()}


def _long_words(tokens: Any) -> set[str]:
    return {token.lower() for token in tokens if len(token.lower()) >= SHARED_WORD_LENGTH}


def _together(parts: Sequence[Figures]) -> Figures:
    figures: Figures = {}
    for name in parts[0] if parts else ():
        sums, minima, maxima = zip(*(part[name] for part in parts), strict=True)
        figures[name] = sum(sums), min(minima), max(maxima)
    return figures


def _table(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the table of all parts."""
    parts, clusters = list[Figures](), set[str]()
    for part in range(len(plan.reads)):
        if figures := record(folder, "map", part)["figures"]:
            parts.append(figures)
        clusters.update(pq.read_table(place(folder, "map", part) / _CLUSTERS)["cluster_id"].to_pylist())
    values: dict[str, Any] = {"pairs": 0}
    if parts:
        figures = _together(parts)
        values["pairs"] = figures["pairs"][0]
        for name, (total, minimum, maximum) in figures.items():
            values |= {f"{name}_least": minimum, f"{name}_greatest": maximum}
            values[f"{name}_mean"] = total / values["pairs"]
        values |= {"shortest": values["length_least"], "longest": values["length_greatest"]}
        values["length_mean"] /= 2
    criteria = plan.options["criteria"]
    asked = widest(alternatives(Criteria(**criteria))) if criteria else [Selection()]
    names = {field.name for field in fields(Characteristics)}
    column = Characteristics(
        name=plan.settings["heading"],
        asked=asked,
        clusters=len(clusters),
        **{name: value for name, value in values.items() if name in names},
    )
    document = {**asdict(column), "asked": [selection.settings() for selection in asked]}
    for ending, text in (
        ("json", json.dumps(document, indent=1, sort_keys=True) + "\n"),
        ("md", as_markdown([column])),
        ("csv", as_csv([column])),
        ("tex", as_latex([column])),
    ):
        (inside / f"characteristics.{ending}").write_bytes(text.encode())
    return {}
