"""The options of commands that find clusters in a stream of articles."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from paragold.events.settings import EventSettings


def add_event_arguments(parser: ArgumentParser) -> None:
    usual = EventSettings()
    parser.add_argument(
        "--threshold", type=float, default=usual.threshold, help="mean cosine of a cluster, 0 to 1"
    )
    parser.add_argument(
        "--window",
        type=int,
        default=usual.window_days,
        metavar="DAYS",
        help="compare with so many days before",
    )
    parser.add_argument(
        "--title-weight", type=float, default=usual.title_weight, help="of words in the title"
    )
    parser.add_argument("--name-weight", type=float, default=usual.name_weight, help="of capitalised words")


def event_settings(options: Mapping[str, Any], language: str, *, ignore_dates: bool = False) -> EventSettings:
    """The settings that were asked for. Raises ValueError."""
    return EventSettings(
        threshold=options["threshold"],
        window_days=None if ignore_dates else options["window"],
        language=language,
        title_weight=options["title_weight"],
        name_weight=options["name_weight"],
    )
