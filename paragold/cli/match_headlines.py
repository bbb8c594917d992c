"""Pair the headlines of each cluster of a file, and score that against sub-clusters: from file to file."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.formats.gold_jsonl import read_subclusters
from paragold.matching.headlines import HeadlineFile
from paragold.matching.specs import HeadlineSpec
from paragold.matching.sub_clusters import (
    METHOD_NAMES,
    SubClusterScores,
    judged_clusters,
    judged_links,
    number_of_groups,
    precision_text,
    scored,
)
from paragold.text.stemming import LANGUAGES

HELP = (
    "Find paraphrases among the headlines of each cluster. The file is UCI News Aggregator CSV or JSONL. "
    "With sub-clusters drawn by people, both methods are scored (Wubben et al. 2009, table 2)."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    arguments.add_arguments(parser, HeadlineSpec, leave_out=["language"])
    parser.add_argument(
        "--language", choices=LANGUAGES, default="english", metavar="NAME", help=", ".join(LANGUAGES)
    )
    add_output(parser, "--output", metavar="TSV", help="required without --gold")
    parser.add_argument("--gold", type=Path, metavar="JSONL", help="sub-clusters to score against")
    parser.add_argument(
        "--tune",
        type=float,
        metavar="SHARE",
        help="tune thresholds by F (beta 0.25) on this share of the gold clusters, drawn by the seed, "
        "and score on the others",
    )
    add_output(
        parser,
        "--links",
        metavar="TSV",
        help="write the links behind the scores of --method on all headlines, each marked right, wrong or "
        "missed",
    )
    parser.add_argument("--json", action="store_true", help="print the scores as JSON")


def run(options: Options, console: Console) -> None:
    started = time.monotonic()
    if options["output"] is None and options["gold"] is None:
        raise CommandProblem("Give --output for the pairs, --gold for scores, or both.")
    if options["gold"] is None and (options["tune"] is not None or options["links"] or options["json"]):
        raise CommandProblem("--tune, --links and --json need sub-clusters: give --gold.")
    spec = spec_from(HeadlineSpec, options)
    headlines = HeadlineFile(options["file"], spec)
    if options["gold"] is not None:
        judged = judged_clusters(headlines, read_subclusters(options["gold"]))
        scores = scored(judged, spec, headlines.weights, share=options["tune"])
        spec = scores.settings.replace(method=spec.method)
        if options["links"] is not None:
            test = [cluster for cluster in judged if cluster.key not in scores.development_clusters]
            each = scores.each if spec.method == "kmeans" else ()
            links = judged_links(test, spec, headlines.weights, each=each)
            headlines.write_judged_links(links, options["links"])
    pairs = headlines.write_pairs(spec, options["output"]) if options["output"] else None
    if options["gold"] is not None:
        for line in [json.dumps(scores.as_json(), indent=2)] if options["json"] else _lines(scores):
            console.write(line)
    if pairs is not None and not options["json"]:
        console.write(
            f"{len(headlines.clusters):,} clusters with {headlines.headlines:,} headlines "
            f"({headlines.repeated:,} repeated, left out), {pairs:,} pairs, "
            f"{time.monotonic() - started:.1f} seconds."
        )


def _lines(scores: SubClusterScores) -> Iterator[str]:
    """The scores for people to read; shares are from 0 to 1."""
    spec = scores.settings
    if scores.each:
        yield (
            "k-means: the number of groups of each cluster is tuned on the others "
            f"({scores.tuned_on:,} clusters, F with beta 0.25):"
        )
    elif scores.development_clusters:
        yield f"Tuned on {len(scores.development_clusters):,} clusters, F with beta 0.25:"
    for method, f in scores.development[["method", "f"]].itertuples(index=False):
        yield f"  {METHOD_NAMES[method]}: {f:.3f}"
    yield f"Thresholds: upper {spec.upper:g}, lower {spec.lower:g}; groups: {number_of_groups(spec)}."
    yield (
        f"Scored on {scores.clusters:,} clusters with {scores.sub_clusters:,} sub-clusters of "
        f"{scores.clustered:,} headlines; {scores.unclustered:,} headlines are in none."
    )
    yield ""
    yield (
        f"{'method':<10}{'headlines':<16}{'precision':>9}{'recall':>8}{'F0.25':>8}{'right':>8}"
        f"{'retrieved':>11}{'relevant':>10}"
    )
    for row in scores.table.to_dict("records"):
        yield (
            f"{METHOD_NAMES[row['method']]:<10}{row['headlines']:<16}{precision_text(row):>9}"
            f"{row['recall']:>8.2f}{row['f']:>8.2f}{row['right']:>8,}{row['retrieved']:>11,}"
            f"{row['relevant']:>10,}"
        )
