"""The options of commands that find clusters in a stream of articles."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from paragold.cli.arguments import add_arguments, spec_from
from paragold.events.settings import EventSpec


def add_event_arguments(parser: ArgumentParser) -> None:
    add_arguments(parser, EventSpec, leave_out=("language", "window_days"))
    parser.add_argument(
        "--window",
        type=int,
        default=EventSpec().window_days,
        metavar="DAYS",
        help="compare with so many days before. Default: %(default)s.",
    )


def event_spec(options: Mapping[str, Any], language: str, *, ignore_dates: bool = False) -> EventSpec:
    """What the options ask for. Raises SpecError."""
    window_days = None if ignore_dates else options["window"]
    return spec_from(EventSpec, options, language=language, window_days=window_days)
