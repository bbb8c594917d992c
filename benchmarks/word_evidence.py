"""What each source of evidence about words is worth to the last step of `best`; prints tables in Markdown.

    python -m benchmarks.word_evidence [--left-out] [--without] [--pairs N] [--data FOLDER]

On each set of scripts/starting_point.py: AER of all words, AER and F1 on SURE links of non-identical words,
in percent, cross-validated by pair in four folds, by a classifier that learns from own gold links alone. With
`--left-out` it learns from the other three sets instead. With `--without` each source is left out of all, one
at a time. The translation model is that of the set's own sentences. The paraphrase lexicon are the phrase
pairs of the other sets' gold links, the lexicon is word association on the MSR Paraphrase Corpus, vectors are
learned from the texts of Multi-News, and the distribution from the set's own sentences.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.starting_point import DATA, counts, figures
from paragold.aligners.evidence import Evidence, evidence_of
from paragold.aligners.evidence_sources import LEXICON, PARAPHRASES, PHRASES, SOURCES, VECTORS, WORD_SOURCES
from paragold.aligners.link_classifier import USUAL, fit
from paragold.aligners.phrases import PhraseSpec, phrase_table
from paragold.aligners.word_evidence import PhrasePairs, ScoredPair, WordEvidence, WordVectors
from paragold.aligners.word_vectors import Distribution, learned_vectors
from paragold.classification.association import associate
from paragold.metrics.links import Link, LinkedPair
from scripts.starting_point import SET_WEIGHT, Sets, model_of, read_sets, texts

FOLDS = 4
Known = dict[str, WordEvidence]


def known_of(name: str, sets: Sets, associated: PhrasePairs, vectors: WordVectors) -> Known:
    """The evidence about words for a set; nothing in it is made of the set's own links."""
    others = [pair for other, gold in sets.items() if other != name for pair in gold]
    table = phrase_table(others, PhraseSpec(longest=3))
    phrases = (ScoredPair(pair.first, pair.second, pair.count) for pair in table.pairs)
    sentences = [sentence for pair in texts(sets[name]) for sentence in pair]
    found = (PhrasePairs(PARAPHRASES, phrases), associated, vectors, Distribution(sentences))
    return {one.source.id: one for one in found}


def association(data: Path) -> PhrasePairs:
    lines = (data / "paraphrase" / "msr_paraphrase_train.txt").read_text("utf-8-sig").split("\n")[1:]
    rows = [line.rstrip("\r").split("\t") for line in lines if line]
    pairs = associate([(row[3], row[4]) for row in rows])
    return PhrasePairs(LEXICON, (ScoredPair(one.first, one.second, -n) for n, one in enumerate(pairs)))


def news_vectors(data: Path) -> WordVectors:
    lines = (data / "news" / "multi_news_validation.jsonl").read_text("utf-8").splitlines()
    articles = (article["text"].split() for line in lines for article in json.loads(line)["articles"])
    return WordVectors(VECTORS, *learned_vectors(articles))


def cross_validated(
    candidates: Sequence[Evidence], gold: Sequence[LinkedPair], without: Sequence[str]
) -> list[list[Link]]:
    fold = np.random.default_rng(1).permutation(len(gold)) % FOLDS
    links: list[list[Link]] = [[] for _ in gold]
    for held_out in range(FOLDS):
        known = np.flatnonzero(fold != held_out).tolist()
        classifier = fit([candidates[n] for n in known], [gold[n].links for n in known], without=without)
        for n in np.flatnonzero(fold == held_out).tolist():
            links[n] = classifier.links(candidates[n])
    return links


def left_out(
    name: str, candidates: dict[str, list[Evidence]], sets: Sets, without: Sequence[str]
) -> list[list[Link]]:
    """The links of a set by what is learned from the others, each of which counts the same.

    The thresholds are those without a prior.
    """
    others = [other for other in sets if other != name]
    classifier = fit(
        [one for other in others for one in candidates[other]],
        [pair.links for other in others for pair in sets[other]],
        without=without,
        importance=[SET_WEIGHT / len(sets[other]) for other in others for _ in sets[other]],
    )
    return [replace(classifier, thresholds=USUAL).links(one) for one in candidates[name]]


def row(
    label: str,
    sets: Sets,
    candidates: dict[str, list[Evidence]],
    without: Sequence[str],
    *,
    others: bool,
    begun: float,
) -> None:
    """Print the figures of a choice of sources, and the CPU seconds since it was `begun`."""
    cells = []
    for name, gold in sets.items():
        if others:
            links = left_out(name, candidates, sets, without)
        else:
            links = cross_validated(candidates[name], gold, without)
        cells.append(figures(counts(links, gold)))
    seconds = time.process_time() - begun
    print(f"| {label} | {' | '.join(cells)} | {seconds:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--left-out", action="store_true", help="learn from the other sets' gold links")
    parser.add_argument("--without", action="store_true", help="leave each source out of all")
    parser.add_argument("--pairs", type=int, help="only the first ones of each set")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        sys.exit(f"The research data are not at {arguments.data}.")
    sets = {name: gold[: arguments.pairs] for name, gold in read_sets(arguments.data).items()}
    models = {name: model_of(texts(gold)) for name, gold in sets.items()}
    associated, vectors = association(arguments.data), news_vectors(arguments.data)
    known = {name: known_of(name, sets, associated, vectors) for name in sets}
    every = WORD_SOURCES.ids()
    rows: list[tuple[str, Sequence[str], Sequence[str]]] = [
        ("neither phrases nor words", [], [PHRASES]),
        ("phrases (the default)", [], []),
        *((f"phrases, {source}", [source], []) for source in every),
        ("all", every, []),
    ]
    if arguments.without:
        rows = [("all", every, []), *((f"all but {source}", every, [source]) for source in SOURCES)]
    print(f"| evidence | {' | '.join(sets)} | CPU s |\n| --- |{' --- |' * len(sets)} --- |")
    made: tuple[Sequence[str], bool] | None = None
    for label, sources, without in rows:
        begun = time.process_time()
        phrases = PHRASES not in without
        if made != (sources, phrases):
            made = sources, phrases
            candidates = {
                name: evidence_of(
                    models[name], texts(gold), [known[name][one] for one in sources], phrases=phrases
                )
                for name, gold in sets.items()
            }
        row(label, sets, candidates, without, others=arguments.left_out, begun=begun)


if __name__ == "__main__":
    main()
