r"""The formats of word links of the field's corpora and tools: a reader and a writer each.

A new format is a reader, a writer and a `LinkFormat` here, and a line in `paragold/formats/link_files.py`. A
link that a file gives as SURE and as POSSIBLE is SURE. Readers raise FileProblem, with the line, for what is
not in the format; writers for what the format cannot hold.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, TypeVar

from paragold import limits
from paragold.formats.answers import AnnotatorChoice, Unknown, count_fields
from paragold.formats.json_lines import Filled, Id, Index, array_objects, objects, read_as
from paragold.formats.tables import CSV_START, Columns, csv_lines, named_rows, reversible
from paragold.formats.text_files import text_of
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.problems import FileProblem, located, quoted

Record = TypeVar("Record")
First = TypeVar("First")
Second = TypeVar("Second")
Line = tuple[int, str]
"""A line of a file with its number, from 1."""


@dataclass(frozen=True, slots=True)
class LinkReading:
    """What is known and chosen about a file that is read, and what became of it.

    tokens : the text of the pairs, for formats that do not hold it.
    choice, columns : whose links are read; field of LINK_COLUMNS -> column of a table or field of JSON Lines.
    predictions : of a file with the answers of people and of models, whether those of models are read; None:
        only where there are no others.
    unknown : counts what is not read, by its name.
    origins : gets the model and its score, in words, by the keys of the pairs, where predictions are read.
    remarks : gets sentences on the whole file.
    """

    tokens: Iterable[TokenPair] = ()
    choice: AnnotatorChoice = field(default_factory=AnnotatorChoice)
    columns: Mapping[str, str] = field(default_factory=dict)
    predictions: bool | None = None
    unknown: Unknown = field(default_factory=Counter)
    origins: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFormat:
    r"""A format in which linked pairs are read and written.

    Parameters
    ----------
    id, label : str
        The name that is typed and stored, and the one that people read.
    help, example : str
        What a file of it holds, as a data card says it, and how SURE and POSSIBLE links look in it.
    extensions : tuple of str
        Endings of names; the first is that of exports.
    read : callable
        The pairs of a file's lines, which are numbered from 1, in order and with their lines; see
        `LinkReading`. Formats without text give the pairs their numbers from 1 as keys. That keys are unique
        and links inside their sentences is checked for all formats.
    write : callable
        A pair as text, by its number from 1 in the file. Raises FileProblem for what cannot be held.
    start, between, end : str
        What is before the first pair, between two, and after the last one.
    first_line, contains : pattern
        `first_line` matches the first line with text of such files. `contains` is found in the beginning of
        such files and of no other format with such a first line.
    base : int
        The number of the first word.
    carries_text, one_strength : bool
        Whether the tokens are in the file, and whether all its links are SURE.
    file_a_person : bool
        Whether a zip of several files of it has the links of a person in each.
    tool : bool
        Whether it is one of other annotation tools: not among "all" formats of an export.
    beside : mapping
        Texts of files, by name, that are written beside the links.
    """

    id: str
    label: str
    help: str
    example: str
    extensions: tuple[str, ...]
    read: Callable[[Iterator[Line], LinkReading], Iterable[LinkedPair]] = lambda lines, reading: ()
    write: Callable[[LinkedPair, int], str] = lambda pair, number: ""
    start: str = ""
    between: str = ""
    end: str = ""
    first_line: re.Pattern[str] = re.compile(r"(?!)")
    contains: re.Pattern[str] | None = None
    base: int = 0
    carries_text: bool = True
    one_strength: bool = False
    file_a_person: bool = False
    tool: bool = False
    beside: Mapping[str, str] = field(default_factory=dict)

    def file_name(self, stem: str) -> str:
        return f"{stem}{self.extensions[0]}"


TABLE_COLUMNS = ("id", "source", "target", "sure", "possible")
LINK_COLUMNS = Columns(
    {
        "id": ("id", "pair_id", "idx", "key"),
        "source": ("source", "tokens_a", "text_a", "sentence1", "sentence_1", "sentence_a", "a"),
        "target": ("target", "tokens_b", "text_b", "sentence2", "sentence_2", "sentence_b", "b"),
        "sure": ("sure", "sure_links", "surealign", "links", "alignment", "alignments"),
        "possible": ("possible", "possible_only", "possible_links", "possiblealign"),
    },
    "word links",
)


# What the formats share.


def check_inside(links: Collection[Link], tokens: TokenPair, *, base: int = 0) -> None:
    """Raise FileProblem when a link points outside its sentences; indices are shown counted from `base`."""
    source, target = map(len, tokens)
    outside = Links.of((), links).first_outside(source, target)
    if outside is not None:
        i, j = outside
        raise FileProblem(
            f"link {i + base}-{j + base} points outside its sentences, which have "
            f"{source} and {target} tokens (indices count from {base}).",
            "Check that links and text belong together and that indices count from "
            f"{base} in the order source, target.",
        )


def spaced(tokens: Sequence[str]) -> str:
    """Tokens separated by spaces. Raises FileProblem for one that would not be read back as it is."""
    for position, token in enumerate(tokens):
        if not token or any(separator in token for separator in " \t\n\r"):
            raise FileProblem(
                f"token {position} is {quoted(token)}: empty, or with a space, tab or line break inside.",
                "Tokenise the sentence again; only the JSONL format holds such tokens.",
            )
    return " ".join(tokens)


def split_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text separated by spaces or tabs; other white space (U+00A0) stays inside a token."""
    return tuple(token for token in text.replace("\t", " ").split(" ") if token)


