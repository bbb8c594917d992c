"""The word links of one sentence pair, and rules that make one gold set out of several annotators' links."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from paragold.metrics.word_lists import check_links, check_words

Link = tuple[int, int]
"""(source token, target token), both counted from 0."""


def links_of(text: str) -> list[Link]:
    """Links written as `0-0 1-2`, in their order. Raises ValueError for what is no pair of whole numbers."""
    return [(int(a), int(b)) for a, _, b in (link.partition("-") for link in text.split())]


@dataclass(frozen=True, slots=True)
class Links:
    """SURE and POSSIBLE links of one pair, as sets S and P of Och & Ney (2003, section 4.2).

    `possible` includes `sure`, so `possible` alone is everything that was drawn.
    Raises ValueError when it does not, or when an index is negative.
    """

    sure: frozenset[Link]
    possible: frozenset[Link]

    def __post_init__(self) -> None:
        if not self.sure <= self.possible:
            raise ValueError(f"sure links missing from possible: {sorted(self.sure - self.possible)}")
        for source, target in self.possible:
            if source < 0 or target < 0:
                raise ValueError(f"link ({source}, {target}) has a negative token index")

    @classmethod
    def of(cls, sure: Iterable[Link] = (), possible: Iterable[Link] = ()) -> Self:
        """Links from any two collections; a link in both is SURE."""
        check_links(sure)
        check_links(possible)
        sure_set = frozenset(sure)
        return cls(sure_set, sure_set | frozenset(possible))

    @property
    def possible_only(self) -> frozenset[Link]:
        """The links that are POSSIBLE and not SURE."""
        return self.possible - self.sure

    def first_outside(self, source_length: int, target_length: int) -> Link | None:
        """The first link, in order, that points outside a pair of so many tokens; None when all fit."""
        return min(
            ((i, j) for i, j in self.possible if i >= source_length or j >= target_length), default=None
        )

    def restricted_to(self, keep: Collection[Link]) -> Self:
        """These links without the ones that are not in `keep`."""
        remaining = frozenset(keep)
        return type(self)(self.sure & remaining, self.possible & remaining)


@dataclass(frozen=True, slots=True)
class TokenPair:
    """The tokens of the two sentences that links run between. Raises TypeError for a text."""

    source: tuple[str, ...]
    target: tuple[str, ...]

    def __post_init__(self) -> None:
        check_words(self.source, self.target)


@dataclass(frozen=True, slots=True)
class LinkedPair:
    """A sentence pair with its links, as formats that carry their own text hold it.

    `line` is where it begins in the file it was read from, 0 for none; equality passes it over.
    """

    key: str
    tokens: TokenPair
    links: Links
    line: int = field(default=0, compare=False)

    def _repr_html_(self) -> str:
        """What a notebook shows: the ladder."""
        from paragold.metrics.ladder import ladder_svg

        return ladder_svg(self.tokens.source, self.tokens.target, self.links.sure, self.links.possible_only)


def links_of_words(
    links: Collection[Link], source: Sequence[str], target: Sequence[str], *, identical: bool
) -> frozenset[Link]:
    """The links between words that are equal when lower-cased, or with `identical` False those that differ.

    Raises IndexError when a link points outside the tokens, TypeError for a sentence that is a text.
    """
    check_words(source, target)
    return frozenset((i, j) for i, j in links if (source[i].lower() == target[j].lower()) is identical)


_Together = Callable[..., frozenset[Link]]
MERGE_RULES: Mapping[str, tuple[_Together, _Together]] = MappingProxyType(
    {
        "papers": (frozenset.intersection, frozenset.union),
        "intersection": (frozenset.intersection, frozenset.intersection),
        "union_sure": (frozenset.union, frozenset.union),
    }
)
"""By rule, how the SURE links of all annotators are put together, and how all their links are.

papers: POSSIBLE is what only some drew, or drew with different strengths (Dolan, Quirk & Brockett 2004,
section 3.2). intersection: only the links that every annotator drew. union_sure: every link that anybody
drew, SURE where at least one says so.
"""


def merge(annotations: Sequence[Links], rule: str = "papers") -> Links:
    """Merge the links of one or more annotators by the rule of that name.

    One annotator's links come back as they are under every rule.
    Raises ValueError for no annotator, or for a name that is not in MERGE_RULES.
    """
    if rule not in MERGE_RULES:
        raise ValueError(f"no merge rule {rule!r}; choose one of {', '.join(MERGE_RULES)}")
    if not annotations:
        raise ValueError("there are no annotations to merge")
    sure, possible = MERGE_RULES[rule]
    return Links(
        sure(*(links.sure for links in annotations)), possible(*(links.possible for links in annotations))
    )
