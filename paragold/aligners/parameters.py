"""What decides the training of a translation model besides its text."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace


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

    def without_identical_words(self) -> TrainingParameters:
        """The same, nothing being known of words that are equal."""
        return replace(self, identical=0.0, lexicon=False)
