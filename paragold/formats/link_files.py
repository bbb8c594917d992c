"""Files of word links: their formats, the reader that distinguishes them, and parallel text beside them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, ParamSpec, TypeVar
from zipfile import is_zipfile

from paragold.formats.answers import AnnotatorChoice, Contradictions, PairsRead, Unknown, unknown_in_words
from paragold.formats.judgement_formats import JudgementFormat
from paragold.formats.link_formats import (
    EDINBURGH,
    GIZA,
    JSONL,
    MULTIMWA,
    NAACL,
    PHARAOH,
    PHARAOH_FROM_1,
    TABLE,
    Line,
    LinkFormat,
    LinkReading,
    check_inside,
    side_by_side,
    spaced,
    split_tokens,
)
from paragold.formats.tables import SEPARATOR_LINE
from paragold.formats.text_files import (
    decoded,
    numbered,
    numbered_lines,
    other_format,
    split_lines,
    text_blocks,
    write_texts,
)
from paragold.formats.tools import DOCCANO_LINKS, LABEL_STUDIO_LINKS
from paragold.metrics.links import LinkedPair, TokenPair
from paragold.problems import FileProblem, located, quoted, shortened
from paragold.registry import Registry, check_endings
from paragold.sources.archives import ArchiveMembers

logger = logging.getLogger(__name__)
HEAD_CHARACTERS = 1 << 18
PREDICTIONS_READ = "There are no annotations: the predictions are read."
SCORE = "score "
FEWEST_LINKS = 4
"""A file of fewer links may well link no first word."""
NO_FIRST_WORD = (
    "No link has the first word of a sentence. Where the file counts from 1, choose the format "
    f"{PHARAOH_FROM_1.id}."
)


def _check_plugin(one: LinkFormat) -> None:
    """Raises UnusableError for a format whose files of an export would have the names of others."""
    taken = {".csv", ".parquet", ".src", ".tgt"}.union(*(other.extensions for other in LINK_FORMATS))
    check_endings(one.extensions, taken)
    one.first_line.match("")  # fails for a pattern of bytes, which would stop every import


LINK_FORMATS = Registry(
    "link format",
    LinkFormat,
    [
        *(PHARAOH, PHARAOH_FROM_1, NAACL, JSONL, EDINBURGH, MULTIMWA, GIZA),
        *(LABEL_STUDIO_LINKS, DOCCANO_LINKS, TABLE),
    ],
    entry_points="paragold.link_formats",
    check=_check_plugin,
)


def link_format_ids() -> tuple[str, ...]:
    """The ids of the formats, in order."""
    return LINK_FORMATS.ids()


def format_of_text(text: str, name: str = "") -> LinkFormat | None:
    """The format of a file of links: by its first line with text, else by its name's extension."""
    text = SEPARATOR_LINE.sub("", text)
    head = text.lstrip("\n\r \ufeff")[:HEAD_CHARACTERS]
    line = next((line for line in split_lines(text) if line.strip()), "")
    for known in sorted(LINK_FORMATS, key=lambda known: known.contains is None):
        if known.first_line.match(line) and (known.contains is None or known.contains.search(head)):
            return known
    for known in LINK_FORMATS:
        if name.lower().endswith(tuple(extension.lower() for extension in known.extensions)):
            return known
    return None


