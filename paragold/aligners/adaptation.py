"""Learning from own gold links with a prior: the starting point, or what other people's gold links teach.

The starting point is a link classifier that was learned elsewhere; its file is made by
scripts/starting_point.py from the word links of public data sets, none of which it holds. Its weights are the
mean of a Gaussian prior. The variance is chosen by cross-validation on the own pairs, and so is whether it is
used at all: other people link by other rules.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from paragold.aligners.aligner import Transfer
from paragold.aligners.evidence import NAMES, Evidence
from paragold.aligners.link_classifier import (
    FEATURES,
    STRENGTH,
    Fitting,
    LinkClassifier,
    Thresholds,
    fit,
    mean_of,
)
from paragold.arrays import Floats
from paragold.metrics.links import Links
from paragold.problems import FileProblem, located

FILE = Path(__file__).with_name("starting_point_english.json")
WITH_ENCODER = Path(__file__).with_name("starting_point_minilm.json")
KIND = "paragold starting point"


def signature_of(content: Mapping[str, Any]) -> str:
    """The beginning of a SHA-256 over the content of a file."""
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def loads(text: str) -> tuple[LinkClassifier, dict[str, Any]]:
    """What scripts/starting_point.py wrote: a classifier, and all that is in the file.

    That is its `signature` and, in `sources`, of each data set learned from: name, pairs, SURE and POSSIBLE
    links, files with their SHA-256. Raises FileProblem for anything else or a changed text.
    """
    try:
        content = json.loads(text)
        without_signature = {name: value for name, value in content.items() if name != "signature"}
        changed = content["kind"] != KIND or content["signature"] != signature_of(without_signature)
    except (ValueError, KeyError, AttributeError, TypeError):
        changed = True
    remedy = "Restore the file, or make it again with scripts/starting_point.py."
    if changed:
        raise FileProblem("It is not a starting point, or it was changed.", remedy)
    features = content["features"]
    if not set(features) <= set(FEATURES):
        raise FileProblem("It was trained on another set of link features.", remedy)
    numbers = {
        name: np.array([np.inf if value is None else value for value in values])
        for name, values in content["numbers"].items()
    }
    # Features that it was not trained on, such as those of an encoder, have no weight.
    for stage, known in (("first", NAMES), ("second", FEATURES)):
        places = [known.index(name) for name in features if name in known]
        for part, absent in (("mean", 0.0), ("scale", np.inf), ("weights", 0.0)):
            values = np.full(len(known), absent)
            values[places] = numbers[f"{stage}_{part}"]
            numbers[f"{stage}_{part}"] = values
    return LinkClassifier.of_numbers(numbers), content


def english(encoder: str = "") -> tuple[LinkClassifier, dict[str, Any]]:
    """The one that comes with Paragold for this encoder, by its signature; without one for all others.

    Raises FileProblem when a file is missing or was changed.
    """
    with_encoder = _read(WITH_ENCODER) if encoder else None
    if with_encoder and with_encoder[1]["parameters"]["encoder"] == encoder:
        return with_encoder
    return _read(FILE)


@cache
def _read(path: Path) -> tuple[LinkClassifier, dict[str, Any]]:
    with located(file=str(path)):
        try:
            return loads(path.read_text("utf-8"))
        except OSError as error:
            raise FileProblem(f"It cannot be read ({error.strerror}).", "Restore it.") from error


STRENGTHS = (0.0005, 0.002, 0.005, 0.02)
"""Variances of the prior, in standard deviations of the features; the lower, the closer to its mean."""
MAX_PAIRS = 200
"""Own pairs that the choice is made on; the weights are then learned from all."""
ENOUGH_PAIRS, WEAK = 100, 0.2
"""Own pairs from which on the lowest loss decides; and a variance that is tried then, too. With fewer the
weights are a mean, see `_averaged`."""
DECIDING_PAIRS = 20
"""With fewer own pairs other gold links are left out: they are too few to decide."""
TELLING_LINKS = 30
"""Links between different words from which on a convention is spoken of."""
SHARES = (1.0, 0.7, 0.4, 0.2, 0.0)
"""Of the starting point in a mean of weights; with DECIDING_PAIRS own pairs not the whole."""
ERRORS = 1.5
"""Standard errors by which a loss must be higher to count as higher."""
LEARNED: Thresholds = (0.4, 0.55)
"""The thresholds of what few own pairs teach: fewer than say which ones are best."""
_DRAWS = 1_000
_MAX_LOSS = 9.0


GoldEvidence = tuple[str, Sequence[Evidence], Sequence[Links]]
"""The name of a set, the candidate links of each of its pairs, and their gold links."""


class Priors:
    """Classifiers that were learned elsewhere: a starting point, and what sets of other gold links teach."""

    def __init__(
        self, start: LinkClassifier | None, others: Sequence[GoldEvidence] = (), without: Collection[str] = ()
    ) -> None:
        """`without` is as for `link_classifier.fit`."""
        self.start, self.others, self.without = start, others, without
        self._learned: dict[tuple[int, ...], LinkClassifier] = {}

    def of_sets(self, numbers: tuple[int, ...]) -> LinkClassifier:
        """What the sets of these numbers teach together; pairs of all sets count the same."""
        if numbers not in self._learned:
            sets = [self.others[number] for number in numbers]
            self._learned[numbers] = fit(
                [pair for _, candidates, _ in sets for pair in candidates],
                [links for _, _, gold in sets for links in gold],
                without=self.without,
                prior=self.start,
            )
        return self._learned[numbers]


Fitted = tuple[float | None, LinkClassifier | None, LinkClassifier, list[Floats]]
"""The variance of a prior (0 where its weights stay as they are, None without one), the prior, what the own
pairs teach with it, and the out-of-fold probabilities of their candidates."""


def adapt(
    priors: Priors, candidates: Sequence[Evidence], gold: Sequence[Links], *, seed: int = 1
) -> tuple[LinkClassifier, list[Transfer]]:
    """The classifier that own gold links teach with those of the priors that help, and the decision on each.

    With fewer than ENOUGH_PAIRS own pairs the weights are means of what different priors give and of the
    starting point's, see `_averaged`. From then on the prior of the lowest out-of-fold log-loss is taken, or
    none. Then each set of other gold links is tried in turn, together with those that
    helped, as a prior in place of the starting point: with DECIDING_PAIRS own pairs it is used where its loss
    is lower by one standard error. `seed` draws the pairs that decide where there are more than MAX_PAIRS.
    The errors are those of `link_classifier.fit`.
    """
    if priors.start is None and not priors.others:
        return fit(candidates, gold, without=priors.without), []
    drawn = np.sort(np.random.default_rng(seed).permutation(len(candidates))[:MAX_PAIRS]).tolist()
    some = Fitting([candidates[n] for n in drawn], [gold[n] for n in drawn], priors.without)
    fitted: Fitted = (None, None, *some.fit(STRENGTH, None))
    transfers: list[Transfer] = []
    if priors.start is not None:
        few = len(drawn) < ENOUGH_PAIRS
        fitted, transfer = (
            _averaged(some, priors.start, fitted) if few else _decide(some, priors.start, fitted)
        )
        transfers.append(transfer | _convention(priors.start, candidates, gold))
    used: tuple[int, ...] = ()
    for number, other in enumerate(priors.others):
        with_it, transfer = _decide(some, priors.of_sets((*used, number)), fitted, other=True)
        if len(drawn) < DECIDING_PAIRS:
            transfer |= {"helps": False, "variance": None}
        transfers.append(transfer | {"gold": other[0]})
        if transfer["helps"]:
            fitted, used = with_it, (*used, number)
    variance, prior, classifier, _ = fitted
    if len(drawn) < len(candidates):
        everything = Fitting(candidates, gold, priors.without)
        if prior is not None and variance == 0:
            probabilities = [prior.probabilities(pair) for pair in candidates]
            classifier = replace(prior, thresholds=everything.thresholds(probabilities, prior))
        else:
            classifier, _ = everything.fit(variance or STRENGTH, prior)
    return classifier, transfers


def _fits(some: Fitting, prior: LinkClassifier, without: Fitted, strengths: Sequence[float]) -> list[Fitted]:
    """What the prior says unchanged, what is learned with it, the strongest first, and `without` it."""
    unchanged = [prior.probabilities(pair) for pair in some.candidates]
    return [
        (0.0, prior, replace(prior, thresholds=some.thresholds(unchanged, prior)), unchanged),
        *((variance, prior, *some.fit(variance, prior)) for variance in strengths),
        without,
    ]


def _decide(
    some: Fitting, prior: LinkClassifier, without: Fitted, *, other: bool = False
) -> tuple[Fitted, dict[str, Any]]:
    """What is learned with the prior of the lowest loss, or `without` one, and the decision, a Transfer.

    That of `other` gold links is used where its loss is lower by one standard error.
    """
    fits = _fits(some, prior, without, STRENGTHS if other else (*STRENGTHS, WEAK))
    losses = np.array([_losses(some, probabilities) for *_, probabilities in fits])
    best = chosen = int(losses[:-1].mean(axis=1).argmin())
    apart = losses[best] - losses[-1]
    error = apart.std() / np.sqrt(len(apart))
    if apart.mean() > (-error if other else 0):
        chosen = len(fits) - 1
    helps = chosen == best
    decided = {"helps": helps, "variance": fits[chosen][0] if helps else None}
    return fits[chosen], decided | _error_rates(some, fits[best], without)


def _averaged(some: Fitting, start: LinkClassifier, alone: Fitted) -> tuple[Fitted, dict[str, Any]]:
    """Means of the weights that the priors give, and the decision, a Transfer.

    Few pairs do not say which variance is best. Each counts as often as it has the lowest loss when the pairs
    are drawn again with random weights (Rubin 1981, "The Bayesian bootstrap"; Yao et al. 2018, "Using
    stacking to average Bayesian predictive distributions", section 3.4). These means and the starting
    point are averaged once more, with the largest of SHARES for the starting point whose loss is at most
    ERRORS above the lowest one (a rule of Hastie, Tibshirani & Friedman 2009, The Elements of Statistical
    Learning, section 7.10). The thresholds are means too, of the starting point's and of LEARNED.
    """
    pairs = len(some.candidates)
    fits = _fits(some, start, alone, STRENGTHS)
    losses = np.array([_losses(some, probabilities) for *_, probabilities in fits])
    weights = np.random.default_rng(1).dirichlet(np.ones(pairs), _DRAWS)
    counted = np.bincount((weights @ losses.T).argmin(axis=1), minlength=len(fits)) / _DRAWS
    odds = [np.concatenate([_log_odds(own) for own in probabilities]) for *_, probabilities in fits]
    ends = np.cumsum([len(own) for own in some.answers])[:-1]
    first = np.eye(len(fits))[0]
    shares = [
        share * first + (1 - share) * counted for share in SHARES if share < 1 or pairs < DECIDING_PAIRS
    ]
    means = [np.split(1 / (1 + np.exp(-(share @ odds))), ends) for share in shares]
    losses = np.array([_losses(some, mean) for mean in means])
    apart = losses - losses[losses.mean(axis=1).argmin()]
    errors = apart.std(axis=1) / np.sqrt(pairs)
    chosen = int(np.flatnonzero(apart.mean(axis=1) <= ERRORS * errors)[0])
    share = shares[chosen]
    similar, unequal = (share[0] * np.array(start.thresholds) + (1 - share[0]) * np.array(LEARNED)).tolist()
    classifier = mean_of([classifier for _, _, classifier, _ in fits], share, (similar, unequal))
    fitted: Fitted = (fits[int(share.argmax())][0], start, classifier, means[chosen])
    helps = bool(share[-1] <= 0.5)
    decided = {"helps": helps, "variance": fitted[0] if helps else None}
    return fitted, decided | _error_rates(some, fitted, alone)


def _error_rates(some: Fitting, fitted: Fitted, alone: Fitted) -> dict[str, Any]:
    aer, aer_alone = (some.aer(probabilities, own.thresholds) for *_, own, probabilities in (fitted, alone))
    return {"pairs": len(some.candidates), "aer": aer, "aer_alone": aer_alone, "gold": ""}


def _convention(
    start: LinkClassifier, candidates: Sequence[Evidence], gold: Sequence[Links]
) -> dict[str, float | None]:
    """By what rules the gold links were drawn, beside those of the starting point: part of a Transfer."""
    in_gold, drawn, to_several, everything = 0.0, 0, 0, 0
    for pair, links, own in zip(candidates, gold, start.links_of(candidates), strict=True):
        identical = set(compress(pair.links(), pair.features[:, NAMES.index("identical")] > 0))
        in_gold += len(links.sure - identical) + len(links.possible_only - identical) / 2
        drawn += len(set(own) - identical)
        sources, targets = Counter(i for i, _ in links.sure), Counter(j for _, j in links.sure)
        to_several += sum(sources[i] > 1 or targets[j] > 1 for i, j in links.sure)
        everything += len(links.sure)
    if min(in_gold, drawn) < TELLING_LINKS:
        return {"links": None, "to_several": None}
    return {"links": in_gold / drawn, "to_several": to_several / max(everything, 1)}


def _losses(some: Fitting, probabilities: Sequence[Floats]) -> Floats:
    """The log-loss of each pair."""
    losses = []
    for own, answers in zip(probabilities, some.answers, strict=True):
        clipped = _clipped(own)
        losses.append(-(answers * np.log(clipped) + (1 - answers) * np.log(1 - clipped)).sum())
    return np.array(losses)


def _clipped(probabilities: Floats) -> Floats:
    return probabilities.clip(np.exp(-_MAX_LOSS), 1 - np.exp(-_MAX_LOSS))


def _log_odds(probabilities: Floats) -> Floats:
    clipped = _clipped(probabilities)
    return np.asarray(np.log(clipped / (1 - clipped)))
