r"""The formats of word links of the field's corpora and tools: a reader and a writer each.

A new format is a reader, a writer and a `LinkFormat` here, and a line in `paragold/formats/link_files.py`. A
link that a file gives as SURE and as POSSIBLE is SURE. Readers raise FileProblem, with the line, for what is
not in the format; writers, naming the pair, for what the format cannot hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from paragold.formats.annotators import ANNOTATOR_FIELDS, AnnotatorChoice
from paragold.formats.columns import Columns
from paragold.formats.json_lines import Filled, Index, UniqueIds, array_objects, objects, read_as
from paragold.formats.tables import CSV_START, csv_lines, named_rows, reversible
from paragold.formats.text_files import split_lines
from paragold.formats.unknown import Unknown
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.problems import FileProblem, located, quoted, shortened

SEPARATORS = " \t\n\r"
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class LinkReading:
    """What people chose about reading a file: whose links, and field of LINK_COLUMNS -> column of a table or
    field of JSON Lines, where it is not called as usual.

    `predictions`: of a file with the answers of people and of models, whether those of models are read; None:
    only where there are no others. Where they are, `origins` gets the model and its score, in words, by the
    keys of the pairs.
    """

    choice: AnnotatorChoice = field(default_factory=AnnotatorChoice)
    columns: Mapping[str, str] = field(default_factory=dict)
    predictions: bool | None = None
    origins: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFormat:
    r"""A format in which linked pairs are read and written.

    Parameters
    ----------
    id, label : str
        The name that is typed and stored, and the one that people read.
    help : str
        What a file of it holds, as a data card says it.
    example : str
        How SURE and POSSIBLE links look in it.
    extensions : tuple of str
        Endings of names; the first is that of exports.
    first_line, contains : pattern
        `first_line` matches the first line with text of such files. `contains` is found in the beginning of
        such files and of no other format with such a first line.
    read : callable
        The pairs of a file's text, in order. Takes the tokens of the pairs as well, None where they are not
        known; formats without text need them, and give the pairs their numbers from 1 as keys. What it does
        not read it counts in the last argument. Raises FileProblem, with the line, for what is not in the
        format.
    read_of : callable
        In place of `read`, for formats with text: takes as its second argument what people chose, whose links
        are read and the columns of a table.
    file_a_person : bool
        Whether a zip of several files of it has the links of a person in each.
    write : callable
        The text of some pairs in a file that has so many before them. Raises FileProblem for what the format
        cannot hold.
    end : str
        What follows the last pair.
    carries_text : bool
        Whether the tokens are in the file.
    one_strength : bool
        Whether all links are SURE in it.
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
    first_line: re.Pattern[str] = re.compile(r"(?!)")
    contains: re.Pattern[str] | None = None
    read: Callable[[str, Sequence[TokenPair] | None, Unknown], list[LinkedPair]] | None = None
    read_of: Callable[[str, LinkReading, Unknown], list[LinkedPair]] | None = None
    file_a_person: bool = False
    write: Callable[[Sequence[LinkedPair], int], str] = lambda pairs, before: ""
    end: str = ""
    carries_text: bool = True
    one_strength: bool = False
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
    }
)
_JSON_NAMES = {"possible": "possible_only"}


# What the formats share.


def index_from_text(text: str) -> int:
    """A token index written in ASCII digits. Raises FileProblem for anything else."""
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise FileProblem(
            f"{quoted(text)} is not a token index.", "Write indices as whole numbers, 0 or above."
        )
    return int(text)


def check_inside(links: Collection[Link], tokens: TokenPair, *, base: int = 0) -> None:
    """Raise FileProblem when a link points outside its sentences; indices are shown counted from `base`."""
    outside = Links.of((), links).first_outside(len(tokens.source), len(tokens.target))
    if outside is not None:
        i, j = outside
        raise FileProblem(
            f"link {i + base}-{j + base} points outside its sentences, which have "
            f"{len(tokens.source)} and {len(tokens.target)} tokens (indices count from {base}).",
            "Check that links and text belong together and that indices count from "
            f"{base} in the order source, target.",
        )


def check_tokens(tokens: Sequence[str]) -> None:
    """Raise FileProblem for a token that a format which separates tokens by spaces cannot hold."""
    for position, token in enumerate(tokens):
        if not token or any(separator in token for separator in SEPARATORS):
            raise FileProblem(
                f"token {position} is {quoted(token)}: empty, or with a space, tab or line break inside.",
                "Tokenise the sentence again; only the JSONL format holds such tokens.",
            )