def each_link(
    path: Path,
    format_id: str | None = None,
    *,
    tokens: Iterable[TokenPair] | None = None,
    name: str = "",
    encoding: str = "utf-8",
    unknown: Unknown | None = None,
    judge: str = "",
    columns: Mapping[str, str] | None = None,
    predictions: bool | None = None,
) -> Iterator[LinkedPair]:
    """The pairs of a file of links, in order, or of a zip of such files, in the order of their names.

    They are read when they are asked for; formats whose pairs are no lines are read as a whole.

    Parameters
    ----------
    path : Path
        The file.
    format_id : str, optional
        Its format; by default known by the content of the file.
    tokens : iterable of TokenPair, optional
        The text of the pairs. Formats that hold no text need it; in the others it must be the same.
    name, encoding : str
        What errors call the file, and its encoding, unless a byte order mark says another.
    unknown : Counter, optional
        What is not read is counted in it, by its name; by default it is logged as a warning.
    judge : str, optional
        Whose links are read, of a file with those of several people; in a zip with a file a person, the name
        of the file.
    columns : mapping, optional
        Field of LINK_COLUMNS -> column of a table, or field of JSON Lines, where it is not called as usual.
    predictions : bool, optional
        Whether, in Label Studio, predictions are read and not annotations; by default, with a warning, where
        there are no annotations. `judge` then takes the name of a model.

    Raises
    ------
    FileProblem
        The text is missing or differs, the file holds what its format does not allow, or it has the links of
        several people and none is chosen. The pairs before the fault come first.
    """
    reading = LinkReading((), AnnotatorChoice(judge), columns or {}, predictions)
    shown = name or str(path)
    with located(file=shown):
        _, pairs = _opened(path, format_id, name or path.name, encoding, tokens, reading)
        yield from pairs
    if reading.origins and predictions is None:
        reading.remarks.append(PREDICTIONS_READ)
    if scores := sum(SCORE in origin for origin in reading.origins.values()):
        reading.unknown["score of a prediction"] += scores
    if unknown is not None:
        unknown.update(reading.unknown)
    elif reading.unknown:
        reading.remarks.append(f"not read: {unknown_in_words(reading.unknown)}.")
    for remark in reading.remarks:
        logger.warning("%s: %s", shown, remark)


P = ParamSpec("P")
T = TypeVar("T")


def _listed(function: Callable[P, Iterator[T]]) -> Callable[P, list[T]]:
    return lambda *arguments, **named: list(function(*arguments, **named))


read_links = _listed(each_link)
"""The pairs of `each_link` as a list."""


def read_link_files(
    path: Path,
    format_id: str | None = None,
    *,
    source: Path | None = None,
    target: Path | None = None,
    names: Mapping[str, str],
    encoding: str = "utf-8",
    judge: str = "",
    columns: Mapping[str, str] | None = None,
    predictions: bool | None = None,
) -> PairsRead[LinkedPair]:
    """A file of links and, for formats without text, one with the sentences of each side.

    `names` are what errors call "file", "source" and "target". See `each_link`; raises FileProblem for files
    without a pair as well.
    """
    tokens = None
    if source is not None and target is not None:
        both = names["source"], names["target"]
        tokens = list(each_token_pair(source, target, names=both, encoding=encoding))
    reading = LinkReading((), AnnotatorChoice(judge), columns or {}, predictions)
    with located(file=names["file"]):
        known, each = _opened(path, format_id, names["file"], encoding, tokens, reading)
        watch = Contradictions("links")
        pairs = list(watched(each, watch))
        if not pairs:
            raise FileProblem("The file has no pair.", "Give a file with linked pairs.")
    remarks = " ".join(filter(None, [str(watch), *reading.remarks]))
    return PairsRead(pairs, known.id, reading.unknown, remarks, reading.origins)


def watched(pairs: Iterable[LinkedPair], contradictions: Contradictions) -> Iterator[LinkedPair]:
    """The pairs, each of which is looked at."""
    for pair in pairs:
        sure, possible = pair.links.sure, pair.links.possible
        swapped = (frozenset((j, i) for i, j in sure), frozenset((j, i) for i, j in possible))
        first, second = map(" ".join, pair.tokens)
        contradictions.add(first, second, (sure, possible), pair.key, pair.line, swapped=swapped)
        yield pair


def _opened(
    path: Path,
    format_id: str | None,
    name: str,
    encoding: str,
    tokens: Iterable[TokenPair] | None,
    reading: LinkReading,
) -> tuple[LinkFormat, Iterator[LinkedPair]]:
    """The format of a file or an archive, and its pairs."""
    known = LINK_FORMATS.get(format_id) if format_id else None
    if is_zipfile(path):
        known, pairs = _read_archive(path, known, encoding, reading)
        return known, iter(pairs) if tokens is None else _of_same_text(pairs, tokens)
    blocks = text_blocks(path, encoding)
    first = next(blocks, "")
    if known is None and reading.columns:
        known = JSONL if first.lstrip("\ufeff \r\n").startswith("{") else TABLE
    known = known or format_of_text(first, name)
    if known is None:
        raise FileProblem("The format is not known.", f"Choose one of {', '.join(LINK_FORMATS.ids())}.")
    if tokens is None and not known.carries_text:
        raise FileProblem(
            f"The format {known.id} contains no text.",
            "Give the sentences as well, source and target, one per line.",
        )
    return known, checked_pairs(known, numbered(chain([first], blocks)), tokens, reading)


