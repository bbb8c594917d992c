"""What tables of sentence pairs and of word links look like, and the way between them and records.

Words are lists of text in the columns `source` and `target`; texts are in `text_a` and `text_b`. Either will
do wherever pairs are expected: texts are tokenised, words are joined by spaces. Links have the columns `id`,
`source`, `target`, `sure` and `possible`, disjoint lists of (source, target) indices from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, Union

from paragold.metrics.links import LinkedPair, Links, check_words
from paragold.packages import needed
from paragold.problems import quoted
from paragold.text.tokenisation import tokenise

if TYPE_CHECKING:
    from pandas import DataFrame

    from paragold.formats.labelled_pairs import TextPair

LINK_COLUMNS = ("id", "source", "target", "sure", "possible")
Words = Sequence[str]
Pairs = Union["DataFrame", Iterable[tuple[Words, Words]]]
"""A table, or sources and targets as lists of words."""


def is_table(value: object) -> TypeGuard[DataFrame]:
    """Whether it is a table of pandas, which need not be imported to ask that."""
    return hasattr(value, "columns") and hasattr(value, "attrs")


def table(rows: Iterable[Any], columns: Sequence[str], signature: str, **about: Any) -> DataFrame:
    """A table with its signature, and what else should be known of it, in `attrs`."""
    with needed("tables"):
        from pandas import DataFrame
    made = DataFrame(list(rows), columns=list(columns))
    made.attrs.update(about, signature=signature)
    return made


def words_of(pairs: Any) -> list[tuple[Words, Words]]:
    """Source and target of each pair as lists of words.

    Parameters
    ----------
    pairs : table or iterable of (source, target)

    Raises
    ------
    TypeError
        A sentence is a text where a list of words is expected, or `pairs` are not pairs.
    ValueError
        A table has neither words nor texts.
    """
    if not is_table(pairs):
        words = _couples(pairs)
    elif {"source", "target"} <= set(pairs.columns):
        words = list(zip(pairs["source"], pairs["target"], strict=True))
    else:
        return [(tokenise(a)[0], tokenise(b)[0]) for a, b in texts_of(pairs)]
    for source, target in words:
        check_words(source, target)
    return words


def texts_of(pairs: Any) -> list[tuple[str, str]]:
    """Both texts of each pair. Raises TypeError and ValueError as `words_of`."""
    if not is_table(pairs):
        return _couples(pairs)
    if {"text_a", "text_b"} <= set(pairs.columns):
        return list(zip(pairs["text_a"], pairs["text_b"], strict=True))
    if {"source", "target"} <= set(pairs.columns):
        return [(" ".join(a), " ".join(b)) for a, b in zip(pairs["source"], pairs["target"], strict=True)]
    raise ValueError(
        f"The table has the columns {', '.join(map(str, pairs.columns))}. Give pairs as texts in text_a and "
        "text_b, or as lists of words in source and target."
    )


def _couples(pairs: Any) -> list[tuple[Any, Any]]:
    """The pairs, of which there are millions: a list of couples is taken as it is."""
    if isinstance(pairs, str | Path):
        raise TypeError(
            f"Pairs are a table, not {quoted(str(pairs))}. Read the file with read_pairs or read_links."
        )
    couples = pairs if isinstance(pairs, list) else list(pairs)
    for pair in couples:
        if isinstance(pair, str) or len(pair) != 2:
            raise TypeError(
                f"A pair is a source and a target, not {quoted(str(pair))}. Give (source, target)."
            )
    return couples


def ids_of(pairs: Any, number: int) -> list[str]:
    """The column `id`, or the numbers from 1 where there is none."""
    if is_table(pairs) and "id" in pairs.columns:
        return list(map(str, pairs["id"]))
    return [str(place) for place in range(1, number + 1)]


def links_table(pairs: Iterable[LinkedPair], signature: str) -> DataFrame:
    """A row for each pair with its links."""
    rows = (
        (
            *(pair.key, list(pair.source), list(pair.target)),
            *(sorted(pair.links.sure), sorted(pair.links.possible_only)),
        )
        for pair in pairs
    )
    return table(rows, LINK_COLUMNS, signature)


def linked_pairs(links: Any) -> list[LinkedPair]:
    """The rows of a table of links as records; a sequence of records as it is.

    Raises
    ------
    TypeError
        It is neither.
    """
    if is_table(links) and set(LINK_COLUMNS) <= set(links.columns):
        rows = zip(*(links[name] for name in LINK_COLUMNS), strict=True)
        return [
            LinkedPair(
                str(key),
                tuple(source),
                tuple(target),
                Links.of(_indices(sure), _indices(possible)),
            )
            for key, source, target, sure, possible in rows
        ]
    if (
        not is_table(links)
        and isinstance(links, Sequence)
        and all(isinstance(one, LinkedPair) for one in links)
    ):
        return list(links)
    raise TypeError(
        f"Links are a table with the columns {', '.join(LINK_COLUMNS)}. Give what read_links or an aligner's "
        "predict returns."
    )


def _indices(links: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    return [(int(i), int(j)) for i, j in links]


def text_pairs(pairs: Any, *, numbered: bool = False) -> list[TextPair]:
    """The pairs as texts, with labels, clusters and context where the table has them.

    numbered: whether sentences without a name get one.
    """
    from paragold.formats.labelled_pairs import TextPair

    texts = texts_of(pairs)

    def column(name: str) -> list[Any]:
        if not is_table(pairs) or name not in pairs.columns:
            return [None] * len(texts)
        values = pairs[name]
        return [
            None if missing else value for value, missing in zip(values.tolist(), values.isna(), strict=True)
        ]

    names = ("label", "cluster", "id_a", "id_b", "days", "place_a", "place_b", "cohesion")
    known = zip(*map(column, names), strict=True)
    return [
        TextPair(
            *(a, b, label, str(cluster or "")),
            (str(id_a or (f"{line}a" if numbered else "")), str(id_b or (f"{line}b" if numbered else ""))),
            line,
            context=(days, None if place_a is None else (place_a, place_b), cohesion),
        )
        for line, ((a, b), (label, cluster, id_a, id_b, days, place_a, place_b, cohesion)) in enumerate(
            zip(texts, known, strict=True), start=1
        )
    ]
