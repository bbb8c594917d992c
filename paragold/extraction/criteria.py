"""The criteria that a pair of sentences has to meet to become a candidate pair; the methods to search by."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from importlib import import_module
from typing import Any, Literal, Self

from pydantic import ValidationInfo, field_validator, model_validator

from paragold.registry import Registry
from paragold.spec import Parameter, Spec, SpecError, allowed, param
from paragold.text import placeholders

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

LARGEST_DENOMINATOR = 1_000_000_000
_NUMBER: dict[str, Any] = {"ge": 0, "le": 1_000_000}
_FROM_ONE: dict[str, Any] = {"ge": 1, "le": 1_000_000}

_WHOLE_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_RATIO = re.compile(r"[0-9]{1,10}/(?!0+$)[0-9]{1,10}|[0-9]{1,9}|[0-9]?\.[0-9]{1,9}", re.ASCII)
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class ExtractionMethod:
    """Which texts of a cluster are compared, and which parameters limit that.

    limits_distance: `max_edit_distance` has to be set, and a kernel finds the pairs within it.
    first_sentences: "" where `first_n` has to be none; "only" where no other sentences are compared; "also"
        where they are paired whatever their distance, by `first_length_ratio`, besides all the others.
    function: the search, of `module`; it is imported when it is used.
    """

    id: str
    label: str
    limits_distance: bool
    first_sentences: Literal["", "only", "also"]
    function: str
    module: str = "paragold.extraction.methods"

    def search(self) -> Callable[..., Any]:
        """The function, which takes a `DistinctSentences`, the criteria, stretches of rows and a kernel.

        It yields `Hits` in any order: all two texts a < b that meet the criteria, a in one of the stretches,
        each pair once. Texts come from the shortest to the longest.
        """
        function: Callable[..., Any] = getattr(import_module(self.module), self.function)
        return function


_ALL, _FIRST = "Edit distance of all sentences", "Shared words of first sentences"
EXTRACTION_METHODS = Registry(
    "extraction method",
    ExtractionMethod,
    [
        ExtractionMethod("levenshtein", _ALL, True, "", "pairs_within_distance"),
        ExtractionMethod("first_sentences", _FIRST, False, "only", "pairs_sharing_words"),
        ExtractionMethod(
            "either", f"{_ALL}, or shared words of first ones", True, "also", "pairs_of_either_kind"
        ),
    ],
    entry_points="paragold.extraction_methods",
)
"""The methods that can be chosen (Dolan, Quirk and Brockett 2004, 3)."""


class Bounds(Spec):
    """The criteria that the numbers stored with a pair decide.

    Every bound is inclusive; lengths and distances are in tokens. Values may be text, as they are typed: yes
    or no, 2/3 or 0.66, "none" or nothing for no limit. Raises SpecError for values that are not allowed.
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

    @field_validator("*", mode="before")
    @classmethod
    def _read(cls, value: object, about: ValidationInfo) -> object:
        parameter = next(one for one in cls.parameters() if one.name == about.field_name)
        try:
            return typed(parameter, value)
        except ValueError:
            message = f"{parameter.name}: {value!r} is not {values_allowed(parameter)}."
            raise ValueError(message) from None

    @model_validator(mode="after")
    def _limits_agree(self) -> Self:
        for lower, upper in (("min_edit_distance", "max_edit_distance"), ("min_length", "max_length")):
            low, high = getattr(self, lower), getattr(self, upper)
            if high is not None and low > high:
                raise refused(upper, f"{high} is below {lower}, which is {low}; no pair could match.")
        return self

    def with_settings(self, settings: Mapping[str, object]) -> Self:
        """The same with some parameters replaced, each given by name as text or as a plain value.

        Raises SpecError naming the parameter and its allowed range, or the nearest name that exists.
        """
        names = [one.name for one in self.parameters()]
        for name in settings:
            if name not in names:
                raise refused(name, f"no such parameter. {suggestion(name, names)}")
        return self.replace(**settings)


