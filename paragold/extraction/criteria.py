"""The criteria that a pair of sentences has to meet to become a candidate pair."""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Literal

from paragold.extraction.registry import EXTRACTION_METHODS
from paragold.registry import Registry
from paragold.text import placeholders

# Raised whenever the same criteria would select other pairs than before.
VERSION = "1"

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

LARGEST_WHOLE_NUMBER = 1_000_000
LARGEST_DENOMINATOR = 1_000_000_000

_WHOLE_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_RATIO = re.compile(r"[0-9]{1,10}/[0-9]{1,10}|[0-9]{1,9}|[0-9]?\.[0-9]{1,9}", re.ASCII)
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its label, its meaning and its allowed values.

    kind: a ratio is exact, from 0 to 1, written 2/3 or 0.66, never a binary float. low, high: of whole
    numbers. optional: "none" or nothing means no limit. items: the names of a choice with their labels, or a
    registry.
    """

    label: str
    help: str
    kind: Literal["whole number", "ratio", "flag", "choice"] = "whole number"
    low: int = 0
    high: int = LARGEST_WHOLE_NUMBER
    optional: bool = False
    items: Mapping[str, str] | Registry[Any] = dataclasses.field(default_factory=dict)

    @property
    def labels(self) -> dict[str, str]:
        """The label of each name of a choice."""
        return dict(self.items.choices() if isinstance(self.items, Registry) else self.items)

    @property
    def allowed(self) -> str:
        """The allowed values in words, for an error message or a form's help text."""
        if self.kind == "ratio":
            return "a fraction or decimal number from 0 to 1, such as 2/3 or 0.66"
        if self.kind == "flag":
            return "true or false"
        if self.kind == "choice":
            return " or ".join(self.labels)
        return f"a whole number from {self.low} to {self.high}" + (", or none" if self.optional else "")

    def parse(self, value: object) -> object:
        """Return the typed value; raises ValueError when `value` is outside what is allowed."""
        text = "none" if value is None else str(value).strip()
        if self.kind == "choice" and text in self.labels:
            return text
        if self.kind == "flag" and text.lower() in _FLAGS:
            return _FLAGS[text.lower()]
        if self.kind == "ratio" and _RATIO.fullmatch(text) and not re.search(r"/0+$", text):
            ratio = Fraction(text)
            if 0 <= ratio <= 1 and ratio.denominator <= LARGEST_DENOMINATOR:
                return ratio
        if self.kind == "whole number":
            if self.optional and text.lower() in ("", "none"):
                return None
            if _WHOLE_NUMBER.fullmatch(text) and self.low <= int(text) <= self.high:
                return int(text)
        raise ValueError(value)


PARAMETERS: Mapping[str, Parameter] = {
    "method": Parameter(
        "Method", "Which sentences of a cluster are compared, and by what", "choice", items=EXTRACTION_METHODS
    ),
    "min_edit_distance": Parameter("Minimum edit distance", "In words; closer pairs are left out"),
    "max_edit_distance": Parameter(
        "Maximum edit distance", "In words; pairs that are farther apart are left out", optional=True
    ),
    "first_n": Parameter(
        "First sentences",
        "So many of each article are paired by shared words; none for edit distance alone",
        low=1,
        optional=True,
    ),
    "min_length_ratio": Parameter(
        "Minimum length ratio", "Shorter sentence / longer sentence, in words", "ratio"
    ),
    "ratio_strict": Parameter(
        "Strict length ratio", "The ratio must be above the limit; equal is not enough", "flag"
    ),
    "min_shared_words": Parameter("Minimum shared words", "Distinct words that both sentences have"),
    "shared_word_length": Parameter(
        "Minimum length of a shared word", "In characters; shorter words do not count", low=1
    ),
    "min_length": Parameter("Minimum length", "In words, for each sentence", low=1),
    "max_length": Parameter("Maximum length", "In words, for each sentence", low=1, optional=True),
    "first_length_ratio": Parameter(
        "Minimum ratio of first sentences", "Only where first sentences are paired beside all others", "ratio"
    ),
    "distance": Parameter(
        "Distance",
        "How a replaced word is counted",
        "choice",
        items={
            "levenshtein": "Levenshtein: a replaced word counts 1",
            "indel": "indel: a replaced word counts 2",
        },
    ),
    "placeholders": Parameter("Placeholders", "Numbers, days and sums of money count as equal", "flag"),
    "same_article": Parameter(
        "Pairs within one article", "Sentences of the same article are paired too", "flag"
    ),
    "clusters": Parameter("Clusters", "Which are searched", "choice", items=CLUSTERS),
}

