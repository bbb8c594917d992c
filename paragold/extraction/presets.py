"""Criteria with a name: the methods of the papers, open to change."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from paragold.extraction.criteria import Criteria
from paragold.spec import SpecError, suggestion

MIN_SIMILARITY = 0.7
RECOMMENDED = "L12"
"""The preset that is used when none is named."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Named criteria with the place in the literature that they come from.

    purpose: "recommended", "replication" of a paper's corpus, or "" where nothing is to be said of its use.
    share: what the paper says of its pairs, "" where it says nothing.
    """

    name: str
    criteria: Criteria
    source: str
    description: str
    purpose: str = ""
    share: str = ""

    @property
    def title(self) -> str:
        """The name with its purpose, such as "L12 (recommended)"."""
        return f"{self.name} ({self.purpose})" if self.purpose else self.name


# 5 < n < 30 words, ratios to be exceeded, three shared words.
_TABLE_2: dict[str, Any] = {"ratio_strict": True, "min_shared_words": 3, "min_length": 6, "max_length": 29}
_IN_TABLE_2 = "Brockett and Dolan 2005, table 2"
_2004 = "Dolan, Quirk and Brockett 2004, section 3"


# Dolan, Quirk and Brockett 2004, section 3.1.1 and footnote 4, of 448 and of 10,000 pairs.
_FIRST_SENTENCES = "26 % paraphrases, 34 % in part, 40 % unrelated"
_NEAR = "83 % paraphrases, whole or in part"


def _first_of_table_2(first_n: int, number: str) -> Preset:
    return Preset(
        f"F{first_n}",
        Criteria(
            method="first_sentences",
            first_n=first_n,
            min_edit_distance=13,
            min_length_ratio=Fraction(1, 2),
            **_TABLE_2,
        ),
        _IN_TABLE_2,
        f"The first {number} sentences of each article, of 6 to 29 words, at a word edit distance above 12, "
        "that share at least 3 words of 4 or more characters, the shorter more than half as long as the "
        "longer.",
        share=_FIRST_SENTENCES,
    )


_ALL: list[Preset] = [
    Preset(
        "L12",
        Criteria(min_edit_distance=2, max_edit_distance=12, min_length_ratio=Fraction(66, 100), **_TABLE_2),
        _IN_TABLE_2,
        "All sentences of 6 to 29 words at a word edit distance of 2 to 12 that share at least 3 words of 4 "
        "or more characters, the shorter more than 66 % as long as the longer.",
        "recommended",
        _NEAR,
    ),
    _first_of_table_2(2, "two"),
    _first_of_table_2(3, "three"),
    Preset(
        "L12-2004",
        Criteria(max_edit_distance=12, min_length_ratio=Fraction(2, 3), distance="indel", same_article=True),
        _2004,
        "Each sentence with every other one of its cluster, also of its own article, at most 12 deletions "
        "and insertions of words apart, the shorter at least 2/3 as long as the longer.",
        "replication",
        _NEAR,
    ),
    Preset(
        "L12-2004-word",
        Criteria(max_edit_distance=12, min_length_ratio=Fraction(2, 3)),
        f"{_2004}, in another reading",
        "All sentences of different articles of a cluster at a word edit distance of at most 12, a replaced "
        "word counting as one, the shorter at least 2/3 as long as the longer.",
    ),
    Preset(
        "F2-2004",
        Criteria(method="first_sentences", first_n=2, min_length_ratio=Fraction(1, 2), min_shared_words=3),
        f"{_2004}.1.1",
        "The first two sentences of each article that share at least 3 words of 4 or more characters, the "
        "shorter at least half as long as the longer.",
        "replication",
        _FIRST_SENTENCES,
    ),
    Preset(
        "blind-2004",
        Criteria(min_edit_distance=5, max_edit_distance=20, clusters="held_out"),
        f"{_2004}.2",
        "All sentences of the held-out clusters at a word edit distance of 5 to 20.",
        "replication",
    ),
    Preset(
        "candidates-2005",
        Criteria(
            method="either",
            min_edit_distance=2,
            max_edit_distance=20,
            min_length_ratio=Fraction(66, 100),
            ratio_strict=True,
            first_n=3,
            first_length_ratio=Fraction(1, 2),
        ),
        "Brockett and Dolan 2005, section 3.2",
        "All sentences at a word edit distance of 2 to 20, the shorter more than 66 % as long as the longer; "
        "and the first three of each article, the shorter more than half as long.",
        "replication",
    ),
    Preset(
        "meaning",
        Criteria(
            method="meaning",
            min_similarity=MIN_SIMILARITY,
            min_length_ratio=Fraction(1, 2),
            min_length=6,
            max_length=29,
        ),
        "not in the papers",
        f"All sentences of 6 to 29 words whose vectors by an encoder have a cosine of {MIN_SIMILARITY} or "
        "more, the shorter at least half as long.",
    ),
]
PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in _ALL}


def get_preset(name: str) -> Preset:
    """The preset called `name`. Raises SpecError with the nearest name when there is none."""
    if name not in PRESETS:
        raise SpecError([("preset", f"There is no preset {name}. {suggestion(name, PRESETS)}")])
    return PRESETS[name]


def names_with_purposes() -> str:
    """All names for a help text: "L12 (recommended), F2, F3, L12-2004 (replication), ..."."""
    return ", ".join(preset.title for preset in PRESETS.values())


def described_as_changed(base: str, criteria: Criteria) -> str:
    """A sentence on how criteria differ from those of the preset `base`, in names and values."""
    if base not in PRESETS:
        return f"Made from {base}."
    before = dict(PRESETS[base].criteria)
    changes = [
        f"{one.name} {one.in_signature(getattr(criteria, one.name))}"
        for one in Criteria.parameters()
        if getattr(criteria, one.name) != before[one.name]
    ]
    return f"{base} with {', '.join(changes)}." if changes else f"The same as {base}."
