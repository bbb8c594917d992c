"""Learns the starting point of `best` for English from public word links; see docs/aligners.md.

    python -m scripts.starting_point DATA [--encoder FOLDER] [--output FILE]

DATA holds the folders `alignment` and `multimwa` of the research data. Evidence comes from a model trained on
the sentences of one set alone and from one trained on those of all sets, since a project may have little
text or much; with an encoder, of words in context too. Each set counts the same. In copies of the pairs one
side is cut, or joined by another sentence, so that pairs of very unequal length are known too. The same data
give the same bytes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from paragold.aligners.adaptation import FILE, KIND, WITH_ENCODER, signature_of
from paragold.aligners.aligner import Pair, texts_of
from paragold.aligners.best import BestAligner
from paragold.aligners.evidence import NAMES, Evidence, evidence_of
from paragold.aligners.evidence_sources import CONTEXT, PHRASES, source_of
from paragold.aligners.link_classifier import (
    FEATURES,
    STRENGTH,
    Fitting,
    LinkClassifier,
    Regression,
    Thresholds,
    fit_regression,
)
from paragold.aligners.training import train
from paragold.aligners.translation_model import TranslationModel
from paragold.arrays import Flags, Floats
from paragold.formats.link_files import read_links
from paragold.formats.text_files import write_text
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.text.encoder import open_encoder

SOURCES = {
    "Edinburgh++ train": ("alignment/edinburghpp.train.jsonl",),
    "MSR RTE-2 dev": ("alignment/msr_rte2.dev.jsonl",),
    "MultiMWA MTRef train and dev": ("multimwa/mtref-train.tsv", "multimwa/mtref-dev.tsv"),
    "MultiMWA Wiki train": ("multimwa/wiki-train.tsv",),
}
MOST_PAIRS = 1_000
"""Of each set; the first ones of Wiki, which has 2,513."""
SET_WEIGHT = 1_000.0
"""What the pairs of a set count in all; those of unequal length that are made of it count half as much."""
UNEQUAL_WEIGHT = 0.5 * SET_WEIGHT
ALREADY_UNEQUAL = 0.6
"""A set whose pairs have a median length ratio below this has unequal pairs of its own."""
RATIOS = (0.2, 0.6)
"""Between these lies the length of a cut side in that of the other one."""
SHORTEST = 3
THRESHOLDS: Thresholds = (0.4, 0.55)
THRESHOLDS_WITH_ENCODER: Thresholds = (0.35, 0.6)
"""Chosen in steps of 0.05 by leaving one set out: on none of them are AER or F1 on different words worse than
by the fixed rules. With an encoder, whose evidence is surer, the set with the highest error rate decided."""
SEED = 1
VARYING = (NAMES.index("identical"),)
"""Features that sets of gold links differ in, beside how many links they have."""
DIGITS = 8
"""Significant digits of a number in the file: sums that differ in the last bits are written alike."""
Sets = Mapping[str, Sequence[LinkedPair]]


class PooledFitting(Fitting):
    """Learns from several sets of sentence pairs; `sets` is the number of each pair's set."""

    sets: Sequence[int] = ()

    def regression(
        self, features: Sequence[Floats], strength: float, numbers: Sequence[int], **options: Any
    ) -> Regression:
        rows, answers = [features[n] for n in numbers], [self.answers[n] for n in numbers]
        sets, importance = [self.sets[n] for n in numbers], [self.importance[n] for n in numbers]
        varying = [column for column in VARYING if not self.ignored[column]]
        return fit_pooled(
            rows, answers, strength, self.ignored, sets, varying,
            importance=importance, near=options.get("near"),
        )  # fmt: skip


