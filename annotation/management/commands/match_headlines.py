"""Pair the headlines of each cluster of a file, and score that against sub-clusters: from file to file."""

import json
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from paragold.cli.arguments import add_arguments, spec_from
from paragold.formats.judgements.subclusters_jsonl import read
from paragold.matching.headline_files import HeadlineFile
from paragold.matching.headline_links import HeadlineSpec
from paragold.matching.sub_clusters import SubClusterScores, scored
from paragold.matching.table_2 import as_json, as_text
from paragold.problems import FileProblem
from paragold.text.stemming import LANGUAGES


class Command(BaseCommand):
    help = (
        "Find paraphrases among the headlines of each cluster. The file is UCI News Aggregator CSV or JSONL. "
        "With sub-clusters drawn by people, both methods are scored (Wubben et al. 2009, table 2)."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        add_arguments(parser, HeadlineSpec, leave_out=["language"])
        parser.add_argument(
            "--language", choices=LANGUAGES, default="english", metavar="NAME", help=", ".join(LANGUAGES)
        )
        parser.add_argument("--output", type=Path, metavar="TSV", help="needed unless there is --gold")
        parser.add_argument("--gold", type=Path, metavar="JSONL", help="sub-clusters to score against")
        parser.add_argument(
            "--tune",
            type=float,
            metavar="SHARE",
            help="tune thresholds on this share of the gold clusters by F (beta 0.25), score on the others",
        )
        parser.add_argument("--seed", type=int, default=1, help="of the share (%(default)s)")
        parser.add_argument("--json", action="store_true", help="print the scores as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        if options["output"] is None and options["gold"] is None:
            raise CommandError("Give --output for the pairs, --gold for scores, or both.")
        if options["gold"] is None and (options["tune"] is not None or options["json"]):
            raise CommandError("--tune and --json need sub-clusters: give --gold.")
        try:
            settings = spec_from(HeadlineSpec, options)
            headlines = HeadlineFile(options["file"], settings)
            if options["gold"] is not None:
                scores = self.scores(headlines, settings, options)
                settings = scores.settings.replace(method=settings.method)
            pairs = headlines.write_pairs(settings, options["output"]) if options["output"] else None
        except (FileProblem, ValueError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be written ({error.strerror}).") from error
        if options["gold"] is not None:
            told = json.dumps(as_json(scores), indent=2) + "\n" if options["json"] else as_text(scores)
            self.stdout.write(told, ending="")
        if pairs is not None and not options["json"]:
            self.stdout.write(
                f"{len(headlines.clusters):,} clusters with {headlines.headlines:,} headlines "
                f"({headlines.repeated:,} repeated, left out), {pairs:,} pairs, "
                f"{time.monotonic() - started:.1f} seconds."
            )

    def scores(
        self, headlines: HeadlineFile, settings: HeadlineSpec, options: dict[str, Any]
    ) -> SubClusterScores:
        path: Path = options["gold"]
        judged = headlines.judged(read(path))
        return scored(judged, settings, headlines.weights, share=options["tune"], seed=options["seed"])
