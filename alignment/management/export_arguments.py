"""Arguments that the commands for exports share."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from paragold.formats.pairs.splits import Splits


def add_card_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--splits", default="", help="shares of the pairs for train, dev and test, such as 80/10/10"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the splits (default 1)")
    parser.add_argument("--licence", default="", help="printed in the data card")
    parser.add_argument("--limits", default="", help="known limits, for the data card")


def card_options(options: dict[str, Any]) -> dict[str, Any]:
    """{splits, licence, limits}. Raises CommandError for shares that do not fit."""
    try:
        splits = Splits.parse(options["splits"], options["seed"])
    except ValueError as error:
        raise CommandError(f"--splits {options['splits']}: {error}") from error
    return {"splits": splits, "licence": options["licence"], "limits": options["limits"]}
