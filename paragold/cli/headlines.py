"""The command match-headlines."""

import json
import time
from argparse import ArgumentParser

from paragold.cli.arguments import add_arguments, add_file, add_flag, spec_from
from paragold.cli.console import Command, CommandProblem, Console, Options, add_output, figures
from paragold.formats.gold_jsonl import read_subclusters
from paragold.matching.headlines import HeadlineFile
from paragold.matching.specs import HeadlineSpec
from paragold.matching.sub_clusters import (
    METHOD_NAMES,
    Scores,
    as_json,
    judged_clusters,
    judged_links,
    number_of_groups,
    precision_text,
    scored,
)
from paragold.text.stemming import LANGUAGES


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
        spec = scores["settings"].replace(method=spec.method)
        if options["links"] is not None:
            test = [cluster for cluster in judged if cluster.key not in scores["development_clusters"]]
            each = scores["each"] if spec.method == "kmeans" else ()
            links = judged_links(test, spec, headlines.weights, each=each)
            headlines.write_judged_links(links, options["links"])
        told = json.dumps(as_json(scores), indent=2) if options["json"] else _scores_in_words(scores)
    pairs = headlines.write_pairs(spec, options["output"]) if options["output"] else None
    if told:
        console.write(told)
    if pairs is not None and not options["json"]:
        console.write(
            f"{len(headlines.clusters):,} clusters with {headlines.headlines:,} headlines "
            f"({headlines.repeated:,} repeated, left out), {pairs:,} pairs, "
            f"{time.monotonic() - started:.1f} seconds."
        )


def _scores_in_words(scores: Scores) -> str:
    """The scores for people to read; shares are from 0 to 1."""
    spec, lines = scores["settings"], []
    if scores["each"]:
        lines.append(
            "k-means: the number of groups of each cluster is tuned on the others "
            f"({scores['tuned_on']:,} clusters, F with beta 0.25):"
        )
    elif scores["development_clusters"]:
        lines.append(f"Tuned on {len(scores['development_clusters']):,} clusters, F with beta 0.25:")
    for method, f in scores["development"][["method", "f"]].itertuples(index=False):
        lines.append(f"  {METHOD_NAMES[method]}: {f:.3f}")
    lines.append(f"Thresholds: upper {spec.upper:g}, lower {spec.lower:g}; groups: {number_of_groups(spec)}.")
    lines.append(
        f"Scored on {scores['clusters']:,} clusters with {scores['sub_clusters']:,} sub-clusters of "
        f"{scores['clustered']:,} headlines; {scores['unclustered']:,} headlines are in none.\n"
    )
    rows = [
        [f"{METHOD_NAMES[row['method']]:<10}{row['headlines']}", precision_text(row)]
        + [f"{row[rate]:.2f}" for rate in ("recall", "f")]
        + [f"{row[count]:,}" for count in ("right", "retrieved", "relevant")]
        for row in scores["table"].to_dict("records")
    ]
    lines.append(
        figures(
            ["method    headlines", "precision", "recall", "F0.25", "right", "retrieved", "relevant"], rows
        )
    )
    return "\n".join(lines)


COMMANDS = {"match-headlines": Command(_headline_arguments, _match_headlines)}
