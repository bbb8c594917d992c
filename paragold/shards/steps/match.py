"""The step `match`: sentences, or articles, that share words, by bands of MinHash keys across all shards.

The words are numbered for all parts together, so that keys, bands and pairs are those of `match-texts` with
the method `bands` (paragold.matching.similar_pairs).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from paragold.formats.tables import UNWRITABLE
from paragold.matching.similar_pairs import band_keys, banding_for, groups_of_equal
from paragold.matching.word_sets import WordSets, words_that_count
from paragold.shards.commits import part_name, place, record
from paragold.shards.pair_lines import lines_described
from paragold.shards.plan import Plan
from paragold.shards.steps.divided import Integers, bases, read_divided, write_divided
from paragold.shards.steps.step import ShardsSpec, Stage, Step
from paragold.shards.steps.tokenise import articles_in
from paragold.spec import param, seed_param

COLUMNS = ("id_a", "id_b", "score", "jaccard", "text_a", "text_b")


class MatchSpec(ShardsSpec):
    """Which texts match."""

    unit: Literal["sentence", "article"] = param(
        "sentence",
        "Unit",
        "What is compared.",
        choices={"sentence": "sentences", "article": "whole articles"},
    )
    threshold: float = param(0.33, "Threshold", "Minimum Jaccard of the words of a pair.", gt=0, le=1)
    seed: int = seed_param("Determines the bands.")


class Match(Step):
    """Pairs of texts by falling score."""

    id, label = "match", "match texts by the words they share"
    reads, gives = "articles", "matches"
    parameters = MatchSpec

    def stages(self, plan: Plan) -> dict[str, Stage]:
        parts, shards = len(plan.reads), plan.shards
        return {
            "words": Stage("list the words of texts", _list_words, parts),
            "join": Stage("number the words of all parts", _join, 1, ("words",)),
            "keys": Stage("compute MinHash keys", _write_keys, parts, ("words", "join")),
            "pairs": Stage("compare texts with equal bands", _compare, shards, ("words", "keys")),
            "write": Stage("write parts", _write, shards, ("words", "pairs")),
        }

    def counts(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, int]:
        pairs = sum(file["pairs"] for file in files.values())
        return {"texts": int(_first_texts(plan, folder)[-1]), "pairs": pairs}

    def details(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().details(folder, plan, files), **lines_described(folder, files, COLUMNS)}


def _list_words(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the texts of a part, and the sets of their words, numbered in the part by first appearance."""
    from paragold.matching.kernels import numbered, rarest_first

    ids, texts, lists = list[str](), list[str](), list[list[str]]()
    for cluster, article in articles_in(plan, number):
        key = f"{cluster}/{article.key}" if cluster else article.key
        sentences = [list(sentence.tokens) for sentence in article.sentences]
        if plan.settings["unit"] == "article":
            units = [(key, [token for tokens in sentences for token in tokens])]
        else:
            units = [(f"{key}:{place}", tokens) for place, tokens in enumerate(sentences)]
        for id, tokens in units:
            ids.append(UNWRITABLE.sub(" ", id))
            texts.append(UNWRITABLE.sub(" ", " ".join(tokens)))
            lists.append(words_that_count(token.lower() for token in tokens))
    pq.write_table(pa.table({"id": ids, "text": texts}), inside / "texts.parquet", compression="zstd")
    words = pa.array(lists, pa.large_list(pa.large_string()))
    numbers, names = numbered(words.values)
    offsets, codes, order = rarest_first(words.offsets.to_numpy(), numbers, len(names))
    np.save(inside / "offsets.npy", offsets)
    np.save(inside / "numbers.npy", order[codes])
    np.save(inside / "frequencies.npy", np.bincount(order[codes], minlength=len(names)))
    pq.write_table(pa.table({"word": pa.array(names, pa.string())}), inside / "names.parquet")
    return {"texts": len(texts)}


