"""What the starting point of `best` is worth on a set it was not learned from; prints tables in Markdown.

    python -m benchmarks.starting_point [--curve] [--halves] [--other-gold] [--data FOLDER]

One of the sets of scripts/starting_point.py is left out at a time, and the starting point is learned from
the others. The translation model is trained on the sentences of the set alone. `--curve` prints what own gold
links bring, too: 250 pairs are held out, own pairs are drawn from the others, ten times up to 100 pairs.
`--halves` learns from one half of all sets instead and tests on the other one, pairs that share a sentence in
the same half: what to expect of further pairs of the same sets. `--other-gold` prints instead what the gold
links of each other set bring beside own ones, without a starting point, ten draws each: with a prior of their
weights whatever comes, and where cross-validation decides.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from paragold.aligners.adaptation import DECIDING_PAIRS, Priors, adapt
from paragold.aligners.best import BestAligner
from paragold.aligners.evidence import Evidence, evidence_of
from paragold.aligners.link_classifier import LinkClassifier, fit
from paragold.folds import groups_of
from paragold.metrics.error_rate import CountArray, counts_by_words, rates, score_of
from paragold.metrics.links import Link, LinkedPair
from scripts.starting_point import learn, model_of, read_sets, texts

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SIZES = (10, 25, 50, 100, 200, None)
HELD_OUT = 250
MANY, DRAWS = 100, 10
"""More own pairs than this are drawn once."""
OWN_PAIRS = (DECIDING_PAIRS, 50, 100)
ALWAYS = 0.01
"""Variance of the prior of other gold links that are used whatever comes."""


def counts(links: Sequence[Sequence[Link]], gold: Sequence[LinkedPair]) -> dict[str, CountArray]:
    return counts_by_words(links, gold)


def figures(table: dict[str, CountArray]) -> str:
    """AER of all words, AER and F1 on SURE links of non-identical ones, in percent."""
    everything, different = table["all"].sum(axis=0), table["non_identical"].sum(axis=0)
    f1 = 2 * different[3] / (different[0] + different[1])
    return f"{100 * rates(everything)[2]:.1f} / {100 * rates(different)[2]:.1f} / {100 * f1:.1f}"


def curve(
    candidates: Sequence[Evidence], gold: Sequence[LinkedPair], start: LinkClassifier
) -> list[tuple[int, int, str, str]]:
    """Own pairs, draws in which the starting point was used, AER with it and without, with intervals."""
    rng = np.random.default_rng(1)
    order = rng.permutation(len(gold))
    tested, pool = order[:HELD_OUT].tolist(), order[HELD_OUT:]
    test_links = [gold[n] for n in tested]

    def drawn(classifier: LinkClassifier) -> CountArray:
        return counts([classifier.links(candidates[n]) for n in tested], test_links)["all"]

    def in_words(all_counts: Sequence[CountArray]) -> str:
        summed = np.sum(all_counts, axis=0)
        interval = score_of(summed, seed=1)["aer_interval"]
        low, high = interval or (float("nan"), float("nan"))
        return f"{100 * rates(summed.sum(axis=0))[2]:.1f} ({100 * low:.1f} - {100 * high:.1f})"

    rows = [(0, 1, in_words([drawn(start)]), "")]
    for size in SIZES:
        adapted, alone, used = [], [], 0
        for _ in range(DRAWS if size and size <= MANY else 1):
            own = rng.permutation(pool)[:size].tolist()
            known = [candidates[n] for n in own], [gold[n].links for n in own]
            classifier, (transfer,) = adapt(Priors(start), *known)
            adapted.append(drawn(classifier))
            alone.append(drawn(fit(*known)))
            used += transfer.helps
        rows.append((len(own), used, in_words(adapted), in_words(alone)))
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def halves(sets: Mapping[str, Sequence[LinkedPair]]) -> list[str]:
    """Rows of the table: figures on each half of the sets by what the other one teaches, together."""
    numbers = {
        name: [[n for n, group in enumerate(groups_of(texts(gold))) if group % 2 == half] for half in (0, 1)]
        for name, gold in sets.items()
    }
    links: dict[str, dict[int, list[Link]]] = {name: {} for name in sets}
    for half in (0, 1):
        known = {name: [gold[n] for n in numbers[name][1 - half]] for name, gold in sets.items()}
        start = learn(known).classifier
        for name, gold in sets.items():
            candidates = evidence_of(model_of(texts(gold)), texts(gold))
            links[name] |= {n: start.links(candidates[n]) for n in numbers[name][half]}
    return [
        f"| {name} | {len(gold)} | {figures(counts([links[name][n] for n in range(len(gold))], gold))} |"
        for name, gold in sets.items()
    ]


def other_gold(
    name: str, own: Sequence[Evidence], gold: Sequence[LinkedPair], others: Mapping[str, Priors]
) -> list[str]:
    """Rows of the table: what each other set brings beside so many own pairs, and how often it is used."""
    rng = np.random.default_rng(1)
    order = rng.permutation(len(gold)).tolist()
    tested, pool = order[:HELD_OUT], order[HELD_OUT:]

    def aer(classifiers: Sequence[LinkClassifier]) -> float:
        test_links = [gold[n] for n in tested]
        drawn = [counts([one.links(own[n]) for n in tested], test_links)["all"] for one in classifiers]
        return 100 * float(rates(np.sum(drawn, axis=0).sum(axis=0))[2])

    rows = []
    for size in OWN_PAIRS:
        chosen = [rng.permutation(pool)[:size].tolist() for _ in range(DRAWS)]
        known = [([own[n] for n in some], [gold[n].links for n in some]) for some in chosen]
        alone = aer([fit(*some) for some in known])
        for other, priors in others.items():
            if other != name:
                decided = [adapt(priors, *some) for some in known]
                prior = priors.of_sets((0,))
                always = aer([fit(*some, strength=ALWAYS, prior=prior) for some in known])
                used = sum(transfer.helps for _, (transfer,) in decided)
                rows.append(
                    f"| {name} | {size} | {other} | {alone:.1f} | {always:.1f} | "
                    f"{aer([classifier for classifier, _ in decided]):.1f} | {used} of {DRAWS} |"
                )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--curve", action="store_true", help="also what own gold links bring")
    parser.add_argument("--halves", action="store_true", help="learn from half of all sets")
    parser.add_argument("--other-gold", action="store_true", help="what other sets bring beside own gold")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        sys.exit(f"The research data are not at {arguments.data}.")
    sets = read_sets(arguments.data)
    if arguments.halves:
        print("| set | pairs | starting point of the other half |\n| --- | --- | --- |")
        print("\n".join(halves(sets)))
        return
    if arguments.other_gold:
        models = {name: model_of(texts(gold)) for name, gold in sets.items()}
        own = {name: evidence_of(models[name], texts(gold), phrases=True) for name, gold in sets.items()}
        others = {
            name: Priors(None, [(name, own[name], [pair.links for pair in gold])])
            for name, gold in sets.items()
        }
        print("| own | pairs | other gold | without | always | decided | used |\n|" + " --- |" * 7)
        for name, gold in sets.items():
            print("\n".join(other_gold(name, own[name], gold, others)), flush=True)
        return
    curves = []
    print("| left out | pairs | no gold | starting point |\n| --- | --- | --- | --- |")
    for name, gold in sets.items():
        start = learn({other: pairs for other, pairs in sets.items() if other != name}).classifier
        model = model_of(texts(gold))
        candidates = evidence_of(model, texts(gold))
        rules = counts(BestAligner(starting_point="none").with_model(model).align_all(texts(gold)), gold)
        with_it = counts([start.links(pair) for pair in candidates], gold)
        print(f"| {name} | {len(gold)} | {figures(rules)} | {figures(with_it)} |", flush=True)
        if arguments.curve:
            with_phrases = evidence_of(model, texts(gold), phrases=True)
            curves.append((name, curve(with_phrases, gold, start)))
    for name, rows in curves:
        print(
            f"\n{name}\n\n| own pairs | used | starting point | own pairs alone |\n| --- | --- | --- | --- |"
        )
        for size, used, adapted, alone in rows:
            print(f"| {size} | {used} | {adapted} | {alone} |")


if __name__ == "__main__":
    main()