def spaced_texts(pair: LinkedPair) -> tuple[str, str]:
    """Source and target with their tokens separated by spaces."""
    with located(file=f"pair {shortened(pair.key)}"):
        check_tokens(pair.tokens.source)
        check_tokens(pair.tokens.target)
    return " ".join(pair.tokens.source), " ".join(pair.tokens.target)


def split_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text separated by spaces or tabs; other white space (U+00A0) stays inside a token."""
    return tuple(token for token in text.replace("\t", " ").split(" ") if token)


def unique_pairs(
    records: Iterable[tuple[int, Record]], pair_of: Callable[[Record, int], LinkedPair]
) -> list[LinkedPair]:
    """The pairs of a file's records, each given with its line, in order. No id occurs twice."""
    pairs: list[LinkedPair] = []
    ids = UniqueIds()
    for line, record in records:
        with located(line):
            pairs.append(pair_of(record, line))
            ids.add(pairs[-1].key, line)
    return pairs


def ordered(links: Links) -> list[tuple[int, int, bool]]:
    """(source, target, is SURE) of every link: SURE ones first, then POSSIBLE, each by source and target."""
    return [(i, j, True) for i, j in sorted(links.sure)] + [
        (i, j, False) for i, j in sorted(links.possible_only)
    ]


def _numbered(tokens: Sequence[TokenPair], links: Iterable[Links]) -> list[LinkedPair]:
    return [
        LinkedPair(str(number), text, drawn, number)
        for number, (text, drawn) in enumerate(zip(tokens, links, strict=True), start=1)
    ]


# Pharaoh and its successors: a pair a line, `0-0 1-2`, from 0 or from 1; `1?2` and `1p2` are POSSIBLE. An
# empty line has no links. Scores behind the links, as fast_align, eflomal and others write them, are counted.

_LINK = re.compile(r"([0-9]+)([-?p])([0-9]+)")
_SCORE = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?|-?inf|nan")
_PHARAOH_LINE = r"\s*\d+[-?p]\d+(?:\s+\d+[-?p]\d+)*"


def links_of_line(content: str, *, base: int = 0) -> Links:
    """The links of one pair as Pharaoh writes them, indices from `base`. Raises FileProblem."""
    strengths: dict[bool, list[Link]] = {True: [], False: []}
    for text in split_tokens(content):
        match = _LINK.fullmatch(text)
        if match is None:
            raise FileProblem(
                f"{quoted(text)} is not a link.",
                f"Write 3-4 for SURE and 3?4 for POSSIBLE, indices from {base}, separated by spaces.",
            )
        i, j = index_from_text(match[1]), index_from_text(match[3])
        if base > min(i, j):
            raise FileProblem(
                f"{quoted(text)} has index 0.", "Choose the format pharaoh, which counts from 0."
            )
        strengths[match[2] == "-"].append((i - base, j - base))
    return Links.of(strengths[True], strengths[False])


def pharaoh_line(links: Links, *, base: int = 0) -> str:
    """One pair's links, in ascending order, and a line feed."""
    drawn = sorted(ordered(links))
    return " ".join(f"{i + base}{'-' if sure else '?'}{j + base}" for i, j, sure in drawn) + "\n"


def _read_pharaoh(
    text: str, tokens: Sequence[TokenPair] | None, unknown: Unknown, *, base: int = 0
) -> list[LinkedPair]:
    lines, tokens = split_lines(text), tokens or ()
    if len(lines) != len(tokens):
        raise FileProblem(
            f"{len(lines)} lines, but the text has {len(tokens)} pairs.",
            "Give one line for each pair, an empty one for a pair without links.",
        )
    drawn = []
    for line, (content, sentences) in enumerate(zip(lines, tokens, strict=True), start=1):
        with located(line):
            drawn.append(links_of_line(_without_scores(content, unknown), base=base))
            check_inside(drawn[-1].possible, sentences, base=base)
    return _numbered(tokens, drawn)


def _without_scores(content: str, unknown: Unknown) -> str:
    links, _, behind = content.partition("|||")
    fields = list(split_tokens(f"{links} {behind}"))
    while fields and _SCORE.fullmatch(fields[-1]):
        fields.pop()
        unknown["score"] += 1
    return " ".join(fields)


