"""Files of judged pairs, which came with judgements from elsewhere: their format is recognised or named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from paragold import limits
from paragold.formats.answers import AnnotatorChoice, Contradictions, PairsRead
from paragold.formats.json_lines import parse_object
from paragold.formats.judgement_formats import (
    AUTO,
    HIGHEST_SIMILARITY,
    JSONL,
    LABELLED,
    MSR,
    SCHEMES,
    STS,
    TABLE,
    JudgedPair,
    JudgementFormat,
    Reading,
    first_line,
    is_number,
)
from paragold.formats.labelled_pairs import MSR_HEADER
from paragold.formats.tables import SEPARATOR_LINE, QuotationMarks, read_head
from paragold.formats.text_files import TextLines, read_text, readable_again, text_head
from paragold.formats.tools import DOCCANO_JUDGEMENTS, LABEL_STUDIO_JUDGEMENTS
from paragold.problems import FileProblem, quoted
from paragold.registry import Registry

LONGEST_ID = 1_000
PAIRS_AT_ONCE = 1_000
# The first in which a file begins is its format: those that look for more come first.
JUDGEMENT_FORMATS = Registry(
    "judgement format",
    JudgementFormat,
    [MSR, LABELLED, TABLE, LABEL_STUDIO_JUDGEMENTS, DOCCANO_JUDGEMENTS, JSONL, STS],
    entry_points="paragold.judgement_formats",
)


def scheme_of(labels: Iterable[str | None]) -> str:
    """The first scheme that has all these labels. Raises ValueError where none has."""
    given = {label for label in labels if label is not None}
    for scheme, names in SCHEMES.items():
        if given <= {*names}:
            return scheme
    raise ValueError(f"No scheme has the labels {', '.join(sorted(given))}.")


def read_judged_pairs(path: Path, reading: Reading, *, encoding: str = "utf-8") -> PairsRead[JudgedPair]:
    """Read a whole file.

    Returns
    -------
    PairsRead
        Every faulty line is among its `problems`, 100 at most.
    """
    judged = PairsRead[JudgedPair]()
    try:
        with readable_again(path) as plain:
            _read(plain, reading, encoding, judged)
    except (OSError, FileProblem) as error:
        refusal = FileProblem(f"It cannot be read ({error}).", "Check the path.")
        judged.problems.append(error if isinstance(error, FileProblem) else refusal)
    if not judged.pairs and not judged.problems:
        judged.problems.append(FileProblem("The file has no pair.", "Give a file with judged pairs."))
    return judged


def _read(path: Path, reading: Reading, encoding: str, judged: PairsRead[JudgedPair]) -> None:
    known = _format_of(path, reading, encoding)
    keys: dict[str, int] = {}
    schemes: dict[str, int] = {}
    marks = QuotationMarks()
    choice = AnnotatorChoice(reading.judge)
    contradictions = Contradictions("labels")
    for line, record in _records(path, known, reading, encoding, judged):
        if len(judged.problems) >= limits.PROBLEMS:
            break
        judged.format = known.id
        try:
            if known in (MSR, LABELLED, STS) and '"' in record:
                marks.look_at(record.split("\t"), line)
            answer = known.of_annotator(record, choice, judged.unknown)
            pair = None if answer is None else known.parse(answer, line, reading, judged.unknown)
            if pair is not None:
                _check(pair, keys, schemes)
                judged.pairs.append(pair)
                if pair.label is not None:
                    contradictions.add(pair.a, pair.b, pair.label, pair.key, line, swapped=pair.label)
        except FileProblem as refusal:
            judged.problems.append(refusal.at(line))
    judged.contradictions = str(contradictions)
    for check in (choice.check, marks.check):
        try:
            check()
        except FileProblem as refusal:
            judged.problems.insert(0, refusal)


def judged_pairs_in_pieces(
    path: Path, reading: Reading, *, encoding: str = "utf-8"
) -> Iterator[PairsRead[JudgedPair]]:
    """What `read_judged_pairs` returns, in pieces.

    Yields
    ------
    PairsRead
        `PAIRS_AT_ONCE` pairs each, and last the file without its pairs.
    """
    judged = read_judged_pairs(path, reading, encoding=encoding)
    for start in range(0, len(judged.pairs), PAIRS_AT_ONCE):
        yield PairsRead(judged.pairs[start : start + PAIRS_AT_ONCE])
    yield replace(judged, pairs=[])


def columns_of(path: Path, *, encoding: str = "utf-8") -> tuple[list[str], list[str]]:
    """The names of the columns of a table, or of the fields of its first object, and the cells of the first
    line of a table, which are its columns' names unless it has no header. Both are empty for other files.
    """
    line = first_line(_head(path, encoding))
    if line.lstrip().startswith("{"):
        return list(parse_object(line)), []
    if line.lstrip().startswith("["):
        return [], []
    try:
        columns, _ = read_head(path, encoding=encoding)
    except FileProblem:
        return [], line.split("\t") if "\t" in line else []
    return list(columns), list(columns)


def _head(path: Path, encoding: str) -> str:
    """The beginning of a file, from the first line with text."""
    return SEPARATOR_LINE.sub("", text_head(path, encoding)[0].lstrip("\n\r"))


def _format_of(path: Path, reading: Reading, encoding: str) -> JudgementFormat:
    """The format that was named, or that the beginning of the file is in.

    Raises FileProblem for a named MSR without its header, and for what begins with a similarity that no
    threshold makes a label. Whoever reads the lines names the problem of a file that cannot be read.
    """
    number, line = next(iter(TextLines(path, encoding, [])), (0, ""))
    if reading.format != AUTO:
        known = JUDGEMENT_FORMATS.get(reading.format)
        if known is MSR and line and not MSR.begins(line, reading):
            remedy = f"The first line holds {', '.join(MSR_HEADER)}."
            raise FileProblem("The header is missing.", remedy, line=number)
        return known
    try:
        head = _head(path, encoding)
    except (FileProblem, OSError):
        return LABELLED
    recognised = next((known for known in JUDGEMENT_FORMATS if known.begins(head, reading)), None)
    label = line.split("\t")[0]
    if (
        recognised is None
        and label.strip() not in ("0", "1")
        and is_number(label)
        and 0 <= float(label) <= HIGHEST_SIMILARITY
    ):
        message = f"The file begins with {quoted(label)}, which looks like a similarity."
        raise FileProblem(message, "Give a threshold: the minimum similarity of a paraphrase.", line=number)
    return recognised or LABELLED


def _records(
    path: Path, known: JudgementFormat, reading: Reading, encoding: str, judged: PairsRead[JudgedPair]
) -> Iterator[tuple[int, Any]]:
    if known.records is None:
        yield from TextLines(path, encoding, judged.problems)
        return
    try:
        yield from known.records(read_text(path, encoding=encoding), reading, judged.unknown)
    except FileProblem as refusal:
        judged.problems.append(refusal)


def _check(pair: JudgedPair, keys: dict[str, int], schemes: dict[str, int]) -> None:
    """Raises FileProblem for an id that was used before, a text that cannot be one, or labels of two
    schemes."""
    if pair.key in keys:
        raise FileProblem(
            f"The id {quoted(pair.key)} is also on line {keys[pair.key]}.", "Give each its own."
        )
    keys[pair.key] = pair.line
    if len(pair.key) > LONGEST_ID:
        raise FileProblem("The id is too long.", f"{LONGEST_ID:,} characters are allowed.")
    for text in (pair.a, pair.b):
        if not text or text.isspace():
            raise FileProblem("A sentence is empty.", "Give both sentences, or leave the pair out.")
        if len(text) > limits.SENTENCE_CHARACTERS:
            message = f"A sentence is longer than {limits.SENTENCE_CHARACTERS:,} characters."
            raise FileProblem(message, "Give sentences, not whole texts.")
    if pair.label is None:
        return
    use = f"Use those of one scheme: {'; or '.join(', '.join(names) for names in SCHEMES.values())}."
    fitting = [scheme for scheme, names in SCHEMES.items() if pair.label in names]
    if not fitting:
        raise FileProblem(f"The label is {quoted(pair.label)}.", use)
    if len(fitting) > 1:
        return
    schemes.setdefault(fitting[0], pair.line)
    if len(schemes) > 1:
        other = next(line for name, line in schemes.items() if name != fitting[0])
        del schemes[fitting[0]]
        raise FileProblem(f"{pair.label} and the label on line {other} belong to different schemes.", use)
