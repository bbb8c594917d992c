"""Extract candidate pairs as a job of a project."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from corpus.services.dry_run import dry_run
from corpus.services.extraction import launch_extraction
from corpus.services.presets import criteria_from
from jobs.management.project_argument import ProjectCommand, run_to_end
from paragold.cli.arguments import parse_settings
from paragold.cli.console import Console
from paragold.cli.pairs import add_preset_arguments, write_counts
from paragold.extraction.presets import RECOMMENDED, names_with_purposes


class Command(ProjectCommand):
    help = "Extract candidate pairs of a project with a preset, as a job. From files: paragold extract-pairs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_preset_arguments(
            parser,
            presets=f"{names_with_purposes()}, or one that the project has saved (default: {RECOMMENDED})",
        )
        parser.add_argument("--name", default="", help="name of the extraction (default: name of the preset)")
        parser.add_argument("--wait", action="store_true", help="also run the job here until it ends")
        parser.add_argument(
            "--confirmed", action="store_true", help="launch even if very many pairs are expected"
        )
        parser.add_argument("--dry-run", action="store_true", help="count, store nothing")
        parser.add_argument("--sample", type=int, metavar="N", help="clusters of a dry run (default: all)")
        parser.add_argument("--seed", type=int, default=1, help="of the sample")
        parser.add_argument(
            "--seconds", type=float, default=60.0, help="a dry run starts no cluster after this time"
        )

    def run(self, options: dict[str, Any]) -> None:
        settings = parse_settings(options["set"])
        if options["dry_run"]:
            self.count_only(settings, options)
        else:
            self.extract(settings, options)

    def count_only(self, settings: dict[str, str], options: dict[str, Any]) -> None:
        if options["sample"] is not None and options["sample"] < 1:
            raise CommandError("--sample takes a whole number from 1.")
        chosen = {name: options[name] for name in ("sample", "seed", "seconds")}
        criteria = criteria_from(self.project, options["preset"], settings)
        counted = dry_run(project=self.project, criteria=criteria, **chosen)
        expected, low, high = counted.projection
        self.stdout.write(f"{counted.sampled:,} of {counted.clusters:,} clusters examined, nothing stored.")
        self.stdout.write(
            f"{expected:,.0f} pairs expected ({low:,.0f} to {high:,.0f}), "
            f"{counted.disk / 1e6:,.1f} MB on disk, {counted.work_seconds:,.1f} s to compare them on one "
            "core."
        )
        for part in counted.bins:
            self.stdout.write(f"{part.pairs:>14,}  at an edit distance of {part.low} to {part.high}")
            for example in part.examples:
                self.stdout.write(f"{'':>16}{example.edit_distance}  {example.a}\n{'':>19}{example.b}")

    def extract(self, settings: dict[str, str], options: dict[str, Any]) -> None:
        chosen = {name: options[name] for name in ("preset", "name", "confirmed")}
        extraction = launch_extraction(project=self.project, by=self.user, settings=settings, **chosen)
        job = extraction.job
        self.stdout.write(f"Job {job.pk}: {job.title}, {job.total:,} clusters.")
        if not options["wait"]:
            return
        started = time.monotonic()
        run_to_end(job)
        counts = {**job.counts, "seconds": round(time.monotonic() - started, 2)}
        write_counts(counts, Console(self.stdout.write, self.stderr.write))
