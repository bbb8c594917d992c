"""Read phrase pairs off word links, from file to file."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paragold.aligners.phrases import COLUMNS, PhraseSpec, phrase_table
from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import CommandProblem, Console
from paragold.formats.links import parallel_text
from paragold.formats.links.registry import LINK_FORMATS, read_links
from paragold.formats.tables import write_tsv

HELP = (
    "Phrase pairs that are consistent with word links (Koehn, Och & Marcu 2003), with counts and relative "
    "frequencies, the most frequent first."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--links", type=Path, required=True, help="file of links")
    parser.add_argument("--format", choices=LINK_FORMATS.ids(), help="default: recognised from content")
    parser.add_argument(
        "--source", type=Path, help="source sentences, one per line, if the format contains no text"
    )
    parser.add_argument("--target", type=Path, help="target sentences, likewise")
    arguments.add_arguments(parser, PhraseSpec)
    parser.add_argument(
        "--min-count", type=int, default=1, help="minimum sentence pairs of a phrase pair (default 1)"
    )
    parser.add_argument("--output", type=Path, required=True, metavar="TSV")


def run(options: Mapping[str, Any], console: Console) -> None:
    source, target = options["source"], options["target"]
    if (source is None) != (target is None):
        raise CommandProblem("Give --source and --target together.")
    tokens = None if source is None else parallel_text.read(source, target)
    spec = spec_from(PhraseSpec, options)
    table = phrase_table(read_links(options["links"], options["format"], tokens=tokens), spec)
    rows = [pair.columns() for pair in table.pairs if pair.count >= options["min_count"]]
    write_tsv(options["output"], COLUMNS, rows)
    console.write(
        f"{len(rows):,} phrase pairs in {table.sentence_pairs:,} sentence pairs: {options['output']}"
    )
    console.write(spec.signature())
