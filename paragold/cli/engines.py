"""The options that say where the tasks of shards run."""

from argparse import ArgumentParser, _ArgumentGroup
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from paragold.cli.console import CommandProblem, Console, Options
from paragold.parallel import cores

if TYPE_CHECKING:
    from paragold.shards.engines import Engine

ENGINES = ("local", "ray", "slurm")


def add_engine_arguments(parser: ArgumentParser | _ArgumentGroup) -> None:
    parser.add_argument("--engine", choices=ENGINES, help="where the tasks run (default: local)")
    parser.add_argument("--workers", type=int, metavar="N", help="tasks at once (default: one per core)")
    parser.add_argument("--resume", action="store_true", help="do what is missing of the run in the folder")
    parser.add_argument("--ray-address", metavar="ADDRESS", help="with --engine ray: the cluster's")
    parser.add_argument(
        "--sbatch", action="append", metavar="OPTION", help="with --engine slurm, such as --sbatch=--mem=1G"
    )


def check_engine(options: Options) -> str:
    """The engine that is asked for. Raises CommandProblem for options that do not go together."""
    name, workers = options["engine"] or "local", options["workers"]
    if workers is not None and workers < 1:
        raise CommandProblem("--workers takes a whole number from 1.")
    for option, goes_with in (("ray_address", "ray"), ("sbatch", "slurm")):
        if options[option] and name != goes_with:
            raise CommandProblem(f"--{option.replace('_', '-')} goes with --engine {goes_with}.")
    return name


def engine_of(options: Options) -> "Engine":
    """The engine, which is not Slurm. Raises CommandProblem as `check_engine` does."""
    from paragold.shards.engines import LocalEngine, RayEngine

    workers = options["workers"]
    if check_engine(options) == "ray":
        return RayEngine(options["ray_address"], workers)
    return LocalEngine(workers or cores())


def slurm_options(options: Options) -> dict[str, Any]:
    """The options of submitted jobs."""
    return {"workers": options["workers"], "options": options["sbatch"] or []}


def write_jobs(jobs: Mapping[str, str], console: Console) -> None:
    for stage, job in jobs.items():
        console.write(f"{stage}: job {job}")
