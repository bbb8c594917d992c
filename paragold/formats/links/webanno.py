"""Linked pairs as WebAnno TSV 3.3, which INCEpTION reads and writes.

Every two sentences in succession are a pair. Links are relations of tokens in a relation layer with the
feature `strength`, SURE or POSSIBLE. Offsets count UTF-16 units; they are written and not read.
The format: INCEpTION, user guide, "WebAnno TSV 3.3 File format".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from paragold.formats.links.link_format import LinkFormat, spaced_texts, unique_pairs
from paragold.formats.links.spans import POSSIBLE, SURE, SpanPair, labelled_links
from paragold.formats.text_files import split_lines
from paragold.formats.unknown import Unknown
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem, located, quoted

_BASE = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
LAYER = "webanno.custom.WordLink"
HEADER = f"#FORMAT=WebAnno TSV 3.3\n#T_RL={LAYER}|strength|BT_{_BASE}\n\n"
_STACKED = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\(->|.)")
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r"}
_NUMBERED = re.compile(r"(.*)\[(\d+)\]")
_REFERENCE = re.compile(r"(\d+-\d+)(?:\.\d+)?(?:\[(\d+)_(\d+)\])?")


@dataclass(slots=True)
class _Sentence:
    line: int
    id: str = ""
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


def loads(text: str, unknown: Unknown) -> list[LinkedPair]:
    """The pairs in order. Raises FileProblem for what is not in the format and an odd number of sentences."""
    layers = [line[3:] for line in split_lines(text) if line.startswith("#T_")]
    sentences = list(_sentences(text, unknown))
    if len(sentences) % 2:
        raise FileProblem(
            f"The file has {len(sentences)} sentences.",
            "Two sentences in succession are a pair: give an even number.",
            line=sentences[-1].line,
        )
    both = zip(sentences[::2], sentences[1::2], strict=True)
    return unique_pairs(
        ((first.line, (first, second)) for first, second in both),
        lambda sides, line: _pair(sides, line, layers, unknown),
    )


def _sentences(text: str, unknown: Unknown) -> Iterator[_Sentence]:
    sentence: _Sentence | None = None
    name = ""
    for line, content in enumerate(split_lines(text), start=1):
        if content.startswith("#Sentence.id="):
            name = content.partition("=")[2]
        elif content.startswith("#Text=") and (sentence is None or sentence.rows):
            if sentence is not None:
                yield sentence
            sentence, name = _Sentence(line, name), ""
        elif re.match(r"\d+-\d+\.\d+\t", content):
            unknown["part of a word with annotations"] += 1
        elif re.match(r"\d+-\d+\t[^\t]*\t", content):
            if sentence is None:
                raise FileProblem("A token is before #Text.", "Export the document again.", line=line)
            sentence.rows.append((line, content.removesuffix("\t").split("\t")))
        elif not content and sentence is not None:
            yield sentence
            sentence = None
        elif content and not content.startswith("#"):
            raise FileProblem(f"{quoted(content)} is no token.", "Export the document again.", line=line)
    if sentence is not None:
        yield sentence


def _pair(
    sides: tuple[_Sentence, _Sentence], line: int, layers: Sequence[str], unknown: Unknown
) -> LinkedPair:
    rows = [row for side in sides for row in side.rows]
    tokens = [_ESCAPED.sub(lambda match: _CONTROLS.get(match[1], match[1]), row[2]) for _, row in rows]
    split = len(sides[0].rows)
    text = "\n".join((" ".join(tokens[:split]), " ".join(tokens[split:])))
    places, start = [], 0
    for token in tokens:
        places.append((start, start + len(token)))
        start += len(token) + 1
    # An empty source leaves the target after a line break of its own.
    pair = SpanPair(text, unknown, places if split else [(s + 1, e + 1) for s, e in places])
    numbers = {row[0]: number for number, (_, row) in enumerate(rows)}
    bases = {feature[3:] for layer in layers for feature in layer.split("|") if feature.startswith("BT_")}
    column = 3
    spans: dict[str, list[int]] = defaultdict(list)
    for layer in layers:
        name, *features = layer[3:].split("|")
        width = max(1, len(features))
        cells = [(at, n, row[column : column + width]) for n, (at, row) in enumerate(rows)]
        column += width
        filled = [(at, n, cell) for at, n, cell in cells if any(value != "_" for value in cell)]
        if not layer.startswith("RL="):
            # Only the values of spans that relations run between are not read.
            named = [
                cell for _, _, cell in filled if name not in bases or any(v[:1] not in "*_" for v in cell)
            ]
            if named:
                unknown[f"layer {name}"] += len(named)
            for _, n, cell in filled:
                for value in _STACKED.split(cell[0]):
                    if numbered := _NUMBERED.fullmatch(value):
                        spans[numbered[2]].append(n)
            continue
        for at, n, cell in filled:
            with located(at):
                _relate(pair, n, cell, numbers, spans)
    return pair.linked(sides[0].id or str(sides[0].line), line)


def _relate(
    pair: SpanPair, row: int, cell: Sequence[str], numbers: dict[str, int], spans: dict[str, list[int]]
) -> None:
    """Link the relations that end at the token of a row; the last column refers to their other ends."""
    stacked = [_STACKED.split(value) for value in cell]
    for place, reference in enumerate(stacked[-1]):
        match = _REFERENCE.fullmatch(reference)
        if match is None or match[1] not in numbers:
            raise FileProblem(
                f"The relation from {quoted(reference)} leaves the pair.",
                "Relate words of two sentences in succession, the first and second of a pair.",
            )
        values = [feature[place] for feature in stacked[:-1] if place < len(feature)]
        values = [value for value in values if value not in ("*", "_")]
        label = next((value for value in values if value.upper() in (SURE, POSSIBLE)), None)
        source = spans.get(match[2] or "") or [numbers[match[1]]]
        target = spans.get(match[3] or "") or [row]
        pair.link(source, target, label or next(iter(values), None))


def dumps(pairs: Sequence[LinkedPair]) -> str:
    """The file's text.

    Raises FileProblem for a token that holds a space, a tab or a line break, and for an id with a line break.
    """
    return HEADER + "".join(_written(pairs))


def _written(pairs: Sequence[LinkedPair]) -> Iterator[str]:
    offset = 0
    for number, pair in enumerate(pairs):
        if "\n" in pair.key or "\r" in pair.key:
            raise FileProblem("the id has a line break.", "Use the JSONL format.", file=f"pair {pair.key}")
        sides = (pair.tokens.source, pair.tokens.target)
        relations: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for a, b, label in labelled_links(pair):
            relations[b - len(sides[0])].append((label, f"{2 * number + 1}-{a + 1}"))
        for side, (tokens, text) in enumerate(zip(sides, spaced_texts(pair), strict=True)):
            yield (
                f"\n#Text={_escaped(text)}\n"
                if side
                else f"\n#Sentence.id={pair.key}\n#Text={_escaped(text)}\n"
            )
            for place, token in enumerate(tokens):
                end = offset + len(token.encode("utf-16-le")) // 2
                links = relations[place] if side else []
                cells = ["|".join(column) for column in zip(*links, strict=True)] or ["_", "_"]
                first = f"{2 * number + side + 1}-{place + 1}\t{offset}-{end}\t{_escaped(token)}"
                yield "\t".join((first, *cells)) + "\t\n"
                offset = end + 1
            offset += not tokens


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\")


WEBANNO = LinkFormat(
    id="webanno",
    label="WebAnno TSV 3.3 (INCEpTION)",
    help="linked pairs as a document of INCEpTION or WebAnno",
    example="feature strength",
    extensions=(".webanno.tsv",),
    first_line=re.compile(r"#FORMAT=WebAnno TSV 3"),
    read=lambda text, tokens, unknown: loads(text, unknown),
    write=lambda pairs, before: dumps(pairs),
    tool=True,
    whole=True,
)
