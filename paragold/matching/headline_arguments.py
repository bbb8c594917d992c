"""How headlines are paired, as the options of a command."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from paragold.matching.headline_links import METHODS, WEIGHTS, HeadlineSettings
from paragold.matching.headline_pairs import LOWER, UPPER, PairwiseThresholds
from paragold.matching.kmeans import PK1_THRESHOLD


def add_headline_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--method", choices=METHODS, default="pairwise")
    parser.add_argument("--upper", type=float, default=UPPER, help="pairwise: accept above (%(default)s)")
    parser.add_argument("--lower", type=float, default=LOWER, help="pairwise: reject below (%(default)s)")
    parser.add_argument("--closure", action="store_true", help="pairwise: add the pairs that others imply")
    parser.add_argument("--pk1", type=float, default=PK1_THRESHOLD, help="kmeans: threshold of PK1")
    parser.add_argument(
        "--weights", choices=WEIGHTS, default="cluster", help="IDF within the cluster, or over all"
    )


def headline_settings(options: Mapping[str, Any], language: str = "english") -> HeadlineSettings:
    """What was asked for. Raises ValueError for thresholds that do not fit."""
    return HeadlineSettings(
        method=options["method"],
        thresholds=PairwiseThresholds(options["upper"], options["lower"]),
        closure=options["closure"],
        pk1=options["pk1"],
        weights=options["weights"],
        language=language,
    )
