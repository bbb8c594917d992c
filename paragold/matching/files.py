"""Texts of one file or two matched into a file of pairs, and pairs against an answer key; no database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Self

import numpy as np

from paragold.formats.tables import Fields, Parse, check_width, read_tsv, write_tsv
from paragold.matching.settings import MatchingSpec, matched
from paragold.matching.similar_pairs import ScoredPairs, jaccard_of
from paragold.matching.word_sets import WordSets, sets_of_files
from paragold.problems import FileProblem, quoted
from paragold.statistics import f_score


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text and its name; `line` counts from 1."""

    key: str
    text: str
    line: int


def read_paragraphs(path: Path, *, encoding: str = "utf-8") -> list[Paragraph]:
    """The texts of a file in order.

    Raises FileProblem with every faulty line: a wrong number of columns, an empty id or text, an id that
    occurs twice; and for a file that cannot be read or has no texts.
    """
    lines_of: dict[str, int] = {}

    def layout(first: Fields) -> tuple[Parse[Paragraph], bool]:
        columns, is_header = _paragraph_columns(first)

        def parse(fields: Fields, line: int) -> Paragraph:
            paragraph = _paragraph(fields, columns, line)
            earlier = lines_of.setdefault(paragraph.key, line)
            if earlier != line:
                raise FileProblem(
                    f"The id {quoted(paragraph.key)} is also on line {earlier}.", "Give each text its own."
                )
            return paragraph

        return parse, is_header

    nothing = FileProblem("The file has no text.", "Give lines with an id and a text.")
    return list(read_tsv(path, layout, nothing, encoding=encoding))


def _paragraph_columns(fields: list[str]) -> tuple[tuple[int, int, int], bool]:
    """Indices of id and text and the number of columns; and whether the line is a header."""
    names = [field.strip().lower() for field in fields]
    if "text" in names and len(names) > 1:
        text = names.index("text")
        named = [index for index, name in enumerate(names) if name == "id"]
        named += [index for index, name in enumerate(names) if name.endswith("_id")]
        return (named[0] if named else int(text == 0), text, len(names)), True
    if len(fields) == 2:
        return (0, 1, 2), False
    raise FileProblem(
        f"The first line has {len(fields)} columns separated by tabs and is not a header with the column "
        "text.",
        "Give lines of id TAB text, or a header that names the columns id and text.",
    )


def _paragraph(fields: list[str], columns: tuple[int, int, int], line: int) -> Paragraph:
    key_column, text_column, count = columns
    check_width(fields, count)
    key, text = fields[key_column].strip(), fields[text_column].strip()
    if not key:
        raise FileProblem("The id is empty.", "Give each text an id.")
    if not text:
        raise FileProblem(f"The text of {quoted(key)} is empty.", "Give a text, or leave the line out.")
    return Paragraph(key, text, line)


NO_COUNTERPART = "-"


