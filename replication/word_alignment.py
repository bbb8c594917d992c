"""Error rates of the word aligners on public gold links."""

from __future__ import annotations

import resource
from collections.abc import Mapping, Sequence

from benchmarks.aligners import compile_aligner
from benchmarks.measuring import DATA, Row, apart, cost
from paragold.aligners.aligner import Aligner, Pair, texts_of
from paragold.aligners.best import BestAligner
from paragold.aligners.evidence import evidence_of
from paragold.aligners.evidence_sources import CONTEXT, PHRASES, SOURCES
from paragold.aligners.programs import SAMPLED, THOT_MODELS
from paragold.aligners.registry import ALIGNERS, aligner_label, aligner_of
from paragold.formats.labelled_pairs import read_pairs
from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import WORDS, counts_by_words, rates
from paragold.metrics.links import Link, LinkedPair
from paragold.text.tokenisation import tokenise
from scripts.starting_point import gather, learn, model_of, read_sets, taught_by

SETS = {
    "Edinburgh++ train": ("alignment/edinburghpp.train.jsonl", "Edinburgh++ train"),
    "MSR RTE-2 dev": ("alignment/msr_rte2.dev.jsonl", "MSR RTE-2 dev"),
    "MTRef train": ("multimwa/mtref-train.tsv", "MultiMWA MTRef train and dev"),
    "MTRef dev": ("multimwa/mtref-dev.tsv", "MultiMWA MTRef train and dev"),
    "Wiki dev": ("multimwa/wiki-dev.tsv", "MultiMWA Wiki train"),
}
"""By name the file, and the set of scripts/starting_point.py that is left out for it."""
OTHER_SETTINGS: Mapping[str, Sequence[Mapping[str, object]]] = {
    "hmm": [{"lexicon": True}],
    "thot": [{"model": model} for model in THOT_MODELS if model != SAMPLED],
}
"""By aligner the settings that are compared beside its own defaults."""
OTHER_SETS = "best, starting point of the other sets"


def alignment_error(*, only: str = "", encoder: str = "", most: int = 0) -> list[Row]:
    """AER of every aligner, without gold links of the set it is tested on, with CPU seconds and memory.

    In percent: AER of all / identical / other words, and F1 on the SURE links of other words. All are trained
    on the same text: the sentences of the sets and the MSR Paraphrase Corpus, training part. Programs link by
    intersection, the best of them by grow-diag-final-and too, with the lexicon of identical words. One row of
    `best` has a starting point for each set that was learned from the other sets: the fair one. With
    `encoder`, a folder, `best` has two rows more. `only` names aligners whose label holds it, `most` bounds
    the pairs of each set.
    """
    labels = [label for label in _all_aligners(encoder) if only in label]
    return [apart(_compared, label, most, encoder) for label in labels]


def _all_aligners(encoder: str = "") -> dict[str, Aligner]:
    """Every aligner of the registry that is available, some with other settings too, by its label."""
    settings = [
        {"aligner": method.id, **more}
        for method in ALIGNERS
        if method.is_available()
        for more in ({}, *OTHER_SETTINGS.get(method.id, ()))
    ]
    grown = {"linking": "grow-diag-final-and"}
    settings += [
        {"aligner": id, **grown} for id in ("eflomal", "thot", "giza") if ALIGNERS.get(id).is_available()
    ]
    unaided = aligner_of({"aligner": "best", "starting_point": "none"})
    labelled = {aligner_label(aligner_of(each).settings()): aligner_of(each) for each in settings}
    labelled |= {"best, starting_point none": unaided, OTHER_SETS: unaided}
    if not encoder:
        return labelled
    in_context = aligner_of({"aligner": "best", "starting_point": "none", "encoder": encoder})
    return labelled | {
        "best, all starting points, encoder": aligner_of({"aligner": "best", "encoder": encoder}),
        f"{OTHER_SETS}, encoder": in_context,
    }


def _compared(label: str, most: int, encoder: str) -> Row:
    """A row of the table, by an aligner that is trained once on the text; all sets are linked at once."""
    sets = {name: read_links(DATA / file)[: most or None] for name, (file, _) in SETS.items()}
    judged = read_pairs(DATA / "paraphrase" / "msr_paraphrase_train.txt")[: most or None]
    msr: list[Pair] = [(tokenise(pair.first)[0], tokenise(pair.second)[0]) for pair in judged]
    training = [*(pair for gold in sets.values() for pair in texts_of(gold)), *msr]
    aligner = _all_aligners(encoder)[label]
    encoder = encoder if label.endswith("encoder") else ""
    compile_aligner(str(aligner.settings()["aligner"]))
    known = read_sets(DATA) if label.startswith(OTHER_SETS) else {}
    known = {name: gold[: most or None] for name, gold in known.items()}
    with cost() as spent:
        aligner.fit(training)
    row: Row = {"aligner": label, "trained on": len(training)}
    for name, gold in sets.items():
        own = aligner
        if isinstance(aligner, BestAligner) and known:
            others = {other: pairs for other, pairs in known.items() if other != SETS[name][1]}
            own = aligner.with_model(aligner.model, learn(others, encoder).classifier)
        with cost() as linking:
            links = own.align_all(texts_of(gold))
        row[name] = _figures(links, gold)
        spent["cpu_s"] += linking["cpu_s"]
        spent["peak_mb"] = linking["peak_mb"]
    program = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    return row | {"cpu_s": round(spent["cpu_s"], 1), "mb": max(spent["peak_mb"], program)}


def evidence_ablation(*, encoder: str = "", most: int = 0, sets: tuple[str, ...] = ()) -> list[Row]:
    """AER of all words / F1 on different ones by `best` without each source of evidence, in percent.

    Each set in turn is left out of what the starting point is learned from, and linked by it, its translation
    model being trained on its own sentences. `change` is the largest rise of F1 over the sets that a source
    brings. `most` bounds the pairs of each set; `sets` are those left out, all by default.
    """
    known = {name: gold[: most or None] for name, gold in read_sets(DATA).items()}
    left_out = [source for source in SOURCES if source != PHRASES and (encoder or source != CONTEXT)]
    rows: dict[str, Row] = {name: {"without": name} for name in ("-", *left_out)}
    for name in sets or known:
        gathered = gather({other: gold for other, gold in known.items() if other != name}, encoder)
        texts = texts_of(known[name])
        candidates = evidence_of(model_of(texts, encoder), texts)
        for source, row in rows.items():
            classifier = taught_by(gathered, encoder, [source] if source != "-" else [])
            figures = _figures(classifier.links_of(candidates), known[name]).split(" / ")
            row[name] = f"{figures[0]} / {figures[-1]}"
    for row in rows.values():
        f1s = [(float(rows["-"][name].split()[-1]), float(row[name].split()[-1])) for name in sets or known]
        row["change"] = round(max(all_sources - without for all_sources, without in f1s), 1)
    return [*rows.values()]


def _figures(links: Sequence[Sequence[Link]], gold: Sequence[LinkedPair]) -> str:
    counts = counts_by_words(links, gold)
    drawn, sure, _, right = counts["non_identical"].sum(axis=0)
    shares = [rates(counts[words].sum(axis=0))[2] for words in WORDS]
    return " / ".join(f"{100 * share:.1f}" for share in (*shares, 2 * right / max(1, drawn + sure)))
