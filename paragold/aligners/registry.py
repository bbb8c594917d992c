"""The word aligners by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from paragold.aligners.identity import IdentityAligner, IdentityStemAligner
from paragold.metrics.links import LinkedPair

if TYPE_CHECKING:
    from paragold.aligners.translation_model import Iteration

Pair = tuple[Sequence[str], Sequence[str]]
"""The tokens of a source and of a target sentence."""


class Aligner(Protocol):
    """Draws word links between two tokenised sentences."""

    @property
    def name(self) -> str:
        """The name in the registry."""

    @property
    def signature(self) -> str:
        """Method, version and parameters: equal signatures draw equal links."""

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
        """The links as (source, target) token indices from 0, in ascending order, each once."""


class TrainedAligner(Aligner, Protocol):
    """An aligner that learned from sentence pairs."""

    def align_all(self, pairs: Sequence[Pair]) -> list[list[tuple[int, int]]]:
        """The links of every pair, in order: the same as one by one, but faster."""


class Trainer(Protocol):
    """Makes an aligner out of sentence pairs; the same pairs in the same order make the same aligner."""

    @property
    def name(self) -> str:
        """The name in the registry."""

    def train(
        self,
        pairs: Sequence[Pair],
        *,
        gold: Sequence[LinkedPair] = (),
        progress: Callable[[Iteration], None] | None = None,
    ) -> TrainedAligner:
        """The trained aligner. `progress` is called after each iteration.

        Raises ValueError when gold links are given to an aligner that cannot learn from them.
        """


ALIGNERS: Mapping[str, Callable[[], Aligner]] = MappingProxyType(
    {IdentityAligner.name: IdentityAligner, IdentityStemAligner.name: IdentityStemAligner}
)
"""Those that need no training."""

TRAINED = ("ibm1", "hmm", "best")
"""Those that are trained on sentence pairs first; see `trainer`."""

PROGRAMS = ("eflomal", "giza")
"""Those that are programs of their own, where they are installed; trained likewise, see `programs`."""


def aligner(name: str) -> Aligner:
    """The aligner of that name. Raises ValueError, naming the choices, when there is none."""
    if name in (*TRAINED, *PROGRAMS):
        raise ValueError(f"the aligner {name!r} must be trained on sentence pairs first; see align_words")
    if name not in ALIGNERS:
        raise ValueError(f"no aligner {name!r}; choose one of {', '.join(ALIGNERS)}")
    return ALIGNERS[name]()


def trainer(
    name: str,
    *,
    language: str | None = "english",
    linking: str | None = None,
    lexicon: bool = False,
    wordnet: bool = True,
) -> Trainer:
    """The trainer of that name.

    `language` is that of both sides, one of paragold.text.stemming.LANGUAGES, or None for two different
    languages. `linking` is one of statistical.LINKINGS, None for the aligner's own; `lexicon` adds the
    papers' lexicon of identical words. Programs symmetrise by intersection unless told otherwise.
    Raises ValueError for an unknown name or value, and where `best`, which draws its links in its own way
    and always has the lexicon, is given a `linking`.
    """
    if name in PROGRAMS:
        from paragold.aligners.program_aligner import ProgramTrainer
        from paragold.aligners.programs import PROGRAMS as MAKE

        if linking == "posterior":
            raise ValueError(f"{name} gives no posteriors; symmetrise its links by intersection, for example")
        return ProgramTrainer(MAKE[name](linking=linking or "intersection", lexicon=lexicon))
    # What they need takes a second and 100 MB to import, which processes that never train are spared.
    from paragold.aligners import statistical
    from paragold.aligners.best import best

    if name not in TRAINED:
        raise ValueError(f"no aligner {name!r} to train; choose one of {', '.join((*TRAINED, *PROGRAMS))}")
    if name == "best":
        if linking is not None:
            raise ValueError("the aligner 'best' draws links in its own way; symmetrise ibm1 or hmm")
        return best(language=language, wordnet=wordnet)
    make = statistical.ibm1 if name == "ibm1" else statistical.hmm
    return make(one_language=language is not None, linking=linking or statistical.POSTERIOR, lexicon=lexicon)