def read_each(
    records: Iterable[tuple[int, Record]], pair_of: Callable[[Record, int], LinkedPair]
) -> Iterator[LinkedPair]:
    """The pairs of a file's records, each given with its line, which problems then name."""
    for line, record in records:
        with located(line):
            pair = pair_of(record, line)
        yield pair


def side_by_side(
    first: Iterable[First], second: Iterable[Second], unequal: str, remedy: str
) -> Iterator[tuple[First, Second]]:
    """The items of both, one beside the other, in order.

    Raises FileProblem where one has more: `unequal` has places for both numbers.
    """
    sides = iter(first), iter(second)
    for number, both in enumerate(zip_longest(*sides)):
        if None in both:
            counts = [
                number + (one is not None) + sum(1 for _ in rest)
                for one, rest in zip(both, sides, strict=True)
            ]
            raise FileProblem(unequal.format(*counts), remedy)
        yield both


def ordered(links: Links) -> list[tuple[int, int, bool]]:
    """(source, target, is SURE) of every link: SURE ones first, then POSSIBLE, each by source and target."""
    return [(i, j, True) for i, j in sorted(links.sure)] + [
        (i, j, False) for i, j in sorted(links.possible_only)
    ]


# Pharaoh and its successors: a pair a line, `0-0 1-2`, from 0 or from 1; `1?2` and `1p2` are POSSIBLE. An
# empty line has no links. Scores behind the links, as fast_align, eflomal and others write them, are counted.

_LINK = re.compile(r"([0-9]{1,9})([-?p])([0-9]{1,9})")
_SCORE = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?|-?inf|nan")
_PHARAOH_LINE = r"\s*\d+[-?p]\d+(?:\s+\d+[-?p]\d+)*"


def links_of_line(content: str, *, base: int = 0, marks: str = "-?p") -> Links:
    """The links of one pair as Pharaoh writes them, indices from `base`. Raises FileProblem."""
    sure: list[Link] = []
    possible: list[Link] = []
    for text in split_tokens(content):
        match = _LINK.fullmatch(text)
        if match is None or match[2] not in marks:
            raise FileProblem(
                f"{quoted(text)} is not a link.",
                f"Write 3-4 for SURE{' and 3?4 for POSSIBLE' * (len(marks) > 1)}, indices from {base}, "
                "separated by spaces.",
            )
        i, j = int(match[1]) - base, int(match[3]) - base
        if min(i, j) < 0:
            raise FileProblem(
                f"{quoted(text)} has index 0.", "Choose the format pharaoh, which counts from 0."
            )
        (sure if match[2] == "-" else possible).append((i, j))
    return Links.of(sure, possible)


def pharaoh_line(links: Links, *, base: int = 0) -> str:
    """One pair's links, in ascending order, and a line feed."""
    drawn = sorted(ordered(links))
    return " ".join(f"{i + base}{'-' if sure else '?'}{j + base}" for i, j, sure in drawn) + "\n"


