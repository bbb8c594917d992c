"""Commands that find candidate pairs and draw samples of them: extract-pairs and sample."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from paragold.cli.arguments import add_executor, add_file, add_seed, add_set, executor_of, parse_settings
from paragold.cli.console import Console, OptionProblem, Options, Report, add_output, counts_text
from paragold.extraction.presets import RECOMMENDED, get_preset, names_with_purposes
from paragold.sampling.sampling import ALLOCATIONS

if TYPE_CHECKING:
    from collections import Counter


def _extract_arguments(parser: ArgumentParser) -> None:
    presets = f"{names_with_purposes()} (default: {RECOMMENDED})"
    parser.add_argument("--preset", default=RECOMMENDED, metavar="NAME", help=presets)
    add_set(parser, "change a parameter of the preset; may be repeated")
    about = "JSON Lines, also .gz and .zst, or Parquet; paths or addresses"
    parser.add_argument("files", nargs="*", metavar="FILES", help=about)
    add_executor(parser, default="processes")
    add_file(parser, "--input", "clusters as JSONL", metavar="FILE")
    add_output(parser, "--output", required=True, help="pairs as tab-separated lines; of FILES a folder")


def _extract_pairs(options: Options, console: Console) -> Report:
    """Extract candidate pairs with a preset: --input FILE --output FILE, from one file into one of lines with
    tabs; or FILES --output FOLDER, from many files, on many machines, going on where it was killed.
    """
    files, output = options["files"], options["output"]
    criteria = get_preset(options["preset"]).criteria.replace(**parse_settings(options["set"]))
    started = perf_counter()
    if bool(files) == bool(options["input"]):
        raise OptionProblem("Give --input FILE or the names of FILES.")

    def show(counts: Counter[str]) -> None:
        console.progress(f"{counts['clusters']:,} clusters, {counts['pairs_kept']:,} pairs")

    # Here and not above: one file takes no database, help no reader of articles.
    if files:
        from paragold.many import extract_many

        with executor_of(options) as executor:
            counts: Mapping[str, int] = extract_many(files, output, criteria, executor=executor)
    else:
        from paragold.extraction.files import extract_file

        processes = options["processes"]
        counts = extract_file(options["input"], criteria, output, processes=processes, progress=show)
    value = {**counts, "seconds": perf_counter() - started}
    return value, counts_text(value)


def _sample_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="with pairs.parquet and manifest.json")
    parser.add_argument("--n", type=int, required=True, help="how many pairs")
    strata = ("random", "distance", "score")
    parser.add_argument("--by", choices=strata, default="random", help="strata (default: %(default)s)")
    parser.add_argument("--allocation", choices=ALLOCATIONS, default="proportional", help="share of each")
    add_seed(parser)
    parser.add_argument(
        "--output", type=Path, metavar="DIR", default=Path("sample"), help="folder (default: %(default)s)"
    )


def _sample(options: Options, console: Console) -> Report:
    """Draw pairs of a folder that extract-pairs wrote: pairs.tsv and their articles, articles.jsonl."""
    from paragold.pair_parts import sample

    chosen = {name: options[name] for name in ("by", "allocation", "seed")}
    strata = sample(options["folder"], options["n"], options["output"], **chosen)
    return strata, "\n".join(f"{number:>14,}  {name}" for name, number in strata.items())


COMMANDS = {
    "extract-pairs": (_extract_arguments, _extract_pairs),
    "sample": (_sample_arguments, _sample),
}