def checked_pairs(
    known: LinkFormat, lines: Iterator[Line], tokens: Iterable[TokenPair] | None, reading: LinkReading
) -> Iterator[LinkedPair]:
    """The pairs of a file's lines: keys are unique, links inside their sentences, the tokens as given."""
    if tokens is None:
        yield from _each_checked(known, lines, reading)
    elif known.carries_text:
        yield from _of_same_text(_each_checked(known, lines, reading), tokens)
    else:
        yield from _each_checked(known, lines, replace(reading, tokens=tokens))
    reading.choice.check()


def _each_checked(known: LinkFormat, lines: Iterator[Line], reading: LinkReading) -> Iterator[LinkedPair]:
    places: dict[int, tuple[int, int]] = {}
    links = 0
    has_first_word = False
    for pair in known.read(lines, reading):
        if not isinstance(pair, LinkedPair):
            raise LINK_FORMATS.wrong_result(known.id, "something else than linked pairs")
        with located(pair.line):
            check_inside(pair.links.possible, pair.tokens, base=known.base)
            if not pair.key:
                raise FileProblem("id is empty.", "Give every pair its own id.")
            place = len(places), pair.line
            if (first := places.setdefault(hash(pair.key), place)) is not place:
                message = f"id {quoted(pair.key)} was used on line {first[1]}."
                raise FileProblem(message, "Give every pair its own id.")
        links += len(pair.links.possible)
        has_first_word = has_first_word or any(0 in link for link in pair.links.possible)
        yield pair
    if known is PHARAOH and links >= FEWEST_LINKS and not has_first_word:
        reading.remarks.append(NO_FIRST_WORD)


def _of_same_text(pairs: Iterable[LinkedPair], tokens: Iterable[TokenPair]) -> Iterator[LinkedPair]:
    """The pairs. Raises FileProblem where their tokens are not these."""
    remedy = "Check that links and text belong together."
    both = side_by_side(pairs, tokens, "{} pairs, but the text has {}.", remedy)
    for number, (pair, text) in enumerate(both, start=1):
        if pair.tokens != text:
            message = f"the tokens of pair {number} (id {shortened(pair.key)}) differ from the text."
            raise FileProblem(message, remedy, line=pair.line)
        yield pair


def _read_archive(
    path: Path, chosen: LinkFormat | None, encoding: str, reading: LinkReading
) -> tuple[LinkFormat, list[LinkedPair]]:
    """The format and the pairs of the files of a zip; an id that is repeated gets its file's name before it.

    Raises FileProblem, naming the files, where each has the links of a person and none is chosen.
    """
    files: dict[str, str] = {}
    for member, data in ArchiveMembers(path):
        with located(file=member):
            if not other_format(data):
                files[member] = decoded(data, encoding)
                continue
        reading.unknown[f"file *{PurePosixPath(member).suffix}"] += 1
    # Others in a tool's archive may look like plain JSON Lines.
    formats = [one for one in map(format_of_text, files.values()) if one and one.carries_text]
    known = chosen or next((one for one in formats if one.tool), next(iter(formats), None))
    for name in list(files):
        if known is None or not known.carries_text or format_of_text(files[name]) is not known:
            reading.unknown[f"file *{PurePosixPath(name).suffix}"] += 1
            del files[name]
    if known is None or not files:
        raise FileProblem("The archive has no file of links.", "Pack files of one format, with their text.")
    people, judge = _people_of_files(files), reading.choice.judge
    if of_judge := [name for name, names in people.items() if judge in names]:
        files = {name: files[name] for name in of_judge}
        judge = ""
    elif known.file_a_person:
        _choose_file(people, judge)
    each = replace(reading, choice=AnnotatorChoice(judge), columns={})
    pairs: list[LinkedPair] = []
    tokens_of: dict[str, TokenPair] = {}
    for name, text in files.items():
        with located(file=name):
            own = list(_each_checked(known, numbered([text]), each))
        if not each.choice.is_open and any(tokens_of.get(pair.key) == pair.tokens for pair in own):
            _choose_file(people, judge)
        stem = str(PurePosixPath(name).with_suffix(""))
        pairs += [replace(pair, key=f"{stem}/{pair.key}") if pair.key in tokens_of else pair for pair in own]
        tokens_of |= {pair.key: pair.tokens for pair in own}
    each.choice.check()
    return known, pairs