def _read_pharaoh(lines: Iterator[Line], reading: LinkReading, *, base: int = 0) -> Iterator[LinkedPair]:
    def pair_of(record: tuple[str, TokenPair], line: int) -> LinkedPair:
        content, tokens = record
        links, _, behind = content.partition("|||")
        fields = list(split_tokens(f"{links} {behind}"))
        while fields and _SCORE.fullmatch(fields[-1]):
            fields.pop()
            reading.unknown["score"] += 1
        return LinkedPair(str(line), *tokens, links_of_line(" ".join(fields), base=base), line)

    unequal = "{} lines, but the text has {} pairs."
    remedy = "Give one line for each pair, an empty one for a pair without links."
    both = side_by_side(lines, reading.tokens, unequal, remedy)
    return read_each(((line, (content, tokens)) for (line, content), tokens in both), pair_of)


PHARAOH = LinkFormat(
    id="pharaoh",
    label="Pharaoh, possible links with ?",
    help="links as 0-0 1?2, one pair per line",
    example="0-0 3?4; from 0",
    extensions=(".pharaoh",),
    first_line=re.compile(rf"{_PHARAOH_LINE}(?:[\s|]+{_SCORE.pattern})*\s*$"),
    read=_read_pharaoh,
    write=lambda pair, number: pharaoh_line(pair.links),
    carries_text=False,
)
# No line is certain to be of it: it is named by people.
PHARAOH_FROM_1 = LinkFormat(
    id="pharaoh_1",
    label="Pharaoh, from 1",
    help="links as 1-1 2?3, one pair per line",
    example="1-1 4?5; from 1",
    extensions=(".pharaoh1",),
    read=lambda lines, reading: _read_pharaoh(lines, reading, base=1),
    write=lambda pair, number: pharaoh_line(pair.links, base=1),
    base=1,
    carries_text=False,
    tool=True,
)


# NAACL 2003 (Mihalcea & Pedersen 2003): a link a line, `0001 1 7 S`: sentence, source and target position,
# all from 1, and the strength; S is what a missing fourth column means. A confidence may follow and is
# counted. A sentence without links has no line.

_NAACL = re.compile(rf"([0-9]{{1,9}}) ([0-9]{{1,9}}) ([0-9]{{1,9}})(?: ([SP]))?( (?:{_SCORE.pattern}))?")


def _read_naacl(lines: Iterator[Line], reading: LinkReading) -> Iterator[LinkedPair]:
    tokens = list(reading.tokens)
    drawn: list[tuple[set[Link], set[Link]]] = [(set(), set()) for _ in tokens]
    for line, content in lines:
        fields = " ".join(split_tokens(content))
        if not fields:
            continue
        with located(line):
            match = _NAACL.fullmatch(fields)
            if match is None:
                raise FileProblem(
                    f"{quoted(fields)} is not a link.",
                    "Write sentence, source position, target position and S or P, separated by spaces.",
                )
            sentence, i, j = map(int, match.groups()[:3])
            if 0 in (sentence, i, j):
                raise FileProblem(
                    "sentences and positions count from 1, so 0 is not allowed.",
                    "Add 1 to indices that count from 0; leave out links to the null word.",
                )
            if sentence > len(tokens):
                raise FileProblem(
                    f"sentence {sentence}, but the text has {len(tokens)} pairs.",
                    "Check that links and text belong together.",
                )
            check_inside([(i - 1, j - 1)], tokens[sentence - 1], base=1)
        if match[5]:
            reading.unknown["confidence"] += 1
        drawn[sentence - 1][match[4] == "P"].add((i - 1, j - 1))
    for number, (sentences, strengths) in enumerate(zip(tokens, drawn, strict=True), start=1):
        yield LinkedPair(str(number), *sentences, Links.of(*strengths), number)