def read_answer_key(
    path: Path, known: Iterable[str], *, encoding: str = "utf-8"
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The ids of the first and the second column of each line that has some in both.

    `known` are the ids of the texts; one that is not among them is a fault. Raises FileProblem with every
    faulty line, and for a file that cannot be read or joins no texts.
    """

    known = frozenset(known)

    def parse(fields: Fields, line: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if len(fields) < 2:
            raise FileProblem("One column instead of two.", "Separate the ids of both sides by a tab.")
        first, second = _ids(fields[0]), _ids(fields[1])
        if unknown := [key for key in first + second if key not in known]:
            raise FileProblem(
                f"There is no text with the id {quoted(unknown[0])}.",
                "Correct the id, or give the key that belongs to the files.",
            )
        return first, second

    def layout(first: Fields) -> tuple[Parse[tuple[tuple[str, ...], tuple[str, ...]]], bool]:
        words = {word.strip() for field in first[:2] for word in field.split(",")} - {"", NO_COUNTERPART}
        return parse, len(first) > 1 and bool(words) and not any(word in known for word in words)

    nothing = FileProblem("The key joins no texts.", "Give lines of ids TAB ids.", file=str(path))
    joined = [row for row in read_tsv(path, layout, nothing, encoding=encoding) if all(row)]
    if joined:
        return joined
    raise nothing


def _ids(field: str) -> tuple[str, ...]:
    keys = [key.strip() for key in field.split(",")]
    if keys == [NO_COUNTERPART]:
        return ()
    if not all(keys):
        raise FileProblem(
            "An id is empty.", f"Separate ids by single commas; write {NO_COUNTERPART} for none."
        )
    return tuple(keys)


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Which texts correspond: rows of indices of texts, and all pairs within a row.

    `pairs` maps (first, second), first < second, to the rows that hold both. With two files only pairs of a
    text of each count.
    """

    pairs: dict[tuple[int, int], tuple[int, ...]]
    rows: int

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[int]], split: int = 0) -> Self:
        """`split` is how many texts the first of two files has, 0 for one file."""
        rows_of_pair: dict[tuple[int, int], list[int]] = defaultdict(list)
        count = 0
        for row in rows:
            held = [
                (first, second)
                for first, second in combinations(sorted(set(row)), 2)
                if not split or first < split <= second
            ]
            for pair in held:
                rows_of_pair[pair].append(count)
            count += bool(held)
        return cls({pair: tuple(places) for pair, places in rows_of_pair.items()}, count)


def answer_key(path: Path, places: Mapping[str, int], split: int) -> AnswerKey:
    """The answer key of a file as pairs of places. Parameters and errors are those of `read_answer_key`."""
    rows = read_answer_key(path, places)
    return AnswerKey.from_rows(
        ([places[name] for name in [*first, *second]] for first, second in rows), split
    )


LOWEST_THRESHOLD_SCORED = 0.1

PAIR_COLUMNS = ("id_a", "id_b", "score", "jaccard", "text_a", "text_b")
CURVE_COLUMNS = ("threshold", "proposed", "right", "precision", "recall", "f", "row_recall", "row_f")


@dataclass(frozen=True, slots=True)
class Score:
    """The pairs at or above a threshold against the key; shares are from 0 to 1.

    precision = right / proposed (1 if nothing is proposed), recall = right / pairs of the key.
    `row_recall` is the share of rows with at least one pair proposed: a row that joins three texts to one
    counts once.
    """

    threshold: float
    proposed: int
    right: int
    precision: float
    recall: float
    row_recall: float

    @property
    def f(self) -> float:
        return f_score(self.precision, self.recall)

    @property
    def row_f(self) -> float:
        return f_score(self.precision, self.row_recall)


def score_curve(pairs: ScoredPairs, key: AnswerKey, thresholds: Iterable[float]) -> list[Score]:
    """The score at each threshold. Pairs below the minimum threshold should not be missing from `pairs`."""
    right, rows_with_pair, seen = [0], [0], set[int]()
    for pair in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True):
        rows = key.pairs.get(pair, ())
        seen.update(rows)
        right.append(right[-1] + bool(rows))
        rows_with_pair.append(len(seen))
    curve = []
    for threshold in thresholds:
        proposed = int(np.count_nonzero(pairs.scores >= threshold))
        precision = right[proposed] / proposed if proposed else 1.0
        recall = right[proposed] / max(len(key.pairs), 1)
        row_recall = rows_with_pair[proposed] / max(key.rows, 1)
        curve.append(Score(threshold, proposed, right[proposed], precision, recall, row_recall))
    return curve


def best_f(curve: Iterable[Score]) -> Score:
    """The score with the highest F over pairs; among equal ones the one with the highest threshold."""
    return max(curve, key=lambda score: (score.f, score.threshold))


def best_row_f(curve: Iterable[Score]) -> Score:
    """As `best_f`, with recall over rows."""
    return max(curve, key=lambda score: (score.row_f, score.threshold))