def fit_pooled(
    features: Sequence[Floats],
    answers: Sequence[Floats],
    strength: float,
    ignored: Flags,
    sets: Sequence[int],
    varying: Sequence[int],
    *,
    importance: Sequence[float],
    near: Regression | None = None,
) -> Regression:
    """Learn from several sets of sentence pairs whose annotators link by different rules.

    `sets` is the number of each pair's set. Beside the weights that are common to all, each set has its own
    bias and its own weights of the `varying` columns, regularised in the same way. The result has the means
    of these over the sets: what tells one set from another is not mistaken for evidence of a link. All else
    is as for `fit_regression`.

    References
    ----------
    Daumé III, H. (2007). Frustratingly easy domain adaptation.
    """
    size, count, columns = features[0].shape[1], max(sets) + 1, list(varying)
    extended = []
    for rows, number in zip(features, sets, strict=True):
        own = np.zeros((len(rows), count, 1 + len(columns)))
        own[:, number, 0], own[:, number, 1:] = 1, rows[:, columns]
        extended.append(np.hstack([rows, own.reshape(len(rows), -1)]))
    zeros = np.zeros(count * (1 + len(columns)))
    if near is not None:
        near = replace(
            near,
            mean=np.append(near.mean, zeros),
            scale=np.append(near.scale, zeros + 1),
            weights=np.append(near.weights, zeros),
        )
    ignored = np.append(ignored[:size], zeros > 0)
    whole = fit_regression(extended, answers, strength, ignored, importance=importance, near=near)
    own_weights = whole.weights[size:] / whole.scale[size:]
    mean_weights = own_weights.reshape(count, -1).mean(axis=0)
    mean, scale, weights = whole.mean[:size], whole.scale[:size], whole.weights[:size].copy()
    weights[columns] += mean_weights[1:] * scale[columns]
    bias = whole.bias - own_weights @ whole.mean[size:] + mean_weights @ np.append(1, mean[columns])
    return Regression(mean, scale, weights, float(bias))


def dumps(
    classifier: LinkClassifier, sources: Sequence[Mapping[str, Any]], parameters: Mapping[str, Any]
) -> str:
    """The text of a file: JSON whose `signature` is the beginning of a SHA-256 over all the rest.

    Features of an encoder are in it where `parameters` name one.
    """
    kept = [source_of(name) != CONTEXT or "encoder" in parameters for name in FEATURES]
    numbers = {
        name: [_rounded(value) for value, is_kept in zip(values, kept, strict=False) if is_kept]
        for name, values in classifier.numbers().items()
    }
    content = {
        "kind": KIND,
        "features": list(compress(FEATURES, kept)),
        "sources": list(sources),
        "parameters": dict(parameters),
        "numbers": numbers,
    }
    return json.dumps(content | {"signature": signature_of(content)}, indent=1) + "\n"


def _rounded(value: float) -> float | None:
    """None stands for infinity: the scale of a feature that has no weight."""
    return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None


class Gathered(NamedTuple):
    """What is learned from: of each pair candidate links, gold links, importance and the number of its set.

    unequal: how many pairs of unequal length were made.
    """

    candidates: list[Evidence]
    links: list[Links]
    importance: list[float]
    numbers: list[int]
    unequal: int


class Learned(NamedTuple):
    """A classifier, and how many pairs of unequal length were made for it."""

    classifier: LinkClassifier
    unequal: int


def read_sets(data: Path) -> dict[str, list[LinkedPair]]:
    """The pairs to learn from, by the name of their set."""
    return {
        name: [pair for file in files for pair in read_links(data / file)][:MOST_PAIRS]
        for name, files in SOURCES.items()
    }


def model_of(pairs: Sequence[Pair], encoder: str) -> TranslationModel:
    """The translation model that `best` trains on these pairs."""
    aligner = BestAligner(encoder=encoder)
    return train(pairs, aligner.training_parameters(), aligner.relations())


def learn(sets: Sets, encoder: str = "") -> Learned:
    """The classifier that the gold links of these sets teach; `encoder` is the folder of one."""
    gathered = gather(sets, encoder)
    return Learned(taught_by(gathered, encoder), gathered.unequal)


def taught_by(gathered: Gathered, encoder: str = "", without: Collection[str] = ()) -> LinkClassifier:
    """The classifier that gold links teach, without these sources of evidence."""
    # Whether words are linked to several is a convention: own gold links say so.
    fitting = PooledFitting(gathered.candidates, gathered.links, [PHRASES, *without], gathered.importance)
    fitting.sets = gathered.numbers
    classifier, _ = fitting.fit(STRENGTH, None)
    return replace(classifier, thresholds=THRESHOLDS_WITH_ENCODER if encoder else THRESHOLDS)


