"""Linked pairs as brat has them: a zip with a .txt and an .ann file for each pair, and annotation.conf.

The text is two lines. Words are text-bound annotations (T), links are relations (R) of the type SURE or
POSSIBLE; offsets count code points. The names of the files are a number and the id of the pair.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

from paragold.formats.links.link_format import Documents, LinkFormat, index_from_text
from paragold.formats.links.spans import POSSIBLE, SURE, WORD, SpanPair, labelled_links, pair_text
from paragold.formats.text_files import split_lines
from paragold.formats.unknown import Unknown
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem, located, quoted

CONFIGURATION = f"""[entities]
{WORD}
[relations]
{SURE} Arg1:{WORD}, Arg2:{WORD}
{POSSIBLE} Arg1:{WORD}, Arg2:{WORD}
[events]
[attributes]
"""
LONGEST_NAME = 200
_KINDS = {
    "E": "event",
    "A": "attribute",
    "M": "attribute",
    "N": "normalisation",
    "#": "note",
    "*": "equivalence",
}
_NUMBER = re.compile(r"^\d{6,}-?")
# Characters that some file system does not allow in names, and "%", which escapes them.
_UNSAFE = re.compile(r'[%/\\:*?"<>|#\x00-\x1f]')


def read_documents(files: Mapping[str, str], unknown: Unknown) -> list[LinkedPair]:
    """The pairs in the order of the names. Raises FileProblem, with file and line, for anything else."""
    pairs = []
    texts = {name[:-4] for name in files if name.endswith(".txt")}
    for name, text in files.items():
        stem, ending = name[:-4], PurePosixPath(name).suffix
        if ending == ".ann":
            if stem not in texts:
                raise FileProblem("The text is missing.", f"Add {stem}.txt to the archive.", file=name)
            with located(file=name):
                document = PurePosixPath(stem).name
                key = unquote(_NUMBER.sub("", document)) or document
                pairs.append(_pair(key, files[f"{stem}.txt"], text, unknown))
        elif ending == ".txt" and f"{stem}.ann" not in files:
            unknown["text without annotations, left out"] += 1
        elif ending != ".txt" and not name.endswith(".conf"):
            unknown[f"file *{ending}"] += 1
    return pairs


def _pair(key: str, text: str, annotations: str, unknown: Unknown) -> LinkedPair:
    pair = SpanPair(text, unknown)
    words: dict[str, list[int]] = {}
    relations: list[tuple[int, str]] = []
    for line, content in enumerate(split_lines(annotations), start=1):
        if content.startswith("T"):
            with located(line):
                name, _, rest = content.partition("\t")
                words[name] = _words(rest, pair, unknown)
        elif content.startswith("R"):
            relations.append((line, content))
        elif content.strip():
            unknown[_KINDS.get(content[0], f"line {quoted(content[:20])}")] += 1
    for line, content in relations:
        with located(line):
            match = re.fullmatch(r"R\S*\t(\S+) \S+?:(\S+) \S+?:(\S+)\s*", content)
            if match is None or not {match[2], match[3]} <= words.keys():
                raise FileProblem(
                    f"The relation {quoted(content)} has no two spans of this file.",
                    "Write it as R1, a tab, SURE Arg1:T1 Arg2:T2.",
                )
            pair.link(words[match[2]], words[match[3]], match[1])
    return pair.linked(key, 0)


def _words(rest: str, pair: SpanPair, unknown: Unknown) -> list[int]:
    """The words of a text-bound annotation, which may be in several pieces."""
    kind, _, places = rest.partition("\t")[0].partition(" ")
    if kind.lower() != WORD:
        unknown[f"span type {kind}"] += 1
    marked = []
    for piece in places.split(";"):
        start, _, end = piece.partition(" ")
        marked += pair.words(index_from_text(start), index_from_text(end))
    return marked


def documents(pairs: Sequence[LinkedPair], before: int) -> dict[str, str]:
    """The files of some pairs, by name, in an archive that has so many already."""
    files: dict[str, str] = {}
    for number, pair in enumerate(pairs, start=before + 1):
        text, spans = pair_text(pair)
        lines = [f"T{n}\t{WORD} {s} {e}\t{text[s:e]}\n" for n, (s, e) in enumerate(spans, start=1)]
        lines += [
            f"R{n}\t{label} Arg1:T{a + 1} Arg2:T{b + 1}\n"
            for n, (a, b, label) in enumerate(labelled_links(pair), start=1)
        ]
        key = _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", pair.key)
        name = f"{number:06d}-{key}" if len(key) <= LONGEST_NAME else f"{number:06d}"
        files |= {f"{name}.ann": "".join(lines), f"{name}.txt": text}
    return files


BRAT = LinkFormat(
    id="brat",
    label="brat standoff (zip)",
    help="linked pairs as documents of brat",
    example="types of relations",
    extensions=(".brat.zip",),
    documents=Documents(read_documents, documents, {"annotation.conf": CONFIGURATION}),
    tool=True,
)
