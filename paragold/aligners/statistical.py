"""The aligners that are trained on sentence pairs alone: IBM Model 1 and the HMM model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from paragold.aligners.cooccurrences import Pair
from paragold.aligners.model_files import content_hash
from paragold.aligners.relations import Relations
from paragold.aligners.symmetrisation import SYMMETRISATIONS, Link, symmetrise
from paragold.aligners.training import train
from paragold.aligners.training_parameters import TrainingParameters
from paragold.aligners.translation_model import Iteration, TranslationModel
from paragold.metrics.links import LinkedPair

VERSION = 3
POSTERIOR = "posterior"
"""Name of the choice to link by the mean posterior of both directions instead of symmetrised paths."""
LINKINGS = (POSTERIOR, *SYMMETRISATIONS)
THRESHOLD = 0.55
PAIRS_AT_ONCE = 1000

Progress = Callable[[Iteration], None]


class StatisticalAligner:
    """A trained model that draws links by posterior or by Viterbi paths of both directions."""

    def __init__(self, name: str, model: TranslationModel, *, linking: str, threshold: float) -> None:
        self.name = name
        self.model = model
        self.linking = linking
        self.threshold = threshold
        way = f"{linking}>{threshold}" if linking == POSTERIOR else linking
        fingerprint = content_hash(*model.contents())[:16]
        self.signature = f"{name}|version:{VERSION}|links:{way}|{model.signature}|model:{fingerprint}"

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        """The links of two token sequences as (source, target) indices from 0, in ascending order."""
        return self.align_all([(source, target)])[0]

    def align_all(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of every pair, in order: the same as one by one, but faster."""
        known: dict[Link, Link] = {}
        return [one_of_each(links, known) for batch in batches(pairs) for links in self._align(batch)]

    def _align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        if self.linking != POSTERIOR:
            return [symmetrise(self.linking, *paths) for paths in self.model.viterbi(pairs)]
        return [
            [(int(i), int(j)) for i, j in zip(*(posteriors.average > self.threshold).nonzero(), strict=True)]
            for posteriors in self.model.posteriors(pairs)
        ]


def one_of_each(links: Sequence[Link], known: dict[Link, Link]) -> list[Link]:
    """The links, equal ones of all sentence pairs as one object in memory; `known` remembers them."""
    return [known.setdefault(link, link) for link in links]


def batches(pairs: Sequence[Pair]) -> Iterable[Sequence[Pair]]:
    """The pairs in portions that fit in memory."""
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        yield pairs[start : start + PAIRS_AT_ONCE]


@dataclass(frozen=True, slots=True)
class StatisticalTrainer:
    """Trains IBM Model 1, or the HMM model after it."""

    name: str
    parameters: TrainingParameters
    linking: str = POSTERIOR
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if self.linking not in LINKINGS:
            raise ValueError(f"no symmetrisation {self.linking!r}; choose one of {', '.join(LINKINGS)}")

    def train(
        self, pairs: Sequence[Pair], *, gold: Sequence[LinkedPair] = (), progress: Progress | None = None
    ) -> StatisticalAligner:
        """The aligner trained on these pairs; see `training.train`. Raises ValueError for gold links."""
        if gold:
            raise ValueError(f"the aligner {self.name!r} does not learn from gold links; 'best' does")
        relations = Relations(None, None, spelling=False)
        model = train(pairs, self.parameters, relations, progress=progress)
        return StatisticalAligner(self.name, model, linking=self.linking, threshold=self.threshold)


def ibm1(*, one_language: bool = True, linking: str = POSTERIOR, lexicon: bool = False) -> StatisticalTrainer:
    """IBM Model 1 with five iterations."""
    return StatisticalTrainer(
        "ibm1",
        TrainingParameters(hmm_iterations=0, one_language=one_language, lexicon=lexicon),
        linking,
    )


def hmm(*, one_language: bool = True, linking: str = POSTERIOR, lexicon: bool = False) -> StatisticalTrainer:
    """The HMM model: five iterations after five of IBM Model 1."""
    return StatisticalTrainer("hmm", TrainingParameters(one_language=one_language, lexicon=lexicon), linking)
