"""The extraction methods that can be chosen (Dolan, Quirk and Brockett 2004, 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from paragold.registry import Registry


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


EXTRACTION_METHODS = Registry(
    "extraction method",
    ExtractionMethod,
    [
        ExtractionMethod(
            id="levenshtein",
            label="Edit distance of all sentences",
            limits_distance=True,
            first_sentences="",
            function="pairs_within_distance",
        ),
        ExtractionMethod(
            id="first_sentences",
            label="Shared words of first sentences",
            limits_distance=False,
            first_sentences="only",
            function="pairs_sharing_words",
        ),
        ExtractionMethod(
            id="either",
            label="Edit distance of all sentences, or shared words of first ones",
            limits_distance=True,
            first_sentences="also",
            function="pairs_of_either_kind",
        ),
    ],
    entry_points="paragold.extraction_methods",
)
