"""Read phrase pairs off word links, from file to file."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.aligners.phrases import COLUMNS, PhraseSpec, phrase_table
from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import Console, Options, add_output
from paragold.cli.link_arguments import add_format, add_text, text_of
from paragold.formats.link_files import read_links
from paragold.formats.tables import write_tsv

HELP = (
    "Phrase pairs that are consistent with word links (Koehn, Och & Marcu 2003), with counts and relative "
    "frequencies, the most frequent first."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--links", type=Path, required=True, help="file of links")
    add_format(parser, "--format")
    add_text(parser, "source sentences, one per line, if the format contains no text")
    arguments.add_arguments(parser, PhraseSpec)
    parser.add_argument(
        "--min-count", type=int, default=1, help="minimum sentence pairs of a phrase pair (default 1)"
    )
    add_output(parser, "--output", required=True, metavar="TSV")


def run(options: Options, console: Console) -> None:
    spec = spec_from(PhraseSpec, options)
    pairs = read_links(options["links"], options["format"], tokens=text_of(options))
    table = phrase_table(pairs, spec)
    rows = [pair.columns() for pair in table.pairs if pair.count >= options["min_count"]]
    write_tsv(options["output"], COLUMNS, rows)
    console.write(
        f"{len(rows):,} phrase pairs in {table.sentence_pairs:,} sentence pairs: {options['output']}"
    )
    console.write(spec.signature())
