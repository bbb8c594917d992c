"""Facts on which rows of an archive must agree across tables: word links are within their sentences, answers
are of the kind that their batch asks for, groups of headlines are of their cluster.

No schema of one column can say them, and pages rely on them.
"""

from __future__ import annotations

import re
from array import array
from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from annotation.models import BatchKind
from paragold.metrics.links import links_of

from .json_columns import check_of_kind
from .tables import Row

LINK = re.compile("[0-9]+-[0-9]+")


class CrossChecks:
    """Checks each row against those of earlier tables; to be given all rows in the order of `tables()`.

    It keeps some bytes of each sentence, pair, item and assignment, by their numbers in the archive, from 1.
    """

    def __init__(self) -> None:
        self._tokens = array("I")
        self._article_keys = array("q")
        self._pairs = (array("I"), array("I"))
        self._batch_kinds: list[str] = []
        self._item_kinds: list[str] = []
        self._item_pairs = array("I")
        self._item_numbers = array("I")
        self._assignments = array("I")
        self._headline_items = array("I")
        self._headlines: dict[int, set[int]] = {}
        self._headline_keys: dict[int, set[int]] = {}
        self._alignments = array("I")
        self._gold: dict[int, list[tuple[int, int, int]]] = {}
        """By set of gold links: (number of the item, row, item) of its pairs in their order."""
        self._checks: dict[str, Callable[[Row], object]] = {
            "corpus.Article": lambda row: self._article_keys.append(hash(row["key"])),
            "corpus.Sentence": lambda row: self._tokens.append(row["tokens"].count(" ") + 1),
            "corpus.CandidatePair": self._pair,
            "annotation.Batch": lambda row: self._batch_kinds.append(row["kind"]),
            "annotation.Item": self._item,
            "annotation.ItemHeadline": self._headline,
            "annotation.Assignment": lambda row: self._assignments.append(row["item_id"]),
            "annotation.Answer": self._answer,
            "annotation.Placement": self._placement,
            "annotation.Decision": self._decision,
            "annotation.GoldSubclusters": self._gold_subclusters,
            "alignment.Alignment": self._alignment,
            "alignment.WordLink": self._word_link,
            "alignment.SuggestedLinks": lambda row: self._links_of_item(row["item_id"], row["links"]),
            "alignment.GoldAlignment": self._gold_alignment,
            "alignment.AutomaticAlignment": self._automatic_alignment,
            "alignment.ExperimentCell": self._cell,
            "annotation.GoldJudgement": lambda row: self._lengths_of_item(row["item_id"]),
            **dict.fromkeys(
                ("annotation.Judgement", "annotation.PhenomenonCount", "annotation.SecondLook"),
                lambda row: self._lengths_of_item(self._assignments[row["assignment_id"] - 1]),
            ),
        }

    def check(self, table: str, row: Row) -> None:
        """Raise ValueError where a row does not agree with those that it refers to.

        `row` has the values by attribute, foreign keys as numbers of rows.
        """
        if table in self._checks:
            self._checks[table](row)

    def _pair(self, row: Row) -> None:
        for sentences, name in zip(self._pairs, ("sentence_a_id", "sentence_b_id"), strict=True):
            sentences.append(row[name])

    def _item(self, row: Row) -> None:
        kind = self._batch_kinds[row["batch_id"] - 1]
        if (kind == BatchKind.SPLIT) != (row["pair_id"] is None):
            raise ValueError("an item to split needs a cluster, every other one a pair")
        self._item_kinds.append(kind)
        self._item_pairs.append(row["pair_id"] or 0)
        self._item_numbers.append(row["number"])

    def _lengths_of_item(self, item: int) -> tuple[int, int]:
        pair = self._item_pairs[item - 1]
        if not pair:
            raise ValueError(f"item {item} is a cluster, not a pair")
        return self._lengths(pair)

    def _lengths(self, pair: int) -> tuple[int, int]:
        """The numbers of tokens of a pair's two sentences."""
        first, second = (self._tokens[sentences[pair - 1] - 1] for sentences in self._pairs)
        return first, second

    def _links_of_item(self, item: int, links: Iterable[Sequence[Any]]) -> None:
        _check_links(links, self._lengths_of_item(item))

    def _answer(self, row: Row) -> None:
        item, body = self._assignments[row["assignment_id"] - 1], row["body"]
        kind = self._item_kinds[item - 1]
        check_of_kind("annotation.Answer.body", kind, body)
        if kind == BatchKind.LINK:
            self._links_of_item(item, body["links"])

    def _alignment(self, row: Row) -> None:
        item = self._assignments[row["assignment_id"] - 1]
        _check_unlinked(row, self._lengths_of_item(item))
        self._alignments.append(item)

    def _word_link(self, row: Row) -> None:
        self._links_of_item(self._alignments[row["alignment_id"] - 1], [(row["a"], row["b"])])

    def _gold_alignment(self, row: Row) -> None:
        item = row["item_id"]
        lengths = self._lengths_of_item(item)
        _check_links(row["links"], lengths)
        for version in row["versions"]:
            _check_links(version["links"], lengths)
            _check_unlinked(version, lengths)
        rows = self._gold.setdefault(row["gold_set_id"], [])
        insort(rows, (self._item_numbers[item - 1], len(rows), item))

    def _automatic_alignment(self, row: Row) -> None:
        _check_links(_written(row["links"]), self._lengths(row["pair_id"]))

    def _cell(self, row: Row) -> None:
        gold = self._gold.get(row["gold_set_id"], [])
        for what, values in (("links", row["links"]), *row["counts"].items()):
            if len(values) != len(gold):
                raise ValueError(f"{what} are of {len(values):,} pairs, but its gold set has {len(gold):,}")
        for text, (_, _, item) in zip(row["links"], gold, strict=True):
            self._links_of_item(item, _written(text))

    def _headline(self, row: Row) -> None:
        item = row["item_id"]
        if self._item_pairs[item - 1]:
            raise ValueError(f"item {item} is a pair, not a cluster")
        self._headline_items.append(item)
        self._headlines.setdefault(item, set()).add(row["number"])
        self._headline_keys.setdefault(item, set()).add(self._article_keys[row["article_id"] - 1])

    def _placement(self, row: Row) -> None:
        if self._headline_items[row["headline_id"] - 1] != self._assignments[row["assignment_id"] - 1]:
            raise ValueError("the headline is one of another item")

    def _decision(self, row: Row) -> None:
        item, content = row["item_id"], row["content"]
        kind = self._item_kinds[item - 1]
        check_of_kind("annotation.Decision.content", kind, content)
        if bool(row["label"]) != (kind == BatchKind.JUDGE):
            raise ValueError("a pair to judge is decided by a label, every other item without one")
        if kind == BatchKind.LINK:
            self._links_of_item(item, content)
        elif kind == BatchKind.SPLIT:
            _check_groups(content, self._headlines.get(item, set()))

    def _gold_subclusters(self, row: Row) -> None:
        known = self._headline_keys.get(row["item_id"], set())
        for groups in (row["subclusters"], *(version["subclusters"] for version in row["versions"])):
            _check_groups([[hash(key) for key in group] for group in groups], known)


def _check_links(links: Iterable[Sequence[Any]], lengths: tuple[int, int]) -> None:
    for a, b, *_ in links:
        if a >= lengths[0] or b >= lengths[1]:
            raise ValueError(
                f"the link {a}-{b} is outside its sentences, which have {lengths[0]} and {lengths[1]} tokens"
            )


def _check_unlinked(row: Row, lengths: tuple[int, int]) -> None:
    for name, length in zip(("null_a", "null_b"), lengths, strict=True):
        if any(token >= length for token in row[name]):
            raise ValueError(f"{name} has a token that is outside its sentence of {length} tokens")


def _written(links: str) -> list[tuple[int, int]]:
    """Links as `0-0 1-2`, in ASCII digits only, which `int` is less strict about."""
    if not all(map(LINK.fullmatch, links.split())):
        raise ValueError(f"links cannot be {links[:40]!r}")
    return links_of(links)


def _check_groups(groups: Iterable[Iterable[int]], headlines: set[int]) -> None:
    """Headlines are named by a number, each once."""
    named = [headline for group in groups for headline in group]
    if len(set(named)) < len(named) or not headlines.issuperset(named):
        raise ValueError("its groups have a headline twice, or one that is not in its cluster")