NAACL = LinkFormat(
    id="naacl",
    label="NAACL-2003",
    help="links as NAACL-2003 has them",
    example="0001 1 7 S, 0001 2 3 P; from 1",
    extensions=(".naacl",),
    first_line=re.compile(rf"\s*\d+\s+\d+\s+\d+(?:\s+[SP])?(?:\s+{_SCORE.pattern})?\s*$"),
    read=_read_naacl,
    write=lambda pair, number: "".join(
        f"{number:04d} {i + 1} {j + 1} {'S' if sure else 'P'}\n" for i, j, sure in ordered(pair.links)
    ),
    base=1,
    carries_text=False,
)


# JSON Lines: `{"id": str, "source": [tokens], "target": [tokens], "sure": [[i, j]], "possible_only": [[i,
# j]]}`, from 0. No link is in both lists. Blank lines are passed over.


@dataclass(frozen=True, slots=True)
class _Fields:
    id: Id
    source: tuple[Filled, ...]
    target: tuple[Filled, ...]
    sure: list[tuple[Index, Index]]
    possible_only: list[tuple[Index, Index]]


def _read_jsonl(lines: Iterator[Line], reading: LinkReading) -> Iterator[LinkedPair]:
    def pair_of(value: Mapping[str, Any], line: int) -> LinkedPair:
        if reading.columns:
            names = LINK_COLUMNS.mapping(list(value), reading.columns)
            given = {name: value[column] for name, column in names.items()}
            value = {"id": str(line), "sure": [], "possible_only": given.pop("possible", [])} | given
        elif "source" not in value and (door := LINK_COLUMNS.wrong_door(value)):
            raise FileProblem("The field source is missing.", door)
        one = read_as(_Fields, value)
        if both := sorted(set(one.sure) & set(one.possible_only)):
            raise FileProblem(
                f"link {list(both[0])} is in sure and in possible_only.", "Keep it in one of them."
            )
        links = Links.of(one.sure, one.possible_only)
        return LinkedPair(one.id, one.source, one.target, links, line)

    return read_each(reading.choice.chosen(objects(lines)), pair_of)


def _json_line(pair: LinkedPair, number: int) -> str:
    tokens = {"source": pair.source, "target": pair.target}
    links = {"sure": sorted(pair.links.sure), "possible_only": sorted(pair.links.possible_only)}
    return json.dumps({"id": pair.key, **tokens, **links}, ensure_ascii=False) + "\n"


JSONL = LinkFormat(
    id="jsonl",
    label="JSON Lines",
    help="linked pairs with tokens",
    example="sure, possible_only",
    extensions=(".jsonl",),
    first_line=re.compile(r"\s*\{"),
    read=_read_jsonl,
    write=_json_line,
)


# Four fields, in three formats: texts whose tokens are separated by spaces, and links `3-0 4-1` of one
# strength each, from 0.


def pair_of_fields(key: str, fields: Sequence[str], line: int) -> LinkedPair:
    """The pair of four fields: source, target, SURE links and POSSIBLE links. Raises FileProblem."""
    source, target, sure, possible = fields
    both = (links_of_line(text, marks="-").sure for text in (sure, possible))
    return LinkedPair(key, split_tokens(source), split_tokens(target), Links.of(*both), line)


def fields_of_pair(pair: LinkedPair) -> tuple[str, str, str, str]:
    """The fields that `pair_of_fields` reads, links in ascending order."""
    links = (format_field(pair.links.sure), format_field(pair.links.possible_only))
    return (spaced(pair.source), spaced(pair.target), *links)


def format_field(links: Iterable[Link]) -> str:
    """Links of one strength, in ascending order."""
    return " ".join(f"{i}-{j}" for i, j in sorted(links))


# Edinburgh and Jacana: one JSON array of objects. `name` repeats `id`; other fields, such as `score`, are
# counted.

_OBJECT = ("id", "source", "target", "sureAlign", "possibleAlign")


def _read_edinburgh(lines: Iterator[Line], reading: LinkReading) -> Iterator[LinkedPair]:
    def pair_of(record: object, line: int) -> LinkedPair:
        if not isinstance(record, dict):
            raise FileProblem("an element is not an object.", f"Write objects with {', '.join(_OBJECT)}.")
        count_fields(record, {"name", *_OBJECT}, reading.unknown)
        texts = {"possibleAlign": ""} | record
        for name in _OBJECT:
            if not isinstance(texts.get(name), str):
                raise FileProblem(
                    f"{name} is missing or not a string.", 'Give every pair this field, links as "3-0 4-1".'
                )
        return pair_of_fields(texts["id"], [texts[name] for name in _OBJECT[1:]], line)

    return read_each(reading.choice.chosen(array_objects(text_of(lines))), pair_of)


