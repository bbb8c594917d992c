"""Who judges well: competence of annotators and a posterior for the label of each item, without gold.

Two models of how labels come about, both fitted by expectation maximisation from the shares of the votes:

- `dawid_skene` (Dawid & Skene 1979): each annotator has a confusion matrix, the probability of each given
  label for each true one; labels have probabilities of their own.
- `mace` (Hovy et al. 2013): an annotator knows the true label with some probability and else guesses by a
  preference of the annotator's own; true labels are equally frequent. Variational Bayes with the paper's
  priors.

Items that were labelled alike are interchangeable, so both work on kinds of items and how often each occurs.
Intervals are a percentile bootstrap over items: the model is fitted again to each draw, beginning with the
fit to all items. Many draws are fitted at once: arrays begin with an axis of draws.

Both models only compare annotators with each other. They assume that errors of different annotators are
independent given the true label, and that most annotators are better than chance. What the judgements cannot
show is given as a reason in place of a figure (`unknown_because`).

SciPy is imported where it is needed: web pages import this file, and seldom fit anything.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np

from paragold.arrays import Flags, Floats, Integers
from paragold.metrics.label_agreement import estimate
from paragold.statistics import LEVEL, percentile_interval, resampled_frequencies

AnnotatorT = TypeVar("AnnotatorT", bound=Hashable)
Model = Literal["dawid_skene", "mace"]
MODELS: dict[Model, str] = {"dawid_skene": "Dawid & Skene", "mace": "MACE"}
FIGURES = ("accuracy", "balanced", "knowing")
VERSION = 1
SEED = 1
RESAMPLES = 200
FEWEST_SHARED = 30
"""Items that three annotators labelled, below which nothing is said of anybody."""
SMOOTHING = 0.1
"""Judgements added to each cell of a confusion matrix, so that no error is impossible."""
GUESSING_PRIOR, PREFERENCE_PRIOR = 0.5, 10.0
"""Hovy et al. (2013), section 4: of the Beta and the Dirichlet distribution."""
ITERATIONS = 2_000
TOLERANCE = 1e-6
DRAW_ITERATIONS, TEST_ITERATIONS, DRAW_TOLERANCE = 100, 300, 1e-3
_CELLS_AT_ONCE = 2_000_000
DEPENDENT = 0.01
"""Below this p the labels of an annotator depend on the true ones."""
TWO_ANNOTATORS = (
    "No annotator shares items with two others. Where two differ, either may be wrong: their labels cannot "
    "say who judges better, nor how many labels on which they agree are wrong. A third annotator shows it."
)
THIRD_GUESSES = (
    "Fewer than three annotators give labels that go together with those of others more than by chance. As "
    "with two annotators, the labels cannot say who judges better."
)
FEW_ITEMS = (
    f"{{}} items have labels of three annotators who do not guess; at least {FEWEST_SHARED} are needed."
)
APART = "Shares no item with the annotators whose competence is known."


@dataclass(frozen=True, slots=True)
class Votes:
    """Items by how they were labelled.

    given: (kinds, annotators, labels), 1 where an annotator gave a label. frequencies: (kinds,), how many
    items are of a kind. kind_of: (items,), the kind of each item.
    """

    annotators: tuple[Any, ...]
    labels: tuple[str, ...]
    given: Integers
    frequencies: Integers
    kind_of: Integers


def votes_of(
    judgements: Sequence[Mapping[AnnotatorT, str | None]], labels: Sequence[str], of: Integers | None = None
) -> Votes:
    """The kinds of items; None is a missing label. `of`: which of `judgements`, all of which occur, an item
    has; each is that of an item without it.

    Raises ValueError for a label that is not among `labels`.
    """
    place = {label: index for index, label in enumerate(labels)}
    given = [tuple(answers.items()) for answers in judgements]
    people = sorted({person for kind in set(given) for person, _ in kind}, key=str)
    patterns: dict[tuple[tuple[AnnotatorT, str | None], ...], tuple[int, ...]] = {}
    for kind in set(given):
        answers = dict(kind)
        if unknown := {label for label in answers.values() if label is not None} - place.keys():
            raise ValueError(f"{min(unknown)!r} is not among the labels {', '.join(labels)}")
        patterns[kind] = tuple(place.get(answers.get(person) or "", -1) for person in people)
    kinds = sorted(set(patterns.values()))
    number = {kind: index for index, kind in enumerate(kinds)}
    kind_of = np.array([number[patterns[kind]] for kind in given], dtype=np.int64)
    if of is not None:
        kind_of = kind_of[of]
    codes = np.array(kinds, dtype=np.int64).reshape(len(kinds), len(people))
    return Votes(
        annotators=tuple(people),
        labels=tuple(labels),
        given=(codes[:, :, None] == np.arange(len(labels))).astype(np.int64),
        frequencies=np.bincount(kind_of, minlength=len(kinds)),
        kind_of=kind_of,
    )


@dataclass(frozen=True, slots=True)
class _State:
    """Parameters by draw: prior (draws, labels); confusion (draws, annotators, true labels, given labels);
    of MACE also knowing (draws, annotators) and preference (draws, annotators, labels), which need not add up
    to 1, and competence, the former as a probability."""

    prior: Floats
    confusion: Floats
    knowing: Floats
    preference: Floats
    competence: Floats


@dataclass(frozen=True, slots=True)
class Fit:
    """A model fitted to judgements.

    posterior: (items, labels), the probability that an item's true label is this one; it means something
    where `known_items`. unknown_because: by annotator, why the judgements cannot show the annotator's
    competence.
    """

    model: Model
    votes: Votes
    posterior: Floats
    unknown_because: dict[Any, str]
    converged: bool
    smoothing: float
    state: _State

    @property
    def identified(self) -> bool:
        return len(self.unknown_because) < len(self.votes.annotators)

    @property
    def signature(self) -> str:
        return (
            f"competence|model:{self.model}|smoothing:{self.smoothing}|version:{VERSION}"
            f"|bootstrap:items,percentile,{RESAMPLES},{LEVEL}%,pcg64|seed:{SEED}"
        )

    @property
    def known_items(self) -> Flags:
        """Which items nobody labelled whose competence is unknown, (items,)."""
        unknown = [person in self.unknown_because for person in self.votes.annotators]
        return np.asarray(~self.votes.given[:, unknown].any(axis=(1, 2)))[self.votes.kind_of]

    def label_of(self, item: int) -> tuple[str, float]:
        """The most probable label of an item, the first of several, and its probability."""
        place = int(self.posterior[item].argmax())
        return self.votes.labels[place], float(self.posterior[item, place])


def fit(
    judgements: Sequence[Mapping[AnnotatorT, str | None]],
    labels: Sequence[str],
    model: Model = "dawid_skene",
    *,
    of: Integers | None = None,
    smoothing: float = SMOOTHING,
) -> Fit:
    """Fit a model to all judgements.

    Parameters
    ----------
    judgements : sequence of mappings
        For each item the label that each annotator gave; None for none.
    labels : sequence of str
        All labels, two or more.
    model : str
        "dawid_skene" or "mace".
    of : array of int, optional
        Which of `judgements`, all of which occur, each item has; without it each is that of an item.
    smoothing : float
        Of Dawid & Skene, see SMOOTHING; 0 for maximum likelihood.

    References
    ----------
    Dawid & Skene (1979), "Maximum likelihood estimation of observer error-rates using the EM algorithm".
    Hovy, Berg-Kirkpatrick, Vaswani & Hovy (2013), "Learning whom to trust with MACE".
    """
    votes = votes_of(judgements, labels, of)
    step = partial(_step, model, smoothing)
    weights = votes.frequencies[None, :].astype(np.float64)
    first = _first(votes, weights, step)
    state, posterior, converged = _iterate(votes, weights, first, step, ITERATIONS, TOLERANCE)
    return Fit(
        model=model,
        votes=votes,
        posterior=posterior[0][votes.kind_of],
        unknown_because=unknown_because(votes),
        converged=converged,
        smoothing=smoothing,
        state=state,
    )


def _joint(votes: Votes, state: _State) -> Floats:
    """The log-probability of a kind of items with each true label, (draws, kinds, labels)."""
    draws, people, labels = state.confusion.shape[:3]
    likelihood = np.log(np.maximum(state.confusion, 1e-300)).transpose(0, 1, 3, 2)
    flat = votes.given.reshape(len(votes.given), people * labels)
    joint: Floats = np.matmul(flat, likelihood.reshape(draws, people * labels, labels), dtype=np.float64)
    return joint + np.log(np.maximum(state.prior, 1e-300))[:, None, :]


def _posterior(votes: Votes, state: _State) -> Floats:
    """The probability of each true label of each kind of item, (draws, kinds, labels)."""
    from scipy.special import logsumexp

    joint = _joint(votes, state)
    posterior: Floats = np.exp(joint - logsumexp(joint, axis=2, keepdims=True))
    return posterior


def _step(
    model: Model, smoothing: float, votes: Votes, weights: Floats, posterior: Floats, knowing: Floats,
    preference: Floats,
) -> _State:  # fmt: skip
    """The parameters that fit the posteriors best; knowing and preference are those before it."""
    from scipy.special import digamma

    kinds, people, labels = votes.given.shape
    weighted = weights[:, :, None] * posterior
    together = weighted.transpose(0, 2, 1) @ votes.given.reshape(kinds, people * labels)
    expected = together.reshape(len(weights), labels, people, labels).transpose(0, 2, 1, 3)
    if model == "dawid_skene":
        confusion = expected + max(smoothing, 1e-12)
        prior = weighted.sum(axis=1) + 1e-12
        return _State(
            prior=prior / prior.sum(axis=1, keepdims=True),
            confusion=confusion / confusion.sum(axis=3, keepdims=True),
            knowing=knowing,
            preference=preference,
            competence=np.full(expected.shape[:2], np.nan),
        )
    right = np.diagonal(expected, axis1=2, axis2=3)
    known = right * knowing[..., None] / (knowing[..., None] + preference)
    guessed = expected.sum(axis=2) - known
    knows, guesses = known.sum(axis=2), guessed.sum(axis=2)
    all_of = digamma(knows + guesses + 2 * GUESSING_PRIOR)
    knowing = np.exp(digamma(knows + GUESSING_PRIOR) - all_of)
    guessing = np.exp(digamma(guesses + GUESSING_PRIOR) - all_of)
    by_label = guessed + PREFERENCE_PRIOR
    preference = np.exp(digamma(by_label) - digamma(by_label.sum(axis=2, keepdims=True)))
    # A preference here is that of an annotator who guesses, times the probability of guessing.
    preference = guessing[..., None] * preference
    confusion = preference[:, :, None, :] + knowing[..., None, None] * np.eye(labels)
    equal = np.full((len(weights), labels), 1 / labels)
    return _State(equal, confusion, knowing, preference, knowing / (knowing + guessing))


def _first(votes: Votes, weights: Floats, step: Any) -> _State:
    """The parameters that fit the shares of the votes."""
    _, people, labels = votes.given.shape
    counts = votes.given.sum(axis=1) + 1e-3
    shares = np.repeat((counts / counts.sum(axis=1, keepdims=True))[None], len(weights), axis=0)
    knowing = np.full((len(weights), people), 0.5)
    preference = np.full((len(weights), people, labels), 0.5 / labels)
    state: _State = step(votes, weights, shares, knowing, preference)
    return state


def _iterate(
    votes: Votes, weights: Floats, state: _State, step: Any, iterations: int, tolerance: float
) -> tuple[_State, Floats, bool]:
    """The parameters and posteriors at which the posteriors stop changing, and whether they did."""
    posterior = _posterior(votes, state)
    for _ in range(iterations):
        state = step(votes, weights, posterior, state.knowing, state.preference)
        before, posterior = posterior, _posterior(votes, state)
        if np.abs(posterior - before).max(initial=0) < tolerance:
            return state, posterior, True
    return state, posterior, False


def _figures(state: _State) -> Floats:
    """By draw and annotator: FIGURES, then the rows of the confusion matrix one after the other."""
    rows = state.confusion / state.confusion.sum(axis=3, keepdims=True)
    right = np.diagonal(rows, axis1=2, axis2=3)
    figures = (right * state.prior[:, None, :]).sum(axis=2), right.mean(axis=2), state.competence
    return np.concatenate(
        [np.stack(figures, axis=2), rows.reshape(*right.shape[:2], right.shape[2] ** 2)], axis=2
    )


def unknown_because(votes: Votes) -> dict[Any, str]:
    """By annotator, why the judgements cannot show the competence; those of whom they can are left out.

    The parameters follow from items that three annotators labelled whose labels depend on the true one:
    labels of two leave the shares of the true labels open. Whoever shares items with a known annotator is
    known too.
    """
    answered = votes.given.sum(axis=2)
    together = (answered * votes.frequencies[:, None]).T @ answered > 0
    np.fill_diagonal(together, False)
    if (together.sum(axis=1) < 2).all():
        return dict.fromkeys(votes.annotators, TWO_ANNOTATORS)
    informative = _informative(votes)
    if informative.sum() < 3:
        return dict.fromkeys(votes.annotators, THIRD_GUESSES)
    often = answered[:, informative].sum(axis=1) >= 3
    items = int(votes.frequencies[often].sum())
    if items < FEWEST_SHARED:
        return dict.fromkeys(votes.annotators, FEW_ITEMS.format(items))
    known = informative & answered[often].any(axis=0)
    for _ in votes.annotators:
        known = known | together[:, known].any(axis=1)
    return {person: APART for person, is_known in zip(votes.annotators, known, strict=True) if not is_known}


def _informative(votes: Votes) -> Flags:
    """Of which annotators the labels depend on the true label: Dawid & Skene's model fits worse without.

    A likelihood-ratio test for each annotator; all their models are fitted at once, the last is that of all.
    It holds as well where a third judgement was asked for because the first two differ.
    """
    from scipy.special import logsumexp
    from scipy.stats import chi2

    people, labels = votes.given.shape[1:]
    each = range(people)
    of_label = (votes.given * votes.frequencies[:, None, None]).sum(axis=0) + SMOOTHING
    of_label = of_label / of_label.sum(axis=1, keepdims=True)

    def step(*given: Any) -> _State:
        state = _step("dawid_skene", SMOOTHING, *given)
        state.confusion[each, each] = of_label[:, None, :]
        return state

    weights = np.repeat(votes.frequencies[None, :].astype(np.float64), people + 1, axis=0)
    state, _, _ = _iterate(
        votes, weights, _first(votes, weights, step), step, TEST_ITERATIONS, DRAW_TOLERANCE
    )
    fits = (logsumexp(_joint(votes, state), axis=2) * weights).sum(axis=1)
    freedom = (labels - 1) ** 2
    return np.asarray(chi2.sf(2 * (fits[-1] - fits[:-1]), freedom) < DEPENDENT)


def competence_tables(
    fitted: Fit, *, seed: int = SEED, resamples: int = RESAMPLES
) -> dict[str, list[dict[str, Any]]]:
    """Competence and bias of each annotator, with 95 % intervals.

    `annotators`: `items` labelled; `accuracy`, the expected share of right labels; `balanced`, the same over
    equally frequent true labels, 1 / labels for who always says the same; `knowing` (MACE). Of an annotator
    of whom nothing is known they are undefined, with the reason. `bias`: for each known annotator and true
    label the `share` of each given label.
    """
    votes = fitted.votes
    labelled = (votes.given.sum(axis=2) * votes.frequencies[:, None]).sum(axis=0)
    values, drawn = _figures(fitted.state)[0], _drawn(fitted, seed, resamples)
    cells = [(true, given) for true in votes.labels for given in votes.labels]
    annotators: list[dict[str, Any]] = []
    bias: list[dict[str, Any]] = []
    for place, person in enumerate(votes.annotators):
        items, reason = int(labelled[place]), fitted.unknown_because.get(person, "")
        figures = [
            estimate(None, items, reason)
            if reason or np.isnan(value)
            else estimate(float(value), items, "", *interval)
            for value, interval in zip(values[place], _intervals(drawn[:, place]), strict=True)
        ]
        of_annotator = dict(zip(FIGURES, figures, strict=False))
        annotators.append({"annotator": person, "items": items, **of_annotator})
        if not reason:
            bias += [
                {"annotator": person, "true": true, "given": given, "share": share}
                for (true, given), share in zip(cells, figures[len(FIGURES) :], strict=True)
            ]
    return {"annotators": annotators, "bias": bias}


def _intervals(draws: Floats) -> list[tuple[float | None, float | None]]:
    return [percentile_interval(figure) or (None, None) for figure in draws.T]


def _drawn(fitted: Fit, seed: int, resamples: int) -> Floats:
    """`_figures` of each bootstrap draw of the items."""
    votes = fitted.votes
    if resamples < 1 or not fitted.identified:
        return _figures(fitted.state)[:0]
    weights = resampled_frequencies(votes.frequencies, seed=seed, resamples=resamples).astype(np.float64)
    step = partial(_step, fitted.model, fitted.smoothing)
    parts = []
    block = max(1, _CELLS_AT_ONCE // votes.given.size)
    for begin in range(0, resamples, block):
        part = weights[begin : begin + block]
        arrays = (getattr(fitted.state, name) for name in _State.__slots__)
        start = _State(*(np.repeat(array, len(part), axis=0) for array in arrays))
        parts.append(_figures(_iterate(votes, part, start, step, DRAW_ITERATIONS, DRAW_TOLERANCE)[0]))
    return np.concatenate(parts)
