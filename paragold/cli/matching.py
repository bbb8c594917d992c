"""The commands match-texts and match-headlines."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paragold.cli.arguments import add_arguments, add_executor, add_file, executor_of, spec_from
from paragold.cli.console import (
    Console,
    OptionProblem,
    Options,
    Report,
    add_output,
    figures,
    percent,
)
from paragold.matching.files import Texts, best, match_files, score_curve, write_curve
from paragold.matching.specs import HeadlineSpec, MatchingSpec, TranslationSpec
from paragold.packages import check_tables

if TYPE_CHECKING:
    from paragold.matching.sub_clusters import Scores

RATES = ("precision", "recall", "f", "row_recall", "row_f")


def _match_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "files", "one file, or two to compare; with --executor any", nargs="+", metavar="FILES")
    add_executor(parser)
    against = "with --executor: match the texts of FILES with those of these files, not with each other"
    parser.add_argument("--against", nargs="+", type=Path, default=[], metavar="FILES", help=against)
    add_arguments(parser, MatchingSpec)
    add_file(parser, "--key", "answer key: ids TAB ids, separated by commas", metavar="TSV")
    add_output(parser, "--curve", metavar="TSV", help="with --key: figures by threshold")
    add_output(
        parser, "--output", required=True, help="pairs as tab-separated lines; with --executor a folder"
    )


def _match_texts(options: Options, console: Console) -> Report:
    """Find pairs of texts with the same words, by MinHash or exactly. Files are TSV: id, text, or with a
    header. With --executor, by bands: any number of files, JSON Lines and Parquet too, on many machines,
    going on where it was killed."""
    spec, output, curve = spec_from(MatchingSpec, options), options["output"], options["curve"]
    if options["executor"]:
        return _match_many(options, spec)
    if len(options["files"]) > 2 or options["against"]:
        raise OptionProblem("Give one file, or two; or name an --executor, for many files.")
    if curve and not options["key"]:
        raise OptionProblem("--curve needs an answer key: --key TSV.")
    if options["key"]:
        check_tables()
    started = time.monotonic()
    files, pairs, scores = match_files(options["files"], spec, output, options["key"])
    lines = [_counted(files, pairs, started)]
    value = {"texts": list(map(len, files)), "pairs": pairs}
    if scores is not None:
        if curve:
            write_curve(curve, scores)
        about = scores.attrs
        lines.append(f"The key has {about['pairs']:,} pairs in {about['rows']:,} rows. Percent:")
        chosen = {
            "at the threshold": about["at_threshold"],
            "best F": best(scores),
            "best row F": best(scores, by="row_f"),
        }
        rows = [
            [name, f"{score['threshold']:.2f}", f"{score['proposed']:,.0f}"]
            + [percent(score[rate], 1) for rate in RATES]
            for name, score in chosen.items()
        ]
        head = ["", "threshold", "proposed", "precision", "recall", "F", "row recall", "row F"]
        lines.append(figures(head, rows))
        value |= {"key": {name: score.to_dict() for name, score in chosen.items()}}
    return value, "\n".join(lines)


def _counted(files: Sequence[Texts], pairs: int, started: float) -> str:
    texts = " and ".join(f"{len(file):,}" for file in files)
    return f"{texts} texts, {pairs:,} pairs, {time.monotonic() - started:.1f} seconds."


def _translation_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "files", "the texts of both languages", nargs=2, metavar="FILE")
    lexicon = "translations, the best first, as associate-words --second-language writes them"
    add_file(parser, "--lexicon", lexicon, metavar="TSV", required=True)
    add_arguments(parser, TranslationSpec)
    add_file(parser, "--key", "answer key: ids TAB ids, separated by commas", metavar="TSV")
    add_output(parser, "--output", required=True, help="pairs as tab-separated lines")


def _match_translations(options: Options, console: Console) -> Report:
    """Find pairs of texts of two languages that may be translations, by a lexicon. Files are TSV: id, text,
    or with a header."""
    # Here and not above: match-texts needs no lexicon.
    from paragold.matching.translations import match_translations, read_lexicon

    if options["key"]:
        check_tables()
    started, spec = time.monotonic(), spec_from(TranslationSpec, options)
    lexicon = read_lexicon(options["lexicon"])
    files, pairs, key = match_translations(options["files"], lexicon, spec, options["output"], options["key"])
    value = {"texts": list(map(len, files)), "pairs": len(pairs)}
    lines = [_counted(files, len(pairs), started)]
    if key is not None:
        at_once = score_curve(pairs, key, [0]).iloc[0]
        value["key"] = at_once.to_dict()
        lines.append(
            f"Of the {len(key):,} pairs of the key {at_once['right']:,.0f} are among them: precision "
            f"{percent(at_once['precision'], 1)} %, recall {percent(at_once['recall'], 1)} %."
        )
    return value, "\n".join(lines)


def _match_many(options: Options, spec: MatchingSpec) -> Report:
    # Here and not above: it takes a database, which two files need not.
    from paragold.many import match_many

    if options["key"]:
        raise OptionProblem("--key is of one file or two: leave --executor out.")
    with executor_of(options) as executor:
        pairs = match_many(
            options["files"], options["output"], spec, executor=executor, against=options["against"]
        )
    return {"pairs": pairs}, f"{pairs:,} pairs."


def _headline_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "file")
    add_arguments(parser, HeadlineSpec)
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


def _match_headlines(options: Options, console: Console) -> Report:
    """Find paraphrases among the headlines of each cluster. The file is UCI News Aggregator CSV or JSONL.
    With sub-clusters drawn by people, both methods are scored (Wubben et al. 2009, table 2)."""
    # Here and not above: match-texts needs no headlines.
    from paragold.formats.gold_jsonl import read_subclusters
    from paragold.matching.headlines import HeadlineFile
    from paragold.matching.sub_clusters import as_json, judged_clusters, judged_links, scored

    started = time.monotonic()
    output, gold = options["output"], options["gold"]
    if output is None and gold is None:
        raise OptionProblem("Give --output for the pairs, --gold for scores, or both.")
    if gold is None and (options["tune"] is not None or options["links"]):
        raise OptionProblem("--tune and --links need sub-clusters: give --gold.")
    if gold is not None:
        check_tables()
    spec = spec_from(HeadlineSpec, options)
    headlines = HeadlineFile(options["file"], spec)
    counts = {"clusters": len(headlines.clusters), "headlines": headlines.headlines}
    counts["repeated"] = headlines.repeated
    value, lines = dict[str, object](counts), list[str]()
    if gold is not None:
        judged = judged_clusters(headlines, read_subclusters(gold))
        scores = scored(judged, spec, headlines.weights, share=options["tune"])
        spec = scores["settings"].replace(method=spec.method)
        if options["links"] is not None:
            test = [cluster for cluster in judged if cluster.key not in scores["development_clusters"]]
            each = scores["each"] if spec.method == "kmeans" else ()
            links = judged_links(test, spec, headlines.weights, each=each)
            headlines.write_judged_links(links, options["links"])
        value = as_json(scores)
        lines.append(_scores_in_words(scores))
    if output is not None:
        pairs = headlines.write_pairs(spec, output)
        value |= {} if gold else {"pairs": pairs}
        lines.append(
            f"{counts['clusters']:,} clusters with {counts['headlines']:,} headlines "
            f"({counts['repeated']:,} repeated, left out), {pairs:,} pairs, "
            f"{time.monotonic() - started:.1f} seconds."
        )
    return value, "\n".join(lines)


def _scores_in_words(scores: Scores) -> str:
    """The scores for people to read; shares are from 0 to 1."""
    from paragold.matching.sub_clusters import METHOD_NAMES, number_of_groups, precision_text

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
    head = ["method    headlines", "precision", "recall", "F0.25", "right", "retrieved", "relevant"]
    return "\n".join([*lines, figures(head, rows)])


COMMANDS = {
    "match-texts": (_match_arguments, _match_texts),
    "match-translations": (_translation_arguments, _match_translations),
    "match-headlines": (_headline_arguments, _match_headlines),
}
