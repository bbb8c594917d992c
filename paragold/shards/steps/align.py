"""The step `align`: word links for each pair, drawn by a stored aligner."""

from __future__ import annotations

from collections.abc import Iterator
from sys import intern
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from paragold.shards.plan import Plan
from paragold.shards.steps.step import PAIR_TEXTS, MapStep, pair_batches, read_once, with_column
from paragold.spec import Spec, param

if TYPE_CHECKING:
    from paragold.aligners.method import Pair


class AlignSpec(Spec):
    """Which aligner draws the links."""

    model: str = param("", "Model", "The file of an aligner, downloaded from a project.")


class Align(MapStep):
    """Pairs with their word `links`, as `0-0 1-2`."""

    id, label = "align", "link the words of pairs"
    reads = gives = "pairs"
    parameters = AlignSpec
    models = {"model": "aligner"}

    def tables(self, plan: Plan, number: int) -> Iterator[tuple[Any, dict[str, int]]]:
        from paragold.aligners.registry import load_aligner
        from paragold.formats.links.pharaoh import format_line
        from paragold.metrics.links import Links

        aligner = read_once(load_aligner, plan.settings["model"], plan.settings["model_sha256"])
        for batch in pair_batches(plan.inputs[number]):
            drawn = aligner.align_all(tokens_of(batch))
            lines = pa.array([format_line(Links.of(links)) for links in drawn], pa.string())
            table = with_column(batch, "links", lines)
            yield table, {"pairs": len(batch), "links": sum(map(len, drawn))}


def tokens_of(batch: Any) -> list[Pair]:
    """The tokens of both sentences of each row; equal ones are one string in memory."""
    first, second = (
        [[intern(token) for token in text.split(" ") if token] for text in batch[name].to_pylist()]
        for name in PAIR_TEXTS
    )
    return list(zip(first, second, strict=True))
