"""How texts are matched: by which method, from which score on, without which words."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from typing import Any, Self

from paragold.matching.bands import banded_pairs
from paragold.matching.exact import exact_pairs
from paragold.matching.minhash import estimated_pairs
from paragold.matching.pairs import ScoredPairs, one_partner_each
from paragold.matching.word_sets import STOP_WORDS, WordSets

METHODS = ("minhash", "exact", "bands")
MOST_PERMUTATIONS = 4096
LARGEST_SEED = 2**31 - 1
MOST_STOP_WORDS = 10_000
# Raised whenever the same settings would find other pairs than before.
VERSION = "1"


class SettingsError(ValueError):
    """A setting outside what is allowed; `name` is the setting, so that a form can say it beside it."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Settings of Chung & Knight's matching. `permutations` is MinHash's, `seed` its and that of the bands.

    method: "minhash" scores by the share of equal keys, "exact" by Jaccard, "bands" by Jaccard too, of the
        pairs that have a band of keys in common.
    threshold: the least score of a pair, above 0 and up to 1.
    greedy: at most one partner for each text, by falling score.
    stop_words: words, in lower case, that do not count, beside punctuation, which never does.
    """

    method: str = "minhash"
    threshold: float = 0.33
    permutations: int = 128
    greedy: bool = False
    seed: int = 1
    stop_words: frozenset[str] = STOP_WORDS

    def checked(self) -> Self:
        """These settings. Raises SettingsError for what is outside its range."""
        if self.method not in METHODS:
            raise SettingsError("method", f"{self.method}: no such method. There are: {', '.join(METHODS)}.")
        if not math.isfinite(self.threshold) or not 0 < self.threshold <= 1:
            raise SettingsError(
                "threshold", f"The threshold is {self.threshold}: give one above 0 and up to 1."
            )
        if not 1 <= self.permutations <= MOST_PERMUTATIONS:
            raise SettingsError("permutations", f"Permutations are from 1 to {MOST_PERMUTATIONS:,}.")
        if not 0 <= self.seed <= LARGEST_SEED:
            raise SettingsError("seed", f"A seed is from 0 to {LARGEST_SEED:,}.")
        if len(self.stop_words) > MOST_STOP_WORDS:
            raise SettingsError("stop_words", f"{MOST_STOP_WORDS:,} stop words are the most.")
        return self

    def without_greed(self) -> Self:
        """The same, with as many partners for each text as it has."""
        return replace(self, greedy=False)

    def as_json(self) -> dict[str, Any]:
        """All settings as values that JSON can hold; `from_json` reads them back."""
        return {**asdict(self), "stop_words": sorted(self.stop_words)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        known = {field.name for field in fields(cls)}
        chosen = {name: value for name, value in values.items() if name in known}
        if "stop_words" in chosen:
            chosen["stop_words"] = frozenset(chosen["stop_words"])
        return cls(**chosen)

    def signature(self) -> str:
        """The settings that decide which pairs are found, as one stable line."""
        parts = [f"method:{self.method}", f"threshold:{self.threshold:g}"]
        if self.method == "minhash":
            parts.append(f"permutations:{self.permutations}")
        if self.method != "exact":
            parts.append(f"seed:{self.seed}")
        parts += [f"one_partner:{'yes' if self.greedy else 'no'}", f"stop_words:{self.stop_list}"]
        return "|".join([*parts, f"version:{VERSION}"])

    @property
    def stop_list(self) -> str:
        """ "default", or a hash of the words."""
        if self.stop_words == STOP_WORDS:
            return "default"
        return blake2b(json.dumps(sorted(self.stop_words)).encode(), digest_size=6).hexdigest()


def stop_words_of(lines: Iterable[str]) -> frozenset[str]:
    """The words of a stop list, parted by white space or commas, in lower case."""
    return frozenset(word for line in lines for word in line.replace(",", " ").lower().split())


def matched(
    sets: WordSets, settings: MatchSettings, threshold: float | None = None, split: int = 0
) -> ScoredPairs:
    """Pairs at or above `threshold`, or else that of the settings, by their method. Raises ValueError."""
    threshold = settings.threshold if threshold is None else threshold
    if settings.method == "exact":
        pairs = exact_pairs(sets, threshold, split=split)
    elif settings.method == "bands":
        pairs = banded_pairs(sets, threshold, split=split, seed=settings.seed)
    else:
        pairs = estimated_pairs(
            sets, threshold, split=split, permutations=settings.permutations, seed=settings.seed
        )
    return one_partner_each(pairs) if settings.greedy else pairs