PHARAOH = LinkFormat(
    id="pharaoh",
    label="Pharaoh, possible links with ?",
    help="links as 0-0 1?2, one pair per line",
    example="0-0 3?4; from 0",
    extensions=(".pharaoh",),
    first_line=re.compile(rf"{_PHARAOH_LINE}(?:[\s|]+{_SCORE.pattern})*\s*$"),
    read=_read_pharaoh,
    write=lambda pairs, before: "".join(pharaoh_line(pair.links) for pair in pairs),
    carries_text=False,
)
# No line is certain to be of it: it is named by people.
PHARAOH_FROM_1 = LinkFormat(
    id="pharaoh_1",
    label="Pharaoh, from 1",
    help="links as 1-1 2?3, one pair per line",
    example="1-1 4?5; from 1",
    extensions=(".pharaoh1",),
    read=lambda text, tokens, unknown: _read_pharaoh(text, tokens, unknown, base=1),
    write=lambda pairs, before: "".join(pharaoh_line(pair.links, base=1) for pair in pairs),
    carries_text=False,
    tool=True,
)


# NAACL 2003 (Mihalcea & Pedersen 2003): a link a line, `0001 1 7 S`: sentence, source and target position,
# all from 1, and the strength; S is what a missing fourth column means. A confidence may follow and is
# counted. A sentence without links has no line.


def _read_naacl(text: str, tokens: Sequence[TokenPair] | None, unknown: Unknown) -> list[LinkedPair]:
    tokens = tokens or ()
    drawn: list[tuple[set[Link], set[Link]]] = [(set(), set()) for _ in tokens]
    for line, content in enumerate(split_lines(text), start=1):
        columns = split_tokens(content)
        if not columns:
            continue
        if len(columns) in (4, 5) and _SCORE.fullmatch(columns[-1]):
            columns = columns[:-1]
            unknown["confidence"] += 1
        with located(line):
            sentence, link, is_possible = _naacl_link(columns)
            if sentence > len(tokens):
                raise FileProblem(
                    f"sentence {sentence}, but the text has {len(tokens)} pairs.",
                    "Check that links and text belong together.",
                )
            check_inside([link], tokens[sentence - 1], base=1)
        drawn[sentence - 1][is_possible].add(link)
    return _numbered(tokens, (Links.of(*strengths) for strengths in drawn))


def _naacl_link(columns: Sequence[str]) -> tuple[int, Link, bool]:
    """(sentence from 1, link from 0, is POSSIBLE)"""
    if len(columns) not in (3, 4):
        raise FileProblem(
            f"{len(columns)} columns instead of 3 or 4.",
            "Write sentence, source position, target position and S or P, separated by spaces.",
        )
    if len(columns) == 4 and columns[3] not in ("S", "P"):
        raise FileProblem(
            f"strength {quoted(columns[3])} is neither S nor P.", "Write S for SURE, P for POSSIBLE."
        )
    sentence, i, j = map(index_from_text, columns[:3])
    if 0 in (sentence, i, j):
        raise FileProblem(
            "sentences and positions count from 1, so 0 is not allowed.",
            "Add 1 to indices that count from 0; leave out links to the null word.",
        )
    return sentence, (i - 1, j - 1), columns[-1] == "P"


NAACL = LinkFormat(
    id="naacl",
    label="NAACL-2003",
    help="links as NAACL-2003 has them",
    example="0001 1 7 S, 0001 2 3 P; from 1",
    extensions=(".naacl",),
    first_line=re.compile(rf"\s*\d+\s+\d+\s+\d+(?:\s+[SP])?(?:\s+{_SCORE.pattern})?\s*$"),
    read=_read_naacl,
    write=lambda pairs, before: "".join(
        f"{number:04d} {i + 1} {j + 1} {'S' if sure else 'P'}\n"
        for number, pair in enumerate(pairs, start=before + 1)
        for i, j, sure in ordered(pair.links)
    ),
    carries_text=False,
)


# JSON Lines: `{"id": str, "source": [tokens], "target": [tokens], "sure": [[i, j]], "possible_only": [[i,
# j]]}`, from 0. No link is in both lists. Blank lines are passed over.


