"""A candidate pair as it is written out, and the shares of the splits that are asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

SPLITS = ("train", "dev", "test")
_SHARES = re.compile(r"(\d{1,3})\s*/\s*(\d{1,3})\s*/\s*(\d{1,3})", re.ASCII)


class PairRow(NamedTuple):
    """One pair. Sentence numbers count from 0 in their article; lengths are in tokens, the distance in words.

    `tokens_a` and `tokens_b` are the sentences' tokens, in the case they came in, parted by single spaces.
    """

    id: str
    cluster: str
    article_a: str
    sentence_a: int
    article_b: str
    sentence_b: int
    edit_distance: int
    length_a: int
    length_b: int
    shared_words: int
    text_a: str
    text_b: str
    tokens_a: str
    tokens_b: str


COLUMNS = PairRow._fields
NUMBERS = ("sentence_a", "sentence_b", "edit_distance", "length_a", "length_b", "shared_words")


@dataclass(frozen=True, slots=True)
class Splits:
    """Shares of the pairs for train, dev and test, in hundredths; they sum to 100.

    Raises ValueError for shares that do not sum to 100. `splitting.PairGroups` deals the pairs out.
    """

    train: int
    dev: int
    test: int
    seed: int = 1

    def __post_init__(self) -> None:
        if min(self.train, self.dev, self.test) < 0 or self.train + self.dev + self.test != 100:
            raise ValueError("The shares of train, dev and test must sum to 100.")

    @classmethod
    def parse(cls, text: str, seed: int = 1) -> Splits | None:
        """From shares such as `80/10/10`; None from an empty text. Raises ValueError for anything else."""
        if not text.strip():
            return None
        shares = _SHARES.fullmatch(text.strip())
        if shares is None:
            raise ValueError("Write three whole numbers, such as 80/10/10.")
        train, dev, test = (int(share) for share in shares.groups())
        return cls(train, dev, test, seed)

    def share(self, name: str) -> int:
        """The hundredths asked for a split."""
        return {"train": self.train, "dev": self.dev, "test": self.test}[name]


def splits_from(given: Mapping[str, int] | None) -> Splits | None:
    """Splits of JSON with the fields of `Splits`, or None. Raises ValueError as they do."""
    return None if not given else Splits(**given)
