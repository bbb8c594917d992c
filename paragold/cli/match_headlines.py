"""Pair the headlines of each cluster of a file, and score that against sub-clusters: from file to file."""

import json
import time
from argparse import ArgumentParser
from pathlib import Path

from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.formats.judgements.subclusters_jsonl import read
from paragold.matching.headline_files import HeadlineFile
from paragold.matching.headlines import HeadlineSpec
from paragold.matching.sub_clusters import as_json, as_text, scored
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
    settings = spec_from(HeadlineSpec, options)
    headlines = HeadlineFile(options["file"], settings)
    if options["gold"] is not None:
        judged = headlines.judged(read(options["gold"]))
        scores = scored(judged, settings, headlines.weights, share=options["tune"])
        settings = scores.settings.replace(method=settings.method)
        if options["links"] is not None:
            test = [cluster for cluster in judged if cluster.key not in scores.development_keys]
            each = scores.each if settings.method == "kmeans" else ()
            headlines.write_judged_links(test, settings, options["links"], each)
    pairs = headlines.write_pairs(settings, options["output"]) if options["output"] else None
    if options["gold"] is not None:
        console.write(
            json.dumps(as_json(scores), indent=2) if options["json"] else as_text(scores).rstrip("\n")
        )
    if pairs is not None and not options["json"]:
        console.write(
            f"{len(headlines.clusters):,} clusters with {headlines.headlines:,} headlines "
            f"({headlines.repeated:,} repeated, left out), {pairs:,} pairs, "
            f"{time.monotonic() - started:.1f} seconds."
        )
