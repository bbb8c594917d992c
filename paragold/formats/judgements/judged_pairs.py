"""Pairs of sentences that came with judgements, from files of other projects.

msr: the Microsoft Research Paraphrase Corpus, a header of Quality, #1 ID, #2 ID, #1 String, #2 String.
labelled: label TAB sentence TAB sentence, without a header.
sts: similarity from 0 to 5 TAB sentence TAB sentence, as semantic textual similarity has it; thresholds turn
the similarity into a label.
jsonl: one object a line, either {"a": text, "b": text, "label": label} with "id", "comment", "flagged" and
"skipped" if there are such, or a line of an export's pairs.jsonl (docs/formats/pairs.md).
Quotation marks are ordinary characters, a byte order mark is passed over.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paragold import limits
from paragold.formats.json_lines import parse_object
from paragold.formats.judgements import gold_jsonl
from paragold.formats.judgements.labelled_pairs import MSR_HEADER
from paragold.formats.tables import check_width
from paragold.formats.text_files import TextLines
from paragold.problems import FileProblem, quoted, shortened
from paragold.registry import Registry

AUTO = "auto"
BINARY, THREE_WAY = "binary", "three_way"
HIGHEST_SIMILARITY = 5.0
LONGEST_ID = 1_000
_PAIR_FIELDS = {"id", "a", "b", "label", "comment", "flagged", "skipped"}
_LABELS = {
    "1": "paraphrase", "0": "not_paraphrase", "paraphrase": "paraphrase", "not_paraphrase": "not_paraphrase",
    "partial": "partial", "unrelated": "unrelated",
}  # fmt: skip
_ONLY_IN = {"not_paraphrase": BINARY, "partial": THREE_WAY, "unrelated": THREE_WAY}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a file is read.

    format: an id of JUDGEMENT_FORMATS, or AUTO.
    threshold, partial_threshold: similarities, 0 to 5. From the first on a pair is a paraphrase. With the
        second, which is lower, it is partial from there on, else unrelated; without, it is not a paraphrase.
    judge: the pseudonym whose judgements are read from pairs.jsonl; "" reads the gold labels.

    Raises ValueError naming the field that is out of its range.
    """

    format: str = AUTO
    threshold: float | None = None
    partial_threshold: float | None = None
    judge: str = ""

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


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two sentences and what was said of them; `label` is None when the pair was skipped.

    `key` is what the file calls the pair, or its line. `whole` is the pair of pairs.jsonl it came as.
    """

    key: str
    a: str
    b: str
    label: str | None
    line: int
    comment: str = ""
    flagged: bool = False
    whole: gold_jsonl.GoldPair | None = None


@dataclass(slots=True)
class JudgedFile:
    """What a file holds. With problems nothing of it may be used."""

    pairs: list[JudgedPair] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)
    format: str = ""

    @property
    def labels(self) -> Counter[str | None]:
        return Counter(pair.label for pair in self.pairs)

    @property
    def scheme(self) -> str:
        return THREE_WAY if {"partial", "unrelated"} & set(self.labels) else BINARY


@dataclass(frozen=True, slots=True)
class JudgementFormat:
    """A format of judged pairs, a line each.

    begins: whether a file with this first line, read so, is in it; it decides where no format is named.
    parse: the pair of a line with its number, from 1. Raises FileProblem.
    """

    id: str
    label: str
    begins: Callable[[str, Reading], bool]
    parse: Callable[[str, int, Reading], JudgedPair]


def read_judged_pairs(path: Path, reading: Reading, *, encoding: str = "utf-8") -> JudgedFile:
    """Read a whole file.

    Returns
    -------
    JudgedFile
        Every faulty line is among its `problems`, 100 at most.
    """
    judged = JudgedFile()
    known: JudgementFormat | None = None
    keys: dict[str, int] = {}
    schemes: dict[str, int] = {}
    for line, text in TextLines(path, encoding, judged.problems):
        if len(judged.problems) >= limits.PROBLEMS:
            break
        try:
            if known is None:
                known, is_header = _layout(text, reading)
                judged.format = known.id
                if is_header:
                    continue
            pair = known.parse(text, line, reading)
            _check(pair, keys, schemes)
            judged.pairs.append(pair)
        except FileProblem as refusal:
            judged.problems.append(refusal.at(line))
            if known is None:
                break
    if not judged.pairs and not judged.problems:
        judged.problems.append(FileProblem("The file has no pair.", "Give a file with judged pairs."))
    return judged


def _layout(first: str, reading: Reading) -> tuple[JudgementFormat, bool]:
    """The format of a file by its first line, and whether that line is a header."""
    is_header = tuple(first.split("\t")) == MSR_HEADER
    if reading.format != AUTO:
        chosen = JUDGEMENT_FORMATS.get(reading.format)
        if chosen is MSR and not is_header:
            raise FileProblem("The header is missing.", f"The first line holds {', '.join(MSR_HEADER)}.")
        return chosen, chosen is MSR
    known = next((one for one in JUDGEMENT_FORMATS if one.begins(first, reading)), LABELLED)
    similarity = first.split("\t")[0]
    if known is LABELLED and _is_similarity(similarity):
        message = f"The file begins with {quoted(similarity)}, which looks like a similarity."
        raise FileProblem(message, "Give a threshold: the minimum similarity of a paraphrase.")
    return known, is_header


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


def _label(value: object) -> str:
    name = str(int(value)) if isinstance(value, bool) else str(value).strip().lower()
    if name not in _LABELS:
        remedy = "Write 1 or 0, or one of: paraphrase, not_paraphrase, partial, unrelated."
        if _is_number(name):
            remedy += " A similarity needs a threshold."
        raise FileProblem(f"The label is {quoted(value)}.", remedy)
    return _LABELS[name]


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _is_similarity(text: str) -> bool:
    return text.strip() not in _LABELS and _is_number(text) and 0 <= float(text) <= HIGHEST_SIMILARITY


def _msr(text: str, line: int, reading: Reading) -> JudgedPair:
    quality, first, second, a, b = _columns(text, 5)
    # Which sentences are the same one is not said by the ids alone: a pair may occur in either order.
    return JudgedPair(f"{first}-{second}", a, b, _label(quality), line)


def _labelled(text: str, line: int, reading: Reading) -> JudgedPair:
    label, a, b = _columns(text, 3)
    return JudgedPair(str(line), a, b, _label(label), line)


def _sts(text: str, line: int, reading: Reading) -> JudgedPair:
    similarity, a, b = _columns(text, 3)
    if not _is_number(similarity) or not 0 <= float(similarity) <= HIGHEST_SIMILARITY:
        raise FileProblem(f"The similarity is {quoted(similarity)}.", "Give a number from 0 to 5.")
    return JudgedPair(str(line), a, b, _by_threshold(float(similarity), reading), line)


def _by_threshold(similarity: float, reading: Reading) -> str:
    if similarity >= (reading.threshold or 0):
        return "paraphrase"
    if reading.partial_threshold is None:
        return "not_paraphrase"
    return "partial" if similarity >= reading.partial_threshold else "unrelated"


def _json_pair(text: str, line: int, reading: Reading) -> JudgedPair:
    values = parse_object(text)
    if isinstance(values.get("a"), dict):
        return _gold_pair(text, line, reading)
    if unknown := sorted(values.keys() - _PAIR_FIELDS):
        raise FileProblem(
            f"{shortened(', '.join(unknown))} is not a field of this format.",
            f"Available: {', '.join(sorted(_PAIR_FIELDS))}.",
        )
    skipped = _of_type(values, "skipped", bool, False)
    label = None if skipped else _label(values.get("label", ""))
    return JudgedPair(
        key=str(values.get("id", line)),
        a=_of_type(values, "a", str, ""),
        b=_of_type(values, "b", str, ""),
        label=label,
        line=line,
        comment=_of_type(values, "comment", str, ""),
        flagged=_of_type(values, "flagged", bool, False),
    )


def _of_type(values: Mapping[str, Any], name: str, expected: type, default: Any) -> Any:
    value = values.get(name, default)
    if not isinstance(value, expected):
        words = "text in double quotes" if expected is str else "true or false"
        raise FileProblem(f"{name} is not {words}.", "Correct the field.")
    return value


def _gold_pair(text: str, line: int, reading: Reading) -> JudgedPair:
    [whole] = gold_jsonl.loads(text)
    if not reading.judge:
        label = _label(whole.label)
        return JudgedPair(whole.key, whole.a.text, whole.b.text, label, line, whole=whole)
    for given in whole.judgements:
        if given.annotator == reading.judge:
            label_given = None if given.label is None else _label(given.label)
            return JudgedPair(
                whole.key, whole.a.text, whole.b.text, label_given, line, given.comment, given.flagged
            )
    names = ", ".join(given.annotator for given in whole.judgements) or "nobody"
    raise FileProblem(
        f"{reading.judge} did not judge this pair; {shortened(names)} did.", "Name one of them."
    )


MSR = JudgementFormat(
    "msr", "MSR Paraphrase Corpus", lambda first, reading: tuple(first.split("\t")) == MSR_HEADER, _msr
)
# What has no other format: no first line is certain to be of it.
LABELLED = JudgementFormat("labelled", "Label, sentence, sentence", lambda first, reading: False, _labelled)
JSONL = JudgementFormat("jsonl", "JSONL", lambda first, reading: first.lstrip().startswith("{"), _json_pair)
STS = JudgementFormat(
    "sts",
    "Similarity, sentence, sentence",
    lambda first, reading: reading.threshold is not None and not JSONL.begins(first, reading),
    _sts,
)
JUDGEMENT_FORMATS = Registry(
    "judgement format",
    JudgementFormat,
    [MSR, LABELLED, STS, JSONL],
    entry_points="paragold.judgement_formats",
)