def gather(sets: Sets, encoder: str = "") -> Gathered:
    """The evidence in the pairs of these sets and in copies of unequal length."""
    everything = model_of([pair for gold in sets.values() for pair in texts_of(gold)], encoder)
    candidates: list[Evidence] = []
    links: list[Links] = []
    importance: list[float] = []
    numbers: list[int] = []

    def add(number: int, gold: Sequence[LinkedPair], model: TranslationModel, weight: float) -> None:
        numbers.extend([number] * len(gold))
        candidates.extend(evidence_of(model, texts_of(gold)))
        links.extend(pair.links for pair in gold)
        importance.extend([weight / len(gold)] * len(gold))

    made = 0
    for number, gold in enumerate(sets.values()):
        for model in (model_of(texts_of(gold), encoder), everything):
            add(number, gold, model, SET_WEIGHT / 2)
        if np.median([_ratio(pair.tokens) for pair in gold]) >= ALREADY_UNEQUAL:
            unequal = made_unequal(gold)
            made += len(unequal)
            add(number, unequal, everything, UNEQUAL_WEIGHT)
    return Gathered(candidates, links, importance, numbers, made)


def _ratio(tokens: TokenPair) -> float:
    lengths = [len(side) for side in tokens]
    return min(lengths) / max(lengths)


def made_unequal(gold: Sequence[LinkedPair], seed: int = SEED) -> list[LinkedPair]:
    """Copies of pairs in which one side is cut to a part or joined by another sentence, with its links."""
    rng = np.random.default_rng(seed)
    made = []
    for pair in gold:
        side = int(rng.integers(2))
        cut = bool(rng.integers(2))
        own, other = pair.tokens[:: 1 - 2 * side]
        if cut:
            size = max(SHORTEST, round(rng.uniform(*RATIOS) * len(other)))
            start = int(rng.integers(max(1, len(own) - size + 1)))
            words, moved = own[start : start + size], -start
        else:
            joined = gold[int(rng.integers(len(gold)))].source
            before = bool(rng.integers(2))
            words, moved = (joined + own, len(joined)) if before else (own + joined, 0)
        tokens = (words, other) if side == 0 else (other, words)
        if words and other and _ratio(tokens) < ALREADY_UNEQUAL:
            made.append(LinkedPair(pair.key, *tokens, _moved(pair.links, side, moved, len(words))))
    return made


def _moved(links: Links, side: int, by: int, length: int) -> Links:
    """The links after the words of one side have moved; those of words that are gone are left out."""

    def kept(some: frozenset[Link]) -> frozenset[Link]:
        moved = ((i + by, j) if side == 0 else (i, j + by) for i, j in some)
        return frozenset(link for link in moved if 0 <= link[side] < length)

    return Links(kept(links.sure), kept(links.possible))


def description(data: Path, sets: Sets) -> list[dict[str, Any]]:
    """What the file says of the sets learned from."""
    return [
        {
            "name": name,
            "pairs": len(gold),
            "sure": sum(len(pair.links.sure) for pair in gold),
            "possible_only": sum(len(pair.links.possible - pair.links.sure) for pair in gold),
            "files": {
                Path(file).name: sha256((data / file).read_bytes()).hexdigest() for file in SOURCES[name]
            },
        }
        for name, gold in sets.items()
    ]


def text(data: Path, encoder: str = "") -> str:
    """The text of the file."""
    sets = read_sets(data)
    learned = learn(sets, encoder)
    with_encoder = {"encoder": open_encoder(encoder).signature} if encoder else {}
    parameters = {
        "made_by": f"python -m scripts.starting_point DATA{' --encoder FOLDER' * bool(encoder)}",
        **with_encoder,
        "method": f"logistic-regression,2-stages|version:{BestAligner.version}",
        "translation_model": BestAligner().training_parameters().signature,
        "strength": STRENGTH,
        "weights_of_each_set": ["bias", "identical"],
        "set_weight": SET_WEIGHT,
        "unequal_weight": UNEQUAL_WEIGHT,
        "unequal_pairs_made": learned.unequal,
        "unequal_ratios": list(RATIOS),
        "seed": SEED,
    }
    return dumps(learned.classifier, description(data, sets), parameters)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--encoder", default="")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    output = options.output or (WITH_ENCODER if options.encoder else FILE)
    write_text(output, text(options.data, options.encoder))


if __name__ == "__main__":
    main()
