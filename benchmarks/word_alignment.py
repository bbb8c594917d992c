"""Error rates of the word aligners beside the identity baseline; prints JSON. Speed: benchmarks.alignment.

    python -m benchmarks.word_alignment [--folds 5] [--own-gold 50] [--draws 4] [--steps | --compare]

Gold links: Edinburgh++ train and MSR RTE-2 dev of the research data beside the repository; training text:
their sentences and the MSR Paraphrase Corpus, training part. Both sets were tuned on, so their error rates
flatter. The row `gold_links` is cross-validated by pair, `own_gold` learns from that many pairs drawn
from outside the fold, and is the mean of several draws. `--steps` measures what each step of the unsupervised
part brings, instead. eflomal is trained on the same text where it is installed (null where it is not).
`--compare` prints a table in Markdown instead: every aligner of the registry, without gold links,
on MTRef and the development part of Wiki too, each in a process of its own, with CPU seconds and the highest
resident memory of it or of a program that it ran. Programs link by intersection, the best of them by
grow-diag-final-and too, with the lexicon of identical words. One row of `best` has a starting point for each
set that was learned from the other sets.
"""

import argparse
import json
import platform
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import numpy as np

from paragold.aligners.aligner import Aligner, Pair, TrainingParameters
from paragold.aligners.best import BestAligner
from paragold.aligners.evidence import Evidence, evidence_of
from paragold.aligners.explanations import FREE_WORD_RULES, links_by_rules
from paragold.aligners.identity import Identity, IdentityStem
from paragold.aligners.link_classifier import LinkClassifier, fit
from paragold.aligners.programs import SAMPLED, THOT_MODELS, Eflomal, ProgramError
from paragold.aligners.registry import ALIGNERS, aligner_label, aligner_of
from paragold.aligners.relations import Relations
from paragold.aligners.training import train
from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import WORDS, counts_by_words, table_of
from paragold.metrics.links import Link, LinkedPair
from paragold.text.tokenisation import tokenise
from scripts.starting_point import learn, read_sets, texts

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = {"edinburghpp_train": "edinburghpp.train.jsonl", "msr_rte2_dev": "msr_rte2.dev.jsonl"}
COMPARED = {
    "Edinburgh++ train": ("alignment/edinburghpp.train.jsonl", "Edinburgh++ train"),
    "MSR RTE-2 dev": ("alignment/msr_rte2.dev.jsonl", "MSR RTE-2 dev"),
    "MTRef train": ("multimwa/mtref-train.tsv", "MultiMWA MTRef train and dev"),
    "MTRef dev": ("multimwa/mtref-dev.tsv", "MultiMWA MTRef train and dev"),
    "Wiki dev": ("multimwa/wiki-dev.tsv", "MultiMWA Wiki train"),
}
"""By name the file, and the set of scripts/starting_point.py that is left out for it."""
PEERS = ("eflomal", "thot", "giza")
"""Those that are symmetrised in a second way, which finds more links."""
OTHER_SETTINGS: dict[str, list[dict[str, object]]] = {
    "hmm": [{"lexicon": True}],
    "thot": [{"model": model} for model in THOT_MODELS if model != SAMPLED],
}
"""By aligner the settings that are compared beside its own defaults."""
OTHER_SETS = "best, starting point of the other sets"


def msr_pairs() -> list[Pair]:
    lines = (DATA / "paraphrase" / "msr_paraphrase_train.txt").read_text("utf-8-sig").split("\n")[1:]
    rows = (line.rstrip("\r").split("\t") for line in lines if line)
    return [(tokenise(row[3])[0], tokenise(row[4])[0]) for row in rows]


def aer(links: Sequence[Sequence[Link]], gold: Sequence[LinkedPair]) -> dict[str, float | None]:
    table = table_of(
        counts_by_words(links, gold),
        seed=1,
        resamples=0,
    )
    return {words: None if row["aer"] is None else round(100 * row["aer"], 2) for words, row in table.items()}


def cross_validated(
    candidates: Sequence[Evidence], gold: list[LinkedPair], folds: int, most: int | None = None, seed: int = 1
) -> dict[str, float | None]:
    """By pair; from `most` of the other folds' pairs, drawn at random, or from all of them."""
    rng = np.random.default_rng(seed)
    fold = rng.permutation(len(gold)) % folds
    links: list[list[Link]] = [[] for _ in gold]
    for held_out in range(folds):
        known: list[int] = rng.permutation(np.flatnonzero(fold != held_out))[:most].tolist()
        classifier = fit([candidates[n] for n in known], [gold[n].links for n in known])
        for n in np.flatnonzero(fold == held_out).tolist():
            links[n] = classifier.links(candidates[n])
    return aer(links, gold)


