"""Alignments as GIZA++ writes them (`*.A3.final`): three lines a pair.

    # Sentence pair (1) source length 2 target length 3 alignment score : 0.01
    the tall hound
    NULL ({ 2 }) the ({ 1 }) dog ({ 3 })

The second line is the target. The third is the source; each word is followed by the target words it
is linked to, counted from 1, and NULL by those without a link. All links are SURE: the format has
one strength. Och & Ney (2003).
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from paragold.formats.json_lines import UniqueIds
from paragold.formats.links.link_format import LinkFormat, index_from_text, spaced_texts, split_tokens
from paragold.formats.text_files import split_lines
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.problems import FileProblem, located, quoted, shortened

NULL = "NULL"
_HEAD = re.compile(
    r"# Sentence pair \(([0-9]+)\) source length ([0-9]+) target length ([0-9]+) alignment score : \S+ *"
)
_WORDS = "Write NULL ({ 2 }) word ({ 1 3 }) ...: every source word with its target words, from 1."


def loads(text: str) -> list[LinkedPair]:
    """The pairs in order; the key is the number in the first of the three lines.

    Raises FileProblem for anything that is not in the format.
    """
    lines = split_lines(text)
    if len(lines) % 3:
        raise FileProblem(
            f"{len(lines)} lines, which is not a multiple of 3.",
            "Give three lines for each pair: the head, the target, the source with its links.",
        )
    pairs: list[LinkedPair] = []
    ids = UniqueIds()
    for line in range(1, len(lines), 3):
        head = _HEAD.fullmatch(lines[line - 1])
        if head is None:
            raise FileProblem(
                "is not the first line of a pair.",
                "Write # Sentence pair (1) source length 2 target length 3 alignment score : 0.01",
                line=line,
            )
        target = split_tokens(lines[line])
        with located(line + 2):
            source, links = _source(lines[line + 1], len(target))
        with located(line):
            _check_lengths(head, source, target)
            ids.add(head[1], line)
        pairs.append(LinkedPair(head[1], TokenPair(source, target), Links.of(links), line))
    return pairs


def _check_lengths(head: re.Match[str], source: Sequence[str], target: Sequence[str]) -> None:
    if (index_from_text(head[2]), index_from_text(head[3])) != (len(source), len(target)):
        raise FileProblem(
            f"source length {head[2]} and target length {head[3]}, but there are {len(source)} and "
            f"{len(target)} words.",
            "Check that the three lines belong together.",
        )


def _source(text: str, length: int) -> tuple[tuple[str, ...], list[Link]]:
    words: list[str] = []
    links: list[Link] = []
    for number, (word, targets) in enumerate(_entries(text)):
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


def _entries(text: str) -> Iterator[tuple[str, list[int]]]:
    """Each word with the numbers between its brackets; a word may itself look like a bracket."""
    fields = iter(split_tokens(text))
    empty = True
    for word in fields:
        empty = False
        if next(fields, None) != "({":
            raise FileProblem(f"there is no ({{ after {quoted(word)}.", _WORDS)
        numbers = []
        for field in fields:
            if field == "})":
                break
            numbers.append(index_from_text(field))
        else:
            raise FileProblem(f"the brackets after {quoted(word)} are not closed.", _WORDS)
        yield word, numbers
    if empty:
        raise FileProblem("is empty.", _WORDS)


def dumps(pairs: Iterable[LinkedPair], *, first: int = 1) -> str:
    """The file's text, pairs numbered from `first`, their keys left out, the score 1 for all.

    Raises FileProblem, with the pair as the file, for a POSSIBLE link, which the format cannot hold, and for
    a token that holds a space, a tab or a line break.
    """
    return "".join(_lines(number, pair) for number, pair in enumerate(pairs, start=first))


def _lines(number: int, pair: LinkedPair) -> str:
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
    linked_words = " ".join(
        " ".join([word, "({", *(str(j + 1) for j in places), "})"]) for word, places in words
    )
    head = f"# Sentence pair ({number}) source length {len(source)} target length {len(target)}"
    return f"{head} alignment score : 1\n{target_text}\n{linked_words}\n"


GIZA = LinkFormat(
    id="giza",
    label="GIZA++ A3",
    help="links as GIZA++ writes them",
    example="sure only; from 1",
    extensions=(".A3.final", ".A3", ".final"),
    first_line=re.compile(r"# Sentence pair \("),
    read=lambda text, tokens, unknown: loads(text),
    write=lambda pairs, before: dumps(pairs, first=before + 1),
    one_strength=True,
)