@dataclass(frozen=True, slots=True)
class _Line:
    id: Filled
    source: tuple[Filled, ...]
    target: tuple[Filled, ...]
    sure: list[tuple[Index, Index]]
    possible_only: list[tuple[Index, Index]]


def _read_jsonl(text: str, reading: LinkReading, unknown: Unknown) -> list[LinkedPair]:
    def pair_of(value: Mapping[str, Any], line: int) -> LinkedPair:
        if reading.columns:
            names = LINK_COLUMNS.mapping(list(value), reading.columns)
            value = {_JSON_NAMES.get(name, name): value[column] for name, column in names.items()}
            value = {"id": str(line), "sure": [], "possible_only": []} | value
        return _pair_of_line(value, line)

    return unique_pairs(reading.choice.chosen(objects(text)), pair_of)


def _pair_of_line(value: object, line: int) -> LinkedPair:
    record = read_as(_Line, value)
    tokens = TokenPair(record.source, record.target)
    if both := sorted(set(record.sure) & set(record.possible_only)):
        raise FileProblem(f"link {list(both[0])} is in sure and in possible_only.", "Keep it in one of them.")
    check_inside([*record.sure, *record.possible_only], tokens)
    return LinkedPair(record.id, tokens, Links.of(record.sure, record.possible_only), line)


def _json_line(pair: LinkedPair) -> str:
    tokens = {"source": pair.tokens.source, "target": pair.tokens.target}
    links = {"sure": sorted(pair.links.sure), "possible_only": sorted(pair.links.possible_only)}
    return json.dumps({"id": pair.key, **tokens, **links}, ensure_ascii=False) + "\n"


JSONL = LinkFormat(
    id="jsonl",
    label="JSON Lines",
    help="linked pairs with tokens",
    example="sure, possible_only",
    extensions=(".jsonl",),
    first_line=re.compile(r"\s*\{"),
    read_of=_read_jsonl,
    write=lambda pairs, before: "".join(map(_json_line, pairs)),
)


# Four fields, in three formats: texts whose tokens are separated by spaces, and links `3-0 4-1` of one
# strength each, from 0.


def pair_of_fields(
    key: str, fields: Sequence[str], line: int, names: tuple[str, str] = ("sure", "possible")
) -> LinkedPair:
    """The pair of four fields: source, target, SURE links and POSSIBLE links.

    Raises FileProblem; `names` are those of the fields of links.
    """
    source, target, *texts = fields
    tokens = TokenPair(split_tokens(source), split_tokens(target))
    both = [links_of_line(text) for text in texts]
    for links, name in zip(both, names, strict=True):
        if links.possible_only:
            raise FileProblem(
                f"{name} has a link with '?'.", "Here the field gives the strength; write 3-4 in both."
            )
    sure, possible = (links.sure for links in both)
    check_inside(sure | possible, tokens)
    return LinkedPair(key, tokens, Links.of(sure, possible), line)


def fields_of_pair(pair: LinkedPair) -> tuple[str, str, str, str]:
    """The fields that `pair_of_fields` reads, links in ascending order."""
    return (*spaced_texts(pair), format_field(pair.links.sure), format_field(pair.links.possible_only))


def format_field(links: Iterable[Link]) -> str:
    """Links of one strength, in ascending order."""
    return " ".join(f"{i}-{j}" for i, j in sorted(links))


# Edinburgh and Jacana: one JSON array of objects. `name` repeats `id`; other fields, such as `score`, are
# counted.

_TEXTS = ("id", "source", "target", "sureAlign")
_KNOWN = {*_TEXTS, "name", "possibleAlign"}
_EDINBURGH_END = "\n]\n"


def _read_edinburgh(text: str, reading: LinkReading, unknown: Unknown) -> list[LinkedPair]:
    records = list(array_objects(text))
    for _, record in records:
        if isinstance(record, dict):
            unknown.update(
                f"field {name}" for name in record.keys() - _KNOWN if name.lower() not in ANNOTATOR_FIELDS
            )
    return unique_pairs(reading.choice.chosen(records), _pair_of_object)


