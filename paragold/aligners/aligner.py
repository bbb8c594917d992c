"""What a word aligner is: an estimator whose parameters are the fields of its Spec (table in `registry`).

This module and those of the aligners load no numerical library: pages list the aligners without any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import index
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from paragold.aligners.evidence_sources import source_of
from paragold.estimator import Estimator
from paragold.metrics.links import Link, LinkedPair, Links, check_pairs
from paragold.packages import check_tables
from paragold.registry import Plugin, PluginError
from paragold.spec import Spec
from paragold.tables import Pairs, ids_of, linked_pairs, links_table, table, words_of

if TYPE_CHECKING:
    from pandas import DataFrame

    from paragold.arrays import Array

Pair = tuple[Sequence[str], Sequence[str]]
"""The tokens of a source and of a target sentence."""
Contents = tuple["dict[str, Array]", dict[str, Any]]
"""The numbers of an aligner by name, and all the rest as JSON can hold it."""
Gold = Sequence[LinkedPair]
"""Gold links to learn from."""
OtherGold = Mapping[str, Gold]
"""Gold links of other sets by name, perhaps of another convention."""
NO_OTHER_GOLD: OtherGold = MappingProxyType({})
PAIRS_AT_ONCE = 1000


def texts_of(gold: Iterable[LinkedPair]) -> list[Pair]:
    """The sentences of gold links."""
    return [pair.tokens for pair in gold]


Progress = Callable[[Mapping[str, Any]], None]
"""What a training calls after each iteration, with a mapping as in `translation_model.State.iterations`."""
Reason = tuple[str, float, float]
"""One piece of evidence for a link: its name, its value, and what it adds to the log-odds of the link."""


class LinkExplanation(NamedTuple):
    """Why a link was drawn or not.

    probability: of the classifier of links; without one the mean of both directions' posteriors. threshold:
    the probability from which on the link is drawn, None where more than that decides. start: the log-odds
    that every candidate starts from, None where nothing was learned from gold links. reasons: the weightiest
    first; their contributions are 0 where nothing was learned. rule: what decided.
    """

    link: Link
    drawn: bool
    probability: float
    threshold: float | None
    start: float | None
    reasons: list[Reason]
    rule: str

    @property
    def sources(self) -> list[tuple[str, float]]:
        """What each source of evidence adds to the log-odds, the weightiest first; [] without gold links."""
        sums: dict[str, float] = {}
        for name, _, contribution in self.reasons if self.start is not None else ():
            source = source_of(name)
            sums[source] = sums.get(source, 0.0) + contribution
        return sorted(sums.items(), key=lambda source: -abs(source[1]))

    @property
    def weighty(self) -> list[Reason]:
        """The reasons that add something, or where nothing was learned all of them."""
        return [reason for reason in self.reasons if reason[2]] or self.reasons


Transfer = Mapping[str, Any]
"""What cross-validation on the own pairs said of something that was learned elsewhere, as it is stored.

