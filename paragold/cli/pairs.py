"""Commands that find pairs: extract-pairs, sample, climb-thresholds and those of matching."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from paragold.aligners.registry import aligner_of, trained_ids
from paragold.cli.arguments import (
    add_arguments,
    add_file,
    add_flag,
    add_gold,
    add_set,
    gold_of,
    parse_settings,
    parse_values,
    spec_from,
)
from paragold.cli.console import Command, CommandProblem, Console, Options, add_output, figures, percent
from paragold.executors import EXECUTORS
from paragold.extraction.climb import ClimbSpec, Yield, check_aligner, climb, grid, yield_of_file
from paragold.extraction.criteria import Criteria
from paragold.extraction.files import extract_file
from paragold.extraction.presets import RECOMMENDED, get_preset, names_with_purposes
from paragold.formats.gold_jsonl import read_subclusters
from paragold.formats.text_files import write_text
from paragold.matching.files import (
    answer_key,
    answer_key_of,
    best,
    draft_key,
    match_files,
    read_files,
    write_curve,
    write_key,
)
from paragold.matching.headlines import HeadlineFile
from paragold.matching.specs import HeadlineSpec, KeyDraftSpec, MatchingSpec
from paragold.matching.sub_clusters import (
    METHOD_NAMES,
    SubClusterScores,
    judged_clusters,
    judged_links,
    number_of_groups,
    precision_text,
    scored,
)
from paragold.sampling.sampling import ALLOCATIONS
from paragold.statistics import f_score
from paragold.text.stemming import LANGUAGES

# Extraction from clusters.


def add_preset_arguments(parser: ArgumentParser, *, presets: str) -> None:
    """The options of every extraction; `presets` says which presets there are."""
    parser.add_argument("--preset", default=RECOMMENDED, metavar="NAME", help=presets)
    add_set(parser, "change a parameter of the preset; may be repeated")


def _criteria(options: Options) -> Criteria:
    return get_preset(options["preset"]).criteria.replace(**parse_settings(options["set"]))


def _extract_arguments(parser: ArgumentParser) -> None:
    add_preset_arguments(parser, presets=f"{names_with_purposes()} (default: {RECOMMENDED})")
    about = "JSON Lines, also .gz and .zst, or Parquet; paths or addresses"
    parser.add_argument("files", nargs="*", metavar="FILES", help=about)
    parser.add_argument("--executor", choices=EXECUTORS, default="processes", help="of many files")
    parser.add_argument("--workers", type=int, help="of many files (default: one per core)")
    parser.add_argument("--address", help="of a Ray or Dask cluster, or the partition of Slurm")
    add_file(parser, "--input", "clusters as JSONL", metavar="FILE")
    add_output(parser, "--output", required=True, help="pairs as tab-separated lines; of FILES a folder")
    parser.add_argument("--processes", type=int, help="of a file (default: one per core)")


def _extract_pairs(options: Options, console: Console) -> None:
    """Extract candidate pairs with a preset: --input FILE --output FILE, from one file into one of lines with
    tabs; or FILES --output FOLDER, from many files, on many machines, going on where it was killed.
    """
    files, criteria = options["files"], _criteria(options)
    if bool(files) == bool(options["input"]):
        raise CommandProblem("Give --input FILE or the names of FILES.")
    if files:
        # Here and not above: it takes a database, which commands of one file need not load.
        from paragold.many import extract_many

        with EXECUTORS[options["executor"]](options["workers"], options["address"]) as executor:
            counts = extract_many(files, options["output"], criteria, executor=executor)
    else:
        processes = options["processes"]
        counts = extract_file(options["input"], criteria, options["output"], processes=processes)
    write_counts(asdict(counts), console)


def _sample_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="with pairs.parquet and manifest.json")
    parser.add_argument("--n", type=int, required=True, help="how many pairs")
    strata = ("random", "distance", "score")
    parser.add_argument("--by", choices=strata, default="random", help="strata (default: %(default)s)")
    parser.add_argument("--allocation", choices=ALLOCATIONS, default="proportional", help="share of each")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: %(default)s)")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", default=Path("sample"), help="folder (default: %(default)s)"
    )


def _sample(options: Options, console: Console) -> None:
    """Draw pairs of a folder that extract-pairs wrote: pairs.tsv and their articles, articles.jsonl."""
    from paragold.pair_parts import sample

    chosen = {name: options[name] for name in ("by", "allocation", "seed")}
    for stratum, number in sample(options["folder"], options["n"], options["output"], **chosen).items():
        console.write(f"{number:>14,}  {stratum}")


def write_counts(counts: Mapping[str, Any], console: Console) -> None:
    for name, count in counts.items():
        figure = f"{count:,.2f}" if isinstance(count, float) else f"{count:,}"
        console.write(f"{figure:>14}  {name.replace('_', ' ')}")


def _climb_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "--input", "clusters as JSONL", required=True)
    add_gold(parser, "gold links", required=True)
    for option, metavar, about in (
        (
            "--parameter",
            "NAME",
            "parameter to vary, such as max_edit_distance; of two all combinations are tried",
        ),
        ("--values", "A,B,...", "values to try, such as 4,8,12,16; once for each --parameter"),
    ):
        parser.add_argument(option, action="append", required=True, metavar=metavar, help=about)
    add_preset_arguments(
        parser, presets=f"sets all other parameters: {names_with_purposes()} (default: {RECOMMENDED})"
    )
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


def _climb_thresholds(options: Options, console: Console) -> None:
    """Choose extraction thresholds by alignment error rate (AER): extract with each value of one or two
    parameters of a preset, train an aligner on the pairs, and score its links against gold links."""
    base, names = _criteria(options), options["parameter"]
    if len(names) != len(options["values"]) or len(set(names)) != len(names):
        raise CommandProblem("Give --values once for each --parameter, and each parameter once.")
    values = {name: text.split(",") for name, text in zip(names, options["values"], strict=True)}
    tried = grid(base, values)
    spec = spec_from(ClimbSpec, options)
    aligner = aligner_of({"aligner": options["aligner"], **parse_values(options["aligner_set"])})
    check_aligner(aligner)

    def extract(criteria: Criteria) -> Yield:
        return yield_of_file(options["input"], criteria, processes=options["processes"])

    if options["count_only"]:
        total = 0
        for criteria in tried:
            count = len(extract(criteria)[0])
            total += min(count, spec.most_pairs or count)
            settings = criteria.as_json()
            console.write(f"{count:>12,}  {_in_words({name: settings[name] for name in values})}")
        console.write(f"{total:>12,}  pairs to train on in {len(tried)} trainings")
        return
    report = climb(
        base,
        values,
        extract,
        gold_of(options),
        aligner,
        spec,
        lambda step: console.warn(
            f"{_in_words(step['settings'])}: {step['pairs']:,} pairs, {step['seconds']:.1f} s"
        ),
    )
    report |= {"preset": options["preset"], "recipe": aligner.settings()}
    write_text(options["output"], json.dumps(report, indent=1) + "\n")
    console.write(climb_table(report))
    console.write(f"Report: {options['output']}")


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


# Matching of texts and headlines.


def _match_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "files", "one file, or two to compare", nargs="+", metavar="TSV")
    add_arguments(parser, MatchingSpec)
    add_file(parser, "--key", "answer key: ids TAB ids, separated by commas", metavar="TSV")
    add_output(parser, "--curve", metavar="TSV", help="with --key: figures by threshold")
    add_output(parser, "--output", required=True, metavar="TSV")


def _match_texts(options: Options, console: Console) -> None:
    """Find pairs of texts with the same words, by MinHash or exactly. Files are TSV: id, text, or with a
    header."""
    if len(options["files"]) > 2:
        raise CommandProblem("Give one file, or two.")
    if options["curve"] and not options["key"]:
        raise CommandProblem("--curve needs an answer key: --key TSV.")
    started = time.monotonic()
    spec = spec_from(MatchingSpec, options)
    files, pairs, scores = match_files(options["files"], spec, options["output"], options["key"])
    texts = " and ".join(f"{len(file):,}" for file in files)
    console.write(f"{texts} texts, {pairs:,} pairs, {time.monotonic() - started:.1f} seconds.")
    if scores is not None:
        if options["curve"]:
            write_curve(options["curve"], scores)
        about = scores.attrs
        console.write(f"The key has {about['pairs']:,} pairs in {about['rows']:,} rows. Percent:")
        chosen = {
            "at the threshold": about["at_threshold"],
            "best F": best(scores),
            "best row F": best(scores, by="row_f"),
        }
        rows = [
            [name, f"{score['threshold']:.2f}", f"{score['proposed']:,.0f}"]
            + [percent(score[rate], 1) for rate in ("precision", "recall", "f", "row_recall", "row_f")]
            for name, score in chosen.items()
        ]
        head = ["", "threshold", "proposed", "precision", "recall", "F", "row recall", "row F"]
        console.write(figures(head, rows))


def _draft_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "files", nargs=2, metavar="TSV")
    add_arguments(parser, KeyDraftSpec)
    add_file(parser, "--key", "an answer key to score the draft against", metavar="TSV")
    add_output(parser, "--output", required=True, metavar="TSV")


def _draft_key(options: Options, console: Console) -> None:
    """Align the texts of two files in order by their lengths and words (Gale & Church; Chung & Knight,
    section 2). Files are TSV: id, text, or with a header."""
    spec = spec_from(KeyDraftSpec, options)
    files = read_files(options["files"])
    first, second = (list(texts.values()) for texts in files)
    beads = draft_key(first, second, spec)
    write_key(options["output"], beads, files)
    joined = [(left, right) for left, right in beads if left and right]
    console.write(
        f"{len(first):,} and {len(second):,} texts: {len(joined):,} rows join both, "
        f"{len(beads) - len(joined):,} have no counterpart."
    )
    if options["key"]:
        split = len(first)
        key = answer_key_of(options["key"], files)
        drafted = answer_key(([*left, *(split + one for one in right)] for left, right in joined), split)
        common = len(key.keys() & drafted.keys())
        precision, recall = common / max(len(drafted), 1), common / max(len(key), 1)
        console.write(
            f"{len(drafted):,} pairs, {common:,} of the {len(key):,} of the key: precision "
            f"{percent(precision, 1)} %, recall {percent(recall, 1)} %, "
            f"F {percent(f_score(precision, recall), 1)} %."
        )


def _headline_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "file")
    add_arguments(parser, HeadlineSpec, leave_out=["language"])
    parser.add_argument(
        "--language", choices=LANGUAGES, default="english", metavar="NAME", help=", ".join(LANGUAGES)
    )
    add_output(parser, "--output", metavar="TSV", help="required without --gold")
    add_file(parser, "--gold", "sub-clusters to score against", metavar="JSONL")
    parser.add_argument(
        "--tune",
        type=float,
        metavar="SHARE",
        help="tune thresholds by F (beta 0.25) on this share of the gold clusters, drawn by the seed, "
        "and score on the others",
    )
    links = (
        "write the links of --method behind the scores, on all headlines, each marked right, wrong or missed"
    )
    add_output(parser, "--links", metavar="TSV", help=links)
    add_flag(parser, "--json", "print the scores as JSON")


def _match_headlines(options: Options, console: Console) -> None:
    """Find paraphrases among the headlines of each cluster. The file is UCI News Aggregator CSV or JSONL.
    With sub-clusters drawn by people, both methods are scored (Wubben et al. 2009, table 2)."""
    started = time.monotonic()
    if options["output"] is None and options["gold"] is None:
        raise CommandProblem("Give --output for the pairs, --gold for scores, or both.")
    if options["gold"] is None and (options["tune"] is not None or options["links"] or options["json"]):
        raise CommandProblem("--tune, --links and --json need sub-clusters: give --gold.")
    spec = spec_from(HeadlineSpec, options)
    headlines = HeadlineFile(options["file"], spec)
    told = ""
    if options["gold"] is not None:
        judged = judged_clusters(headlines, read_subclusters(options["gold"]))
        scores = scored(judged, spec, headlines.weights, share=options["tune"])
        spec = scores.settings.replace(method=spec.method)
        if options["links"] is not None:
            test = [cluster for cluster in judged if cluster.key not in scores.development_clusters]
            each = scores.each if spec.method == "kmeans" else ()
            links = judged_links(test, spec, headlines.weights, each=each)
            headlines.write_judged_links(links, options["links"])
        told = json.dumps(scores.as_json(), indent=2) if options["json"] else _scores_in_words(scores)
    pairs = headlines.write_pairs(spec, options["output"]) if options["output"] else None
    if told:
        console.write(told)
    if pairs is not None and not options["json"]:
        console.write(
            f"{len(headlines.clusters):,} clusters with {headlines.headlines:,} headlines "
            f"({headlines.repeated:,} repeated, left out), {pairs:,} pairs, "
            f"{time.monotonic() - started:.1f} seconds."
        )


def _scores_in_words(scores: SubClusterScores) -> str:
    """The scores for people to read; shares are from 0 to 1."""
    spec, lines = scores.settings, []
    if scores.each:
        lines.append(
            "k-means: the number of groups of each cluster is tuned on the others "
            f"({scores.tuned_on:,} clusters, F with beta 0.25):"
        )
    elif scores.development_clusters:
        lines.append(f"Tuned on {len(scores.development_clusters):,} clusters, F with beta 0.25:")
    for method, f in scores.development[["method", "f"]].itertuples(index=False):
        lines.append(f"  {METHOD_NAMES[method]}: {f:.3f}")
    lines.append(f"Thresholds: upper {spec.upper:g}, lower {spec.lower:g}; groups: {number_of_groups(spec)}.")
    lines.append(
        f"Scored on {scores.clusters:,} clusters with {scores.sub_clusters:,} sub-clusters of "
        f"{scores.clustered:,} headlines; {scores.unclustered:,} headlines are in none.\n"
    )
    rows = [
        [f"{METHOD_NAMES[row['method']]:<10}{row['headlines']}", precision_text(row)]
        + [f"{row[rate]:.2f}" for rate in ("recall", "f")]
        + [f"{row[count]:,}" for count in ("right", "retrieved", "relevant")]
        for row in scores.table.to_dict("records")
    ]
    lines.append(
        figures(
            ["method    headlines", "precision", "recall", "F0.25", "right", "retrieved", "relevant"], rows
        )
    )
    return "\n".join(lines)


COMMANDS = {
    "extract-pairs": Command(_extract_arguments, _extract_pairs),
    "sample": Command(_sample_arguments, _sample),
    "climb-thresholds": Command(_climb_arguments, _climb_thresholds),
    "match-texts": Command(_match_arguments, _match_texts),
    "match-headlines": Command(_headline_arguments, _match_headlines),
    "draft-key": Command(_draft_arguments, _draft_key),
}