def _pair_of_object(record: object, line: int) -> LinkedPair:
    if not isinstance(record, dict):
        raise FileProblem(
            "an element is not an object.", f"Write objects with {', '.join(_TEXTS)}, possibleAlign."
        )
    for name in _TEXTS:
        if not isinstance(record.get(name), str):
            raise FileProblem(f"{name} is missing or not a string.", "Give every pair this field.")
    possible = record.get("possibleAlign", "")
    if not isinstance(possible, str):
        raise FileProblem("possibleAlign is not a string.", 'Write links such as "3-0 4-1", or "".')
    fields = (record["source"], record["target"], record["sureAlign"], possible)
    return pair_of_fields(record["id"], fields, line, ("sureAlign", "possibleAlign"))


def _write_edinburgh(pairs: Sequence[LinkedPair], before: int) -> str:
    """Further elements of the one array."""
    if not pairs:
        return "" if before else "["
    records = []
    for pair in pairs:
        fields = zip(("source", "target", "sureAlign", "possibleAlign"), fields_of_pair(pair), strict=True)
        records.append({"id": pair.key, "name": pair.key, **dict(fields)})
    text = json.dumps(records, ensure_ascii=False, indent=1).removesuffix("\n]")
    return text if before == 0 else f",{text.removeprefix('[')}"


EDINBURGH = LinkFormat(
    id="edinburgh",
    label="Edinburgh / Jacana JSON",
    help="linked pairs, as the Edinburgh++ corpus has them",
    example="sureAlign, possibleAlign",
    extensions=(".json",),
    first_line=re.compile(r"\s*\["),
    read_of=_read_edinburgh,
    write=_write_edinburgh,
    end=_EDINBURGH_END,
)


# MultiMWA (Lan, Jiang & Xu 2021): a pair a line, columns separated by tabs. Column 1 is the id, 2 the
# source, 4 the target, 8 the SURE links and 9 the POSSIBLE ones. The others are counted, and written empty.

_COLUMNS = 9
_READ = {1, 2, 4, 8, 9}


def _read_multimwa(text: str, tokens: Sequence[TokenPair] | None, unknown: Unknown) -> list[LinkedPair]:
    rows = [
        (line, content.split("\t"))
        for line, content in enumerate(split_lines(text), start=1)
        if content.strip(" ")
    ]
    for _, columns in rows:
        unknown.update(f"column {n}" for n, cell in enumerate(columns, start=1) if cell and n not in _READ)
    return unique_pairs(rows, _pair_of_columns)


def _pair_of_columns(columns: Sequence[str], line: int) -> LinkedPair:
    if len(columns) < _COLUMNS:
        raise FileProblem(
            f"{len(columns)} columns instead of {_COLUMNS} or more.",
            "Separate by tabs: id, source, (3), target, (5), (6), (7), sure links, possible links.",
        )
    fields = (columns[1], columns[3], columns[7], columns[8])
    names = ("the column of sure links", "the column of possible links")
    return pair_of_fields(columns[0], fields, line, names)


def _multimwa_line(pair: LinkedPair) -> str:
    if any(separator in pair.key for separator in "\t\n\r"):
        raise FileProblem(
            "the id has a tab or a line break.", "Use the JSONL format.", file=f"pair {pair.key}"
        )
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
    write=lambda pairs, before: "".join(map(_multimwa_line, pairs)),
)


# A CSV table with a header. An export's links.csv has tokens_a and tokens_b; other columns are counted.


def _read_table(text: str, reading: LinkReading, unknown: Unknown) -> list[LinkedPair]:
    rows = named_rows(text, LINK_COLUMNS, unknown, chosen=reading.columns, required=TABLE_COLUMNS[1:4])
    return unique_pairs(reading.choice.chosen(rows), _pair_of_row)


def _pair_of_row(row: Mapping[str, str], line: int) -> LinkedPair:
    return pair_of_fields(row.get("id", str(line)), [row.get(name, "") for name in TABLE_COLUMNS[1:]], line)


def _write_table(pairs: Sequence[LinkedPair], before: int) -> str:
    rows = [tuple(map(reversible, (pair.key, *fields_of_pair(pair)))) for pair in pairs]
    return csv_lines(rows) if before else CSV_START + csv_lines([TABLE_COLUMNS, *rows])


