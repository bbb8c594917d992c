"""The criteria that a pair of sentences has to meet to become a candidate pair; the methods to search by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, Self

from pydantic import model_validator

from paragold.languages import ENGLISH, language, placeholders
from paragold.registry import Registry
from paragold.spec import Parameter, Spec, SpecError, param
from paragold.text.encoder_files import DEFAULT_ENCODER, ENCODER, weights_of

# Longer than any sentence that memory can hold, and safe to compare in 64-bit integers.
LONGEST = 2**62

# Words of so many characters count among the shared words that are stored with a pair.
SHARED_WORD_LENGTH = 4

# All clusters, and the imported pairs of a project, which are left out otherwise.
WITH_IMPORTED = "with_imported"
CLUSTERS = {
    "all": "all clusters",
    "held_out": "held-out clusters only",
    "rest": "all but held-out clusters",
    WITH_IMPORTED: "all clusters and imported pairs",
}

_NUMBER: dict[str, Any] = {"ge": 0, "le": 1_000_000}
_FROM_ONE: dict[str, Any] = {"ge": 1, "le": 1_000_000}


@dataclass(frozen=True, slots=True)
class ExtractionMethod:
    """Which texts of a cluster are compared, and which parameters limit that.

    limits_distance: `max_edit_distance` has to be set, and a kernel finds the pairs within it.
    by_meaning: `min_similarity` has to be set, and an encoder is needed.
    first_sentences: "" where `first_n` has to be none; "only" where no other sentences are compared; "also"
        where they are paired whatever their distance, by `first_length_ratio`, besides all the others.
    search: of a method of a plug-in; those of Paragold's own are in `paragold.extraction.cluster`. It takes a
        `DistinctSentences`, the criteria, stretches of rows and a kernel, and yields `Hits` in any order: all
        two texts a < b that meet the criteria, a in one of the stretches, each pair once. Texts come from the
        shortest to the longest.
    """

    id: str
    label: str
    limits_distance: bool
    first_sentences: Literal["", "only", "also"]
    search: Callable[..., Iterator[Any]] | None = None
    by_meaning: bool = False


_ALL, _FIRST = "Edit distance of all sentences", "Shared words of first sentences"
_EITHER = f"{_ALL}, or shared words of first ones"
_MEANING = "Meaning of all sentences, by an encoder"
EXTRACTION_METHODS = Registry(
    "extraction method",
    ExtractionMethod,
    [
        ExtractionMethod("levenshtein", _ALL, True, ""),
        ExtractionMethod("first_sentences", _FIRST, False, "only"),
        ExtractionMethod("either", _EITHER, True, "also"),
        ExtractionMethod("meaning", _MEANING, False, "", by_meaning=True),
    ],
    entry_points="paragold.extraction_methods",
)
"""The methods that can be chosen (Dolan, Quirk and Brockett 2004, 3)."""


class Selection(Spec):
    """Which pairs to keep, by the numbers stored with them; what it does not name limits nothing.

    Every bound is inclusive; lengths and distances are in tokens.
    """

    min_edit_distance: int = param(
        0, "Minimum edit distance", "In words; closer pairs are left out", **_NUMBER
    )
    max_edit_distance: int | None = param(
        None, "Maximum edit distance", "In words; pairs that are farther apart are left out", **_NUMBER
    )
    first_n: int | None = param(
        None,
        "First sentences",
        "So many of each article are paired by shared words; none for edit distance alone",
        **_FROM_ONE,
    )
    min_length_ratio: Fraction = param(
        Fraction(0), "Minimum length ratio", "Shorter sentence / longer sentence, in words"
    )
    ratio_strict: bool = param(
        False, "Strict length ratio", "The ratio must be above the limit; equal is not enough"
    )
    min_shared_words: int = param(
        0, "Minimum shared words", "Distinct words that both sentences have", **_NUMBER
    )
    min_length: int = param(1, "Minimum length", "In words, for each sentence", **_FROM_ONE)
    max_length: int | None = param(None, "Maximum length", "In words, for each sentence", **_FROM_ONE)

    @model_validator(mode="after")
    def _limits_agree(self) -> Self:
        for lower, upper in (("min_edit_distance", "max_edit_distance"), ("min_length", "max_length")):
            low, high = getattr(self, lower), getattr(self, upper)
            if high is not None and low > high:
                message = (
                    f"{self.parameter(upper).label}: {high} is below the minimum, {low}; no pair could match."
                )
                raise SpecError([(upper, message)])
        return self

    def as_json(self) -> dict[str, Any]:
        """The parameters that limit something."""
        defaults = {one.name: one.default for one in self.parameters()}
        values = super().as_json()
        return {name: value for name, value in values.items() if getattr(self, name) != defaults[name]}

    def signature(self) -> str:
        """The parameters that limit something as one stable line; empty without any."""
        return "|".join(f"{name}:{value}" for name, value in self.as_json().items())

    def admits(
        self, edit_distance: int, length_a: int, length_b: int, shared_words: int, position: int
    ) -> bool:
        """Whether a pair with these numbers is kept; `position` is the greater of the two, from 0."""
        shorter, longer = sorted((length_a, length_b))
        part, whole = self.min_length_ratio.as_integer_ratio()
        return (
            self.min_edit_distance <= edit_distance
            and (self.max_edit_distance is None or edit_distance <= self.max_edit_distance)
            and (self.first_n is None or position < self.first_n)
            and shorter * whole >= longer * part + self.ratio_strict
            and shared_words >= self.min_shared_words
            and shorter >= self.min_length
            and (self.max_length is None or longer <= self.max_length)
        )


class Criteria(Selection):
    """All parameters of one extraction.

    method: "levenshtein" compares all sentences of a cluster and needs `max_edit_distance`;
        "first_sentences" compares the first `first_n` sentences of each article; "either" takes what is
        within the limits of distance and ratio, and also the pairs among the first sentences, whatever
        their distance, whose ratio keeps to `first_length_ratio` (Brockett and Dolan 2005, 3.2);
        "meaning" compares the vectors of all sentences and needs `min_similarity` and an encoder.
    distance: "levenshtein", or "indel" where a replacement counts as a deletion and an insertion.
    placeholders: distances, lengths and shared words are those of the texts with numbers, days and sums of
        money replaced (`paragold.languages.placeholders`).
    same_article: as "every other sentence in the cluster" (Dolan, Quirk and Brockett 2004, 3).
    clusters: for whoever chooses the clusters to extract from.
    language: BCP 47 tag, for placeholders.
    """

    method: str = param(
        "levenshtein",
        "Method",
        "Which sentences of a cluster are compared, and by what",
        choices={"levenshtein": _ALL},
    )
    shared_word_length: int = param(
        SHARED_WORD_LENGTH,
        "Minimum length of a shared word",
        "In characters; shorter words do not count",
        **_FROM_ONE,
    )
    first_length_ratio: Fraction = param(
        Fraction(0),
        "Minimum ratio of first sentences",
        "Only where first sentences are paired beside all others",
    )
    distance: str = param(
        "levenshtein",
        "Distance",
        "How a replaced word is counted",
        choices={
            "levenshtein": "Levenshtein: a replaced word counts 1",
            "indel": "indel: a replaced word counts 2",
        },
    )
    placeholders: bool = param(False, "Placeholders", "Numbers, days and sums of money count as equal")
    same_article: bool = param(
        False, "Pairs within one article", "Sentences of the same article are paired too"
    )
    clusters: str = param("all", "Clusters", "Which are searched", choices=CLUSTERS)
    language: str = param(
        "en", "Language of placeholders", "Such as nl: whose numbers, days and sums of money", max_length=35
    )
    min_similarity: float = param(
        0.0,
        "Minimum similarity of meaning",
        "Cosine of the vectors of both sentences; only of the method meaning, which needs it",
        ge=0,
        le=1,
    )
    encoder: str = param(
        DEFAULT_ENCODER,
        "Encoder",
        f"Of the method meaning: a folder, or {DEFAULT_ENCODER}, the one that ${ENCODER} names",
        max_length=1000,
        on_server={DEFAULT_ENCODER: "the one of this installation"},
    )

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The method first, those of plug-ins among its choices, and lengths beside what they limit."""
        declared = {one.name: one for one in super().parameters()}
        method = replace(declared["method"], choices=tuple(EXTRACTION_METHODS.choices()))
        return (method, *(declared[name] for name in _ORDER))

    @model_validator(mode="after")
    def _fits_the_method(self) -> Self:
        method, name = EXTRACTION_METHODS.get(self.method), f"the method {self.method}"
        for is_wrong, parameter, message in (
            (
                method.limits_distance and self.max_edit_distance is None,
                "max_edit_distance",
                f"{name} needs a limit.",
            ),
            (
                not method.first_sentences and self.first_n is not None,
                "first_n",
                f"{name} compares all sentences; choose another method, or none.",
            ),
            (
                bool(method.first_sentences) and self.first_n is None,
                "first_n",
                f"{name} needs the number of sentences.",
            ),
            (
                method.first_sentences != "also" and self.first_length_ratio > 0,
                "first_length_ratio",
                f"{name} has one ratio, min_length_ratio; set this one to 0.",
            ),
            (
                method.by_meaning != (self.min_similarity > 0),
                "min_similarity",
                f"{name} needs a limit above 0." if method.by_meaning else f"{name} has none; set it to 0.",
            ),
        ):
            if is_wrong:
                raise SpecError([(parameter, f"{self.parameter(parameter).label}: {message}")])
        return self

    def as_json(self) -> dict[str, Any]:
        """All parameters."""
        return Spec.as_json(self)

    def signature(self) -> str:
        """All parameters as one stable line, in the manner of sacrebleu: equal signatures, equal pairs.

        Those that came later are left out at their defaults: equal criteria keep equal signatures.
        """
        values = [(one, getattr(self, one.name)) for one in self.parameters() if one.name != "encoder"]
        parts = [
            f"{one.name}:{one.in_signature(value)}"
            for one, value in values
            if one.name not in _LATER or value != one.default
        ]
        if self.placeholders:
            rules = language(self.language)
            own = "" if rules is ENGLISH else f"-{rules.word_signature}"
            parts.append(f"placeholder-rules:{placeholders.VERSION}{own}")
        if EXTRACTION_METHODS.get(self.method).by_meaning:
            parts.append(f"encoder:{weights_of(self.encoder)}")
        line = "|".join([*parts, "case:lower", f"version:{self.VERSION}"])
        return EXTRACTION_METHODS.signed(self.method, line)

    @property
    def min_articles(self) -> int:
        """The minimum number of articles of a cluster with a pair."""
        return 1 if self.same_article else 2

    def admits_length(self, length: int) -> bool:
        """Whether a sentence of `length` tokens may take part in a pair; an empty one never may."""
        return self.min_length <= length and (self.max_length is None or length <= self.max_length)

    def admits_distance(self, distance: Any) -> Any:
        """Whether a word edit distance, or each of an array, lies within the limits."""
        maximum = LONGEST if self.max_edit_distance is None else self.max_edit_distance
        return (distance >= self.min_edit_distance) & (distance <= maximum)

    def longest_partner(self, length: int, *, first: bool = False) -> int:
        """The maximum length of a partner that is as long as a sentence of `length` tokens, or longer.

        Computed in whole numbers, so that a ratio of 2/3 is 2/3; below `length` if there can be none.
        first: among the first sentences of the method "either", where the distance has no limit.
        """
        limits = [LONGEST if self.max_length is None else self.max_length]
        ratio = self.first_length_ratio if first else self.min_length_ratio
        shorter, longer = ratio.as_integer_ratio()
        if shorter:
            limits.append((length * longer - self.ratio_strict) // shorter)
        if self.max_edit_distance is not None and not first:
            # Each token that one sentence has more than the other costs one insertion.
            limits.append(length + self.max_edit_distance)
        return min(limits)


# As criteria are stored, signed and shown, after the method.
_LATER = (
    *("first_length_ratio", "distance", "placeholders", "same_article", "clusters", "language"),
    *("min_similarity", "encoder"),
)
_ORDER = (
    "min_edit_distance", "max_edit_distance", "first_n", "min_length_ratio", "ratio_strict",
    "min_shared_words", "shared_word_length", "min_length", "max_length", *_LATER,
)  # fmt: skip
