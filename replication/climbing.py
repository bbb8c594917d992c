"""Extraction thresholds climbed by alignment error rate (AER).

Brockett & Dolan (2005), section 4.1: AER "evaluated efficiently, repeatedly against a single standard [...]
if used as an objective function [...] offers the prospect of using hillclimbing or other optimization
techniques". Every value of one or two parameters around a preset is tried: its pairs are extracted, an
aligner is trained on them, and the links that it draws are scored against the same gold links.

    python -m replication.climbing --input CLUSTERS --gold LINKS --parameter NAME --values A,B --output REPORT
"""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.aligner import Aligner, Pair
from paragold.aligners.pair_files import read_gold, read_training_pairs
from paragold.aligners.registry import aligner_of, trained_ids
from paragold.cli.arguments import (
    add_arguments,
    add_file,
    add_flag,
    add_set,
    parse_settings,
    parse_values,
    spec_from,
)
from paragold.cli.console import Console, OptionProblem, Options, Report, add_output, run_command
from paragold.cli.links import add_format
from paragold.extraction.criteria import Criteria
from paragold.extraction.files import extract_file
from paragold.extraction.presets import RECOMMENDED, get_preset, names_with_purposes
from paragold.folds import folds, groups_of
from paragold.formats.text_files import read_text, split_lines, write_text
from paragold.metrics.error_rate import (
    RATES,
    WORDS,
    CountArray,
    aer_of,
    compare,
    counts_by_words,
    percent,
    score_of,
)
from paragold.metrics.links import Link, LinkedPair
from paragold.spec import Spec, SpecError, param, seed_param
from paragold.statistics import Interval, generator, holm, percentile_interval, resampled_sums

VERSION = 1
MAX_PARAMETERS = 2
MAX_TRAININGS = 100

Yield = tuple[list[Pair], NDArray[np.int64]]
"""The pairs that criteria find, each two texts once; and how many in each cluster, 0 among them."""


class ClimbSpec(Spec):
    """The evaluation of the values."""

    aim: Literal["all", "non_identical"] = param(
        "all",
        "Optimise for",
        "The best value has the lowest AER of these words; the paper is most interested in non-identical "
        "words.",
        choices={words: WORDS[words] for words in ("all", "non_identical")},
    )
    most_pairs: int | None = param(
        None,
        "Maximum pairs",
        "If a value finds more pairs, this many are drawn at random, so that values are compared by the "
        "quality of their pairs. No limit: all are used.",
        ge=1,
    )
    without_test_sentences: bool = param(
        False,
        "Without test sentences",
        "Trains on the extracted pairs only. Otherwise the sentences of the gold links are training text "
        "too, but never their links.",
    )
    seed: int = seed_param("Determines the bootstrap, the tests, the folds and the pairs drawn.")


def grid(base: Criteria, values: Mapping[str, Sequence[object]]) -> list[Criteria]:
    """The criteria with every combination of these values, those of the last parameter changing fastest.

    Parameters
    ----------
    base : Criteria
        Gives all other parameters.
    values : mapping of str to sequence
        One or two parameters of an extraction, and what to try, as text or plain values.

    Raises
    ------
    SpecError
        An unknown parameter, a value outside its range, two that contradict each other; no parameter or more
        than two; fewer than two combinations or more than 100.
    """
    if not 1 <= len(values) <= MAX_PARAMETERS:
        name = next(iter(values), "parameter")
        raise SpecError([(name, f"Choose one or two parameters to vary, not {len(values)}.")])
    tried = [base.replace(**dict(zip(values, chosen, strict=True))) for chosen in product(*values.values())]
    tried = list(dict.fromkeys(tried))
    if not 2 <= len(tried) <= MAX_TRAININGS:
        name = next(iter(values))
        message = f"{name}: {len(tried)} different values to try; choose 2 to {MAX_TRAININGS}, in all."
        raise SpecError([(name, message)])
    return tried


def check_aligner(aligner: Aligner) -> None:
    """Raises SpecError for an aligner that learns nothing from pairs: its AER would always be the same."""
    if not aligner.learns_from_pairs:
        message = f"{aligner.id} is not trained on pairs; choose one of {', '.join(trained_ids())}."
        raise SpecError([("aligner", message)])


