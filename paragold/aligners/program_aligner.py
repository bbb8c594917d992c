"""A program with the text that it trains on: an aligner that can be kept (docs/adr/0016).

Programs train and align in one run, so what is kept is the training text, in numbers. Each time pairs are
aligned, the program trains on that text and on the pairs together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.cooccurrences import Pair, Text, Vocabulary
from paragold.aligners.model_files import content_hash
from paragold.aligners.programs import PROGRAMS, Program
from paragold.aligners.symmetrisation import Link
from paragold.metrics.links import LinkedPair

VERSION = 1
MOST_PAIRS = 250_000
"""Sentence pairs that programs are given in a project, those trained on and those to be aligned together."""


class ProgramAligner:
    """A program with its training text. Each call of `align_all` trains anew, on the pairs as well."""

    def __init__(self, program: Program, training: Sequence[Pair]) -> None:
        self.name = program.name
        self.program = program
        self.training: list[Pair] = [lowered(pair) for pair in training]

    @cached_property
    def signature(self) -> str:
        """The program, its settings and the text; `drawn` tells the draws of one that samples apart.

        Raises ProgramError where the program is missing.
        """
        return f"{self.program.version()}|text:{content_hash(self.numbers(), {})[:16]}"

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        """The links of two token sequences as (source, target) indices from 0, in ascending order."""
        return self.align_all([(source, target)])[0]

    def align_all(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of every pair, in order; training text that is among the pairs counts once.

        Raises ProgramError where the program is missing or fails.
        """
        known = {lowered(pair) for pair in pairs}
        return self.program.align(pairs, training=[pair for pair in self.training if pair not in known])

    def numbers(self) -> dict[str, NDArray[Any]]:
        """The training text: words (UTF-8, a line each), and each side's numbers of words and starts."""
        vocabulary = Vocabulary()
        sides = [Text.of((pair[place] for pair in self.training), vocabulary) for place in (0, 1)]
        words = "\n".join(vocabulary.words).encode("utf-8", "surrogatepass")
        return {
            "words": np.frombuffer(words, dtype=np.uint8),
            "source_text": sides[0].words,
            "source_starts": sides[0].starts,
            "target_text": sides[1].words,
            "target_starts": sides[1].starts,
        }


def of_numbers(name: str, numbers: dict[str, NDArray[Any]], *, linking: str, lexicon: bool) -> ProgramAligner:
    """The aligner whose training text `ProgramAligner.numbers` gave. Raises ValueError for other numbers."""
    words = numbers["words"].tobytes().decode("utf-8", "surrogatepass").split("\n")
    sides = []
    for side in ("source", "target"):
        text = [words[n] for n in numbers[f"{side}_text"].tolist()]
        starts = numbers[f"{side}_starts"].tolist()
        sides.append([text[a:b] for a, b in pairwise(starts)])
    program = PROGRAMS[name](linking=linking, lexicon=lexicon)
    return ProgramAligner(program, list(zip(*sides, strict=True)))


def lowered(pair: Pair) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The pair as programs are given it."""
    source, target = (tuple(word.lower() for word in side) for side in pair)
    return source, target


def drawn(links: Sequence[Sequence[Link]]) -> str:
    """What tells these links from another draw of a program that samples: part of their signature."""
    text = "\n".join(" ".join(f"{i}-{j}" for i, j in found) for found in links)
    return f"drawn:{sha256(text.encode()).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class ProgramTrainer:
    """Makes an aligner out of a program and its training text."""

    program: Program

    @property
    def name(self) -> str:
        return self.program.name

    def train(
        self, pairs: Sequence[Pair], *, gold: Sequence[LinkedPair] = (), progress: object = None
    ) -> ProgramAligner:
        """The aligner. Raises ProgramError where the program is missing, ValueError for gold links."""
        if gold:
            raise ValueError(f"the aligner {self.name!r} does not learn from gold links; 'best' does")
        self.program.version()
        return ProgramAligner(self.program, pairs)