def _edinburgh_object(pair: LinkedPair, number: int) -> str:
    fields = dict(zip(_OBJECT[1:], fields_of_pair(pair), strict=True))
    text = json.dumps([{"id": pair.key, "name": pair.key, **fields}], ensure_ascii=False, indent=1)
    return text.removeprefix("[").removesuffix("\n]")


EDINBURGH = LinkFormat(
    id="edinburgh",
    label="Edinburgh / Jacana JSON",
    help="linked pairs, as the Edinburgh++ corpus has them",
    example="sureAlign, possibleAlign",
    extensions=(".json",),
    first_line=re.compile(r"\s*\["),
    read=_read_edinburgh,
    write=_edinburgh_object,
    start="[",
    between=",",
    end="\n]\n",
)


# MultiMWA (Lan, Jiang & Xu 2021): a pair a line, columns separated by tabs. Column 1 is the id, 2 the
# source, 4 the target, 8 the SURE links and 9 the POSSIBLE ones. The others are counted, and written empty.

_COLUMNS = 9
_READ = (1, 2, 4, 8, 9)


def _read_multimwa(lines: Iterator[Line], reading: LinkReading) -> Iterator[LinkedPair]:
    def pair_of(content: str, line: int) -> LinkedPair:
        columns = content.split("\t")
        reading.unknown.update(
            f"column {n}" for n, cell in enumerate(columns, start=1) if cell and n not in _READ
        )
        if len(columns) < _COLUMNS:
            raise FileProblem(
                f"{len(columns)} columns instead of {_COLUMNS} or more.",
                "Separate by tabs: id, source, (3), target, (5), (6), (7), sure links, possible links.",
            )
        key, *fields = (columns[n - 1] for n in _READ)
        return pair_of_fields(key, fields, line)

    return read_each(((line, content) for line, content in lines if content.strip(" ")), pair_of)


def _multimwa_line(pair: LinkedPair, number: int) -> str:
    if any(separator in pair.key for separator in "\t\n\r"):
        raise FileProblem("the id has a tab or a line break.", "Use the JSONL format.")
    source, target, sure, possible = fields_of_pair(pair)
    return "\t".join([pair.key, source, "", target, "", "", "", sure, possible]) + "\n"


MULTIMWA = LinkFormat(
    id="multimwa",
    label="MultiMWA TSV",
    help="linked pairs, as MultiMWA has them",
    example="columns 8 and 9",
    extensions=(".tsv",),
    first_line=re.compile(r"[^\t]*(?:\t[^\t]*){7}"),
    read=_read_multimwa,
    write=_multimwa_line,
)


# A CSV table with a header. An export's links.csv has tokens_a and tokens_b; other columns are counted.


def _read_table(lines: Iterator[Line], reading: LinkReading) -> Iterator[LinkedPair]:
    def pair_of(row: Mapping[str, str], line: int) -> LinkedPair:
        fields = [row.get(name, "") for name in TABLE_COLUMNS[1:]]
        return pair_of_fields(row.get("id", str(line)), fields, line)

    needed = TABLE_COLUMNS[1:4]
    rows = named_rows(text_of(lines), LINK_COLUMNS, reading.unknown, chosen=reading.columns, required=needed)
    return read_each(reading.choice.chosen(rows), pair_of)


TABLE = LinkFormat(
    id="table",
    label="CSV table",
    help="linked pairs, a row each",
    example="columns sure, possible",
    extensions=(".table.csv",),
    first_line=re.compile(r"(?=.*\b(?:source|tokens_a)\b)(?=.*\bsure\b)[\w\"]+(?:[,;\t][\w\"]+)+\s*$"),
    read=_read_table,
    start=CSV_START + csv_lines([TABLE_COLUMNS]),
    write=lambda pair, number: csv_lines([tuple(map(reversible, (pair.key, *fields_of_pair(pair))))]),
    tool=True,
)


