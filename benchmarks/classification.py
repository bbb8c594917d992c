"""Speed of features and scoring, on seeded news-like pairs; prints JSON.

    python -m benchmarks.classification [--pairs 235000] [--train 3000] [--seed 1] [--with-pairs FILE]

One process, one core. The clock runs from texts to probabilities: tokenising, looking the vocabulary up in
all lexicons, features of all classes, scoring. On a busy machine the processor seconds tell more than those
of the wall clock; rates come from the former, and the latter stands beside. Words are those of WordNet with
Zipfian frequencies where it is installed, and made up where it is not (then the class is off). --with-pairs
measures on a file instead.
"""

import argparse
import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from rapidfuzz.distance import Levenshtein

from paragold.classification.association import associate
from paragold.classification.classes import CLASSES
from paragold.classification.lexicons import FUNCTION_WORDS, open_lexicons
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import LabelledPairs, train_classifier
from paragold.formats.labelled_pairs import TextPair, read_pairs
from paragold.problems import FileProblem
from paragold.text.wordnet import open_wordnet

VOCABULARY = 60_000
SPEC = ClassifierSpec(c=0.01)
PAPER_PAIRS = 235_061  # F3 of Brockett and Dolan (2005, table 2)


def vocabulary(rng: np.random.Generator) -> list[str]:
    """Function words first, then single words of WordNet in random order."""
    lemmas = {lemma for part in "nva" for lemma in open_wordnet().words(part)}
    words = {lemma for lemma in lemmas if lemma.isalpha() and 2 < len(lemma) < 12}
    ordered = sorted(words - FUNCTION_WORDS)
    return [*sorted(FUNCTION_WORDS), *(ordered[place] for place in rng.permutation(len(ordered)))][
        :VOCABULARY
    ]


def news_like_pairs(rng: np.random.Generator, count: int) -> list[TextPair]:
    """Pairs of 6 to 29 words, as the paper's F3: a word edit distance above 12 or a rewrite of few words."""
    words = vocabulary(rng)
    shares = 1 / (np.arange(1, len(words) + 1) + 1.0)
    cumulative = (shares / shares.sum()).cumsum()

    def draw(length: int) -> list[str]:
        return [words[rank] for rank in np.searchsorted(cumulative, rng.random(length)).tolist()]

    pairs = []
    for number in range(count):
        first = draw(int(rng.integers(6, 30)))
        label = bool(rng.random() < 0.4)
        kept = int(len(first) * rng.uniform(0.5, 0.95) if label else len(first) * rng.uniform(0.1, 0.6))
        second = first[:kept] + draw(max(1, len(first) - kept + int(rng.integers(-2, 3))))
        texts = " ".join(first).capitalize() + ".", " ".join(second).capitalize() + "."
        pairs.append(TextPair(*texts, label, f"c{number}", ("", ""), number + 1))
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=PAPER_PAIRS, help="pairs to score (default %(default)s)")
    parser.add_argument("--train", type=int, default=3_000, help="labelled pairs (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--with-pairs", type=Path, help="score the pairs of this file instead")
    arguments = parser.parse_args()
    if arguments.pairs < 1 or arguments.train < 100:
        parser.error("--pairs takes a whole number from 1, --train one from 100.")

    rng = np.random.default_rng(arguments.seed)
    train = news_like_pairs(rng, arguments.train)
    try:
        pairs = (
            news_like_pairs(rng, arguments.pairs)
            if arguments.with_pairs is None
            else read_pairs(arguments.with_pairs)
        )
    except FileProblem as error:
        sys.exit(str(error))
    texts = [(pair.first, pair.second) for pair in pairs]

    started = process_time()
    association = associate(texts[: min(len(texts), 50_000)])
    association_seconds = process_time() - started
    lexicons, notes = open_lexicons(CLASSES, [pair[:2] for pair in association], lookup=SPEC.lookup)
    started = process_time()
    classifier, _ = train_classifier(LabelledPairs(train, lexicons, SPEC))
    training_seconds = process_time() - started

    started, processor_started = perf_counter(), process_time()
    values, _ = classifier.decide(texts)
    seconds, wall_seconds = process_time() - processor_started, perf_counter() - started

    # The least that any program has to do: one edit distance for each pair.
    started = process_time()
    for first, second in texts:
        Levenshtein.distance(first.lower().split(), second.lower().split())
    loop_seconds = process_time() - started

    result = {
        "work": {
            "pairs": len(texts),
            "mean_words": round(sum(len(a.split()) + len(b.split()) for a, b in texts) / 2 / len(texts), 1),
            "features": len(classifier.model[0].names),
            "classes": list(classifier.model[0].classes),
            "accepted": int((values >= 0).sum()),
            "seed": arguments.seed,
        },
        "processor_seconds": round(seconds, 2),
        "wall_seconds": round(wall_seconds, 2),
        "wall_pairs_per_s": round(len(texts) / wall_seconds),
        "pairs_per_s": round(len(texts) / seconds),
        "seconds_235k": round(seconds * PAPER_PAIRS / len(texts), 1),
        "edit_distance_loop_seconds": round(loop_seconds, 2),
        "ratio_to_edit_distance_loop": round(seconds / loop_seconds, 1),
        "association_seconds": round(association_seconds, 2),
        "training_seconds": round(training_seconds, 2),
        "notes": notes,
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "scipy", "scikit-learn", "rapidfuzz")},
        },
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