def yield_of_file(path: Path, criteria: Criteria, *, processes: int | None = None) -> Yield:
    """The pairs that criteria find in a file of clusters. Raises as `extraction.files.extract_file` does."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "pairs.tsv"
        counts = extract_file(path, criteria, output, processes=processes)
        clusters = Counter(line.partition("\t")[0] for line in split_lines(read_text(output))[1:])
        by_cluster = np.zeros(counts["clusters"], dtype=np.int64)
        by_cluster[: len(clusters)] = list(clusters.values())
        return read_training_pairs(output), by_cluster


def climb(
    base: Criteria,
    values: Mapping[str, Sequence[object]],
    extract: Callable[[Criteria], Yield],
    gold: Sequence[LinkedPair],
    aligner: Aligner,
    spec: ClimbSpec | None = None,
    progress: Callable[[Mapping[str, Any]], object] = lambda step: None,
) -> dict[str, Any]:
    """Try every combination of values and find the best.

    Parameters
    ----------
    base, values
        As `grid` takes them.
    extract : callable
        Gives what criteria find, as `yield_of_file` does.
    gold : sequence of LinkedPair
        What every aligner is scored on.
    aligner : Aligner
        The aligner, trained from scratch for each combination.
    spec : ClimbSpec, optional
    progress : callable, optional
        Called with each step of the report.

    Returns
    -------
    The report, as JSON can hold it; AER and intervals in percent, null where undefined.
        steps: for each combination its `settings`, the `pairs` found and the interval of their number in
        corpora of as many clusters (a bootstrap over clusters), those it was `trained_on`, `scores` by words,
        `p` and `p_holm` of the test against the best, corrected for the number of tests (Holm 1979).
        best: the settings with the lowest AER of the words aimed at, of equal ones those that find more.
        as_good_as_the_best: those that are not significantly worse (corrected p >= 0.05), the best included.
        held_out_aer: AER by words when every fifth of the gold pairs is scored by the step that was best on
        the others: unlike the AER of the best, it is not flattered by the choice.

    Raises
    ------
    ValueError
        No gold links; a program that is missing or fails; more pairs than an aligner takes at once; as
        `grid` and `check_aligner`; and what `extract` raises.

    References
    ----------
    Brockett & Dolan (2005), section 4.1.
    """
    spec = spec or ClimbSpec()
    check_aligner(aligner)
    if not gold:
        raise ValueError("There are no gold links to score on.")
    steps, tables = [], []
    for criteria in grid(base, values):
        counts, step = _step(criteria, list(values), extract, gold, aligner, spec)
        tables.append(counts)
        steps.append(step)
        progress(step)
    aimed = [counts[spec.aim] for counts in tables]
    sizes = [step["pairs"] for step in steps]
    best = best_of(aimed, sizes)
    as_good = [] if best is None else [best]
    if best is not None:
        tests = {place: compare(aimed[best], table, seed=spec.seed) for place, table in enumerate(aimed)}
        ps = {place: test["p"] for place, test in tests.items() if place != best and test is not None}
        for (place, p), corrected in zip(ps.items(), holm(list(ps.values())), strict=True):
            steps[place] |= {"p": p, "p_holm": corrected}
            as_good += [place] * (corrected >= 0.05)
    return {
        "parameters": list(values),
        "fixed": {name: value for name, value in base.as_json().items() if name not in values},
        "spec": spec.as_json(),
        "steps": steps,
        "best": None if best is None else steps[best]["settings"],
        "as_good_as_the_best": [steps[place]["settings"] for place in sorted(as_good)],
        "held_out_aer": _held_out(tables, sizes, gold, spec),
        "signature": f"climb|version:{VERSION}|{spec.signature()}",
    }


def _step(
    criteria: Criteria,
    varied: Sequence[str],
    extract: Callable[[Criteria], Yield],
    gold: Sequence[LinkedPair],
    aligner: Aligner,
    spec: ClimbSpec,
) -> tuple[Mapping[str, CountArray], dict[str, Any]]:
    """Extract, train, link the gold pairs and score them: counts of each pair by words, and the report."""
    started = perf_counter()
    extracted, by_cluster = extract(criteria)
    pairs = drawn(extracted, spec.most_pairs, spec.seed)
    texts: list[Pair] = [one.tokens for one in gold]
    text = pairs if spec.without_test_sentences else [*pairs, *texts]
    maximum = aligner.max_pairs
    if maximum is not None and len(text) > maximum:
        raise ValueError(
            f"{len(text):,} sentence pairs are too many for {aligner.id}, which takes {maximum:,}. "
            "Limit them by most_pairs, or choose another aligner."
        )
    links: list[list[Link]] = [[] for _ in texts]
    signature = "nothing to train on"
    if text:
        aligner.fit(text)
        links = aligner.align_all(texts)
        signature = "|".join(filter(None, [aligner.signature, aligner.draw_signature(links)]))
    counts = counts_by_words(links, gold)
    interval, settings = sum_interval(by_cluster, seed=spec.seed), criteria.as_json()
    return counts, {
        "settings": {name: settings[name] for name in varied},
        "pairs": len(extracted),
        "pairs_interval": None if interval is None else [round(end, 1) for end in interval],
        "trained_on": len(pairs),
        "scores": {words: _scores(counts[words], spec.seed) for words in WORDS},
        "p": None,
        "p_holm": None,
        "seconds": round(perf_counter() - started, 2),
        "criteria": criteria.signature(),
        "signature": signature,
    }


def _scores(counts: CountArray, seed: int) -> dict[str, Any]:
    """Precision, recall and AER in percent, and their intervals."""
    row = score_of(counts, seed=seed)
    return {name: percent(row[name]) for rate in RATES for name in (rate, f"{rate}_interval")}


def drawn(pairs: list[Pair], size: int | None, seed: int) -> list[Pair]:
    """`size` of the pairs, in their order; a larger sample contains the smaller ones. None: all pairs."""
    if size is None or size >= len(pairs):
        return pairs
    order = generator(seed).permutation(len(pairs))
    return [pairs[n] for n in sorted(order[:size])]


def sum_interval(by_cluster: NDArray[np.int64], *, seed: int) -> Interval | None:
    """Percentile bootstrap interval of the sum of (clusters,), clusters drawn with replacement."""
    if len(by_cluster) < 2:
        return None
    return percentile_interval(resampled_sums(by_cluster[:, None], seed=seed)[:, 0].astype(np.float64))


def best_of(tables: Sequence[CountArray], sizes: Sequence[int]) -> int | None:
    """The place of the table (gold pairs, 4) with the lowest AER; of equal ones the largest, then first."""
    aers = {place: aer for place, table in enumerate(tables) if (aer := aer_of(table)) is not None}
    return min(aers, key=lambda place: (aers[place], -sizes[place], place), default=None)


def _held_out(
    tables: Sequence[Mapping[str, CountArray]],
    sizes: Sequence[int],
    gold: Sequence[LinkedPair],
    spec: ClimbSpec,
) -> dict[str, Any]:
    parts = folds(groups_of(one.tokens for one in gold), seed=spec.seed)
    chosen: dict[str, list[CountArray]] = {words: [] for words in WORDS}
    for part in parts if len(parts) > 1 else []:
        best = best_of([np.delete(counts[spec.aim], part, axis=0) for counts in tables], sizes)
        if best is not None:
            for words in WORDS:
                chosen[words].append(tables[best][words][part])
    return {words: percent(aer_of(np.concatenate(some)) if some else None) for words, some in chosen.items()}


def _climb_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "--input", "clusters as JSONL", required=True)
    add_file(parser, "--gold", "gold links", required=True)
    add_file(parser, "--gold-source", "their source sentences, tokens separated by spaces")
    add_file(parser, "--gold-target", "their target sentences, likewise")
    add_format(parser, "--gold-format")
    for option, metavar, about in (
        (
            "--parameter",
            "NAME",
            "parameter to vary, such as max_edit_distance; of two all combinations are tried",
        ),
        ("--values", "A,B,...", "values to try, such as 4,8,12,16; once for each --parameter"),
    ):
        parser.add_argument(option, action="append", required=True, metavar=metavar, help=about)
    presets = f"sets all other parameters: {names_with_purposes()} (default: {RECOMMENDED})"
    parser.add_argument("--preset", default=RECOMMENDED, metavar="NAME", help=presets)
    add_set(parser, "change a parameter of the preset; may be repeated")
    aligners = f"{', '.join(trained_ids())} (default: %(default)s)"
    parser.add_argument("--aligner", choices=trained_ids(), default="hmm", metavar="NAME", help=aligners)
    add_set(
        parser,
        "a parameter of the aligner, such as lexicon=true or linking=intersection; may be repeated",
        "--aligner-set",
    )
    add_arguments(parser, ClimbSpec)
    parser.add_argument("--processes", type=int, help="processes for the extraction; default: one per core")
    add_flag(parser, "--count-only", "only count the training pairs for each value; write nothing")
    add_output(parser, "--output", required=True, help="the report as JSON")


def _climb_thresholds(options: Options, console: Console) -> Report:
    """Choose extraction thresholds by alignment error rate (AER): extract with each value of one or two
    parameters of a preset, train an aligner on the pairs, and score its links against gold links."""
    base = get_preset(options["preset"]).criteria.replace(**parse_settings(options["set"]))
    names = options["parameter"]
    if len(names) != len(options["values"]) or len(set(names)) != len(names):
        raise OptionProblem("Give --values once for each --parameter, and each parameter once.")
    values = {name: text.split(",") for name, text in zip(names, options["values"], strict=True)}
    tried = grid(base, values)
    spec = spec_from(ClimbSpec, options)
    aligner = aligner_of({"aligner": options["aligner"], **parse_values(options["aligner_set"])})
    check_aligner(aligner)

    def extract(criteria: Criteria) -> Yield:
        return yield_of_file(options["input"], criteria, processes=options["processes"])

    if options["count_only"]:
        total, lines = 0, list[str]()
        for criteria in tried:
            count = len(extract(criteria)[0])
            total += min(count, spec.most_pairs or count)
            settings = criteria.as_json()
            lines.append(f"{count:>12,}  {_in_words({name: settings[name] for name in values})}")
        lines.append(f"{total:>12,}  pairs to train on in {len(tried)} trainings")
        return {"pairs": total, "trainings": len(tried)}, "\n".join(lines)
    report = climb(
        base,
        values,
        extract,
        read_gold(*(options[name] for name in ("gold", "gold_source", "gold_target", "gold_format"))),
        aligner,
        spec,
        lambda step: console.warn(
            f"{_in_words(step['settings'])}: {step['pairs']:,} pairs, {step['seconds']:.1f} s"
        ),
    )
    report |= {"preset": options["preset"], "recipe": aligner.settings()}
    write_text(options["output"], json.dumps(report, indent=1) + "\n")
    return report, f"{climb_table(report)}\nReport: {options['output']}"


def _in_words(settings: Mapping[str, object]) -> str:
    """Parameters with their values: "max_edit_distance 5, min_length 4"."""
    return ", ".join(f"{name} {_shown(name, value)}" for name, value in settings.items())


def _shown(name: str, value: object) -> str:
    return Criteria.parameter(name).in_signature(value)


def climb_table(report: Mapping[str, Any]) -> str:
    """The report as Markdown: a row for each step, `*` at the best."""
    head = [*report["parameters"], "pairs", "95 % interval", "AER", "95 % interval", "non-identical"]
    head += ["95 % interval", "p", "p (Holm)"]
    rows = [head, ["---"] * len(head)]
    for step in report["steps"]:
        row = [_shown(name, value) for name, value in step["settings"].items()]
        row += [f"{step['pairs']:,}", _ends(step["pairs_interval"], ",.0f")]
        for words in ("all", "non_identical"):
            scores = step["scores"][words]
            mark = " *" if step["settings"] == report["best"] and words == report["spec"]["aim"] else ""
            row += ["-" if scores["aer"] is None else f"{scores['aer']:.2f}{mark}"]
            row += [_ends(scores["aer_interval"], ".2f")]
        rows.append(row + ["-" if step[p] is None else f"{step[p]:.4f}" for p in ("p", "p_holm")])
    lines = [f"| {' | '.join(row)} |" for row in rows]
    held_out = report["held_out_aer"]
    if held_out["all"] is not None:
        other = held_out["non_identical"]
        words = "" if other is None else f", of non-identical words {other:.2f}"
        lines.append(
            "Chosen on four fifths of the gold pairs and scored on the rest: "
            f"AER {held_out['all']:.2f}{words}."
        )
    return "\n".join(lines)


def _ends(bounds: Sequence[float] | None, form: str) -> str:
    return "-" if bounds is None else f"{bounds[0]:{form}} to {bounds[1]:{form}}"


COMMAND = (_climb_arguments, _climb_thresholds)

if __name__ == "__main__":
    sys.exit(run_command(COMMAND, "python -m replication.climbing", sys.argv[1:]))
