"""The step `near-duplicates`: articles anywhere in the inputs that are the same text, or nearly.

All shingles are compared: shares are exact, and no pair is missed (paragold.matching.near_articles).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from paragold.matching.near_articles import MIN_SHARE, ShingleCoder
from paragold.shards.commits import part_name, place, record
from paragold.shards.plan import Plan
from paragold.shards.steps.divided import Integers, bases, read_divided, write_divided
from paragold.shards.steps.step import ShardsSpec, Stage, Step
from paragold.shards.steps.tokenise import articles_in
from paragold.spec import param

# Pairs that are held before equal ones are added up.
_PAIRS_HELD = 1 << 22


class NearDuplicatesSpec(ShardsSpec):
    """Which articles are near-duplicates."""

    min_share: float = param(
        MIN_SHARE, "Minimum share", "The share of the shorter article that both have.", gt=0, le=1
    )


class NearDuplicates(Step):
    """Pairs of articles with the share of equal text, in the order of the first article."""

    id, label = "near-duplicates", "find articles that are nearly the same"
    reads, gives = "articles", "near-duplicates"
    parameters = NearDuplicatesSpec

    def stages(self, plan: Plan) -> dict[str, Stage]:
        write = "add the counts up and write parts"
        return {
            "shingles": Stage("compute the shingles of articles", _write_shingles, len(plan.reads)),
            "shared": Stage("count shared shingles", _count_shared, plan.shards, ("shingles",)),
            "write": Stage(write, _write, plan.shards, ("shingles", "shared")),
        }

    def counts(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, int]:
        pairs = sum(file["pairs"] for file in files.values())
        return {"articles": int(_first_articles(plan, folder)[-1]), "pairs": pairs}


def _first_articles(plan: Plan, folder: Path) -> Integers:
    return bases([record(folder, "shingles", part)["articles"] for part in range(len(plan.reads))])


def _write_shingles(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the articles of a part with the number of their shingles, and the shingles by their shard."""
    coder, names = ShingleCoder(), list[tuple[str, str]]()
    codes, sizes = [np.empty(0, np.uint64)], list[int]()
    for cluster, article in articles_in(plan, number):
        own = coder.codes(sentence.tokens for sentence in article.sentences)
        names.append((cluster, article.key))
        codes.append(own)
        sizes.append(own.size)
    clusters, ids = zip(*names, strict=True) if names else ((), ())
    table = pa.table(
        {"cluster": pa.array(clusters, pa.string()), "id": pa.array(ids, pa.string()), "size": sizes}
    )
    pq.write_table(table, inside / "articles.parquet", compression="zstd")
    shingles, owners = np.concatenate(codes), np.repeat(np.arange(len(sizes)), sizes)
    write_divided(
        inside, (shingles % np.uint64(plan.shards)).astype(np.int64), plan.shards, [shingles, owners]
    )
    return {"articles": len(sizes)}


def _count_shared(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write how many of a shard's shingles each two articles share, by the shard of the first."""
    parts = range(len(plan.reads))
    folders = [place(folder, "shingles", part) for part in parts]
    firsts = _first_articles(plan, folder)
    by_part = [read_divided([own], number, 2) for own in folders]
    joined = np.concatenate([codes for codes, _ in by_part])
    owners = np.concatenate([own + first for (_, own), first in zip(by_part, firsts[:-1], strict=True)])
    order = np.argsort(joined, kind="stable")
    joined, owners = joined[order], owners[order]
    articles = int(firsts[-1])
    pairs, counts, held, step = np.empty(0, np.int64), np.empty(0, np.int64), list[Any](), 0
    # Owners of a code are side by side, in their order: next to each other, then with one between, ...
    while True:
        step += 1
        equal = np.flatnonzero(joined[step:] == joined[:-step])
        held.append(owners[equal] * articles + owners[equal + step])
        if not equal.size or sum(map(len, held)) > _PAIRS_HELD:
            pairs, counts = _added(
                np.concatenate([pairs, *held]),
                np.concatenate([counts, np.ones(sum(map(len, held)), np.int64)]),
            )
            held.clear()
        if not equal.size:
            break
    shard = pairs // max(articles, 1) * plan.shards // max(articles, 1)
    write_divided(inside, shard, plan.shards, [pairs, counts])
    return {}


def _added(pairs: Any, counts: Any) -> tuple[Any, Any]:
    """Each pair once, ascending, with the sum of its counts."""
    distinct, places = np.unique(pairs, return_inverse=True)
    return distinct, np.bincount(places, weights=counts, minlength=len(distinct)).astype(np.int64)


def _write(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    pairs, shared = _added(
        *read_divided([place(folder, "shared", shard) for shard in range(plan.shards)], number, 2)
    )
    articles = pa.concat_tables(
        pq.read_table(place(folder, "shingles", part) / "articles.parquet") for part in range(len(plan.reads))
    )
    sizes = articles["size"].to_numpy()
    first, second = np.divmod(pairs, max(len(articles), 1))
    shares = shared / np.minimum(sizes[first], sizes[second])
    near = shares >= plan.settings["min_share"]
    one, other = (articles.take(pa.array(side[near])) for side in (first, second))
    table = pa.table(
        {
            "cluster_a": one["cluster"],
            "article_a": one["id"],
            "cluster_b": other["cluster"],
            "article_b": other["id"],
            "share": shares[near],
        }
    )
    pq.write_table(table, inside / part_name(number), compression="zstd")
    return {"pairs": len(table)}