class Criteria(Bounds):
    """All parameters of one extraction.

    method: "levenshtein" compares all sentences of a cluster and needs `max_edit_distance`;
        "first_sentences" compares the first `first_n` sentences of each article; "either" takes what is
        within the limits of distance and ratio, and also the pairs among the first sentences, whatever
        their distance, whose ratio keeps to `first_length_ratio` (Brockett and Dolan 2005, 3.2).
    distance: "levenshtein", or "indel" where a replacement counts as a deletion and an insertion.
    placeholders: distances, lengths and shared words are those of the texts with numbers, days and sums of
        money replaced (`paragold.text.placeholders`).
    same_article: as "every other sentence in the cluster" (Dolan, Quirk and Brockett 2004, 3).
    clusters: for whoever chooses the clusters to extract from.
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

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The method first, those of plug-ins among its choices, and lengths beside what they limit."""
        declared = {one.name: one for one in super().parameters()}
        method = replace(declared["method"], choices=tuple(EXTRACTION_METHODS.choices()))
        return (method, *(declared[name] for name in _ORDER))

    @model_validator(mode="after")
    def _fits_the_method(self) -> Self:
        name, method = f"the method {self.method}", EXTRACTION_METHODS.get(self.method)
        if method.limits_distance and self.max_edit_distance is None:
            without = " and ".join(one.id for one in EXTRACTION_METHODS if not one.limits_distance)
            message = f"{name} needs a limit, a whole number from 0 to 1000000; none is for {without} only."
            raise refused("max_edit_distance", message)
        if not method.first_sentences and self.first_n is not None:
            only = " or ".join(one.id for one in EXTRACTION_METHODS if one.first_sentences == "only")
            message = (
                f"{name} compares all sentences, so first_n has to be none; "
                f"for the first sentences only, set method to {only}."
            )
            raise refused("first_n", message)
        if method.first_sentences and self.first_n is None:
            message = f"{name} needs the number of sentences, a whole number from 1 to 1000000."
            raise refused("first_n", message)
        if method.first_sentences != "also" and self.first_length_ratio:
            message = f"{name} has one ratio, min_length_ratio; set first_length_ratio to 0."
            raise refused("first_length_ratio", message)
        return self

    def signature(self) -> str:
        """All parameters as one stable line, in the manner of sacrebleu: equal signatures, equal pairs.

        Those that came later are left out at their defaults: equal criteria keep equal signatures.
        """
        values = [(one, getattr(self, one.name)) for one in self.parameters()]
        parts = [
            f"{one.name}:{one.in_signature(value)}"
            for one, value in values
            if one.name not in _LATER or value != one.default
        ]
        if self.placeholders:
            parts.append(f"placeholder-rules:{placeholders.VERSION}")
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
_LATER = ("first_length_ratio", "distance", "placeholders", "same_article", "clusters")
_ORDER = (
    "min_edit_distance", "max_edit_distance", "first_n", "min_length_ratio", "ratio_strict",
    "min_shared_words", "shared_word_length", "min_length", "max_length", *_LATER,
)  # fmt: skip


def typed(parameter: Parameter, value: object) -> object:
    """The value that a text or plain value means. Raises ValueError when it is outside what is allowed."""
    text = "none" if value is None else str(value).strip()
    if parameter.kind == "choice" and text in dict(parameter.choices):
        return text
    if parameter.kind == "flag" and text.lower() in _FLAGS:
        return _FLAGS[text.lower()]
    if parameter.kind == "ratio" and _RATIO.fullmatch(text):
        ratio = Fraction(text)
        if 0 <= ratio <= 1 and ratio.denominator <= LARGEST_DENOMINATOR:
            return ratio
    if parameter.kind == "whole number":
        if parameter.optional and text.lower() in ("", "none"):
            return None
        low, high = parameter.minimum or 0, parameter.maximum or 0
        if _WHOLE_NUMBER.fullmatch(text) and low <= int(text) <= high:
            return int(text)
    raise ValueError(value)


def values_allowed(parameter: Parameter) -> str:
    """The values that a parameter of criteria allows, in words."""
    if parameter.kind == "flag":
        return "true or false"
    if parameter.kind == "choice":
        return " or ".join(dict(parameter.choices))
    if parameter.kind == "ratio":
        return allowed(parameter)
    none = ", or none" if parameter.optional else ""
    return f"a whole number from {parameter.minimum} to {parameter.maximum}{none}"


def refused(name: str, message: str) -> SpecError:
    """The error of a parameter, or preset, that is not allowed; a form can show it beside its field."""
    return SpecError([(name, f"{name}: {message}")])


def suggestion(name: str, names: list[str]) -> str:
    """A sentence with the nearest of `names`, or all of them when none is near."""
    by_lower_case = {known.lower(): known for known in names}
    near = get_close_matches(name.lower(), by_lower_case, n=1, cutoff=0.5)
    return f"Did you mean {by_lower_case[near[0]]}?" if near else f"Available: {', '.join(names)}."


def value_text(value: str | int | bool | None) -> str:
    """A value of `as_json` in words: yes, no, none, or the value itself; all of them can be read again."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
