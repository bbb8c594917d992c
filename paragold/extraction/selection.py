"""A choice among candidate pairs by the numbers that are stored with them (Brockett and Dolan 2005, 3.2)."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from paragold.extraction.criteria import Bounds, Criteria, CriteriaError, suggestion
from paragold.extraction.presets import PRESETS, Preset
from paragold.extraction.registry import EXTRACTION_METHODS


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection(Bounds):
    """Which pairs to keep."""

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> "Selection":
        """A selection from parameters by name, as text or plain values; those left out limit nothing."""
        for name in settings:
            if name not in NAMES:
                raise CriteriaError(name, f"{name}: no such parameter. {suggestion(name, list(NAMES))}")
        return cls(**dict[str, Any](settings))

    def settings(self) -> dict[str, str | int | bool]:
        """The parameters that limit something, as values that JSON can hold; `from_settings` reads them."""
        return {
            field.name: str(value) if isinstance(value, Fraction) else value
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    def signature(self) -> str:
        """The parameters that limit something as one stable line; empty without any."""
        return "|".join(f"{name}:{value}" for name, value in self.settings().items())

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


NAMES = tuple(field.name for field in dataclasses.fields(Bounds))


def selection_of(criteria: Criteria) -> Selection | None:
    """The selection that keeps what these criteria ask for, of whatever clusters.

    None when they ask for more than a pair's numbers decide: words of another length, another distance, or
    either of two things.
    """
    if EXTRACTION_METHODS.get(criteria.method).first_sentences == "also" or not decided_by_numbers(criteria):
        return None
    return Selection(**{name: getattr(criteria, name) for name in NAMES})


def decided_by_numbers(criteria: Criteria) -> bool:
    """Whether the numbers stored with a pair decide if it meets the criteria, its cluster left aside."""
    return all(
        field.name in (*NAMES, "method", "clusters", "first_length_ratio")
        or getattr(criteria, field.name) == field.default
        for field in dataclasses.fields(criteria)
    )


def alternatives(criteria: Criteria) -> list[Selection]:
    """The selections of which a pair that meets the criteria meets one, as far as its numbers decide."""
    selection = Selection(**{name: getattr(criteria, name) for name in NAMES})
    if EXTRACTION_METHODS.get(criteria.method).first_sentences != "also":
        return [selection]
    return [
        dataclasses.replace(selection, first_n=None),
        dataclasses.replace(
            selection,
            min_edit_distance=0,
            max_edit_distance=None,
            min_length_ratio=criteria.first_length_ratio,
        ),
    ]


def narrowed(one: Selection, other: Selection) -> Selection:
    """The selection of the pairs that both admit. Raises CriteriaError when no pair could meet both."""
    stricter = max((one, other), key=lambda selection: (selection.min_length_ratio, selection.ratio_strict))
    return Selection(
        min_edit_distance=max(one.min_edit_distance, other.min_edit_distance),
        max_edit_distance=_lesser(one.max_edit_distance, other.max_edit_distance),
        first_n=_lesser(one.first_n, other.first_n),
        min_length_ratio=stricter.min_length_ratio,
        ratio_strict=stricter.ratio_strict,
        min_shared_words=max(one.min_shared_words, other.min_shared_words),
        min_length=max(one.min_length, other.min_length),
        max_length=_lesser(one.max_length, other.max_length),
    )


def widest(selections: Sequence[Selection]) -> list[Selection]:
    """The selections without those that admit nothing which another one of them does not admit as well."""
    remaining: list[Selection] = []
    for selection in dict.fromkeys(selections):
        if any(_narrowed_by(other, selection) == selection for other in remaining):
            continue
        remaining = [other for other in remaining if _narrowed_by(selection, other) != other]
        remaining.append(selection)
    return remaining


def described(selections: Sequence[Selection]) -> dict[str, str]:
    """The criteria in the words of table 2 of Brockett and Dolan 2005, by its rows."""
    texts = [_described(selection) for selection in selections]
    return {
        label: " or ".join(dict.fromkeys(text[label] for text in texts)) for label in _described(Selection())
    }


def _described(selection: Selection) -> dict[str, str]:
    ratio = 100 * selection.min_length_ratio
    percent = f"{ratio} %" if ratio.denominator == 1 else str(selection.min_length_ratio)
    sign = ">" if selection.ratio_strict else "≥"
    return {
        "Edit distance": _range("e", selection.min_edit_distance, selection.max_edit_distance),
        "Sentence range in article": "all" if selection.first_n is None else f"first {selection.first_n}",
        "Length": _range("n", selection.min_length - (selection.min_length == 1), selection.max_length),
        "Length ratio": f"{sign} {percent}" if ratio else "any",
        "Shared words": str(selection.min_shared_words) if selection.min_shared_words else "any",
    }


def _range(name: str, low: int, high: int | None) -> str:
    if high is None:
        return f"{name} ≥ {low}" if low else "any"
    return f"{low} ≤ {name} ≤ {high}" if low else f"{name} ≤ {high}"


def _lesser(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


def preset_selections(presets: Mapping[str, Preset] = PRESETS) -> dict[str, Selection]:
    """The presets that can be applied to a database of candidates, by name."""
    selections = ((name, selection_of(preset.criteria)) for name, preset in presets.items())
    return {name: selection for name, selection in selections if selection is not None}


def lets_all_through(criteria: Criteria, selection: Selection) -> bool:
    """Whether every pair that the selection admits meets the criteria, as far as its numbers decide.

    Then the selection out of what the criteria found equals an extraction of its own, clusters left aside.
    """
    return decided_by_numbers(criteria) and any(
        _narrowed_by(alternative, selection) == selection for alternative in alternatives(criteria)
    )


def _narrowed_by(alternative: Selection, selection: Selection) -> Selection | None:
    try:
        return narrowed(selection, alternative)
    except CriteriaError:
        return None
