"""Priors of eflomal: what the links of some pairs say of words, numbers of links and jumps.

A file as `eflomal-makepriors` writes it and `eflomal-align --priors` reads it (eflomal 2), values separated
by tabs, a count last: `LEX source target`, `FERF source links`, `FERR target links`, `HMMF jump` and
`HMMR jump`.

References
----------
Östling, R. & Tiedemann, J. (2016). Efficient word alignment with Markov Chain Monte Carlo.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from paragold.aligners.method import Pair
from paragold.formats.text_files import read_text, split_lines
from paragold.metrics.links import Link
from paragold.problems import FileProblem

_COLUMNS = {"LEX": 4, "FERF": 4, "FERR": 4, "HMMF": 3, "HMMR": 3}


def priors(pairs: Iterable[Pair], links: Iterable[Sequence[Link]]) -> str:
    """The text of a file: counts of the pairs' links, (source, target) from 0; words in lower case.

    LEX counts links of two words, FERF and FERR the linked words with so many links, HMMF and HMMR how far
    the next linked word's counterpart is from the last one's; from before the first to after the last word.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for pair, drawn in zip(pairs, links, strict=True):
        source, target = ([word.lower() for word in side] for side in pair)
        turned = [(j, i) for i, j in drawn]
        counts.update(("LEX", source[i], target[j]) for i, j in drawn)
        for kind, words, own in (("FERF", source, drawn), ("FERR", target, turned)):
            numbers = Counter(place for place, _ in own)
            counts.update((kind, words[place], str(number)) for place, number in numbers.items())
        counts.update(("HMMF", str(jump)) for jump in _jumps(turned, len(source)))
        counts.update(("HMMR", str(jump)) for jump in _jumps(drawn, len(target)))
    return "".join("\t".join((*key, str(count))) + "\n" for key, count in sorted(counts.items()))


def _jumps(links: Iterable[Link], length: int) -> Iterator[int]:
    """Distances between the counterparts of linked words, in the order of the words."""
    last = -1
    for _, group in groupby(sorted(links), key=lambda link: link[0]):
        places = [place for _, place in group]
        yield places[0] - last
        last = places[-1]
    yield length - last


def check_priors(path: Path) -> None:
    """Raises FileProblem, with the line, for a file that eflomal cannot read as priors."""
    for number, line in enumerate(split_lines(read_text(path)), start=1):
        kind, *rest = line.split("\t")
        try:
            known = len(rest) + 1 == _COLUMNS.get(kind) and float(rest[-1]) >= 0
            known = known and (kind == "LEX" or int(rest[-2]) is not None)
        except ValueError:
            known = False
        if not known:
            raise FileProblem(
                "It is no prior of eflomal.",
                f"Begin lines with {', '.join(_COLUMNS)}, values separated by tabs, a count last.",
                line=number,
                file=str(path),
            )
