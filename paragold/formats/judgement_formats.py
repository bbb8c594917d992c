"""Formats of judged pairs: what a format is, and those of paraphrase corpora.

msr: the Microsoft Research Paraphrase Corpus, a header of Quality, #1 ID, #2 ID, #1 String, #2 String.
labelled: label TAB sentence TAB sentence, without a header.
sts: similarity from 0 to 5 TAB sentence TAB sentence, as semantic textual similarity has it; thresholds turn
the similarity into a label.
jsonl: one object a line, either {"a": text, "b": text, "label": label} with "id", "score", "comment",
"flagged" and "skipped" if there are such, or a line of an export's pairs.jsonl (docs/formats/pairs.md).
table: CSV or TSV with a column for each of these; a row without a label is a skipped pair.

Columns and fields have one of the usual names of paraphrase corpora (PAIR_COLUMNS), or people choose them.
With a threshold the score decides, or a label that is a number; other columns are counted. Quotation marks
are ordinary characters in all but the table. Formats of other tools have files of their own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any

from paragold.formats.answers import AnnotatorChoice, Unknown, annotator_names, count_fields
from paragold.formats.gold_jsonl import GoldPair, gold_pair
from paragold.formats.json_lines import Flag, field_of, parse_object
from paragold.formats.labelled_pairs import MSR_HEADER
from paragold.formats.tables import CSV_START, Columns, check_width, csv_lines, named_rows, reversible
from paragold.problems import FileProblem, quoted, shortened

AUTO = "auto"
BINARY, THREE_WAY = "binary", "three_way"
SCHEMES = {
    BINARY: ("paraphrase", "not_paraphrase"),
    THREE_WAY: ("paraphrase", "partial", "unrelated"),
}
"""The labels of each judging scheme, from the least to the most cautious."""
HIGHEST_SIMILARITY = 5.0
PAIR_COLUMNS = Columns(
    {
        "id": ("id", "pair_id", "idx", "index", "key"),
        "a": (
            *("a", "text_a", "sentence1", "sentence_1", "sentence_a", "question1", "premise", "text1"),
            *("txt1", "sent_1", "sent1", "string1", "#1_string", "first"),
        ),
        "b": (
            *("b", "text_b", "sentence2", "sentence_2", "sentence_b", "question2", "hypothesis", "text2"),
            *("txt2", "sent_2", "sent2", "string2", "#2_string", "second"),
        ),
        "label": (
            *("label", "gold_label", "goldlabel", "is_duplicate", "is_paraphrase", "paraphrase", "quality"),
            "annotation",
        ),
        "score": ("score", "similarity", "similarity_score", "relatedness_score", "relatedness"),
        "comment": ("comment",),
        "flagged": ("flagged",),
    },
    "judged pairs",
)
_NUMBERS = {"1": "paraphrase", "0": "not_paraphrase"}
_LABELS = tuple(dict.fromkeys(chain.from_iterable(SCHEMES.values())))
# A similarity as a number, as votes of five people, "(3, 2)", or as a level with a mark, "4<" (Turku).
_SIMILARITY = re.compile(r"\(\s*([0-5])\s*,\s*[0-5]\s*\)|([0-9]+(?:\.[0-9]+)?)[<>is]*")
_OBJECT_A = re.compile(r'(?<!\\)"a"\s*:\s*\{')
_YES = ("1", "true", "yes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Options of reading a file, such as the rules that turn its labels and scores into labels.

    format: an id of JUDGEMENT_FORMATS, or AUTO.
    threshold, partial_threshold: similarities, 0 to 5. From the first on a pair is a paraphrase. With the
        second, which is lower, it is partial from there on, else unrelated; without, it is not a paraphrase.
    judge: whose judgements are read, of a file with those of several people; of pairs.jsonl a pseudonym, ""
        reads the gold labels.
    columns: field of PAIR_COLUMNS -> the column of a table, or the field of JSON Lines, where it is not
        called as usual; "" leaves the field out. Columns of a table without a header are numbers from 1.

    Raises ValueError naming the field that is out of its range.
    """

    format: str = AUTO
    threshold: float | None = None
    partial_threshold: float | None = None
    judge: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("threshold", "partial_threshold"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= HIGHEST_SIMILARITY:
                raise ValueError(f"{name}: {value}; similarities go from 0 to 5")
        if self.partial_threshold is not None and not self.partial_threshold < (self.threshold or 0):
            raise ValueError("partial_threshold: it must be lower than the threshold of a paraphrase")
        if self.threshold is None and self.format == STS.id:
            raise ValueError("threshold: give the minimum similarity of a paraphrase")


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two sentences and what was said of them; `label` is None when the pair was skipped.

    `key` is what the file calls the pair, or its line. `whole` is the pair of pairs.jsonl it came as.
    """

    key: str
    a: str
    b: str
    label: str | None
    line: int = 0
    comment: str = ""
    flagged: bool = False
    whole: GoldPair | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementFormat:
    """A format of judged pairs.

    begins: whether a file is in it, by its beginning, from the first line with text; it decides where no
        format is named.
    records: the records of a file's text, read by these rules, each with its line, from 1; by default lines
        that are not blank.
    of_annotator: the record as `parse` takes it, where it is of the person whose answers are read, else None.
    parse: the pair of a record; None for one that is left out. What it does not read it counts in the last
        argument. Raises FileProblem.
    write: a pair as text, by its number from 1 in the file. `start` is before the first pair, `between`
        between two, `end` after the last one.
    extension: the ending of the file's name; "" for formats that are only read here.
    beside: the texts of files, by name, that are written beside pairs of a scheme.
    """

    id: str
    label: str
    begins: Callable[[str, Reading], bool]
    parse: Callable[[Any, int, Reading, Unknown], JudgedPair | None]
    records: Callable[[str, Reading, Unknown], Iterator[tuple[int, Any]]] | None = None
    of_annotator: Callable[[Any, AnnotatorChoice, Unknown], Any] = lambda record, choice, unknown: (
        record if choice.reads(annotator_names(record)) else None
    )
    write: Callable[[JudgedPair, int], str] = lambda pair, number: ""
    start: str = ""
    between: str = ""
    end: str = ""
    extension: str = ""
    help: str = ""
    beside: Callable[[str], Mapping[str, str]] = lambda scheme: {}

    def file_name(self, stem: str) -> str:
        return f"{stem}{self.extension}"


# What the formats share


def first_line(head: str) -> str:
    return head.split("\n", 1)[0].removesuffix("\r")


def label_of(value: object) -> str:
    """The label that a value is, with spaces or hyphens for "_". Raises FileProblem for any other value."""
    name = str(int(value)) if isinstance(value, bool) else str(value).strip().lower()
    name = _NUMBERS.get(name, name.replace(" ", "_").replace("-", "_"))
    if name not in _LABELS:
        remedy = f"Write 1 or 0, or one of: {', '.join(_LABELS)}."
        if is_number(name):
            remedy += " A similarity needs a threshold."
        raise FileProblem(f"The label is {quoted(value)}.", remedy)
    return name


def is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def label_by_threshold(text: str, reading: Reading) -> str:
    """The label of a similarity. Raises FileProblem for what is none."""
    match = _SIMILARITY.fullmatch(text.strip())
    similarity = float(match[1] or match[2]) if match else -1
    if not 0 <= similarity <= HIGHEST_SIMILARITY:
        raise FileProblem(f"The similarity is {quoted(text)}.", "Give a number from 0 to 5.")
    if similarity >= (reading.threshold or 0):
        return "paraphrase"
    if reading.partial_threshold is None:
        return "not_paraphrase"
    return "partial" if similarity >= reading.partial_threshold else "unrelated"


def _label_of_fields(fields: Mapping[str, Any], reading: Reading) -> str:
    """With a threshold by the score, or by a label that is a number; otherwise the label."""
    label, score = fields.get("label", ""), fields.get("score")
    if reading.threshold is not None:
        if score is not None:
            return label_by_threshold(str(score), reading)
        if _SIMILARITY.fullmatch(str(label).strip()):
            return label_by_threshold(str(label), reading)
    if score is not None and "label" not in fields:
        raise FileProblem(
            "The pair has a similarity and no label.",
            "Give a threshold: the minimum similarity of a paraphrase.",
        )
    return label_of(label)


def both_texts(values: Mapping[str, Any]) -> tuple[str, str]:
    """The sentences of a record: its fields `a` and `b`, or the two lines of its `text`.

    Raises FileProblem for a record without them.
    """
    if "a" in values or "b" in values:
        return field_of(values, "a", str, ""), field_of(values, "b", str, "")
    lines = field_of(values, "text", str, "").split("\n")
    if len(lines) != 2:
        raise FileProblem(
            f"The text has {len(lines)} lines.", "Give the sentences as a and b, or as two lines of text."
        )
    return lines[0], lines[1]


# Tab-separated lines


def _msr(text: str, line: int, reading: Reading, unknown: Unknown) -> JudgedPair | None:
    fields = text.split("\t")
    if tuple(fields) == MSR_HEADER:
        return None
    check_width(fields, len(MSR_HEADER))
    quality, first, second, a, b = fields
    # Which sentences are the same one is not said by the ids alone: a pair may occur in either order.
    return JudgedPair(f"{first}-{second}", a, b, label_of(quality), line)


def _labelled(text: str, line: int, reading: Reading, unknown: Unknown) -> JudgedPair:
    fields = text.split("\t")
    if len(fields) != 3:
        raise FileProblem(
            f"{len(fields)} columns instead of 3 (label, sentence, sentence), separated by tabs.",
            "Choose which column is what, by its name or its number, such as a=2, b=3, label=4.",
        )
    label, a, b = fields
    return JudgedPair(str(line), a, b, label_of(label), line)


def _sts(text: str, line: int, reading: Reading, unknown: Unknown) -> JudgedPair:
    fields = text.split("\t")
    check_width(fields, 3)
    similarity, a, b = fields
    return JudgedPair(str(line), a, b, label_by_threshold(similarity, reading), line)


MSR = JudgementFormat(
    id="msr",
    label="MSR Paraphrase Corpus",
    help="labels, ids and sentences, separated by tabs",
    begins=lambda head, reading: tuple(first_line(head).split("\t")) == MSR_HEADER,
    parse=_msr,
)
# The format of files that no other format recognises: no first line is certain to be of it.
LABELLED = JudgementFormat(
    id="labelled",
    label="Label, sentence, sentence",
    help="1 or 0, or the name of a label, and two sentences, separated by tabs",
    begins=lambda head, reading: False,
    parse=_labelled,
)
STS = JudgementFormat(
    id="sts",
    label="Similarity, sentence, sentence",
    help="a number from 0 to 5 and two sentences, separated by tabs; needs a minimum similarity",
    begins=lambda head, reading: reading.threshold is not None,
    parse=_sts,
)


# JSON Lines


def _json_pair(text: str, line: int, reading: Reading, unknown: Unknown) -> JudgedPair:
    values = parse_object(text)
    if isinstance(values.get("a"), dict):
        return _gold_pair(values, line, reading)
    names = _names_of(tuple(values), tuple(reading.columns.items()))
    if missing := [name for name in "ab" if name not in names]:
        remedy = PAIR_COLUMNS.wrong_door(values) or f"Choose it ({missing[0]}=FIELD)."
        raise FileProblem(f"The field {missing[0]} is missing.", remedy)
    count_fields(values, {*names.values(), "skipped"}, unknown)
    fields = {name: values[column] for name, column in names.items()}
    skipped = field_of(values, "skipped", Flag, False)
    return JudgedPair(
        key=str(fields.get("id", line)),
        a=field_of(fields, "a", str, ""),
        b=field_of(fields, "b", str, ""),
        label=None if skipped else _label_of_fields(fields, reading),
        line=line,
        comment=field_of(fields, "comment", str, ""),
        flagged=field_of(fields, "flagged", Flag, False),
    )


@lru_cache(64)
def _names_of(fields: tuple[str, ...], chosen: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return PAIR_COLUMNS.mapping(fields, dict(chosen))


def _of_annotator(text: str, choice: AnnotatorChoice, unknown: Unknown) -> str | None:
    if _OBJECT_A.search(text):
        choice.read_anyway()  # a line of an export: `_gold_pair` chooses among its judgements
        return text
    return text if choice.reads(annotator_names(text)) else None


def _gold_pair(values: Mapping[str, Any], line: int, reading: Reading) -> JudgedPair:
    whole = gold_pair(values)
    if not reading.judge:
        label = label_of(whole.label)
        return JudgedPair(whole.key, whole.a.text, whole.b.text, label, line, whole=whole)
    for given in whole.judgements:
        if given.annotator == reading.judge:
            chosen = None if given.label is None else label_of(given.label)
            return JudgedPair(
                whole.key, whole.a.text, whole.b.text, chosen, line, given.comment, given.flagged
            )
    names = ", ".join(given.annotator for given in whole.judgements) or "nobody"
    raise FileProblem(
        f"{reading.judge} did not judge this pair; {shortened(names)} did.", "Name one of them."
    )


JSONL = JudgementFormat(
    id="jsonl",
    label="JSONL",
    help="an object a line, as exports of gold have them",
    begins=lambda head, reading: head.lstrip().startswith("{"),
    of_annotator=_of_annotator,
    parse=_json_pair,
)


# Tables


def _is_table(head: str, reading: Reading) -> bool:
    if head.lstrip().startswith(("{", "[")):
        return False
    columns = [name.strip().strip('"') for name in re.split(r"[,;\t]", first_line(head))]
    try:
        fields = PAIR_COLUMNS.mapping(columns, reading.columns).keys()
    except FileProblem:
        return True  # whoever reads the table names the column that is not there
    return bool(reading.columns) or ({"a", "b"} <= fields and bool({"label", "score"} & fields))


def _table_records(text: str, reading: Reading, unknown: Unknown) -> Iterator[tuple[int, dict[str, str]]]:
    required = ("a", "b", "label|score")
    return named_rows(text, PAIR_COLUMNS, unknown, chosen=reading.columns, required=required)


def _table_pair(row: Mapping[str, str], line: int, reading: Reading, unknown: Unknown) -> JudgedPair:
    skipped = not row.get("label", "").strip() and not row.get("score", "").strip()
    label = None if skipped else _label_of_fields(row, reading)
    flagged = row.get("flagged", "").strip().lower() in _YES
    key = row.get("id") or str(line)
    return JudgedPair(key, row["a"], row["b"], label, line, row.get("comment", ""), flagged)


def _table_line(pair: JudgedPair, number: int) -> str:
    texts = map(reversible, (pair.key, pair.a, pair.b, pair.label or "", pair.comment))
    return csv_lines([(*texts, "true" if pair.flagged else "")])


TABLE = JudgementFormat(
    id="table",
    label="CSV table",
    begins=_is_table,
    records=_table_records,
    parse=_table_pair,
    start=CSV_START + csv_lines([("id", "a", "b", "label", "comment", "flagged")]),
    write=_table_line,
    extension=".table.csv",
    help="judged pairs, a row each",
)