@dataclass(frozen=True, slots=True)
class KeyScores:
    """Scores at the given threshold and at every hundredth from 0.1 (or it, when lower) to 1."""

    at_threshold: Score
    curve: tuple[Score, ...]
    pairs: int
    rows: int


@dataclass(frozen=True, slots=True)
class MatchReport:
    """texts: of each file; pairs: pairs at or above the threshold."""

    texts: tuple[int, ...]
    pairs: int
    scores: KeyScores | None


def match_files(
    paths: Sequence[Path], settings: MatchingSpec, output: Path, key_path: Path | None = None
) -> MatchReport:
    """Match the texts of one file with each other, or those of two files, and write the pairs.

    Files have lines `id TAB text`; pairs with a score (0 to 1) from the threshold on are written, the highest
    first, and scored where there is an answer key.
    Raises FileProblem for unusable files, OSError when writing fails.

    References
    ----------
    Chung, T. & Knight, K. An Efficient Method for Finding Paraphrases. Section 3.
    """
    files = [read_paragraphs(path) for path in paths]
    places = places_of(paths, files)
    sets, split = sets_of_files(
        *([paragraph.text for paragraph in paragraphs] for paragraphs in files),
        stop_words=settings.stop_words,
    )
    key = answer_key(key_path, places, split) if key_path is not None else None
    floor = min(settings.threshold, LOWEST_THRESHOLD_SCORED) if key else settings.threshold
    pairs = matched(sets, settings, floor, split)
    matches = pairs.at_least(settings.threshold)
    write_pairs(output, matches, sets, [paragraph for paragraphs in files for paragraph in paragraphs])
    scores = None
    if key:
        hundredths = [step / 100 for step in range(1, 101) if step / 100 >= floor]
        curve = score_curve(pairs, key, hundredths)
        given = score_curve(pairs, key, [settings.threshold])[0]
        scores = KeyScores(given, tuple(curve), len(key.pairs), key.rows)
    return MatchReport(tuple(map(len, files)), len(matches), scores)


def write_pairs(path: Path, pairs: ScoredPairs, sets: WordSets, paragraphs: Sequence[Paragraph]) -> None:
    """Pairs as tab-separated lines, by falling score, with their exact Jaccard and their texts."""
    rows = zip(
        pairs.first.tolist(),
        pairs.second.tolist(),
        pairs.scores.tolist(),
        jaccard_of(sets, pairs).tolist(),
        strict=True,
    )
    write_tsv(
        path,
        PAIR_COLUMNS,
        (
            (
                paragraphs[first].key,
                paragraphs[second].key,
                f"{score:.6f}",
                f"{jaccard:.6f}",
                paragraphs[first].text,
                paragraphs[second].text,
            )
            for first, second, score, jaccard in rows
        ),
    )


def write_curve(path: Path, curve: Sequence[Score]) -> None:
    """Precision, recall and F by threshold as tab-separated lines."""
    write_tsv(
        path,
        CURVE_COLUMNS,
        (
            tuple(
                str(getattr(score, name)) if name in {"proposed", "right"} else f"{getattr(score, name):.4f}"
                for name in CURVE_COLUMNS
            )
            for score in curve
        ),
    )


def places_of(paths: Sequence[Path], files: Sequence[Sequence[Paragraph]]) -> dict[str, int]:
    """The index of each id. Raises FileProblem when both files have the same."""
    places: dict[str, int] = {}
    for path, paragraphs in zip(paths, files, strict=True):
        problems = [
            FileProblem(
                f"{paths[0]} has the id {paragraph.key!r} too.", "Give it another.", line=paragraph.line
            )
            for paragraph in paragraphs
            if paragraph.key in places
        ]
        if problems:
            raise FileProblem.of(problems, file=str(path))
        for paragraph in paragraphs:
            places[paragraph.key] = len(places)
    return places
