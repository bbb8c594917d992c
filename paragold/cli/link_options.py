"""The options that several commands of word links have: of the aligner best, of files of links."""

from argparse import ArgumentParser
from collections.abc import Collection
from pathlib import Path
from typing import Any

from paragold.aligners.evidence_sources import SOURCES
from paragold.aligners.pair_files import read_gold
from paragold.cli.arguments import add_file, add_repeated
from paragold.cli.console import CommandProblem, Options
from paragold.formats.link_files import LINK_FORMATS, read_parallel_text
from paragold.metrics.links import LinkedPair, TokenPair
from paragold.statistics import RESAMPLES

OTHER_GOLD_HELP = "other gold links, used if they help on those of --gold; may be repeated"


def add_of_best(parser: ArgumentParser, default: str) -> None:
    """`--starting-point` and `--without`, for `of_best`; `default` says what the first one is."""
    parser.add_argument(
        "--starting-point",
        choices=("english", "none"),
        help=f"english: begin with what was learned on public English word links; none: learn from nothing "
        f"but what is given here ({default})",
    )
    sources = f"leave a source of evidence out of best; may be repeated: {', '.join(SOURCES)}"
    add_repeated(parser, "--without", "SOURCE", sources, choices=list(SOURCES))


def of_best(options: Options) -> dict[str, Any]:
    """The settings of the aligner best that the options of `add_of_best` ask for."""
    return {name: options[name] for name in ("starting_point", "without") if options[name]}


def add_format(parser: ArgumentParser, option: str, ids: Collection[str] | None = None) -> None:
    """The format of a file of links, by default any."""
    parser.add_argument(option, choices=ids or LINK_FORMATS.ids(), help="default: recognised from content")


def add_gold(parser: ArgumentParser, help: str, *, required: bool = False) -> None:
    """`--gold` with the files of its sentences and its format, for `gold_of`."""
    add_file(parser, "--gold", help, required=required)
    add_file(parser, "--gold-source", "their source sentences, tokens separated by spaces")
    add_file(parser, "--gold-target", "their target sentences, likewise")
    add_format(parser, "--gold-format")


def gold_of(options: Options) -> list[LinkedPair]:
    """The gold links with their sentences."""
    return read_gold(*(options[name] for name in ("gold", "gold_source", "gold_target", "gold_format")))


def add_scoring(parser: ArgumentParser) -> None:
    """Gold links with the text of both sides, the format of the scored links, and the bootstrap."""
    add_file(parser, "--gold", "file of gold links", required=True)
    add_format(parser, "--gold-format")
    add_text(parser, "source sentences, one per line, tokens separated by spaces")
    add_format(parser, "--links-format")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random draws (default 1)")
    parser.add_argument(
        "--resamples",
        type=int,
        default=RESAMPLES,
        help=f"resamples of the bootstrap intervals (default {RESAMPLES}; 0 for none)",
    )


def add_text(parser: ArgumentParser, help: str) -> None:
    """`--source` and `--target`, for `text_of`."""
    add_file(parser, "--source", help)
    add_file(parser, "--target", "target sentences, likewise")


def sides_of(options: Options) -> tuple[Path, Path] | None:
    """The files of both sides; None where none are given. Raises CommandProblem where only one is."""
    source, target = options["source"], options["target"]
    if (source is None) != (target is None):
        raise CommandProblem("Give --source and --target together.")
    return None if source is None else (source, target)


def text_of(options: Options) -> list[TokenPair] | None:
    """The sentences of both sides; see `sides_of`."""
    sides = sides_of(options)
    return sides and read_parallel_text(*sides)
