"""Texts of one file or two matched into a file of pairs; answer keys, read and scored against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paragold.formats.tables import Fields, Parse, check_width, read_tsv, write_tsv
from paragold.matching.similar_pairs import (
    ScoredPairs,
    jaccard_of,
    matched,
    sets_of_files,
)
from paragold.matching.specs import MatchingSpec
from paragold.packages import needed
from paragold.problems import FileProblem, quoted
from paragold.statistics import f_score

if TYPE_CHECKING:
    from pandas import DataFrame, Series

Texts = dict[str, str]
"""The texts of a file by their ids, in order."""


def read_texts(path: Path, *, encoding: str = "utf-8", of_others: Sequence[str] = ()) -> Texts:
    """The texts of a file, a line each: id TAB text, or columns named by a header.

    Raises FileProblem with every faulty line: a wrong number of columns, an empty id or text, an id that
    occurs twice or is one `of_others`; and for a file that cannot be read or has no texts.
    """
    lines_of, taken = dict[str, int](), frozenset(of_others)

    def layout(first: Fields) -> tuple[Parse[tuple[str, str]], bool]:
        id_column, text_column, width, is_header = text_columns(first)

        def parse(fields: Fields, line: int) -> tuple[str, str]:
            check_width(fields, width)
            key, text = fields[id_column].strip(), fields[text_column].strip()
            if not key:
                raise FileProblem("The id is empty.", "Give each text an id.")
            if not text:
                raise FileProblem(
                    f"The text of {quoted(key)} is empty.", "Give a text, or leave the line out."
                )
            if lines_of.setdefault(key, line) != line:
                message = f"The id {quoted(key)} is also on line {lines_of[key]}."
                raise FileProblem(message, "Give each text its own.")
            if key in taken:
                raise FileProblem(f"The other file has the id {quoted(key)} too.", "Give it another.")
            return key, text

        return parse, is_header

    nothing = FileProblem("The file has no text.", "Give lines with an id and a text.")
    return dict(read_tsv(path, layout, nothing, encoding=encoding))


def read_files(paths: Sequence[Path]) -> list[Texts]:
    """The texts of one file or two; no id is in both. Raises FileProblem as `read_texts` does."""
    files: list[Texts] = []
    for path in paths:
        files.append(read_texts(path, of_others=list(chain.from_iterable(files))))
    return files


def text_columns(fields: list[str]) -> tuple[int, int, int, bool]:
    """Indices of id and text, the number of columns, and whether the line is a header. Raises FileProblem."""
    names = [field.strip().lower() for field in fields]
    if "text" in names and len(names) > 1:
        text = names.index("text")
        named = [index for index, name in enumerate(names) if name == "id"]
        named += [index for index, name in enumerate(names) if name.endswith("_id")]
        return (named[0] if named else int(text == 0)), text, len(names), True
    if len(fields) == 2:
        return 0, 1, 2, False
    raise FileProblem(
        f"The first line has {len(fields)} columns separated by tabs and is not a header with the column "
        "text.",
        "Give lines of id TAB text, or a header that names the columns id and text.",
    )


NO_COUNTERPART = "-"
KeyRow = tuple[tuple[str, ...], tuple[str, ...]]


def read_answer_key(path: Path, known: Iterable[str]) -> list[KeyRow]:
    """The ids of the first and the second column of each line that has some in both.

    `known` are the ids of the texts; one that is not among them is a fault. Raises FileProblem with every
    faulty line, and for a file that cannot be read or joins no texts.
    """
    known = frozenset(known)

    def parse(fields: Fields, line: int) -> KeyRow:
        if len(fields) < 2:
            raise FileProblem("One column instead of two.", "Separate the ids of both sides by a tab.")
        first, second = _ids(fields[0]), _ids(fields[1])
        if unknown := [key for key in first + second if key not in known]:
            raise FileProblem(
                f"There is no text with the id {quoted(unknown[0])}.",
                "Correct the id, or give the key that belongs to the files.",
            )
        return first, second

    def layout(first: Fields) -> tuple[Parse[KeyRow], bool]:
        words = {word.strip() for field in first[:2] for word in field.split(",")} - {"", NO_COUNTERPART}
        return parse, len(first) > 1 and bool(words) and not any(word in known for word in words)

    nothing = FileProblem("The key joins no texts.", "Give lines of ids TAB ids.", file=str(path))
    joined = [row for row in read_tsv(path, layout, nothing) if all(row)]
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


AnswerKey = dict[tuple[int, int], tuple[int, ...]]
"""Pairs (first < second) of texts that correspond, by number, and the rows of the key that hold both."""


def answer_key(rows: Iterable[Iterable[int]], split: int = 0) -> AnswerKey:
    """All pairs within each row of numbers of texts; with two files only pairs of a text of each.

    `split` is how many texts the first of two files has, 0 for one file.
    """
    rows_of_pair: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        for first, second in combinations(sorted(set(row)), 2):
            if not split or first < split <= second:
                rows_of_pair[first, second].append(number)
    return {pair: tuple(numbers) for pair, numbers in rows_of_pair.items()}


def answer_key_of(path: Path, files: Sequence[Texts]) -> AnswerKey:
    """The answer key of a file to the texts of one file or two. Raises as `read_answer_key` does."""
    number_of = {key: number for number, key in enumerate(chain.from_iterable(files))}
    rows = read_answer_key(path, number_of)
    split = len(files[0]) if len(files) > 1 else 0
    return answer_key(([number_of[name] for name in (*first, *second)] for first, second in rows), split)


def rows_of(key: AnswerKey) -> int:
    """The number of rows that hold a pair."""
    return len(set(chain.from_iterable(key.values())))


LOWEST_THRESHOLD_SCORED = 0.1

PAIR_COLUMNS = ("id_a", "id_b", "score", "jaccard", "text_a", "text_b")
CURVE_COLUMNS = ("threshold", "proposed", "right", "precision", "recall", "f", "row_recall", "row_f")


def score_curve(pairs: ScoredPairs, key: AnswerKey, thresholds: Iterable[float]) -> DataFrame:
    """The pairs at or above each threshold against the key; shares are from 0 to 1.

    precision = right / proposed (1 if nothing is proposed), recall = right / pairs of the key. `row_recall`
    is the share of rows with at least one pair proposed: a row that joins three texts to one counts once.
    Pairs below the minimum threshold should not be missing from `pairs`.
    """
    with needed("tables"):
        from pandas import DataFrame
    right, rows_with_pair, seen = [0], [0], set[int]()
    for pair in pairs[["first", "second"]].tolist():
        rows = key.get(pair, ())
        seen.update(rows)
        right.append(right[-1] + bool(rows))
        rows_with_pair.append(len(seen))
    curve = []
    for threshold in thresholds:
        proposed = int(np.count_nonzero(pairs["score"] >= threshold))
        precision = right[proposed] / proposed if proposed else 1.0
        recall = right[proposed] / max(len(key), 1)
        row_recall = rows_with_pair[proposed] / max(rows_of(key), 1)
        f, row_f = f_score(precision, recall), f_score(precision, row_recall)
        curve.append((threshold, proposed, right[proposed], precision, recall, f, row_recall, row_f))
    return DataFrame(curve, columns=list(CURVE_COLUMNS))


def best(curve: DataFrame, by: str = "f") -> Series:
    """The row with the highest F, over pairs or over rows; among equal ones that of the highest threshold."""
    return curve.sort_values([by, "threshold"], kind="stable").iloc[-1]


def match_files(
    paths: Sequence[Path], spec: MatchingSpec, output: Path, key_path: Path | None = None
) -> tuple[list[Texts], int, DataFrame | None]:
    """Match the texts of one file with each other, or those of two files, and write the pairs.

    Files have lines `id TAB text`; pairs with a score (0 to 1) from the threshold on are written, the highest
    first.

    Returns
    -------
    The texts; the number of pairs; with an answer key the scores at every hundredth from 0.1 (or the
    threshold, when lower) to 1. `attrs` have the key's `pairs` and `rows`, and the row `at_threshold`.

    Raises
    ------
    FileProblem
        For unusable files; OSError when writing fails.

    References
    ----------
    Chung, T. & Knight, K. An Efficient Method for Finding Paraphrases. Section 3.
    """
    files = read_files(paths)
    sets, split = sets_of_files(*(texts.values() for texts in files), spec=spec)
    key = answer_key_of(key_path, files) if key_path is not None else None
    floor = min(spec.threshold, LOWEST_THRESHOLD_SCORED) if key else spec.threshold
    pairs = matched(sets, spec, floor, split)
    matches = pairs[pairs["score"] >= spec.threshold]
    texts = list(chain.from_iterable(file.items() for file in files))
    write_tsv(
        output,
        PAIR_COLUMNS,
        (
            (texts[a][0], texts[b][0], f"{score:.6f}", f"{jaccard:.6f}", texts[a][1], texts[b][1])
            for (a, b, score), jaccard in zip(
                matches.tolist(), jaccard_of(sets, matches).tolist(), strict=True
            )
        ),
    )
    if key is None:
        return files, len(matches), None
    hundredths = (step / 100 for step in range(1, 101))
    curve = score_curve(pairs, key, (step for step in hundredths if step >= floor))
    at_threshold = score_curve(pairs, key, [spec.threshold]).iloc[0]
    curve.attrs = {"pairs": len(key), "rows": rows_of(key), "at_threshold": at_threshold}
    return files, len(matches), curve


def write_curve(path: Path, curve: DataFrame) -> None:
    """Precision, recall and F by threshold as tab-separated lines."""
    rows = (
        [str(cell) if isinstance(cell, int) else f"{cell:.4f}" for cell in row]
        for row in curve.itertuples(index=False)
    )
    write_tsv(path, CURVE_COLUMNS, rows)