`gold` names the other gold links, which are decided on one after another; "" is the starting point. `helps`:
whether it is used; if not, the links are predicted better without it. `variance`: of the prior; 0 where the
weights stay as they are, None where it is left out. `pairs`: the own pairs that it was decided on. `aer`: on
them, out of fold, from 0 to 1, with what was learned elsewhere; `aer_alone`: without it, that is with the own
pairs and what was found to help before. Of the starting point also `links`: how many links between different
words (a POSSIBLE one counts half) the own gold has for each that the starting point draws, and `to_several`:
the share of the own links that tie a word which has another link; None where there are too few to tell.
"""
OTHER_LINKS, OTHER_TO_SEVERAL = 2.0, 0.22
"""From these values on gold links are of another convention: MTRef has 2.4 and 0.38 (its dev part 1.7 and
0.26), other sets at most 1.8 and 0.17 (docs/aligners.md). Half of a link is as far apart as two."""


def transfer_in_words(transfer: Transfer) -> str:
    gold = f", gold links of {transfer['gold']}" if transfer.get("gold") else ""
    return (
        f"Learned elsewhere{gold}: {'helps' if transfer['helps'] else 'left out'} "
        f"(AER {100 * transfer['aer']:.1f} % with it, {100 * transfer['aer_alone']:.1f} % without, "
        f"cross-validated on {transfer['pairs']} own pairs){_other_convention(transfer)}"
    )


def _other_convention(transfer: Transfer) -> str:
    """What is said where the gold links were drawn by other rules than the starting point; else ""."""
    links, several = transfer.get("links"), transfer.get("to_several")
    if links is None or several is None:
        return ""
    if 1 / OTHER_LINKS < links < OTHER_LINKS and several < OTHER_TO_SEVERAL:
        return ""
    return (
        f". This gold is of another convention: {links:.1f} links between different words for each that the "
        f"starting point draws, and {100 * several:.0f} % of its links tie one word to several. If it is not "
        "this project's own, give it as other gold links beside own ones"
    )


@dataclass(frozen=True, slots=True)
class TrainingParameters:
    """How a translation model is trained; all are parts of its signature."""

    ibm1_iterations: int = 5
    hmm_iterations: int = 5
    one_language: bool = True
    """Both directions share one translation table and one jump table, and words translate as themselves."""
    identical: float = 20.0
    """Pseudo-counts of t(w | w); the following are those of words so related, see relations.KINDS."""
    stem: float = 0.0
    lemma: float = 0.0
    derivation: float = 0.0
    synonym: float = 0.0
    hypernym: float = 0.0
    spelling: float = 0.0
    """Pseudo-count of words spelled alike, times (similarity - 0.5) / 0.5."""
    null: float = 0.1
    """The minimum probability of the null word."""
    null_excess: float = 0.0
    """Weight from 0 to 1 of the share of words that must be null where the generated side is longer."""
    uniform: float = 0.2
    """Weight of even jump probabilities (Och & Ney 2003, equation 15)."""
    lexicon: bool = False
    """Whether a pair of one word and itself is added for each word (the papers' lexicon)."""
    prune: float = 1e-5
    """States of the HMM with less than this share are passed over; 0 is exact."""

    @property
    def by_relation(self) -> tuple[float, ...]:
        """Pseudo-counts by the number of a relation, see relations.KINDS."""
        return (0, self.identical, self.stem, self.lemma, self.derivation, self.synonym, self.hypernym)

    @property
    def signature(self) -> str:
        return ",".join(f"{name}={value}" for name, value in asdict(self).items())


KIND = "paragold aligner"


class Aligner(Estimator):
    """Draws word links between two tokenised sentences.

    A new one is a subclass, with one object of it in `registry.ALIGNERS`; it has `draw` and, if it learns,
    `learn`, and to be stored in files `contents` and `restore`. It is made of an object of `self.parameters`
    or of the values of its fields, which raise SpecError; what is left out has its default.

    id, label: what is stored and typed; what people read, the paper in it.
    parameters: the Spec of all that can be chosen, each with its default.
    version: raised whenever the same pairs and parameters would make an aligner that draws other links.
    learns_from_pairs: whether it is trained on sentence pairs; if not, it aligns without `fit`.
    learns_from_gold: whether it learns from gold links too; its parameters then have a `seed`, for the folds.
    trains_when_applied: whether it keeps the training text alone and trains again, on that text and the new
        pairs together, whenever it aligns: all pairs should be given at once.
    gives_reasons: whether it has explanations.
    max_pairs: sentence pairs that a project may give it at once, those trained on and those aligned together.
    suggestion: label of the choice to have it suggest links in a batch, trained on the batch's pairs, or "".
    in_experiments: parameters whose default is another one in experiments, which compare training sets.
    plugin: the plug-in that it comes from; its links are checked.
    transfers: what own gold links said of that which was learned elsewhere; empty without such a choice.
    """

    id: str
    label: str
    parameters: ClassVar[type[Spec]] = Spec
    version: ClassVar[int] = 1
    learns_from_pairs: ClassVar[bool] = True
    learns_from_gold: ClassVar[bool] = False
    trains_when_applied: ClassVar[bool] = False
    gives_reasons: ClassVar[bool] = False
    max_pairs: ClassVar[int | None] = None
    suggestion: str = ""
    in_experiments: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    plugin: Plugin | None = None
    transfers: Sequence[Transfer] = ()

    def settings(self) -> dict[str, Any]:
        """Its id, as `aligner`, and every parameter as JSON: what `registry.aligner_of` takes."""
        return {"aligner": self.id, **self.spec.as_json()}

    def fit(
        self,
        pairs: Pairs = (),
        *,
        gold: DataFrame | Gold = (),
        other_gold: OtherGold = NO_OTHER_GOLD,
        progress: Progress | None = None,
    ) -> Self:
        """Learn; the same pairs in the same order make it draw the same links.

        Parameters
        ----------
        pairs : table or sequence of (source, target)
            The training text, which the sentences of `gold` join: lists of words, or a table as `words_of`
            takes it.
        gold : table of links or sequence of LinkedPair
        other_gold : mapping
            Gold links of others: own ones decide what they are worth, and `pairs` must hold their sentences.
        progress : callable, optional
            Called after each iteration.

        Raises
        ------
        TypeError
            A sentence is a text where a list of words is expected.
        ValueError
            Gold links that an aligner cannot learn from or that leave nothing to learn; a program that is not
            installed.
        """
        text = words_of(pairs)
        gold = linked_pairs(gold)
        self.check_gold(gold, other_gold)
        self.learn(text, gold, other_gold, progress)
        return self

    def predict(self, pairs: Pairs) -> DataFrame:
        """The links of each pair as a table like that of `read_links`; all are `sure`.

        Raises TypeError as `fit`, and ValueError before `fit` where the aligner learns from pairs.
        """
        check_tables()
        words = words_of(pairs)
        drawn = zip(ids_of(pairs, len(words)), words, self.align_all(words), strict=True)
        rows = (
            LinkedPair(key, tuple(source), tuple(target), Links.of(links))
            for key, (source, target), links in drawn
        )
        return links_table(rows, self.signature)

    def explain(self, source: Sequence[str], target: Sequence[str]) -> DataFrame:
        """Why each candidate link of a pair is drawn or not: a row for each reason.

        Columns are `source` and `target` (indices from 0), `drawn`, `probability`, `reason`, its `value` and
        what it `adds`. It has no row for an aligner without reasons.
        """
        rows = (
            (*one.link, one.drawn, one.probability, *reason)
            for one in self.explanations(source, target)
            for reason in one.reasons
        )
        names = ("source", "target", "drawn", "probability", "reason", "value", "adds")
        return table(rows, names, self.signature)

    def check_gold(self, gold: Gold, other_gold: OtherGold = NO_OTHER_GOLD) -> None:
        """Raises ValueError for gold links that it cannot learn from."""
        if gold and not self.learns_from_gold:
            raise ValueError(f"the aligner {self.id!r} does not learn from gold links")
        if other_gold and not self.learns_from_gold:
            raise ValueError(f"The aligner {self.id!r} has no use for other gold links; choose best.")

    def learn(
        self, pairs: Sequence[Pair], gold: Gold, other_gold: OtherGold, progress: Progress | None
    ) -> None:
        """What `fit` does with checked arguments."""

    def draw(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """What `align_all` gives, once its arguments are checked."""
        raise NotImplementedError

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        """The links of two token sequences: (source, target) indices from 0, ascending, each once."""
        return self.align_all([(source, target)])[0]

    def align_all(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of every pair, in order: the same as one by one, but faster.

        Raises PluginError for links of a plug-in that must not be.
        """
        check_pairs(pairs)
        drawn = self.draw(pairs)
        return drawn if self.plugin is None else self._checked(pairs, drawn, self.plugin)

    def _checked(self, pairs: Sequence[Pair], drawn: Any, plugin: Plugin) -> list[list[Link]]:
        """The links as tuples of whole numbers."""

        def wrong(what: str) -> PluginError:
            return PluginError(plugin.failure(f"the aligner {self.id} gave {what}"))

        if not isinstance(drawn, list) or len(drawn) != len(pairs):
            raise wrong(f"{len(list(drawn))} lists of links for {len(pairs)} pairs")
        checked: list[list[Link]] = []
        for (source, target), links in zip(pairs, drawn, strict=True):
            try:
                own = [(index(i), index(j)) for i, j in links]
            except (TypeError, ValueError):
                raise wrong("links that are no pairs of token indices") from None
            inside = all(0 <= i < len(source) and 0 <= j < len(target) for i, j in own)
            if not inside or own != sorted(set(own)):
                raise wrong("links outside the sentences, out of order or twice")
            checked.append(own)
        return checked

    @property
    def signature(self) -> str:
        """Aligner, version, parameters and what was learned: equal signatures draw equal links."""
        own = self.own_signature()
        return f"{own}|{self.plugin.signature}" if self.plugin else own

    def own_signature(self) -> str:
        """The signature without the plug-in that it comes from."""
        return f"{self.id}|version:{self.version}|{self.spec.signature()}"

    def explanations(self, source: Sequence[str], target: Sequence[str]) -> list[LinkExplanation]:
        """Why each candidate link is drawn or not, in ascending order; [] of an aligner without reasons."""
        return []

    def reasons(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[str]] | None:
        """What spoke for each of the links that it drew in the pairs, in words; None where it gives none."""
        return None

    def contents(self) -> Contents:
        """What a file holds of it, for `restore`. Raises ValueError for an aligner without files."""
        raise ValueError(f"The aligner {self.id!r} is not stored in files.")

    def restore(self, numbers: dict[str, Array], description: dict[str, Any]) -> None:
        """Take up what `contents` gave; raises ValueError or KeyError for anything else."""
        raise ValueError(f"The aligner {self.id!r} is not stored in files.")

    def save(self, path: str | Path) -> str:
        """Write a file of numbers and JSON, for `registry.load_aligner`; returns the SHA-256 of its content.

        Raises OSError where it cannot be written.
        """
        from paragold.formats.model_files import save

        numbers, description = self.contents()
        own = {"kind": KIND, "aligner": self.id, "version": self.version, "spec": self.spec.as_json()}
        return save(Path(path), numbers, description | own)

    def install_hint(self) -> str:
        """Which program is missing and what installs it; "" where the aligner can be used here."""
        return ""

    def is_available(self) -> bool:
        return not self.install_hint()

    def settings_for(self, language: str, second_language: str = "") -> dict[str, Any]:
        """The parameters that sentences of a language (BCP 47) ask for, where they are not the defaults.

        second_language: that of the second sentences, where it is another one; so for the following, too.
        """
        return {}

    def suggests_in(self, language: str, second_language: str = "") -> bool:
        """Whether it is offered to suggest links between sentences of that language."""
        return bool(self.suggestion)

    def without_effect(self, language: str, second_language: str = "") -> Mapping[str, str]:
        """Parameters that have no effect on that language or in this installation, each with the reason."""
        return MappingProxyType({})

    def doubts(self, language: str, second_language: str = "") -> Mapping[str, str]:
        """Parameters whose worth on that language is not known, each with a sentence."""
        return MappingProxyType({})

    @property
    def iterations(self) -> int:
        """How many iterations `begin` would do; 0 where training is a single step, `fit`."""
        return 0

    def begin(self, pairs: Sequence[Pair], *, gold: Gold = (), other_gold: OtherGold = NO_OTHER_GOLD) -> Any:
        """A training in steps, a `training.Training`, for aligners with iterations.

        The pairs must hold the sentences of the gold links.
        """
        raise ValueError(f"The aligner {self.id!r} is not trained in iterations.")

    def draw_signature(self, links: Sequence[Sequence[Link]]) -> str:
        """What the signature of these links has besides the aligner's; "" where the aligner settles them."""
        return ""