def _join(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the code of each word of each part among those of all: the rarest first, then by appearance.

    The different words of all parts are in memory, besides them one part at a time.
    """
    numbers: dict[str, int] = {}
    frequencies = np.zeros(0, np.int64)
    paths = [inside / f"codes-{part}.npy" for part in range(len(plan.reads))]
    for part, path in enumerate(paths):
        own = place(folder, "words", part)
        names = pq.read_table(own / "names.parquet")["word"].to_pylist()
        places = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int32)
        if len(numbers) > len(frequencies):
            frequencies = np.pad(frequencies, (0, 2 * len(numbers) - len(frequencies)))
        frequencies[places] += np.load(own / "frequencies.npy")
        np.save(path, places)
    codes = np.empty(len(numbers), np.int32)
    codes[np.argsort(frequencies[: len(numbers)], kind="stable")] = np.arange(len(numbers))
    for path in paths:
        np.save(path, codes[np.load(path)])
    return {"words": len(numbers)}


def _write_keys(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the word sets of a part, and the band, key and text of each of its keys, by shard of the key."""
    own = place(folder, "words", number)
    offsets = np.load(own / "offsets.npy")
    codes = np.load(place(folder, "join", 0) / f"codes-{number}.npy")[np.load(own / "numbers.npy")]
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    sets = WordSets(codes[np.lexsort((codes, owners))], offsets, ())
    np.save(inside / "codes.npy", sets.codes)
    texts = np.flatnonzero(sets.sizes) + _first_texts(plan, folder)[number]
    keys = list(band_keys(sets, banding_for(plan.settings["threshold"]), plan.settings["seed"]))
    mixed = np.concatenate(keys)
    bands = np.repeat(np.arange(len(keys), dtype=np.int16), len(texts))
    shard = (mixed % np.uint64(plan.shards)).astype(np.int64)
    write_divided(inside, shard, plan.shards, [bands, mixed, np.tile(texts, len(keys))])
    return {}


def _first_texts(plan: Plan, folder: Path) -> Integers:
    return bases([record(folder, "words", part)["texts"] for part in range(len(plan.reads))])


def _compare(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the pairs with enough words in common among texts with an equal key, by shard of their score."""
    from paragold.matching.kernels import similar_in_groups

    parts = range(len(plan.reads))
    bands, mixed, texts = read_divided([place(folder, "keys", part) for part in parts], number, 3)
    threshold = plan.settings["threshold"]
    matches = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    for band in np.unique(bands):
        chosen = bands == band
        members, bounds = groups_of_equal(mixed[chosen], texts[chosen])
        known, local = np.unique(members, return_inverse=True)
        offsets, codes = _sets_of(plan, folder, known)
        first, second, scores = similar_in_groups(offsets, codes, local, bounds, threshold, 0)
        matches.append((known[first], known[second], scores))
    first, second, scores = map(np.concatenate, zip(*matches, strict=True))
    shard = np.minimum((1 - scores) / max(1 - threshold, 1e-9) * plan.shards, plan.shards - 1).astype(
        np.int64
    )
    write_divided(inside, shard, plan.shards, [first.astype(np.int64), second.astype(np.int64), scores])
    return {}


def _sets_of(plan: Plan, folder: Path, texts: Integers) -> tuple[Integers, Any]:
    """The word sets of some texts, given in ascending order: offsets and codes."""
    firsts, sizes, codes = _first_texts(plan, folder), [np.zeros(1, np.int64)], [np.empty(0, np.int32)]
    for part in range(len(plan.reads)):
        own = (
            texts[np.searchsorted(texts, firsts[part]) : np.searchsorted(texts, firsts[part + 1])]
            - firsts[part]
        )
        if len(own):
            offsets = np.load(place(folder, "words", part) / "offsets.npy", mmap_mode="r")
            all_codes = np.load(place(folder, "keys", part) / "codes.npy", mmap_mode="r")
            begins, lengths = offsets[own], offsets[own + 1] - offsets[own]
            sizes.append(lengths)
            within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            codes.append(all_codes[np.repeat(begins, lengths) + within])
    return np.cumsum(np.concatenate(sizes)), np.concatenate(codes)


def _write(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the pairs of a range of scores by falling score, then by their texts."""
    folders = [place(folder, "pairs", shard) for shard in range(plan.shards)]
    first, second, scores = read_divided(folders, number, 3)
    _, places = np.unique(np.stack([first, second], axis=1), axis=0, return_index=True)
    first, second, scores = first[places], second[places], scores[places]
    order = np.lexsort((second, first, -scores))
    first, second, scores = first[order], second[order], scores[order]
    names = _texts_of(plan, folder, np.concatenate([first, second]))
    ids, texts = names["id"], names["text"]
    pairs = len(order)
    columns = [ids[:pairs], ids[pairs:], pa.array(scores), pa.array(scores), texts[:pairs], texts[pairs:]]
    pq.write_table(pa.table(columns, names=list(COLUMNS)), inside / part_name(number), compression="zstd")
    return {"pairs": pairs}


def _texts_of(plan: Plan, folder: Path, texts: Any) -> Any:
    """The ids and texts of some texts, in their order."""
    firsts = _first_texts(plan, folder)
    known, places = np.unique(texts, return_inverse=True)
    tables = []
    for part in range(len(plan.reads)):
        own = known[(known >= firsts[part]) & (known < firsts[part + 1])] - firsts[part]
        if len(own) or not part:
            tables.append(pq.read_table(place(folder, "words", part) / "texts.parquet").take(pa.array(own)))
    return pa.concat_tables(tables).take(pa.array(places)).combine_chunks()
