"""Learning from own gold links with a prior: the starting point, or what other people's gold links teach.

The starting point is a link classifier that was learned elsewhere; its file is made by
scripts/starting_point.py from the word links of public data sets, none of which it holds. Its weights are the
mean of a Gaussian prior. The variance is chosen by cross-validation on the own pairs, and so is whether it is
used at all: other people link by other rules.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from paragold.aligners.aligner import Transfer
from paragold.aligners.evidence import NAMES, Evidence
from paragold.aligners.link_classifier import FEATURES, STRENGTH, Fitting, LinkClassifier, fit
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
"""Own pairs from which on the lowest loss decides, with no preference for the starting point, and a variance
that is tried then, too."""
DECIDING_PAIRS = 20
"""With fewer own pairs other gold links are left out: they are too few to decide."""
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

    Of the starting point the strongest prior is taken whose out-of-fold log-loss is at most one standard
    error above the lowest one's; own pairs alone count as the weakest prior. From ENOUGH_PAIRS own pairs on
    the lowest loss decides. Then each set of other gold links is tried in turn, together with those that
    helped, as a prior in place of the starting point: with DECIDING_PAIRS own pairs it is used where its loss
    is lower by one standard error. `seed` draws the pairs that decide where there are more than MAX_PAIRS.
    The errors are those of `link_classifier.fit`. For the rule of one standard error see Hastie, Tibshirani &
    Friedman (2009), The Elements of Statistical Learning, section 7.10.
    """
    if priors.start is None and not priors.others:
        return fit(candidates, gold, without=priors.without), []
    drawn = np.sort(np.random.default_rng(seed).permutation(len(candidates))[:MAX_PAIRS]).tolist()
    some = Fitting([candidates[n] for n in drawn], [gold[n] for n in drawn], priors.without)
    fitted: Fitted = (None, None, *some.fit(STRENGTH, None))
    transfers: list[Transfer] = []
    if priors.start is not None:
        few = len(drawn) < ENOUGH_PAIRS
        strengths = STRENGTHS if few else (*STRENGTHS, WEAK)
        fitted, transfer = _decide(some, priors.start, fitted, 1.0 if few else 0.0, strengths)
        transfers.append(transfer)
    used: tuple[int, ...] = ()
    for number, other in enumerate(priors.others):
        with_it, transfer = _decide(some, priors.of_sets((*used, number)), fitted, -1.0)
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


def _decide(
    some: Fitting,
    prior: LinkClassifier,
    without: Fitted,
    trust: float,
    strengths: Sequence[float] = STRENGTHS,
) -> tuple[Fitted, dict[str, Any]]:
    """What is learned with a prior, or `without` it, and the decision, a Transfer.

    The prior is used unless its lowest loss is higher by more than `trust` standard errors; a negative
    number is by how many it must be lower. With positive trust the strongest of the priors is taken that is
    at most so much worse than the lowest loss of all.
    """
    unchanged = [prior.probabilities(pair) for pair in some.candidates]
    fits: list[Fitted] = [
        (0.0, prior, replace(prior, thresholds=some.thresholds(unchanged, prior)), unchanged),
        *((variance, prior, *some.fit(variance, prior)) for variance in strengths),
        without,
    ]
    losses = np.array([_losses(some, probabilities) for *_, probabilities in fits])
    means = losses.mean(axis=1)
    best = int(means[:-1].argmin())
    reference = -1 if trust < 0 else means.argmin()
    apart = losses - losses[reference]
    errors = apart.std(axis=1) / np.sqrt(len(losses[0]))
    fitting = apart.mean(axis=1) <= trust * errors
    chosen = best if fitting[best] else len(fits) - 1
    if trust > 0:
        chosen = int(np.flatnonzero(fitting)[0])
    helps = chosen < len(fits) - 1
    aer, aer_alone = (
        some.aer(probabilities, classifier.thresholds)
        for *_, classifier, probabilities in (fits[chosen if helps else best], fits[-1])
    )
    variance = fits[chosen][0] if helps else None
    decided = {"helps": helps, "variance": variance, "pairs": len(losses[0])}
    return fits[chosen], decided | {"aer": aer, "aer_alone": aer_alone, "gold": ""}


def _losses(some: Fitting, probabilities: Sequence[Floats]) -> Floats:
    """The log-loss of each pair."""
    losses = []
    for own, answers in zip(probabilities, some.answers, strict=True):
        clipped = own.clip(np.exp(-_MAX_LOSS), 1 - np.exp(-_MAX_LOSS))
        losses.append(-(answers * np.log(clipped) + (1 - answers) * np.log(1 - clipped)).sum())
    return np.array(losses)
