"""Run a chain of steps in shards, as a plan file lists them."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.cli.console import CommandProblem, Console, Options
from paragold.cli.engines import add_engine_arguments, check_engine, engine_of, slurm_options, write_jobs
from paragold.parallel import cores

HELP = "Run the steps of a plan file in shards (docs/shards.md): tokenise, extract, score, align and others."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("plan", type=Path, metavar="PLAN.yaml", help="the steps, their inputs and parameters")
    parser.add_argument("--output", type=Path, metavar="DIR", help="a folder for the results of all steps")
    add_engine_arguments(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="run a sample, and project pairs, disk and time of each step"
    )


def run(options: Options, console: Console) -> None:
    from paragold.shards.chain import run_chain, submit_chain
    from paragold.shards.plan_file import read_plan

    engine = check_engine(options)
    steps = read_plan(options["plan"])
    if options["dry_run"]:
        from paragold.shards.projection import project

        for line in project(steps, workers=options["workers"] or cores(), write=console.write):
            console.write(line)
        return
    if options["output"] is None:
        raise CommandProblem("Give a folder for the results: --output DIR.")
    if engine == "slurm":
        submission = {**slurm_options(options), "resume": options["resume"], "write": console.write}
        write_jobs(submit_chain(options["plan"], options["output"], **submission), console)
        return
    manifests = run_chain(
        steps, options["output"], engine_of(options), resume=options["resume"], write=console.write
    )
    for name, manifest in manifests.items():
        counts = ", ".join(
            f"{count:,} {what.replace('_', ' ')}" for what, count in manifest["counts"].items()
        )
        console.write(f"{name}: {counts}")
