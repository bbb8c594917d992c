"""Pairs of sentences that came with judgements, from files of other projects.

msr: the Microsoft Research Paraphrase Corpus, a header of Quality, #1 ID, #2 ID, #1 String, #2 String.
labelled: label TAB sentence TAB sentence, without a header.
sts: similarity from 0 to 5 TAB sentence TAB sentence, as semantic textual similarity has it; thresholds turn
the similarity into a label.
jsonl: one object a line, either {"a": text, "b": text, "label": label} with "id", "score", "comment",
"flagged" and "skipped" if there are such, or a line of an export's pairs.jsonl (docs/formats/pairs.md).
table: CSV or TSV with a column for each of these; a row without a label is a skipped pair.
Columns and fields have one of the usual names of paraphrase corpora (PAIR_COLUMNS), or people choose them.
With a threshold the score decides, or a label that is a number; other columns are counted.
Quotation marks are ordinary characters in all but the table, a byte order mark is passed over. Those of other
tools have files of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from paragold import limits
from paragold.formats import doccano, label_studio
from paragold.formats.answers import AnnotatorChoice, Contradictions, Unknown, annotator_names, count_fields
from paragold.formats.json_lines import parse_object
from paragold.formats.judgements import gold_jsonl
from paragold.formats.judgements.judgement_format import (
    BINARY,
    THREE_WAY,
    JudgedPair,
    JudgementFormat,
    LabelRules,
    field_of_type,
    first_line,
    is_number,
    label_of,
)
from paragold.formats.judgements.labelled_pairs import MSR_HEADER
from paragold.formats.tables import (
    CSV_START,
    SEPARATOR_LINE,
    Columns,
    QuotationMarks,
    check_width,
    csv_lines,
    named_rows,
    read_head,
    reversible,
)
from paragold.formats.text_files import TextLines, read_text, text_head
from paragold.problems import FileProblem, quoted, shortened
from paragold.registry import Registry

AUTO = "auto"
HIGHEST_SIMILARITY = 5.0
LONGEST_ID = 1_000
PAIRS_AT_ONCE = 1_000
_OBJECT_A = re.compile(r'(?<!\\)"a"\s*:\s*\{')
PAIR_COLUMNS = Columns(
    {
        "id": ("id", "pair_id", "idx", "index", "key"),
        "a": (
            *(
                "a",
                "text_a",
                "sentence1",
                "sentence_1",
                "sentence_a",
                "question1",
                "premise",
                "text1",
                "txt1",
            ),
            *("sent_1", "sent1", "string1", "#1_string", "first"),
        ),
        "b": (
            *(
                "b",
                "text_b",
                "sentence2",
                "sentence_2",
                "sentence_b",
                "question2",
                "hypothesis",
                "text2",
                "txt2",
            ),
            *("sent_2", "sent2", "string2", "#2_string", "second"),
        ),
        "label": (
            *("label", "gold_label", "goldlabel", "is_duplicate", "is_paraphrase", "paraphrase", "quality"),
            "annotation",
        ),
        "score": ("score", "similarity", "similarity_score", "relatedness_score", "relatedness"),
        "comment": ("comment",),
        "flagged": ("flagged",),
    }
)
# A similarity as a number, as votes of five people, "(3, 2)", or as a level with a mark, "4<" (Turku).
_SIMILARITY = re.compile(r"\(\s*([0-5])\s*,\s*[0-5]\s*\)|([0-9]+(?:\.[0-9]+)?)[<>is]*")
_ONLY_IN = {"not_paraphrase": BINARY, "partial": THREE_WAY, "unrelated": THREE_WAY}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(LabelRules):
    """Options of reading a file; `format` is an id of JUDGEMENT_FORMATS, or AUTO.

    Raises ValueError naming the field that is out of its range.
    """

    format: str = AUTO

    def __post_init__(self) -> None:
        if self.format not in (AUTO, *JUDGEMENT_FORMATS.ids()):
            raise ValueError(
                f"format: {quoted(self.format)}; available: {', '.join((AUTO, *JUDGEMENT_FORMATS.ids()))}"
            )
        for name in ("threshold", "partial_threshold"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= HIGHEST_SIMILARITY:
                raise ValueError(f"{name}: {value}; similarities go from 0 to 5")
        if self.partial_threshold is not None and not self.partial_threshold < (self.threshold or 0):
            raise ValueError("partial_threshold: it must be lower than the threshold of a paraphrase")
        if self.threshold is None and self.format == "sts":
            raise ValueError("threshold: give the minimum similarity of a paraphrase")


@dataclass(slots=True)
class JudgedFile:
    """The content of a file. With problems nothing of it may be used; `unknown` counts what was not read.

    `contradictions` says in a sentence which lines have the same two sentences and different labels; "" for
    none.
    """

    pairs: list[JudgedPair] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)
    format: str = ""
    unknown: Unknown = field(default_factory=Counter)
    contradictions: str = ""

    @property
    def labels(self) -> Counter[str | None]:
        return Counter(pair.label for pair in self.pairs)

    @property
    def scheme(self) -> str:
        return scheme_of(self.labels)


def scheme_of(labels: Iterable[str | None]) -> str:
    """The scheme that has all these labels."""
    return THREE_WAY if {"partial", "unrelated"} & set(labels) else BINARY


def read_judged_pairs(path: Path, reading: Reading, *, encoding: str = "utf-8") -> JudgedFile:
    """Read a whole file.

    Returns
    -------
    JudgedFile
        Every faulty line is among its `problems`, 100 at most.
    """
    judged = JudgedFile()
    known = _by_content(path, reading, encoding)
    keys: dict[str, int] = {}
    schemes: dict[str, int] = {}
    marks = QuotationMarks()
    choice = AnnotatorChoice(reading.judge)
    contradictions = Contradictions("labels")
    for line, record in _records(path, known, reading, encoding, judged):
        if len(judged.problems) >= limits.PROBLEMS:
            break
        try:
            if known is None or (known is MSR and not judged.format):
                known, is_header = _layout(record, reading)
                judged.format = known.id
                if is_header:
                    continue
            judged.format = known.id
            if known in (MSR, LABELLED, STS):
                marks.look_at(record.split("\t"), line)
            read = known.of_annotator(record, choice, judged.unknown)
            pair = None if read is None else known.parse(read, line, reading, judged.unknown)
            if pair is not None:
                _check(pair, keys, schemes)
                judged.pairs.append(pair)
                if pair.label is not None:
                    contradictions.add(pair.a, pair.b, pair.label, pair.key, line, swapped=pair.label)
        except FileProblem as refusal:
            judged.problems.append(refusal.at(line))
            if known is None:
                break
    judged.contradictions = str(contradictions)
    for check in (choice.check, marks.check):
        try:
            check()
        except FileProblem as refusal:
            judged.problems.insert(0, refusal)
    if not judged.pairs and not judged.problems:
        judged.problems.append(FileProblem("The file has no pair.", "Give a file with judged pairs."))
    return judged


def judged_pairs_in_pieces(path: Path, reading: Reading, *, encoding: str = "utf-8") -> Iterator[JudgedFile]:
    """What `read_judged_pairs` returns, in pieces.

    Yields
    ------
    JudgedFile
        `PAIRS_AT_ONCE` pairs each, and last the file without its pairs.
    """
    judged = read_judged_pairs(path, reading, encoding=encoding)
    for start in range(0, len(judged.pairs), PAIRS_AT_ONCE):
        yield JudgedFile(pairs=judged.pairs[start : start + PAIRS_AT_ONCE])
    yield replace(judged, pairs=[])


def _by_content(path: Path, reading: Reading, encoding: str) -> JudgementFormat | None:
    """The format that was named, or that the beginning of the file is in; None where no line is certain."""
    if reading.format != AUTO:
        return JUDGEMENT_FORMATS.get(reading.format)
    try:
        head = SEPARATOR_LINE.sub("", text_head(path, encoding)[0].lstrip("\n\r"))
    except (FileProblem, OSError):
        return None  # Whoever reads the lines names the problem.
    return next((one for one in JUDGEMENT_FORMATS if one.begins(head, reading)), None)


def _records(
    path: Path, known: JudgementFormat | None, reading: Reading, encoding: str, judged: JudgedFile
) -> Iterator[tuple[int, Any]]:
    if known is None or known.records is None:
        yield from TextLines(path, encoding, judged.problems)
        return
    try:
        yield from known.records(read_text(path, encoding=encoding), reading, judged.unknown)
    except FileProblem as refusal:
        judged.problems.append(refusal)


def _layout(first: str, reading: Reading) -> tuple[JudgementFormat, bool]:
    """The format of a file whose beginning is in none, or MSR, and whether its first line is a header."""
    is_header = tuple(first.split("\t")) == MSR_HEADER
    if reading.format == MSR.id and not is_header:
        raise FileProblem("The header is missing.", f"The first line holds {', '.join(MSR_HEADER)}.")
    if is_header:
        return MSR, True
    similarity = first.split("\t")[0]
    if _is_similarity(similarity):
        message = f"The file begins with {quoted(similarity)}, which looks like a similarity."
        raise FileProblem(message, "Give a threshold: the minimum similarity of a paraphrase.")
    return LABELLED, False


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
        if not text.strip():
            raise FileProblem("A sentence is empty.", "Give both sentences, or leave the pair out.")
        if len(text) > limits.SENTENCE_CHARACTERS:
            message = f"A sentence is longer than {limits.SENTENCE_CHARACTERS:,} characters."
            raise FileProblem(message, "Give sentences, not whole texts.")
    scheme = _ONLY_IN.get(pair.label or "")
    if scheme:
        schemes.setdefault(scheme, pair.line)
    if len(schemes) > 1:
        other = next(line for name, line in schemes.items() if name != scheme)
        del schemes[scheme or ""]
        message = f"{pair.label} and the label on line {other} belong to different schemes."
        raise FileProblem(message, "Use paraphrase and not_paraphrase, or paraphrase, partial and unrelated.")


def _columns(text: str, count: int) -> list[str]:
    fields = text.split("\t")
    check_width(fields, count)
    return fields


def _is_similarity(text: str) -> bool:
    return text.strip() not in ("0", "1") and is_number(text) and 0 <= float(text) <= HIGHEST_SIMILARITY


def _msr(text: str, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    quality, first, second, a, b = _columns(text, 5)
    # Which sentences are the same one is not said by the ids alone: a pair may occur in either order.
    return JudgedPair(f"{first}-{second}", a, b, label_of(quality), line)


def _labelled(text: str, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    fields = text.split("\t")
    if len(fields) != 3:
        raise FileProblem(
            f"{len(fields)} columns instead of 3 (label, sentence, sentence), separated by tabs.",
            "Choose which column is what, by its name or its number, such as a=2, b=3, label=4.",
        )
    label, a, b = fields
    return JudgedPair(str(line), a, b, label_of(label), line)


def _sts(text: str, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    similarity, a, b = _columns(text, 3)
    return JudgedPair(str(line), a, b, _by_threshold(similarity, reading), line)


def _by_threshold(text: str, reading: LabelRules) -> str:
    match = _SIMILARITY.fullmatch(text.strip())
    similarity = float(match[1] or match[2]) if match else -1
    if not 0 <= similarity <= HIGHEST_SIMILARITY:
        raise FileProblem(f"The similarity is {quoted(text)}.", "Give a number from 0 to 5.")
    if similarity >= (reading.threshold or 0):
        return "paraphrase"
    if reading.partial_threshold is None:
        return "not_paraphrase"
    return "partial" if similarity >= reading.partial_threshold else "unrelated"


def _json_pair(text: str, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    values = parse_object(text)
    if isinstance(values.get("a"), dict):
        return _gold_pair(text, line, reading)
    names = PAIR_COLUMNS.mapping(list(values), reading.columns)
    if missing := [name for name in "ab" if name not in names]:
        raise FileProblem(f"The field {missing[0]} is missing.", f"Choose it ({missing[0]}=FIELD).")
    known = {*names.values(), "skipped"}
    count_fields(values, known, unknown)
    fields = {name: values[column] for name, column in names.items()}
    skipped = field_of_type(values, "skipped", bool, False)
    return JudgedPair(
        key=str(fields.get("id", line)),
        a=field_of_type(fields, "a", str, ""),
        b=field_of_type(fields, "b", str, ""),
        label=None if skipped else _label_of_fields(fields, reading),
        line=line,
        comment=field_of_type(fields, "comment", str, ""),
        flagged=field_of_type(fields, "flagged", bool, False),
    )


def _label_of_fields(fields: Mapping[str, Any], reading: LabelRules) -> str:
    """With a threshold by the score, or by a label that is a number; otherwise the label."""
    label, score = fields.get("label", ""), fields.get("score")
    if reading.threshold is not None:
        if score is not None:
            return _by_threshold(str(score), reading)
        if _SIMILARITY.fullmatch(str(label).strip()):
            return _by_threshold(str(label), reading)
    if score is not None and "label" not in fields:
        raise FileProblem(
            "The pair has a similarity and no label.",
            "Give a threshold: the minimum similarity of a paraphrase.",
        )
    return label_of(label)


def _of_annotator(text: str, choice: AnnotatorChoice, unknown: Unknown) -> str | None:
    if _OBJECT_A.search(text):
        choice.read_anyway()  # a line of an export: `_gold_pair` chooses among its judgements
        return text
    return text if choice.reads(annotator_names(text)) else None


def _gold_pair(text: str, line: int, reading: LabelRules) -> JudgedPair:
    [whole] = gold_jsonl.loads(text)
    if not reading.judge:
        label = label_of(whole.label)
        return JudgedPair(whole.key, whole.a.text, whole.b.text, label, line, whole=whole)
    for given in whole.judgements:
        if given.annotator == reading.judge:
            label_given = None if given.label is None else label_of(given.label)
            return JudgedPair(
                whole.key, whole.a.text, whole.b.text, label_given, line, given.comment, given.flagged
            )
    names = ", ".join(given.annotator for given in whole.judgements) or "nobody"
    raise FileProblem(
        f"{reading.judge} did not judge this pair; {shortened(names)} did.", "Name one of them."
    )


MSR = JudgementFormat(
    id="msr",
    label="MSR Paraphrase Corpus",
    begins=lambda head, reading: tuple(first_line(head).split("\t")) == MSR_HEADER,
    parse=_msr,
)
# The format of files that no other format recognises: no first line is certain to be of it.
LABELLED = JudgementFormat(
    id="labelled", label="Label, sentence, sentence", begins=lambda head, reading: False, parse=_labelled
)
JSONL = JudgementFormat(
    id="jsonl",
    label="JSONL",
    begins=lambda head, reading: head.lstrip().startswith("{"),
    of_annotator=_of_annotator,
    parse=_json_pair,
)
STS = JudgementFormat(
    id="sts",
    label="Similarity, sentence, sentence",
    begins=lambda head, reading: reading.threshold is not None,
    parse=_sts,
)


_TABLE_COLUMNS = ("id", "a", "b", "label", "comment", "flagged")
_YES = ("1", "true", "yes")


def _table_pair(row: Mapping[str, str], line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    skipped = not row.get("label", "").strip() and not row.get("score", "").strip()
    label = None if skipped else _label_of_fields(row, reading)
    flagged = row.get("flagged", "").strip().lower() in _YES
    return JudgedPair(
        row.get("id") or str(line), row["a"], row["b"], label, line, row.get("comment", ""), flagged
    )


def _is_table(head: str, reading: LabelRules) -> bool:
    if head.lstrip().startswith(("{", "[")):
        return False
    columns = [name.strip().strip('"') for name in re.split(r"[,;\t]", first_line(head))]
    try:
        fields = PAIR_COLUMNS.mapping(columns, reading.columns).keys()
    except FileProblem:
        return True  # whoever reads the table names the column that is not there
    return bool(reading.columns) or ({"a", "b"} <= fields and bool({"label", "score"} & fields))


def _table_records(text: str, reading: LabelRules, unknown: Unknown) -> Iterator[tuple[int, dict[str, str]]]:
    required = ("a", "b", "label|score")
    return named_rows(text, PAIR_COLUMNS, unknown, chosen=reading.columns, required=required)


def columns_of(path: Path, *, encoding: str = "utf-8") -> tuple[list[str], list[str]]:
    """The names of the columns of a table, or of the fields of its first object, and the cells of the first
    line of a table, which are its columns' names unless it has no header. Both are empty for other files.
    """
    head = SEPARATOR_LINE.sub("", text_head(path, encoding)[0].lstrip("\n\r"))
    line = first_line(head)
    if line.lstrip().startswith("{"):
        return list(parse_object(line)), []
    if line.lstrip().startswith("["):
        return [], []
    try:
        shown = read_head(path, encoding=encoding)
    except FileProblem:
        return [], line.split("\t") if "\t" in line else []
    return list(shown.columns), list(shown.columns)


def _table_rows(pairs: Sequence[JudgedPair], before: int) -> str:
    """The text of some pairs in a file that has so many already."""
    rows = [
        (
            *map(reversible, (pair.key, pair.a, pair.b, pair.label or "", pair.comment)),
            "true" if pair.flagged else "",
        )
        for pair in pairs
    ]
    return csv_lines(rows) if before else CSV_START + csv_lines([_TABLE_COLUMNS, *rows])


TABLE = JudgementFormat(
    id="table",
    label="CSV table",
    begins=_is_table,
    records=_table_records,
    parse=_table_pair,
    write=_table_rows,
    extension=".table.csv",
    help="judged pairs, a row each",
)
# The first in which a file begins is its format: those that look for more come first.
JUDGEMENT_FORMATS = Registry(
    "judgement format",
    JudgementFormat,
    [MSR, LABELLED, TABLE, label_studio.JUDGEMENTS, doccano.JUDGEMENTS, JSONL, STS],
    entry_points="paragold.judgement_formats",
)
