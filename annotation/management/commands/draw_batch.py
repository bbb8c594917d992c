"""Draw a batch to judge from the command line."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.models import HandingOut
from annotation.services.drawing import draw_judging_batch
from corpus.models import in_held_out_cluster
from jobs.management.project_argument import ProjectCommand, row_named, version_named
from paragold.cli.arguments import add_arguments, spec_from
from paragold.sampling.strategy import DrawSpec
from projects.models import PhenomenaScope


class Command(ProjectCommand):
    help = "Draw pairs of a dataset into a batch for annotators to judge."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--dataset", required=True, metavar="NAME")
        parser.add_argument("--name", required=True, help="the name of the batch")
        parser.add_argument("--size", required=True, type=int, metavar="PAIRS")
        parser.add_argument(
            "--annotator", required=True, action="append", dest="annotators", help="may be repeated"
        )
        parser.add_argument("--overlap", type=int, help="annotators for each pair (default: the project's)")
        parser.add_argument("--handing-out", choices=HandingOut.values, default=HandingOut.AT_ONCE)
        parser.add_argument("--lease-minutes", type=int, default=60, help="per item, only as_they_come")
        parser.add_argument("--seed", type=int, default=1)
        add_arguments(parser, DrawSpec)
        parser.add_argument(
            "--quota",
            action="append",
            default=[],
            metavar="USER=PAIRS",
            help="maximum per annotator; may be repeated",
        )
        parser.add_argument(
            "--count-phenomena",
            choices=PhenomenaScope.values,
            help="in which pairs annotators count phenomena (default: the project's setting)",
        )
        parser.add_argument(
            "--paraphrases-of",
            metavar="GOLD",
            help="draw the paraphrases of a gold set again, such as 'gold v1'",
        )

    def run(self, options: dict[str, Any]) -> None:
        dataset = row_named(self.project.datasets.all(), options["dataset"])
        gold = options["paraphrases_of"]
        passed = ("name", "size", "annotators", "overlap", "seed", "handing_out", "lease_minutes")
        batch = draw_judging_batch(
            project=self.project,
            by=self.user,
            dataset=dataset,
            strategy=spec_from(DrawSpec, options),
            quotas=quotas(options["quota"]),
            count_phenomena=options["count_phenomena"],
            paraphrases_of=gold and version_named(self.project.gold_sets.all(), gold),
            **{name: options[name] for name in passed},
        )
        self.stdout.write(f"Batch {batch.pk}: {batch.name}, {batch.items.count():,} pairs.")
        drawn = batch.items.filter(in_held_out_cluster("pair__")).count()
        if drawn:
            self.stdout.write(
                f"  {drawn:,} of held-out clusters: for testing only, nothing is trained on them."
            )
        for stratum in batch.sampling["strata"]:
            there = stratum.get("pairs", stratum.get("sentence_pairs"))
            self.stdout.write(f"  {stratum['stratum'] or dataset.name}: {stratum['drawn']:,} of {there:,}")


def quotas(given: list[str]) -> dict[str, int]:
    """The quotas by username. Raises CommandError for one that is not USER=PAIRS."""
    numbers = {}
    for text in given:
        user, _, pairs = text.rpartition("=")
        if not user or not (pairs.isascii() and pairs.isdigit()):
            raise CommandError(f"--quota {text}: write USER=PAIRS, such as ann=50.")
        numbers[user] = int(pairs)
    return numbers
