"""The options of files of word links, of their sentences and of gold links; rates as text."""

from argparse import ArgumentParser
from collections.abc import Collection
from pathlib import Path

from paragold.aligners.pair_files import read_gold
from paragold.cli.console import CommandProblem, Options
from paragold.formats.link_files import LINK_FORMATS, read_parallel_text
from paragold.metrics.links import LinkedPair, TokenPair
from paragold.statistics import RESAMPLES, Interval


def add_format(parser: ArgumentParser, option: str, ids: Collection[str] | None = None) -> None:
    """The format of a file of links, by default any."""
    parser.add_argument(option, choices=ids or LINK_FORMATS.ids(), help="default: recognised from content")


def add_gold(parser: ArgumentParser, help: str, *, required: bool = False) -> None:
    """`--gold` with the files of its sentences and its format, for `gold_of`."""
    parser.add_argument("--gold", type=Path, required=required, help=help)
    parser.add_argument("--gold-source", type=Path, help="their source sentences, tokens separated by spaces")
    parser.add_argument("--gold-target", type=Path, help="their target sentences, likewise")
    add_format(parser, "--gold-format")


def gold_of(options: Options) -> list[LinkedPair]:
    """The gold links with their sentences."""
    return read_gold(*(options[name] for name in ("gold", "gold_source", "gold_target", "gold_format")))


def add_scoring(parser: ArgumentParser) -> None:
    """Gold links with the text of both sides, the format of the scored links, and the bootstrap."""
    parser.add_argument("--gold", type=Path, required=True, help="file of gold links")
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
    parser.add_argument("--source", type=Path, help=help)
    parser.add_argument("--target", type=Path, help="target sentences, likewise")


def text_of(options: Options) -> list[TokenPair] | None:
    """The sentences of both sides; None where none are given. Raises CommandProblem where only one is."""
    source, target = options["source"], options["target"]
    if (source is None) != (target is None):
        raise CommandProblem("Give --source and --target together.")
    return None if source is None else read_parallel_text(source, target)


def rate_text(rate: float | None) -> str:
    """A rate for people, in percent; `-` where it is undefined."""
    return "-" if rate is None else f"{100 * rate:.2f}"


def interval_text(bounds: Interval | None) -> str:
    return "-" if bounds is None else f"{100 * bounds[0]:.2f} to {100 * bounds[1]:.2f}"
