"""Which training set makes the better aligner? The papers' question on public news; prints Markdown.

    python -m benchmarks.alignment_experiments > docs/alignment-experiments.md

L12, F2 and F3 (Brockett & Dolan 2005, table 2) are extracted from EventCorefBank+ and Multi-News; test sets
are the three genres of Edinburgh++, training part. Aligners see the sentences of the test sets, never their
links, but for the rows that are cross-validated by pair. eflomal runs where it is installed.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from paragold.aligners.aligner import Pair
from paragold.aligners.best import BestAligner
from paragold.aligners.evidence import evidence_of
from paragold.aligners.identity import Identity
from paragold.aligners.link_classifier import fit
from paragold.aligners.pair_files import read_training_pairs
from paragold.aligners.programs import Eflomal, ProgramError
from paragold.aligners.statistical import HMM, ModelAligner
from paragold.extraction.files import extract_file
from paragold.extraction.presets import get_preset
from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import CountArray, compare, counts_by_words, rates, score_of
from paragold.metrics.links import Link, LinkedPair
from paragold.statistics import holm

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
NEWS = ("ecbplus_topics_1_35.jsonl", "multi_news_validation.jsonl")
PRESETS = ("L12", "F2", "F3")
FOLDS = 5
SEED = 1
Counts = dict[str, CountArray]
Links = Sequence[Sequence[Link]]


def training_pairs(preset: str, **settings: object) -> list[Pair]:
    criteria = get_preset(preset).criteria.replace(**settings)
    pairs: list[Pair] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in NEWS:
            output = Path(folder) / "pairs.tsv"
            extract_file(DATA / "news" / name, criteria, output, processes=1)
            pairs += read_training_pairs(output)
    return pairs


def cross_validated(aligner: ModelAligner, gold: list[LinkedPair], texts: list[Pair]) -> list[list[Link]]:
    candidates = evidence_of(aligner.model, texts, phrases=True)
    fold = np.random.default_rng(SEED).permutation(len(gold)) % FOLDS
    links: list[list[Link]] = [[] for _ in gold]
    for held_out in range(FOLDS):
        known = np.flatnonzero(fold != held_out)
        classifier = fit([candidates[n] for n in known], [gold[n].links for n in known])
        for n in np.flatnonzero(fold == held_out):
            links[n] = classifier.links(candidates[n])
    return links


def drawn(gold: list[LinkedPair], texts: list[Pair], pairs: list[Pair]) -> dict[str, Links]:
    """The links of each aligner trained on the pairs."""
    text = [*pairs, *texts]
    trained = BestAligner(starting_point="none").fit(text)  # as in the experiments of a project
    found: dict[str, Links] = {
        "hmm + lexicon, intersection": HMM(linking="intersection", lexicon=True).fit(text).align_all(texts),
        "best": trained.align_all(texts),
        "best, gold links, cross-validated": cross_validated(trained, gold, texts),
    }
    try:
        found["eflomal + lexicon, intersection"] = Eflomal().fit(pairs).align_all(texts)
    except ProgramError as error:
        print(error, file=sys.stderr)
    return found


def percents(counts: CountArray) -> str:
    precision, recall, error = (
        "-" if np.isnan(share) else f"{100 * share:.1f}" for share in rates(counts.sum(axis=0))
    )
    return f"{precision} / {recall} / {error}"


def row(name: str, pairs: int, counts: Counts) -> str:
    interval = score_of(counts["all"], seed=SEED)["aer_interval"]
    around = f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}" if interval else "-"
    shares = " | ".join(percents(counts[words]) for words in ("all", "identical", "non_identical"))
    return f"| {name} | {pairs or '-'} | {shares} | {around} |"


def shown(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def tests(found: dict[str, dict[str, Counts]], aligner: str) -> list[str]:
    """A line for each two training sets: the difference, p, and p corrected for the tests of a column."""
    both = (("L12", "F2"), ("L12", "F3"), ("F3", "F2"))
    columns = []
    for words in ("all", "non_identical"):
        results = [compare(found[a][aligner][words], found[b][aligner][words], seed=SEED) for a, b in both]
        corrected = iter(holm([result["p"] for result in results if result]))
        columns.append(
            [
                f"{100 * result['difference']:+.2f} ({shown(result['p'])}; {shown(next(corrected))})"
                if result
                else "-"
                for result in results
            ]
        )
    return [
        f"| {aligner} | {one} - {other} | {columns[0][n]} | {columns[1][n]} |"
        for n, (one, other) in enumerate(both)
    ]


def main() -> None:
    if not DATA.is_dir():
        sys.exit(f"The research data are not at {DATA}.")
    gold = read_links(DATA / "alignment" / "edinburghpp.train.jsonl")
    texts: list[Pair] = [(pair.tokens.source, pair.tokens.target) for pair in gold]
    genres = ["all three", *dict.fromkeys(pair.key.split("-")[0] for pair in gold)]
    members = {
        genre: [n for n, pair in enumerate(gold) if genre == genres[0] or pair.key.startswith(f"{genre}-")]
        for genre in genres
    }
    sizes: dict[str, int] = {}
    found: dict[str, dict[str, Counts]] = {}
    for preset in PRESETS:
        pairs = training_pairs(preset)
        sizes[preset] = len(pairs)
        found[preset] = {
            name: counts_by_words(drawn_links, gold)
            for name, drawn_links in drawn(gold, texts, pairs).items()
        }
        print(preset, sizes[preset], file=sys.stderr)
    baseline = counts_by_words([Identity().align(*pair) for pair in texts], gold)

    def of(counts: Counts, genre: str) -> Counts:
        return {words: table[members[genre]] for words, table in counts.items()}

    for genre in genres:
        print(f"\n### Edinburgh++ train, {genre}: {len(members[genre])} pairs\n")
        print(
            "| aligner, training set | pairs | all words | identical | non-identical | AER, 95 % interval |"
        )
        print("| --- | --- | --- | --- | --- | --- |")
        print(row("identity", 0, of(baseline, genre)))
        for aligner in found[PRESETS[0]]:
            for preset in PRESETS:
                print(row(f"{aligner}, {preset}", sizes[preset], of(found[preset][aligner], genre)))
    print("\n### Differences of AER between training sets, all three genres, in percentage points\n")
    print("In brackets p, and p corrected for the three tests of an aligner in a column (Holm 1979).\n")
    print("| aligner | training sets | all words | non-identical words |\n| --- | --- | --- | --- |")
    for aligner in found[PRESETS[0]]:
        print("\n".join(tests(found, aligner)))


if __name__ == "__main__":
    main()
