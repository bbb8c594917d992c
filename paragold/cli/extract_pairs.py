"""Extract candidate pairs from a file of clusters into a file of pairs, or from many files in shards."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from glob import has_magic
from pathlib import Path
from typing import Any

from paragold.cli.arguments import add_set, parse_settings
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.cli.engines import add_engine_arguments, check_engine, engine_of, slurm_options, write_jobs
from paragold.extraction.files import extract_file
from paragold.extraction.presets import RECOMMENDED, get_preset, names_with_purposes
from paragold.extraction.records import ExtractionCounts

HELP = "Extract candidate pairs with a preset: --input FILE --output FILE, or in shards into a folder."
_OF_SHARDS = ("shards", "workers", "resume", "ray_address", "sbatch")


def add_arguments(parser: ArgumentParser) -> None:
    add_preset_arguments(parser, presets=f"{names_with_purposes()} (default: {RECOMMENDED})")
    add_file_arguments(parser, required=True)


def add_preset_arguments(parser: ArgumentParser, *, presets: str) -> None:
    """The options of every extraction; `presets` says which presets there are."""
    parser.add_argument("--preset", default=RECOMMENDED, metavar="NAME", help=presets)
    add_set(parser, "change a parameter of the preset; may be repeated")


def add_file_arguments(parser: ArgumentParser, *, required: bool) -> None:
    """The options of an extraction from files."""
    parser.add_argument(
        "--input",
        nargs="+",
        required=required,
        metavar="FILE",
        help="clusters as JSONL; in shards also several files, patterns, .gz, .zst, .parquet and s3://",
    )
    add_output(parser, "--output", required=required, help="pairs as tab-separated lines; in shards a folder")
    parser.add_argument("--processes", type=int, help="of a file (default: one per core)")
    shards = parser.add_argument_group("in shards, for more than one file or more pairs than memory holds")
    shards.add_argument(
        "--shards", type=int, metavar="N", help="default: by size, 50 for a million sentences"
    )
    add_engine_arguments(shards)


def run(options: Options, console: Console) -> None:
    if options["engine"] or options["shards"] is not None:
        run_in_shards(options, console)
        return
    criteria = get_preset(options["preset"]).criteria.with_settings(parse_settings(options["set"]))
    given = [name for name in _OF_SHARDS if options[name]]
    if given:
        raise CommandProblem(f"--{given[0].replace('_', '-')} goes with --engine or --shards.")
    inputs = options["input"]
    if len(inputs) > 1 or (has_magic(str(inputs[0])) and not Path(inputs[0]).exists()):
        raise CommandProblem("Several files are extracted in shards: add --engine local.")
    counts = extract_file(Path(inputs[0]), criteria, options["output"], processes=options["processes"])
    write_counts(asdict(counts), console)


def run_in_shards(options: Options, console: Console) -> None:
    from paragold.shards.run import extract_in_shards, planned_extraction, submit_step
    from paragold.shards.steps.extract import ExtractSpec

    if options["processes"]:
        raise CommandProblem("In shards, give --workers instead of --processes.")
    values = ExtractSpec(preset=options["preset"], shards=options["shards"])
    changes = {"changes": parse_settings(options["set"]), "resume": options["resume"]}
    inputs, folder = [str(path) for path in options["input"]], options["output"]
    if check_engine(options) == "slurm":
        with planned_extraction(inputs, values, folder, **changes) as (folder, plan):
            jobs = submit_step(folder, plan, **slurm_options(options), write=console.write)
        write_jobs(jobs, console)
        return
    engine = engine_of(options)
    manifest = extract_in_shards(inputs, values, folder, engine, write=console.write, **changes)
    # That of a run that was finished before comes from its file, in another order.
    counts = manifest["counts"]
    write_counts({name: counts[name] for name in ExtractionCounts.__slots__ if name in counts}, console)
    console.write(
        f"{len(manifest['files'])} parts in {folder}, pairs_sha256 {manifest['details']['pairs_sha256']}"
    )


def write_counts(counts: Mapping[str, Any], console: Console) -> None:
    for name, count in counts.items():
        figure = f"{count:,.2f}" if isinstance(count, float) else f"{count:,}"
        console.write(f"{figure:>14}  {name.replace('_', ' ')}")