# GIZA++ (`*.A3.final`, Och & Ney 2003): three lines a pair. The second is the target. The third is the
# source; each word is followed by the target words it is linked to, from 1, and NULL by those without a
# link:
#
#     # Sentence pair (1) source length 2 target length 3 alignment score : 0.01
#     the tall hound
#     NULL ({ 2 }) the ({ 1 }) dog ({ 3 })
#
# All links are SURE.

NULL = "NULL"
_HEAD = re.compile(
    r"# Sentence pair \(([0-9]+)\) source length ([0-9]+) target length ([0-9]+) alignment score : \S+ *"
)
_ENTRY = re.compile(r"([^ \t]+)[ \t]+\(\{((?:[ \t]+[0-9]{1,9})*)[ \t]+\}\)(?:[ \t]+|$)")


def _read_giza(lines: Iterator[Line], reading: LinkReading) -> Iterator[LinkedPair]:
    texts = [content for _, content in lines]
    if len(texts) % 3:
        raise FileProblem(
            f"{len(texts)} lines, which is not a multiple of 3.",
            "Give three lines for each pair: the head, the target, the source with its links.",
        )
    return read_each(
        ((line, texts[line - 1 : line + 2]) for line in range(1, len(texts), 3)), _pair_of_three_lines
    )


def _pair_of_three_lines(lines: Sequence[str], line: int) -> LinkedPair:
    head, target = _HEAD.fullmatch(lines[0]), split_tokens(lines[1])
    if head is None:
        raise FileProblem(
            "is not the first line of a pair.",
            "Write # Sentence pair (1) source length 2 target length 3 alignment score : 0.01",
        )
    entries, end = list[re.Match[str]](), len(lines[2]) - len(lines[2].lstrip(" \t"))
    while entry := _ENTRY.match(lines[2], end):
        entries.append(entry)
        end = entry.end()
    with located(line + 2):
        if end < len(lines[2]) or not entries or entries[0][1] != NULL:
            raise FileProblem(
                f"{quoted(lines[2][end:] or lines[2])} is not {NULL} or a word with its target words in "
                "brackets.",
                "Write NULL ({ 2 }) word ({ 1 3 }) ...: every source word with its target words, from 1.",
            )
        numbers = [[int(number) for number in split_tokens(entry[2])] for entry in entries]
        if outside := [n for own in numbers for n in own if not 1 <= n <= len(target)]:
            raise FileProblem(
                f"target word {outside[0]}, but the target has {len(target)} words (from 1).",
                "Check that the lines belong together.",
            )
    source = tuple(entry[1] for entry in entries[1:])
    if head.group(2, 3) != (str(len(source)), str(len(target))):
        raise FileProblem(
            f"source length {head[2]} and target length {head[3]}, but there are {len(source)} and "
            f"{len(target)} words.",
            "Check that the three lines belong together.",
        )
    links = [(i, number - 1) for i, own in enumerate(numbers[1:]) for number in own]
    return LinkedPair(head[1], source, target, Links.of(links), line)


def _giza_lines(pair: LinkedPair, number: int) -> str:
    source, target = pair.tokens
    spaced(source)
    if pair.links.possible_only:
        i, j = min(pair.links.possible_only)
        raise FileProblem(
            f"link {i}-{j} is POSSIBLE; GIZA++ has only one strength.", "Export all links as sure."
        )
    linked = {j for _, j in pair.links.sure}
    words = [(NULL, [j for j in range(len(target)) if j not in linked])]
    words += [(word, sorted(j for k, j in pair.links.sure if k == i)) for i, word in enumerate(source)]
    entries = " ".join(" ".join([word, "({", *(str(j + 1) for j in places), "})"]) for word, places in words)
    head = f"# Sentence pair ({number}) source length {len(source)} target length {len(target)}"
    return f"{head} alignment score : 1\n{spaced(target)}\n{entries}\n"


GIZA = LinkFormat(
    id="giza",
    label="GIZA++ A3",
    help="links as GIZA++ writes them",
    example="sure only; from 1",
    extensions=(".A3.final", ".A3", ".final"),
    first_line=re.compile(r"# Sentence pair \("),
    read=_read_giza,
    write=_giza_lines,
    one_strength=True,
)


