"""What a word aligner is: a method, registered in `registry`, and the aligner that it makes from pairs.

This module and those of the methods load no numerical library: pages list the methods without any.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from paragold.aligners.evidence_sources import source_of
from paragold.metrics.links import Link, LinkedPair
from paragold.spec import Spec

if TYPE_CHECKING:
    from numpy.typing import NDArray


Pair = tuple[Sequence[str], Sequence[str]]
"""The tokens of a source and of a target sentence."""
Contents = tuple["dict[str, NDArray[Any]]", dict[str, Any]]
"""The numbers of an aligner by name, and all the rest as JSON can hold it."""


OtherGold = Mapping[str, Sequence[LinkedPair]]
"""Gold links of other sets by name, perhaps of another convention."""
NO_OTHER_GOLD: OtherGold = MappingProxyType({})
PAIRS_AT_ONCE = 1000


def batches(pairs: Sequence[Pair]) -> Iterable[Sequence[Pair]]:
    """The pairs in portions that fit in memory."""
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        yield pairs[start : start + PAIRS_AT_ONCE]


@dataclass(frozen=True, slots=True)
class Iteration:
    """One iteration of a training: the model and the log-likelihoods (natural) before its M-step."""

    model: str
    forward: float
    backward: float


Progress = Callable[[Iteration], None]
"""What a training calls after each iteration."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One piece of evidence for a link: its value, and what it adds to the log-odds of the link."""

    name: str
    value: float
    contribution: float


class SourceSum(NamedTuple):
    """What all reasons of one source of evidence add to the log-odds of a link."""

    name: str
    contribution: float


@dataclass(frozen=True, slots=True)
class LinkExplanation:
    """Why a link was drawn or not. The weightiest reason comes first."""

    link: Link
    drawn: bool
    probability: float
    """That of the classifier of links; without one the mean of both directions' posteriors."""
    threshold: float | None
    """The probability from which on the link is drawn; None where more than that decides."""
    start: float | None
    """The log-odds that every candidate starts from; None where nothing was learned from gold links."""
    reasons: list[Reason]
    """`contribution` is what each adds to the log-odds, 0 where nothing was learned from gold links."""
    rule: str
    """What decided, in words."""

    @property
    def sources(self) -> list[SourceSum]:
        """What each source of evidence adds to the log-odds, the weightiest first; [] without gold links."""
        return [] if self.start is None else _by_source(self.reasons)

    @property
    def weighty(self) -> list[Reason]:
        """The reasons that add something, or where nothing was learned all of them."""
        return [reason for reason in self.reasons if reason.contribution] or self.reasons


def _by_source(reasons: Sequence[Reason]) -> list[SourceSum]:
    """What each source of evidence adds to the log-odds, the weightiest first."""
    sums: dict[str, float] = {}
    for reason in reasons:
        source = source_of(reason.name)
        sums[source] = sums.get(source, 0.0) + reason.contribution
    sources = [SourceSum(name, contribution) for name, contribution in sums.items()]
    return sorted(sources, key=lambda one: -abs(one.contribution))


@dataclass(frozen=True, slots=True)
class Transfer:
    """What cross-validation on the own pairs said of something that was learned elsewhere.

    That is the starting point or, named by `gold`, other gold links, which are decided on one after another.
    """

    helps: bool
    """Whether it is used; if not, the links are predicted better without it."""
    variance: float | None
    """That of the prior; 0 where the weights stay as they are, None where the prior is left out."""
    pairs: int
    """The own pairs that it was decided on."""
    aer: float
    """On them, out of fold, a fraction from 0 to 1: with what was learned elsewhere."""
    aer_alone: float
    """The same without it, that is with the own pairs and what was found to help before."""
    gold: str = ""
    """The name of the other gold links; "" of the starting point."""

    @property
    def in_words(self) -> str:
        verdict = "helps" if self.helps else "would hurt, left out"
        if not self.helps and self.aer <= self.aer_alone:
            verdict = "not clearly better, left out"
        gold = f", gold links of {self.gold}" if self.gold else ""
        prior = f", variance of the prior {self.variance:g}" if self.variance and self.gold else ""
        return (
            f"Learned elsewhere{gold}: {verdict} (AER {100 * self.aer:.1f} % with it, "
            f"{100 * self.aer_alone:.1f} % without, cross-validated on {self.pairs} own pairs{prior})"
        )


