"""How far two annotators' word links agree, which words they disagree on, and the agreement of link files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import WORDS, Score, percent, score
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair, links_of_words
from paragold.statistics import RESAMPLES

VERSION = 1
SEED = 1
WORD_CLASSES = ("punctuation", "number", "short word", "capitalised", "other word")
SHORT = 3


@dataclass(frozen=True, slots=True)
class DirectionalError:
    """AER in both directions: all links of one side, SURE and POSSIBLE, against S and P of the other."""

    first_against_second: Score
    second_against_first: Score

    @property
    def average(self) -> float | None:
        """The mean of the two directional AERs, from 0 to 1; None when either is undefined."""
        first, second = self.first_against_second.aer, self.second_against_first.aer
        return None if first is None or second is None else (first + second) / 2

    @property
    def agreement(self) -> float | None:
        """1 - average: what the papers print as interrater agreement (93.1 % and 83.7 % in DQB04)."""
        return None if self.average is None else 1 - self.average


def directional_error(
    first: Sequence[Links], second: Sequence[Links], *, seed: int, resamples: int = RESAMPLES
) -> DirectionalError:
    """Score two annotators' links of the same pairs, in the same order, against each other.

    The AER is asymmetric when both sides distinguish SURE and POSSIBLE: both directions are averaged.

    Parameters
    ----------
    first, second : sequences of Links
        Of the same pairs in the same order.
    seed, resamples : int
        Of the bootstrap intervals.

    Raises
    ------
    ValueError
        The two are not equally long.

    References
    ----------
    Dolan, Quirk & Brockett (2004), section 3.2 and footnote 5.
    """
    return DirectionalError(
        score([links.possible for links in first], second, seed=seed, resamples=resamples),
        score([links.possible for links in second], first, seed=seed, resamples=resamples),
    )


@dataclass(frozen=True, slots=True)
class Annotated:
    """One sentence pair as two annotators linked it."""

    tokens: TokenPair
    first: Links
    second: Links


@dataclass(frozen=True, slots=True)
class LinkAgreement:
    """Shares from 0 to 1, None where undefined.

    `first_against_second` is the AER of all the first annotator's links against S and P of the second's,
    and the other way round; `agreement` is 1 - their mean (Dolan, Quirk & Brockett 2004, footnote 5).
    `f1_sure` and `f1_all` are 2 |X n Y| / (|X| + |Y|) of the SURE and of all links. `shared`, `same` and
    `drawn` count links: drawn by both, by both with one strength, by either.
    """

    first_against_second: float | None
    second_against_first: float | None
    f1_sure: float | None
    f1_all: float | None
    shared: int
    same: int
    drawn: int
    pairs: int

    @property
    def agreement(self) -> float | None:
        if self.first_against_second is None or self.second_against_first is None:
            return None
        return 1 - (self.first_against_second + self.second_against_first) / 2


@dataclass(frozen=True, slots=True)
class ClassCell:
    """Links between words of two classes: how many either drew, on how many the two differ."""

    source: str
    target: str
    drawn: int
    disputed: int

    @property
    def share(self) -> float | None:
        return self.disputed / self.drawn if self.drawn else None


@dataclass(frozen=True, slots=True)
class DisputedWords:
    """Two lower-cased words and on how many links between them two annotators differ, of those drawn."""

    source: str
    target: str
    disputed: int
    drawn: int


def link_agreement(pairs: Sequence[Annotated]) -> LinkAgreement:
    """The agreement of two annotators over the same pairs."""
    error = directional_error(
        [pair.first for pair in pairs], [pair.second for pair in pairs], seed=SEED, resamples=0
    )
    return LinkAgreement(
        first_against_second=error.first_against_second.aer,
        second_against_first=error.second_against_first.aer,
        f1_sure=_f1((pair.first.sure, pair.second.sure) for pair in pairs),
        f1_all=_f1((pair.first.possible, pair.second.possible) for pair in pairs),
        shared=sum(len(pair.first.possible & pair.second.possible) for pair in pairs),
        same=sum(len(pair.first.possible | pair.second.possible) - len(disputed(pair)) for pair in pairs),
        drawn=sum(len(pair.first.possible | pair.second.possible) for pair in pairs),
        pairs=len(pairs),
    )


def link_agreement_table(pairs: Sequence[Annotated]) -> dict[str, LinkAgreement]:
    """The agreement on all links, and on links between identical and non-identical words (lower-cased)."""
    return {
        "all": link_agreement(pairs),
        "identical": link_agreement([_of_words(pair, identical=True) for pair in pairs]),
        "non_identical": link_agreement([_of_words(pair, identical=False) for pair in pairs]),
    }


def disputed(pair: Annotated) -> frozenset[Link]:
    """The links that one of the two did not draw, or that they drew with different strengths."""
    return (pair.first.possible ^ pair.second.possible) | (
        (pair.first.sure ^ pair.second.sure) & pair.first.possible & pair.second.possible
    )


def word_class(token: str) -> str:
    """One of WORD_CLASSES: no letter or digit; a digit; up to 3 letters; upper case first; the rest."""
    if not any(character.isalnum() for character in token):
        return "punctuation"
    if any(character.isdigit() for character in token):
        return "number"
    if len(token) <= SHORT:
        return "short word"
    return "capitalised" if token[0].isupper() else "other word"


def class_heat_map(pairs: Iterable[Annotated]) -> list[list[ClassCell]]:
    """For each class of source words (rows) and of target words (columns), links drawn and disputed."""
    drawn: Counter[tuple[str, str]] = Counter()
    differing: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        classes_a = [word_class(token) for token in pair.tokens.source]
        classes_b = [word_class(token) for token in pair.tokens.target]
        drawn.update((classes_a[i], classes_b[j]) for i, j in pair.first.possible | pair.second.possible)
        differing.update((classes_a[i], classes_b[j]) for i, j in disputed(pair))
    return [[ClassCell(a, b, drawn[a, b], differing[a, b]) for b in WORD_CLASSES] for a in WORD_CLASSES]


def most_disputed(pairs: Iterable[Annotated], limit: int = 20) -> list[DisputedWords]:
    """The word pairs that annotators differ on most often; ties by the fewer drawn, then by the words."""
    drawn: Counter[tuple[str, str]] = Counter()
    differing: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        source = [token.lower() for token in pair.tokens.source]
        target = [token.lower() for token in pair.tokens.target]
        drawn.update((source[i], target[j]) for i, j in pair.first.possible | pair.second.possible)
        differing.update((source[i], target[j]) for i, j in disputed(pair))
    ranked = sorted(differing, key=lambda words: (-differing[words], drawn[words], words))
    return [DisputedWords(*words, differing[words], drawn[words]) for words in ranked[:limit]]


def _of_words(pair: Annotated, *, identical: bool) -> Annotated:
    drawn = pair.first.possible | pair.second.possible
    keep = links_of_words(drawn, pair.tokens.source, pair.tokens.target, identical=identical)
    return Annotated(pair.tokens, pair.first.restricted_to(keep), pair.second.restricted_to(keep))


def _f1(sides: Iterable[tuple[frozenset[Link], frozenset[Link]]]) -> float | None:
    shared = total = 0
    for first, second in sides:
        shared += len(first & second)
        total += len(first) + len(second)
    return 2 * shared / total if total else None


@dataclass(frozen=True, slots=True)
class FilesAgreement:
    """The agreement of two files, by words: all, identical, non_identical."""

    first: str
    second: str
    table: dict[str, LinkAgreement]


def agreement_of_files(paths: Sequence[Path], format_name: str | None = None) -> list[FilesAgreement]:
    """The agreement of every two of the files, in order; formats that carry their own text only.

    Raises FileProblem for what a format does not allow and for files of other pairs than the first's,
    ValueError for fewer than two files.
    """
    if len(paths) < 2:
        raise ValueError("Agreement takes two files of links or more.")
    files: list[list[LinkedPair]] = []
    for path in paths:
        text = [pair.tokens for pair in files[0]] if files else None
        files.append(read_links(path, format_name, tokens=text))
    return [
        FilesAgreement(
            paths[m].name,
            paths[n].name,
            link_agreement_table(
                [
                    Annotated(first.tokens, first.links, second.links)
                    for first, second in zip(files[m], files[n], strict=True)
                ]
            ),
        )
        for m, n in combinations(range(len(files)), 2)
    ]


def as_json(agreements: Sequence[FilesAgreement]) -> str:
    """The agreement as JSON, rates in percent, null where undefined."""
    rates = ("first_against_second", "second_against_first", "f1_sure", "f1_all")

    def row(figures: LinkAgreement) -> dict[str, object]:
        fields: dict[str, object] = asdict(figures)
        fields |= {name: percent(getattr(figures, name)) for name in rates}
        return {"agreement": percent(figures.agreement), **fields}

    return json.dumps(
        {
            "files": [
                {"first": pair.first, "second": pair.second}
                | {words: row(figures) for words, figures in pair.table.items()}
                for pair in agreements
            ],
            "signature": f"link-agreement|measure:1-mean directional aer,f1|version:{VERSION}",
        },
        ensure_ascii=False,
        indent=2,
    )


def as_table(agreements: Sequence[FilesAgreement]) -> str:
    """The agreement as a table for people, in percent, `-` where undefined."""

    def cell(rate: float | None) -> str:
        return "-" if rate is None else f"{100 * rate:.2f}"

    lines = []
    for pair in agreements:
        lines.append(f"1 = {pair.first}, 2 = {pair.second}, {pair.table['all'].pairs} pairs")
        lines.append(
            f"{'%':<20}"
            + "".join(f"{name:>9}" for name in ("1 - AER", "AER 1|2", "AER 2|1", "F1 sure", "F1 all"))
            + f"{'links':>8}{'same':>8}"
        )
        for words, name in WORDS.items():
            figures = pair.table[words]
            lines.append(
                f"{name:<20}{cell(figures.agreement):>9}{cell(figures.first_against_second):>9}"
                f"{cell(figures.second_against_first):>9}{cell(figures.f1_sure):>9}{cell(figures.f1_all):>9}"
                f"{figures.drawn:>8}{figures.same:>8}"
            )
    return "\n".join(lines)