# Left out of a signature at their defaults: they came later, and equal criteria keep equal signatures.
LATER_PARAMETERS: Mapping[str, object] = {
    "first_length_ratio": "0",
    "distance": "levenshtein",
    "placeholders": False,
    "same_article": False,
    "clusters": "all",
}


class CriteriaError(ValueError):
    """A parameter or preset that does not exist, or a value outside its range.

    `name` is the parameter (or preset) at fault, so that a form can show the message beside its field.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name

    def __reduce__(self) -> tuple[type["CriteriaError"], tuple[str, str]]:
        return type(self), (self.name, str(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The criteria that the numbers stored with a pair decide.

    Every bound is inclusive; lengths and distances are in tokens.

    min_edit_distance, max_edit_distance: word edit distance; None is no upper limit.
    first_n: sentences with an index below `first_n` in their article.
    min_length_ratio: shorter length / longer length is at least this, or above it when `ratio_strict`.
    min_shared_words: distinct words found in both sentences.
    min_length, max_length: the length of either sentence; None is no upper limit.

    Raises CriteriaError when a value is outside its range or two of them contradict each other.
    """

    min_edit_distance: int = 0
    max_edit_distance: int | None = None
    first_n: int | None = None
    min_length_ratio: Fraction = Fraction(0)
    ratio_strict: bool = False
    min_shared_words: int = 0
    min_length: int = 1
    max_length: int | None = None

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            # The only way to write to a frozen dataclass; parsing makes one value of 1, "1" and Fraction(1).
            object.__setattr__(self, field.name, parse_parameter(field.name, getattr(self, field.name)))
        for lower, upper in (("min_edit_distance", "max_edit_distance"), ("min_length", "max_length")):
            low, high = getattr(self, lower), getattr(self, upper)
            if high is not None and low > high:
                message = f"{upper}: {high} is below {lower}, which is {low}; no pair could match."
                raise CriteriaError(upper, message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria(Bounds):
    """All parameters of one extraction.

    method: "levenshtein" compares all sentences of a cluster and needs `max_edit_distance`;
        "first_sentences" compares the first `first_n` sentences of each article; "either" takes what is
        within the limits of distance and ratio, and also the pairs among the first sentences, whatever
        their distance, whose ratio keeps to `first_length_ratio` (Brockett and Dolan 2005, 3.2).
    shared_word_length: characters of the words that count for `min_shared_words`, at least.
    first_length_ratio: as `min_length_ratio`, for the first sentences of the method "either".
    distance: "levenshtein", or "indel" where a replacement counts as a deletion and an insertion.
    placeholders: distances, lengths and shared words are those of the texts with numbers, days and sums of
        money replaced (`paragold.text.placeholders`).
    same_article: sentences of one article are paired as well, as "every other sentence in the cluster"
        (Dolan, Quirk and Brockett 2004, 3).
    clusters: which clusters of a project to look at, "with_imported" at imported pairs too; for whoever
        chooses the clusters to extract from.

    Raises CriteriaError when a value is outside its range or two of them contradict each other.
    """

    method: str
    shared_word_length: int = 4
    first_length_ratio: Fraction = Fraction(0)
    distance: str = "levenshtein"
    placeholders: bool = False
    same_article: bool = False
    clusters: str = "all"

    def __post_init__(self) -> None:
        Bounds.__post_init__(self)
        method = EXTRACTION_METHODS.get(self.method)
        if method.limits_distance and self.max_edit_distance is None:
            without = " and ".join(one.id for one in EXTRACTION_METHODS if not one.limits_distance)
            raise CriteriaError(
                "max_edit_distance",
                f"max_edit_distance: the method {self.method} needs a limit, "
                f"a whole number from 0 to {LARGEST_WHOLE_NUMBER}; none is for {without} only.",
            )
        if not method.first_sentences and self.first_n is not None:
            only = " or ".join(one.id for one in EXTRACTION_METHODS if one.first_sentences == "only")
            raise CriteriaError(
                "first_n",
                f"first_n: the method {self.method} compares all sentences, so first_n has to be none; "
                f"for the first sentences only, set method to {only}.",
            )
        if method.first_sentences and self.first_n is None:
            raise CriteriaError(
                "first_n",
                f"first_n: the method {self.method} needs the number of sentences, "
                f"a whole number from 1 to {LARGEST_WHOLE_NUMBER}.",
            )
        if method.first_sentences != "also" and self.first_length_ratio:
            raise CriteriaError(
                "first_length_ratio",
                f"first_length_ratio: the method {self.method} has one ratio, min_length_ratio; "
                "set first_length_ratio to 0.",
            )

    def with_settings(self, settings: Mapping[str, object]) -> "Criteria":
        """These criteria with some parameters replaced, each given by name as text or as a plain value.

        Raises CriteriaError naming the parameter and its allowed range, or the nearest name that exists.
        """
        return dataclasses.replace(
            self, **{name: parse_parameter(name, value) for name, value in settings.items()}
        )

    def settings(self) -> dict[str, str | int | bool | None]:
        """All parameters as values that JSON can hold; `with_settings` reads them back."""
        return {
            name: str(value) if isinstance(value, Fraction) else value
            for name, value in ((name, getattr(self, name)) for name in PARAMETERS)
        }

    def signature(self) -> str:
        """All parameters as one stable line, in the manner of sacrebleu: equal signatures, equal pairs."""
        parts = [
            f"{name}:{value_text(value)}"
            for name, value in self.settings().items()
            if name not in LATER_PARAMETERS or LATER_PARAMETERS[name] != value
        ]
        if self.placeholders:
            parts.append(f"placeholder-rules:{placeholders.VERSION}")
        return EXTRACTION_METHODS.signed(self.method, "|".join([*parts, "case:lower", f"version:{VERSION}"]))

    @property
    def min_articles(self) -> int:
        """The minimum number of articles of a cluster with a pair."""
        return 1 if self.same_article else 2

    def admits_length(self, length: int) -> bool:
        """Whether a sentence of `length` tokens may take part in a pair; an empty one never may."""
        return self.min_length <= length and (self.max_length is None or length <= self.max_length)

    def longest_partner(self, length: int) -> int:
        """The maximum length of a partner that is as long as a sentence of `length` tokens, or longer.

        Computed in whole numbers, so that a ratio of 2/3 is 2/3; below `length` if there can be none.
        """
        limits = [self._longest_by_ratio(length, self.min_length_ratio)]
        if self.max_edit_distance is not None:
            # Each token that one sentence has more than the other costs one insertion.
            limits.append(length + self.max_edit_distance)
        return min(limits)

    def longest_first_partner(self, length: int) -> int:
        """The same among the first sentences of the method "either", where the distance has no limit."""
        return self._longest_by_ratio(length, self.first_length_ratio)

    def _longest_by_ratio(self, length: int, ratio: Fraction) -> int:
        longest = LONGEST if self.max_length is None else self.max_length
        shorter, longer = ratio.as_integer_ratio()
        return min(longest, (length * longer - self.ratio_strict) // shorter) if shorter else longest

    def admits_distance(self, distance: int) -> bool:
        """Whether a word edit distance lies within the limits."""
        return self.min_edit_distance <= distance and (
            self.max_edit_distance is None or distance <= self.max_edit_distance
        )


def parse_parameter(name: str, value: object) -> Any:
    """The value that a text or plain value means. Raises CriteriaError naming the parameter and its range."""
    if name not in PARAMETERS:
        raise CriteriaError(name, f"{name}: no such parameter. {suggestion(name, list(PARAMETERS))}")
    try:
        return PARAMETERS[name].parse(value)
    except ValueError:
        raise CriteriaError(name, f"{name}: {value!r} is not {PARAMETERS[name].allowed}.") from None


def suggestion(name: str, names: list[str]) -> str:
    """A sentence with the nearest of `names`, or all of them when none is near."""
    by_lower_case = {known.lower(): known for known in names}
    near = get_close_matches(name.lower(), by_lower_case, n=1, cutoff=0.5)
    return f"Did you mean {by_lower_case[near[0]]}?" if near else f"Available: {', '.join(names)}."


def value_text(value: str | int | bool | None) -> str:
    """A value of `settings` in words: yes, no, none, or the value itself; parsing reads all of them."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def values_text(settings: Mapping[str, Any], names: Iterable[str]) -> str:
    """The values of some parameters with their names: "max_edits 5, min_words 4"."""
    return ", ".join(f"{name} {value_text(settings[name])}" for name in names)
