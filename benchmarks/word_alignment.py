"""Error rates of the word aligners beside the identity baseline; prints JSON. Speed: benchmarks.alignment.

    python -m benchmarks.word_alignment [--folds 5] [--own-gold 50]

Gold links: Edinburgh++ train and MSR RTE-2 dev of the research data beside the repository; training text:
their sentences and the MSR Paraphrase Corpus, training part. Both sets were tuned on, so their error rates
flatter. The row `gold_links` is cross-validated by pair, `own_gold` learns from that many pairs outside the
fold. eflomal is trained on the same text where it is installed (null where it is not).
"""

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np

from alignment.aligners.best import STRENGTH, best, evidence_of
from alignment.aligners.identity import IdentityAligner
from alignment.aligners.link_classifier import fit
from alignment.aligners.programs import Eflomal, ProgramError
from alignment.aligners.registry import trainer
from alignment.aligners.stem_identity import IdentityStemAligner
from alignment.aligners.symmetrisation import Link
from alignment.aligners.text import Pair
from alignment.aligners.translation_model import TranslationModel
from alignment.formats import jsonl
from alignment.metrics.error_rate import ScoreTable, score_table
from alignment.metrics.links import LinkedPair
from corpus.text.tokenisation import tokenise

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = {"edinburghpp_train": "edinburghpp.train.jsonl", "msr_rte2_dev": "msr_rte2.dev.jsonl"}


def texts(gold: Sequence[LinkedPair]) -> list[Pair]:
    return [(pair.tokens.source, pair.tokens.target) for pair in gold]


def msr_pairs() -> list[Pair]:
    lines = (DATA / "paraphrase" / "msr_paraphrase_train.txt").read_text("utf-8-sig").split("\n")[1:]
    rows = (line.rstrip("\r").split("\t") for line in lines if line)
    return [(tokenise(row[3])[0], tokenise(row[4])[0]) for row in rows]


def aer(links: Sequence[Sequence[Link]], gold: Sequence[LinkedPair]) -> dict[str, float | None]:
    table: ScoreTable = score_table(
        links, [pair.links for pair in gold], [pair.tokens for pair in gold], seed=1, resamples=0
    )
    rows = {"all": table.all, "identical": table.identical, "non_identical": table.non_identical}
    return {words: None if row.aer is None else round(100 * row.aer, 2) for words, row in rows.items()}


def cross_validated(
    model: TranslationModel, gold: list[LinkedPair], folds: int, most: int | None
) -> dict[str, float | None]:
    candidates = evidence_of(model, texts(gold))
    fold = np.random.default_rng(1).permutation(len(gold)) % folds
    links: list[list[Link]] = [[] for _ in gold]
    for held_out in range(folds):
        known = np.flatnonzero(fold != held_out)[:most]
        classifier = fit([candidates[n] for n in known], [gold[n].links for n in known], strength=STRENGTH)
        for n in np.flatnonzero(fold == held_out):
            links[n] = classifier.links(candidates[n])
    return aer(links, gold)


def eflomal_links(pairs: Sequence[Pair], training: Sequence[Pair]) -> list[list[Link]] | None:
    """Symmetrised by intersection, with the lexicon of identical words; None where it is not installed."""
    try:
        return Eflomal().align(pairs, training=training)
    except ProgramError as error:
        print(error, file=sys.stderr)
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--own-gold", type=int, default=50)
    arguments = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"The research data are not at {DATA}.")

    sets = {name: jsonl.read(DATA / "alignment" / file) for name, file in SETS.items()}
    training = [pair for gold in sets.values() for pair in texts(gold)] + msr_pairs()
    trained = best().train(training)
    hmm = trainer("hmm").train(training)
    rows = {}
    for name, gold in sets.items():
        pairs = texts(gold)
        known = {(tuple(source), tuple(target)) for source, target in pairs}
        others = [pair for pair in training if (tuple(pair[0]), tuple(pair[1])) not in known]
        peer = eflomal_links(pairs, others)
        rows[name] = {
            "identity": aer([IdentityAligner().align(*pair) for pair in pairs], gold),
            "identity-stem": aer([IdentityStemAligner().align(*pair) for pair in pairs], gold),
            "hmm": aer(hmm.align_all(pairs), gold),
            "eflomal": peer and aer(peer, gold),
            "best": aer(trained.align_all(pairs), gold),
            "own_gold": cross_validated(trained.model, gold, arguments.folds, arguments.own_gold),
            "gold_links": cross_validated(trained.model, gold, arguments.folds, None),
        }
    result = {
        "aer_percent": rows,
        "training_pairs": len(training),
        "own_gold_pairs": arguments.own_gold,
        "signature": trained.signature,
        "versions": {name: version(name) for name in ("numpy", "numba", "scikit-learn", "snowballstemmer")},
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
