"""Draw a batch to judge from the command line."""

from argparse import ArgumentParser, BooleanOptionalAction
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import GoldSet, HandingOut
from annotation.services.drawing import draw_judging_batch
from jobs.management.project_argument import add_project_arguments, project_and_user
from paragold.sampling.strata import ALLOCATIONS
from paragold.sampling.strategy import CLUSTERS, STRATIFIED_BY, Strategy
from projects.errors import PublicError
from projects.models import Project


class Command(BaseCommand):
    help = "Draw pairs of a dataset into a batch for annotators to judge."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument("--dataset", required=True, metavar="NAME")
        parser.add_argument("--name", required=True, help="the name of the batch")
        parser.add_argument("--size", required=True, type=int, metavar="PAIRS")
        parser.add_argument(
            "--annotator", required=True, action="append", dest="annotators", help="may be given again"
        )
        parser.add_argument("--overlap", type=int, help="annotators for each pair (default: the project's)")
        parser.add_argument("--handing-out", choices=HandingOut.values, default=HandingOut.AT_ONCE)
        parser.add_argument("--lease-minutes", type=int, default=60, help="for as_they_come")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--by", choices=STRATIFIED_BY, default="random", help="what the strata are")
        parser.add_argument("--allocation", choices=ALLOCATIONS, default="proportional")
        parser.add_argument("--per-cluster", type=int, metavar="PAIRS", help="at most, of one cluster")
        parser.add_argument("--clusters", choices=CLUSTERS, default="all", help="only: the held-out ones")
        parser.add_argument(
            "--rejected", type=int, default=0, metavar="PERCENT", help="of pairs that no extraction found"
        )
        parser.add_argument("--run", type=int, metavar="ID", help="for --by uncertainty: of a classifier")
        parser.add_argument(
            "--audit", type=int, default=20, metavar="PERCENT", help="for --by uncertainty: kept apart"
        )
        parser.add_argument("--again", action="store_true", help="also pairs that an earlier batch holds")
        parser.add_argument(
            "--quota", action="append", default=[], metavar="USER=PAIRS", help="at most; may be given again"
        )
        parser.add_argument(
            "--phenomena", action=BooleanOptionalAction, help="have them counted (default: the project's)"
        )
        parser.add_argument(
            "--paraphrases-of",
            metavar="GOLD",
            help="only those of a gold set, such as 'gold v1', drawn again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project, user = project_and_user(options)
        dataset = project.datasets.filter(name=options["dataset"]).first()
        if dataset is None:
            names = ", ".join(project.datasets.values_list("name", flat=True)) or "none yet"
            raise CommandError(f"There is no dataset {options['dataset']!r}. Datasets: {names}.")
        asked = ("by", "allocation", "per_cluster", "clusters", "rejected", "again", "run", "audit")
        passed = ("name", "size", "annotators", "overlap", "seed", "handing_out", "lease_minutes")
        try:
            batch = draw_judging_batch(
                project=project,
                by=user,
                dataset=dataset,
                strategy=Strategy(**{name: options[name] for name in asked}),
                quotas=quotas(options["quota"]),
                asks_phenomena=options["phenomena"],
                paraphrases_of=gold_set_called(project, options["paraphrases_of"]),
                **{name: options[name] for name in passed},
            )
        except (PublicError, ValueError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Batch {batch.pk}: {batch.name}, {batch.items.count():,} pairs.")
        for stratum in batch.sampling["strata"]:
            there = stratum.get("pairs", stratum.get("sentence_pairs"))
            self.stdout.write(f"  {stratum['stratum'] or dataset.name}: {stratum['drawn']:,} of {there:,}")


def quotas(given: list[str]) -> dict[str, int]:
    """The quotas by username. Raises CommandError for one that is not USER=PAIRS."""
    found = {}
    for text in given:
        user, _, pairs = text.rpartition("=")
        if not user or not (pairs.isascii() and pairs.isdigit()):
            raise CommandError(f"--quota {text}: write USER=PAIRS, such as ann=50.")
        found[user] = int(pairs)
    return found


def gold_set_called(project: Project, name: str | None) -> GoldSet | None:
    """The gold set of that name and version; of a bare name the latest. Raises CommandError."""
    if name is None:
        return None
    there = list(project.gold_sets.order_by("-version"))
    for found in there:
        if name in (str(found), found.name):
            return found
    names = ", ".join(str(found) for found in there) or "none yet"
    raise CommandError(f"There is no gold set {name!r}. Gold sets: {names}.")
