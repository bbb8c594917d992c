"""Convert a file of word links or of judged pairs to another format."""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

from paragold.cli.arguments import add_columns
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.formats.answers import Unknown, unknown_in_words
from paragold.formats.judgement_files import AUTO, JUDGEMENT_FORMATS, Reading, read_judged_pairs
from paragold.formats.judgement_formats import PAIR_COLUMNS
from paragold.formats.link_files import LINK_FORMATS, contradictions_of, read_links, write_links
from paragold.formats.link_formats import LINK_COLUMNS
from paragold.formats.tables import choice_from_words
from paragold.formats.text_files import is_stream, write_text
from paragold.problems import FileProblem

HELP = "Convert a file of word links, or of judged pairs, to another format. What is not kept is named."
_JUDGED = [one.id for one in JUDGEMENT_FORMATS if one.write]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("kind", choices=["links", "judgements"])
    parser.add_argument("input", type=Path, help="the file; links also as a zip of files")
    add_output(parser, "output")
    parser.add_argument("--from", dest="read_as", metavar="FORMAT", help="default: recognised from content")
    parser.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help=f"of links: {', '.join(LINK_FORMATS.ids())}; of judgements: {', '.join(_JUDGED)}",
    )
    parser.add_argument(
        "--judge", default="", metavar="NAME", help="whose answers are read, if the file has several people's"
    )
    parser.add_argument(
        "--predictions",
        action="store_true",
        help="of Label Studio, the links of models and not of annotators; --judge then names a model",
    )
    add_columns(parser, PAIR_COLUMNS, LINK_COLUMNS)
    parser.add_argument("--threshold", type=float, help="of judgements: minimum similarity of a paraphrase")


def run(options: Options, console: Console) -> None:
    unknown: Unknown = Counter()
    columns = choice_from_words(options["map"])
    path, output = options["input"], options["output"]
    if options["kind"] == "links":
        links = read_links(
            path,
            options["read_as"],
            unknown=unknown,
            judge=options["judge"],
            columns=columns,
            predictions=options["predictions"] or None,
        )
        contradictions = contradictions_of(links)
        write_links(output, links, options["to"])
        beside, count = LINK_FORMATS.get(options["to"]).beside, len(links)
    else:
        chosen = JUDGEMENT_FORMATS.get(options["to"])
        if chosen.write is None:
            raise CommandProblem(f"{chosen.id} is not written. Choose one of {', '.join(_JUDGED)}.")
        reading = Reading(
            format=options["read_as"] or AUTO,
            judge=options["judge"],
            threshold=options["threshold"],
            columns=columns,
        )
        judged = read_judged_pairs(path, reading)
        if judged.problems:
            raise FileProblem.of(judged.problems, file=str(path))
        write_text(output, chosen.write(judged.pairs, 0) + chosen.end)
        beside, count, unknown = chosen.beside(judged.scheme), len(judged.pairs), judged.unknown
        contradictions = judged.contradictions
    if is_stream(output) and beside:
        console.warn(f"Not written: {', '.join(beside)}. Name a file to get it as well.")
        beside = {}
    for name, text in beside.items():
        write_text(output.with_name(name), text)
    console.write(f"{count:,} pairs written to {', '.join([output.name, *beside])}.")
    if contradictions:
        console.warn(contradictions)
    if unknown:
        console.warn(f"Not kept: {unknown_in_words(unknown)}.")