def mean(rows: Sequence[dict[str, float | None]]) -> dict[str, float | None]:
    return {
        words: round(sum(row[words] or 0 for row in rows) / len(rows), 2) if rows[0][words] else None
        for words in rows[0]
    }


def steps(training: Sequence[Pair], sets: dict[str, list[LinkedPair]]) -> dict[str, dict[str, float | None]]:
    """AER of all words by step, each with those before it; `best` stands at the last one."""
    best = BestAligner()
    everything, rules = best.relations(), FREE_WORD_RULES
    plain = TrainingParameters()
    related = replace(plain, stem=10.0, lemma=10.0, derivation=5.0)
    meanings = replace(related, synonym=4.0, hypernym=1.0)
    spelled = replace(meanings, spelling=4.0)
    tuned = best.training_parameters()
    stronger = replace(tuned, ibm1_iterations=5, hmm_iterations=5, uniform=0.2, lexicon=False)
    iterated = replace(tuned, uniform=0.2, lexicon=False)
    no_meaning = {**rules, "meaning": 2.0}
    alone = Relations(None, None, spelling=False)
    todo: list[tuple[str, TrainingParameters, Relations, float | Mapping[str, float]]] = [
        ("HMM, shared tables, pseudo-count 20 for identical words", plain, alone, 0.5),
        ("+ stems, lemmas, derivations", related, everything, 0.5),
        ("+ synonyms, hypernyms", meanings, everything, 0.5),
        ("+ spelling", spelled, everything, 0.5),
        ("+ ten times those pseudo-counts, null probability by length", stronger, everything, 0.5),
        ("+ two iterations of IBM Model 1, six of the HMM", iterated, everything, 0.5),
        ("+ lexicon, threshold 0.55", replace(tuned, uniform=0.2), everything, 0.55),
        ("+ more even jumps, threshold 0.6", tuned, everything, 0.6),
        ("+ rules for free words and for unequal lengths", tuned, everything, no_meaning),
        ("+ free words that WordNet relates, posterior 0.9", tuned, everything, rules),
    ]
    found = {}
    for name, parameters, relations, drawing in todo:
        model = train(training, parameters, relations)
        row = {}
        for of, gold in sets.items():
            pairs = texts(gold)
            links = [
                [(int(i), int(j)) for i, j in np.argwhere(posteriors.average > drawing)]
                if isinstance(drawing, float)
                else links_by_rules(*pair, posteriors, drawing)
                for pair, posteriors in zip(pairs, model.posteriors(pairs), strict=True)
            ]
            row[of] = aer(links, gold)["all"]
        print(name, row, file=sys.stderr, flush=True)
        found[name] = row
    return found


def eflomal_links(pairs: Sequence[Pair], training: Sequence[Pair]) -> list[list[Link]] | None:
    """Symmetrised by intersection, with the lexicon of identical words; None where it is not installed."""
    try:
        return Eflomal().fit(training).align_all(pairs)
    except ProgramError as error:
        print(error, file=sys.stderr)
        return None


def figures(links: Sequence[Sequence[Link]], gold: Sequence[LinkedPair]) -> str:
    """In percent: AER of all, identical and other words, and F1 on the SURE links of other words."""
    rows = aer(links, gold)
    counts = counts_by_words(links, gold)
    drawn, sure, _, right = counts["non_identical"].sum(axis=0)
    f1 = 200 * right / (drawn + sure)
    return " / ".join(f"{value:.1f}" for value in (*(rows[words] or 0.0 for words in WORDS), f1))


def all_aligners() -> dict[str, Aligner]:
    """Every aligner of the registry, some with other settings too, that is available here, by its label.

    The starting point of `best` was learned from these sets too: further rows do without it, and with one
    that was learned from the other sets.
    """
    recipes = [
        aligner_of({"aligner": method.id, **settings})
        for method in ALIGNERS
        if method.is_available()
        for settings in ({}, *OTHER_SETTINGS.get(method.id, ()))
    ]
    grown = {"linking": "grow-diag-final-and"}
    recipes += [aligner_of({"aligner": id, **grown}) for id in PEERS if ALIGNERS.get(id).is_available()]
    unaided = aligner_of({"aligner": "best", "starting_point": "none"})
    more = {"best, starting_point none": unaided, OTHER_SETS: unaided}
    return {aligner_label(one.settings()): one for one in recipes} | more