TABLE = LinkFormat(
    id="table",
    label="CSV table",
    help="linked pairs, a row each",
    example="columns sure, possible",
    extensions=(".table.csv",),
    first_line=re.compile(r"(?=.*\b(?:source|tokens_a)\b)(?=.*\bsure\b)[\w\"]+(?:[,;\t][\w\"]+)+\s*$"),
    read_of=_read_table,
    write=_write_table,
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
_WORDS = "Write NULL ({ 2 }) word ({ 1 3 }) ...: every source word with its target words, from 1."


def _read_giza(text: str, tokens: Sequence[TokenPair] | None, unknown: Unknown) -> list[LinkedPair]:
    lines = split_lines(text)
    if len(lines) % 3:
        raise FileProblem(
            f"{len(lines)} lines, which is not a multiple of 3.",
            "Give three lines for each pair: the head, the target, the source with its links.",
        )
    triples = ((line, lines[line - 1 : line + 2]) for line in range(1, len(lines), 3))
    return unique_pairs(triples, _pair_of_three_lines)


def _pair_of_three_lines(lines: Sequence[str], line: int) -> LinkedPair:
    head = _HEAD.fullmatch(lines[0])
    if head is None:
        raise FileProblem(
            "is not the first line of a pair.",
            "Write # Sentence pair (1) source length 2 target length 3 alignment score : 0.01",
        )
    target = split_tokens(lines[1])
    with located(line + 2):
        source, links = _giza_source(lines[2], len(target))
    if (index_from_text(head[2]), index_from_text(head[3])) != (len(source), len(target)):
        raise FileProblem(
            f"source length {head[2]} and target length {head[3]}, but there are {len(source)} and "
            f"{len(target)} words.",
            "Check that the three lines belong together.",
        )
    return LinkedPair(head[1], TokenPair(source, target), Links.of(links), line)


def _giza_source(text: str, length: int) -> tuple[tuple[str, ...], list[Link]]:
    words: list[str] = []
    links: list[Link] = []
    for number, (word, targets) in enumerate(_giza_entries(text)):
        if number == 0 and word != NULL:
            raise FileProblem(f"begins with {quoted(word)} instead of {NULL}.", _WORDS)
        for target in targets:
            if not 1 <= target <= length:
                raise FileProblem(
                    f"target word {target} of {quoted(word)}, but the target has {length} words (from 1).",
                    "Check that the lines belong together.",
                )
        if number:
            links += [(len(words), target - 1) for target in targets]
            words.append(word)
    return tuple(words), links


def _giza_entries(text: str) -> Iterator[tuple[str, list[int]]]:
    """Each word with the numbers between its brackets; a word may itself look like a bracket."""
    fields = iter(split_tokens(text))
    empty = True
    for word in fields:
        empty = False
        if next(fields, None) != "({":
            raise FileProblem(f"there is no ({{ after {quoted(word)}.", _WORDS)
        numbers = []
        for content in fields:
            if content == "})":
                break
            numbers.append(index_from_text(content))
        else:
            raise FileProblem(f"the brackets after {quoted(word)} are not closed.", _WORDS)
        yield word, numbers
    if empty:
        raise FileProblem("is empty.", _WORDS)


def _giza_lines(pair: LinkedPair, number: int) -> str:
    source, target = pair.tokens.source, pair.tokens.target
    _, target_text = spaced_texts(pair)
    if pair.links.possible_only:
        i, j = min(pair.links.possible_only)
        raise FileProblem(
            f"link {i}-{j} is POSSIBLE; GIZA++ has only one strength.",
            "Export all links as sure.",
            file=f"pair {shortened(pair.key)}",
        )
    linked = {j for _, j in pair.links.sure}
    words = [(NULL, [j for j in range(len(target)) if j not in linked])]
    words += [(word, sorted(j for k, j in pair.links.sure if k == i)) for i, word in enumerate(source)]
    entries = " ".join(" ".join([word, "({", *(str(j + 1) for j in places), "})"]) for word, places in words)
    head = f"# Sentence pair ({number}) source length {len(source)} target length {len(target)}"
    return f"{head} alignment score : 1\n{target_text}\n{entries}\n"


GIZA = LinkFormat(
    id="giza",
    label="GIZA++ A3",
    help="links as GIZA++ writes them",
    example="sure only; from 1",
    extensions=(".A3.final", ".A3", ".final"),
    first_line=re.compile(r"# Sentence pair \("),
    read=_read_giza,
    write=lambda pairs, before: "".join(
        _giza_lines(pair, number) for number, pair in enumerate(pairs, start=before + 1)
    ),
    one_strength=True,
)