class Aligner(ABC):
    """Draws word links between two tokenised sentences.

    Attributes
    ----------
    name : str
        The id of its method.
    signature : str
        Method, version, parameters and what was learned: equal signatures draw equal links.
    transfers : sequence of Transfer
        What own gold links said of that which was learned elsewhere; empty where there was no such choice.
    """

    name: str
    signature: str
    transfers: Sequence[Transfer] = ()

    @abstractmethod
    def align(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        """The links of two token sequences: (source, target) indices from 0, ascending, each once."""

    def align_all(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of every pair, in order: the same as one by one, faster where the aligner can."""
        return [self.align(*pair) for pair in pairs]

    def explanations(self, source: Sequence[str], target: Sequence[str]) -> list[LinkExplanation]:
        """Why each candidate link is drawn or not, in ascending order; [] of an aligner without reasons."""
        return []

    def reasons(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[str]] | None:
        """What spoke for each of the links that it drew in the pairs, in words; None where it gives none."""
        return None

    def contents(self) -> Contents:
        """What a file holds of it, for `AlignerMethod.restore`. Raises ValueError where there is nothing."""
        raise ValueError(f"The aligner {self.name!r} is not stored in files.")


class SteppedTraining(ABC):
    """A training that is done iteration by iteration, by several processes if need be.

    A state is what there is between two iterations; equal states end at equal aligners. Gold links, if there
    are any, are learned from after the last iteration.
    """

    iterations: int
    """How many there are in all."""

    @abstractmethod
    def start(self) -> Any:
        """The state before the first iteration."""

    @abstractmethod
    def advance(self, state: Any) -> Any:
        """The state after one more iteration; `state.iterations` lists those that are done."""

    @abstractmethod
    def save(self, path: Path, state: Any) -> None:
        """Write a state, exact to the last bit. Raises OSError where it cannot be written."""

    @abstractmethod
    def load(self, path: Path) -> Any:
        """The state that was saved. Raises FileProblem for a file that is none or was damaged."""

    @abstractmethod
    def finish(self, state: Any) -> Aligner:
        """The aligner after the last iteration and, where there are gold links, what it learns from them.

        Raises ValueError where there is nothing to learn from the gold links.
        """

    def without_gold(self, state: Any) -> Aligner:
        """The aligner as it would be without gold links."""
        return self.finish(state)

    def held_out_links(self, state: Any, *, fold: int, size: int) -> dict[int, list[Link]]:
        """The links of the gold pairs of one fold by what is learned from `size` of the others; by number."""
        raise ValueError("This aligner does not learn from gold links.")

    def held_out_aligner(self, state: Any, *, fold: int, size: int) -> Aligner | None:
        """The aligner that drew `held_out_links`; None where there was nothing to learn."""
        raise ValueError("This aligner does not learn from gold links.")


class AlignerMethod(ABC):
    """One way to align words. A new one is a subclass, with one object of it in `registry.ALIGNERS`.

    Attributes
    ----------
    id, label : str
        What is stored and typed; what people read, the paper in it.
    parameters : type of Spec
        All that can be chosen, each with its default.
    version : int
        Raised whenever the same pairs and parameters would make an aligner that draws other links.
    learns_from_pairs : bool
        Whether it is trained on sentence pairs; if not, `train` passes them over.
    learns_from_gold : bool
        Whether it can learn from gold links as well; its parameters then have a `seed`, for the folds.
    trains_when_applied : bool
        Whether it keeps the training text alone and trains again, on that text and the new pairs together,
        whenever it aligns: all pairs should be given at once.
    samples : bool
        Whether two runs on the same text may differ.
    gives_reasons : bool
        Whether its aligners have explanations.
    max_pairs : int or None
        Sentence pairs that a project may give it at once, those trained on and those aligned together.
    suggestion : str
        Label of the choice to have it suggest links in a batch, trained on the batch's pairs; "" for none.
    in_experiments : mapping
        Parameters whose default is another one in experiments, which compare training sets.
    """

    id: str
    label: str
    parameters: ClassVar[type[Spec]]
    version: ClassVar[int] = 1
    learns_from_pairs: ClassVar[bool] = True
    learns_from_gold: ClassVar[bool] = False
    trains_when_applied: ClassVar[bool] = False
    samples: ClassVar[bool] = False
    gives_reasons: ClassVar[bool] = False
    max_pairs: ClassVar[int | None] = None
    suggestion: str = ""
    in_experiments: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    @abstractmethod
    def train(
        self,
        pairs: Sequence[Pair],
        parameters: Spec | None = None,
        *,
        gold: Sequence[LinkedPair] = (),
        progress: Progress | None = None,
    ) -> Aligner:
        """Make an aligner; the same pairs in the same order make the same aligner.

        Parameters
        ----------
        pairs : sequence of pairs of token sequences
            The training text; passed over by a method that does not learn.
        parameters : Spec, optional
            An object of `self.parameters`; its defaults where there is none.
        gold : sequence of LinkedPair
            Gold links to learn from, whose sentences join the training text.
        progress : callable, optional
            Called after each iteration.

        Raises
        ------
        ValueError
            Gold links for a method that cannot learn from them, or that leave nothing to learn; a program
            that is not installed.
        """

    def given(self, other_gold: OtherGold) -> AlignerMethod:
        """The same method with other gold links.

        Own gold links decide what they are worth; the training text holds the sentences of all of them.
        Raises ValueError for a method that has no use for them.
        """
        raise ValueError(f"The aligner {self.id!r} has no use for other gold links; choose best.")

    def install_hint(self) -> str:
        """Which program is missing and what installs it; "" where the method can be used here."""
        return ""

    def is_available(self) -> bool:
        return not self.install_hint()

    def settings_for(self, language: str) -> dict[str, Any]:
        """The parameters that sentences of a language (BCP 47) ask for, where they are not the defaults."""
        return {}

    def suggests_in(self, language: str) -> bool:
        """Whether it is offered to suggest links between sentences of that language."""
        return bool(self.suggestion)

    def without_effect(self, language: str) -> Mapping[str, str]:
        """Parameters that have no effect on that language or in this installation, each with the reason."""
        return MappingProxyType({})

    def iterations(self, parameters: Spec) -> int:
        """How many iterations `begin` would do; 0 where training is a single step, `train`."""
        return 0

    def begin(
        self, pairs: Sequence[Pair], parameters: Spec, *, gold: Sequence[LinkedPair] = ()
    ) -> SteppedTraining:
        """A training in steps, for methods with iterations. The pairs must hold the sentences of the gold."""
        raise ValueError(f"The aligner {self.id!r} is not trained in iterations.")

    def restore(self, numbers: dict[str, NDArray[Any]], description: dict[str, Any]) -> Aligner:
        """The aligner whose `contents` these are; raises ValueError or KeyError for others."""
        raise ValueError(f"The aligner {self.id!r} is not stored in files.")

    def draw_signature(self, links: Sequence[Sequence[Link]]) -> str:
        """What the signature of these links has besides the aligner's; "" where the aligner settles them."""
        return ""

    def refuse_gold(self, gold: Sequence[LinkedPair]) -> None:
        """Raises ValueError for any gold links; called by methods that cannot learn from them."""
        if gold:
            raise ValueError(f"the aligner {self.id!r} does not learn from gold links")