def starting_points() -> dict[str, LinkClassifier]:
    """For each compared set what the gold links of the other sets teach."""
    sets = read_sets(DATA)
    learned = {
        left_out: learn({name: gold for name, gold in sets.items() if name != left_out}).classifier
        for left_out in sets
    }
    return {name: learned[left_out] for name, (_, left_out) in COMPARED.items()}


def cpu_and_memory() -> tuple[float, int]:
    """CPU seconds of this process and of those it waited for, and the memory (MB) of the largest of them."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used), max(one.ru_maxrss for one in used) // 1024


def compared(label: str, training: Sequence[Pair], sets: dict[str, list[LinkedPair]]) -> str:
    """A row of the table, by an aligner that is trained once on the text; all sets are linked at once."""
    aligner = all_aligners()[label]
    tested = [pair for gold in sets.values() for pair in texts(gold)]
    starts = starting_points() if label == OTHER_SETS else {}
    if not aligner.trains_when_applied:
        some = training[:50]
        all_aligners()[label].fit(some).align_all(some)  # machine code is compiled beforehand
    before, _ = cpu_and_memory()
    aligner.fit(training)
    if isinstance(aligner, BestAligner) and starts:
        links = []
        for name, gold in sets.items():
            own = aligner.with_model(aligner.model, starts[name])
            links += own.align_all(texts(gold))
    else:
        links = aligner.align_all(tested)
    after, memory = cpu_and_memory()
    cells = []
    for gold in sets.values():
        cells.append(figures(links[: len(gold)], gold))
        links = links[len(gold) :]
    # Learning the starting points is not counted, and its memory would be that of all.
    return f"| {label} | {' | '.join(cells)} | {after - before:.1f} | {'-' if starts else memory} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--own-gold", type=int, default=50)
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--steps", action="store_true", help="the steps of the unsupervised part alone")
    parser.add_argument("--compare", action="store_true", help="all aligners, with CPU seconds and memory")
    parser.add_argument("--only", metavar="LABEL", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"The research data are not at {DATA}.")

    sets = {name: read_links(DATA / "alignment" / file) for name, file in SETS.items()}
    training = [pair for gold in sets.values() for pair in texts(gold)] + msr_pairs()
    if arguments.steps:
        print(json.dumps(steps(training, sets), indent=2))
        return
    if arguments.compare or arguments.only:
        sets = {name: read_links(DATA / file) for name, (file, _) in COMPARED.items()}
        training = [pair for gold in sets.values() for pair in texts(gold)] + msr_pairs()
    if arguments.only:
        print(compared(arguments.only, training, sets))
        return
    if arguments.compare:
        print(f"{len(training):,} sentence pairs of training text\n")
        print(f"| | {' | '.join(sets)} | CPU s | MB |\n|{' --- |' * (len(sets) + 3)}", flush=True)
        command = [sys.executable, "-m", "benchmarks.word_alignment", "--only"]
        for label in all_aligners():
            subprocess.run([*command, label], check=True)
        return
    trained = BestAligner(starting_point="none").fit(training)
    hmm = aligner_of({"aligner": "hmm"}).fit(training)
    rows = {}
    for name, gold in sets.items():
        pairs = texts(gold)
        known = {(tuple(source), tuple(target)) for source, target in pairs}
        others = [pair for pair in training if (tuple(pair[0]), tuple(pair[1])) not in known]
        peer = eflomal_links(pairs, others)
        candidates = evidence_of(trained.model, pairs, phrases=True)
        few = [
            cross_validated(candidates, gold, arguments.folds, arguments.own_gold, seed)
            for seed in range(1, arguments.draws + 1)
        ]
        rows[name] = {
            "identity": aer([Identity().align(*pair) for pair in pairs], gold),
            "identity-stem": aer([IdentityStem().align(*pair) for pair in pairs], gold),
            "hmm": aer(hmm.align_all(pairs), gold),
            "eflomal": peer and aer(peer, gold),
            "best": aer(trained.align_all(pairs), gold),
            "own_gold": mean(few),
            "gold_links": cross_validated(candidates, gold, arguments.folds),
        }
    result = {
        "aer_percent": rows,
        "training_pairs": len(training),
        "own_gold_pairs": arguments.own_gold,
        "own_gold_draws": arguments.draws,
        "signature": trained.signature,
        "versions": {name: version(name) for name in ("numpy", "numba", "scikit-learn", "snowballstemmer")},
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
