"""Aligning files: sentence pairs in, a line of links for each line out, without a database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from sys import intern

from paragold.aligners.aligner import NO_OTHER_GOLD, PAIRS_AT_ONCE, Aligner, OtherGold, Pair, texts_of
from paragold.formats.link_files import read_links, read_parallel_text
from paragold.formats.link_formats import pharaoh_line, split_tokens
from paragold.formats.pair_files import PLACEHOLDER_COLUMNS, TSV_COLUMNS
from paragold.formats.text_files import numbered_lines, whole_file
from paragold.metrics.links import LinkedPair, Links
from paragold.parallel import portions
from paragold.problems import FileProblem
from paragold.text.tokenisation import tokenise


def read_training_pairs(path: Path, *, raw: bool = False) -> list[Pair]:
    """The pairs of a file, a line each: `source TAB target`, tokens separated by spaces.

    With `raw` both sides are tokenised first. A side may be empty, and so may a line. A file may also be as
    `extract_pairs` writes it, whose texts are tokenised.
    Raises FileProblem, with the line, for a line with no tab or with more than one.
    """
    return list(_pairs(path, raw=raw, extracted=True))


def _pairs(path: Path, *, raw: bool, extracted: bool = False) -> Iterator[Pair]:
    width, places = 2, (0, 1)
    for number, line in numbered_lines(path):
        sides = line.split("\t") if line else [""] * width
        if number == 1 and extracted and tuple(sides) in (TSV_COLUMNS, PLACEHOLDER_COLUMNS):
            width, places = len(sides), (sides.index("text_a"), sides.index("text_b"))
            continue
        if len(sides) == 1 and width == 2:
            sides = line.split(" ||| ")  # as fast_align has pairs
        if len(sides) != width:
            remedy = "Write source and target, separated by one tab or by |||."
            if width > 2:
                remedy = "Give the file as extract_pairs wrote it, or source and target alone."
            raise FileProblem(
                f"{len(sides)} columns instead of {width}.", remedy, line=number, file=str(path)
            )
        texts = (sides[place] for place in places)
        # Equal tokens are one string in memory, where a large corpus holds each word many times.
        source, target = (
            [intern(token) for token in (tokenise(text)[0] if raw else split_tokens(text))] for text in texts
        )
        yield source, target


def read_gold(
    gold: Path, source: Path | None, target: Path | None, format_name: str | None = None
) -> list[LinkedPair]:
    """Gold links with their sentences; formats that carry their own text go without `source` and `target`.

    Raises FileProblem for files that do not fit, ValueError when only one of the two is given.
    """
    if (source is None) != (target is None):
        raise ValueError("Give --gold-source and --gold-target together.")
    tokens = read_parallel_text(source, target) if source is not None and target is not None else None
    return [
        LinkedPair(str(number), *pair.tokens, pair.links)
        for number, pair in enumerate(
            read_links(gold, format_name, tokens=tokens, predictions=False), start=1
        )
    ]


def align_file(
    input_path: Path,
    output_path: Path,
    *,
    aligner: Aligner,
    train: bool = True,
    training: Sequence[Path] = (),
    gold: Sequence[LinkedPair] = (),
    other_gold: OtherGold = NO_OTHER_GOLD,
    raw: bool = False,
) -> tuple[int, int, list[int]]:
    """Draw links for every line of a file and write them in the Pharaoh format, a line for each line.

    Returns how many pairs and how many links there are, and the lines, from 1, without a word on one side at
    least.

    The aligner is trained on the pairs of the `training` files, those of the input and the sentences of all
    gold links, unless `train` is off, for one that was trained before: then the pairs are read as they are
    aligned. `gold` also decides whether `other_gold` is used. The output is seen under its name only when
    complete. Raises FileProblem for files that are not in their format, ValueError for gold links that cannot
    be learned from, OSError when the output cannot be written.
    """
    aligner.check_gold(gold, other_gold)
    pairs: Iterable[Pair]
    if train and aligner.learns_from_pairs:
        pairs = list(_pairs(input_path, raw=raw))
        known = [pair for path in training for pair in read_training_pairs(path, raw=raw)]
        others = [pair for linked in other_gold.values() for pair in texts_of(linked)]
        aligner.fit([*known, *pairs, *others], gold=gold, other_gold=other_gold)
    else:
        pairs = _pairs(input_path, raw=raw)
    # An aligner that trains when it is applied needs all of them at once.
    size = None if aligner.trains_when_applied else PAIRS_AT_ONCE
    count, links, empty = 0, 0, list[int]()
    with whole_file(output_path) as output:
        for portion in portions(pairs, size):
            drawn = aligner.align_all(portion)
            output.write("".join(pharaoh_line(Links.of(of_pair)) for of_pair in drawn).encode())
            links += sum(map(len, drawn))
            empty += [n for n, (left, right) in enumerate(portion, count + 1) if not left or not right]
            count += len(portion)
    return count, links, empty