# Word links as annotation tools have them: relations between marked spans of a text of two lines, the tokens
# of the source, separated by spaces, and those of the target. Offsets are in code points. A relation links
# every word of one span with every word of the other.

SURE, POSSIBLE, WORD = "SURE", "POSSIBLE", "word"
_WORD = re.compile(r"[^ \t\r\n]+")


def pair_text(pair: LinkedPair) -> tuple[str, list[tuple[int, int]]]:
    """The text of a pair and the (start, end) of its words, those of the source first.

    Raises FileProblem for a token that holds a space, a tab or a line break.
    """
    text = f"{spaced(pair.source)}\n{spaced(pair.target)}"
    return text, [match.span() for match in _WORD.finditer(text)]


def labelled_links(pair: LinkedPair) -> list[tuple[int, int, str]]:
    """Each link, in order, as the numbers of its words among those of `pair_text`, and its label."""
    before = len(pair.source)
    links = sorted(pair.links.possible)
    return [(i, before + j, SURE if (i, j) in pair.links.sure else POSSIBLE) for i, j in links]


class SpanPair:
    """A pair that is read from a text and relations between spans of it.

    Its words are separated by spaces and tabs. What is not read is counted in `unknown`, by its name.
    Raises FileProblem for a text that is not two lines.
    """

    def __init__(self, text: str, unknown: Unknown) -> None:
        lines = text.removesuffix("\n").split("\n") if text.count("\n") == 2 else text.split("\n")
        if len(lines) != 2:
            raise FileProblem(
                f"The text has {len(lines)} lines.", "Write a pair as two lines: source, then target."
            )
        self._text, self._unknown = text, unknown
        self._spans = [match.span() for match in _WORD.finditer(text)]
        self._starts, self._ends = [start for start, _ in self._spans], [end for _, end in self._spans]
        self._marked = self._linked = 0
        self._source = bisect_right(self._starts, len(lines[0]))
        words = [text[start:end] for start, end in self._spans]
        self.tokens = tuple(words[: self._source]), tuple(words[self._source :])
        self._links: dict[bool, set[Link]] = {True: set(), False: set()}

    def words(self, start: int, end: int) -> list[int]:
        """The numbers of the words that a span covers. Raises FileProblem unless they are whole words."""
        first, after = bisect_right(self._ends, start), bisect_left(self._starts, end)
        problem = "" if first < after else "covers no word"
        for begins, ends in (self._spans[first], self._spans[after - 1]) if first < after else ():
            if begins < start or ends > end:
                problem = f"covers only a part of the word {quoted(self._text[begins:ends])}"
        if problem:
            shown = quoted(self._text[max(start, 0) : max(end, 0)])
            raise FileProblem(
                f"The span {start} to {end} ({shown}) {problem}.",
                "Mark whole words; words are separated by spaces.",
            )
        self._marked += after - first
        if self._marked > limits.MARKED_WORDS:
            raise FileProblem(
                f"The spans of the pair cover more than {limits.MARKED_WORDS:,} words together.",
                "Give sentences, not whole texts.",
            )
        return list(range(first, after))

    def link(self, first: Sequence[int], second: Sequence[int], label: str) -> None:
        """Link the words of two spans, in either order; anything but SURE and POSSIBLE is counted."""
        name = label.upper()
        if not name:
            self._unknown["relation without a label, read as SURE"] += 1
        elif name not in (SURE, POSSIBLE):
            self._unknown[f"relation label {label}"] += 1
            return
        self._linked += len(first) * len(second)
        if self._linked > limits.LINKS_OF_PAIR:
            raise FileProblem(
                f"The relations of the pair make more than {limits.LINKS_OF_PAIR:,} links.",
                "Link the words that mean the same, not whole texts.",
            )
        added = {
            (min(a, b), max(a, b) - self._source)
            for a in first
            for b in second
            if (a < self._source) != (b < self._source)
        }
        if not added:
            self._unknown["relation within one sentence"] += 1
        self._links[name != POSSIBLE] |= added

    def linked(self, key: str, line: int) -> LinkedPair:
        """The pair with its links; one that is both is SURE."""
        return LinkedPair(key, *self.tokens, Links.of(self._links[True], self._links[False]), line)