def _people_of_files(files: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The names by which a file of a zip is chosen, the one to show first."""
    paths = {name: PurePosixPath(name) for name in files}
    stems = Counter(path.stem for path in paths.values())
    return {
        name: (*([path.stem] if stems[path.stem] == 1 else []), str(path.with_suffix("")), name)
        for name, path in paths.items()
    }


def _choose_file(people: Mapping[str, tuple[str, ...]], judge: str) -> None:
    """Raise FileProblem, naming them, where several files have the links of a person each."""
    choice = AnnotatorChoice(judge)
    for names in people.values():
        choice.reads(names)
    choice.check()


class PairWriter:
    """A file at `path` to which linked or judged pairs are added as they come; equal pairs give equal bytes.

    Raises FileProblem, naming the pair, for links and tokens that the format cannot hold.
    """

    def __init__(self, path: Path, form: LinkFormat | JudgementFormat) -> None:
        self._form = form
        self._pairs = 0
        self._file = path.open("w", encoding="utf-8", newline="")
        self._file.write(form.start)

    def add(self, pairs: Sequence[Any]) -> None:
        self._file.writelines(texts_of(pairs, self._form, self._pairs))
        self._pairs += len(pairs)

    def close(self) -> None:
        self._file.write(self._form.end)
        self._file.close()


def texts_of(pairs: Iterable[Any], form: LinkFormat | JudgementFormat, before: int = 0) -> Iterator[str]:
    for number, pair in enumerate(pairs, start=before + 1):
        with located(file=f"pair {shortened(pair.key)}"):
            text = form.write(pair, number)
        yield form.between + text if number > 1 else text


def write_links(path: Path, pairs: Iterable[LinkedPair], format_id: str) -> None:
    """Write a file of links, each pair when it is there.

    Raises
    ------
    FileProblem
        The format cannot hold some of the links or tokens, or UTF-8 cannot.
    """
    write_pairs(path, pairs, LINK_FORMATS.get(format_id))


def write_pairs(path: Path, pairs: Iterable[Any], form: LinkFormat | JudgementFormat) -> None:
    """Write a file of linked or of judged pairs; raises as `write_links`."""
    write_texts(path, chain([form.start], texts_of(pairs, form), [form.end]))


# Parallel text: two files, a sentence a line, tokens separated by spaces. Equal line numbers belong together.


def each_token_pair(
    source: Path, target: Path, *, names: Sequence[str] = (), encoding: str = "utf-8"
) -> Iterator[TokenPair]:
    """The pairs of two files, each when it is asked for; an empty line is a sentence without tokens.

    `names` are what errors call the files. Raises FileProblem when one side has more lines than the other.
    """
    names = names or (str(source), str(target))
    of_source, of_target = (
        numbered_lines(path, name=name, encoding=encoding)
        for path, name in zip((source, target), names, strict=True)
    )
    unequal = "the source has {} lines and the target {}."
    remedy = "Give two files in which equal line numbers belong together."
    with located(file=" and ".join(names)):
        for (_, left), (_, right) in side_by_side(of_source, of_target, unequal, remedy):
            yield split_tokens(left), split_tokens(right)


read_parallel_text = _listed(each_token_pair)
"""The pairs of `each_token_pair` as a list."""


def texts_of_sides(pairs: Iterable[TokenPair]) -> tuple[str, str]:
    """The texts of the source and the target file.

    Raises FileProblem, naming the pair by its line, for a token that holds a space, a tab or a line break.
    """
    sides: tuple[list[str], list[str]] = ([], [])
    for line, pair in enumerate(pairs, start=1):
        with located(line, file="parallel text"):
            for side, tokens in zip(sides, pair, strict=True):
                side.append(f"{spaced(tokens)}\n")
    return "".join(sides[0]), "".join(sides[1])
