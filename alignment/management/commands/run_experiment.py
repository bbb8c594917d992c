"""Train aligners on datasets of a project and score them on its gold links: a table."""

from argparse import ArgumentParser
from typing import Any

from alignment.services.experiment_tables import as_csv, tables_of
from alignment.services.experiments import launch_experiment
from jobs.management.project_argument import ProjectCommand, row_named, run_to_end, version_named
from paragold.aligners.registry import ALIGNERS, DEFAULT_ALIGNER
from paragold.cli.arguments import parse_values
from paragold.cli.links import add_aligner_parameters, parameters_of


class Command(ProjectCommand):
    help = "Train aligners on datasets of a project and score them on its gold links, as a job."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        named: dict[str, Any] = {"action": "append", "default": [], "metavar": "NAME"}
        parser.add_argument("--dataset", **named, help="pairs to train on; may be repeated")
        parser.add_argument("--gold", **named, help="gold links to score on; may be repeated")
        parser.add_argument(
            "--aligner",
            action="append",
            default=[],
            choices=ALIGNERS.ids(),
            help=f"default {DEFAULT_ALIGNER}; may be repeated",
        )
        learns = f"that {DEFAULT_ALIGNER} learns from"
        parser.add_argument("--taught-by", metavar="NAME", help=f"gold links {learns}")
        parser.add_argument(
            "--other-gold",
            **named,
            help=f"other gold links {learns}, as far as they help on those of --taught-by; may be repeated",
        )
        add_aligner_parameters(parser)
        parser.add_argument(
            "--held-out-sentences",
            action="store_true",
            help="also train on test sentences of held-out clusters, never on their links; default: nothing "
            "of held-out clusters is trained on",
        )
        parser.add_argument("--name", default="", help="default: experiment and a number")
        parser.add_argument("--wait", action="store_true", help="also run the job here, and print the table")

    def run(self, options: dict[str, Any]) -> None:
        own, of_all = parameters_of(options | {"set": []}), parse_values(options["set"])
        taught: dict[str, Any] = {}
        gold = self.project.gold_alignment_sets.all()
        if options["taught_by"]:
            taught |= {"taught_by": version_named(gold, options["taught_by"])}
        if options["other_gold"]:
            taught |= {"other_gold": [version_named(gold, name) for name in options["other_gold"]]}
        made = launch_experiment(
            datasets=[row_named(self.project.datasets.all(), name) for name in options["dataset"]],
            gold_sets=[version_named(gold, name) for name in options["gold"]],
            aligners=[
                {"aligner": name, **(taught if name == DEFAULT_ALIGNER else {}), **_of(name, own), **of_all}
                for name in options["aligner"] or [DEFAULT_ALIGNER]
            ],
            held_out_sentences=options["held_out_sentences"],
            project=self.project,
            by=self.user,
            name=options["name"],
        )
        self.stdout.write(f"Job {made.job.pk}: {made.job.title}, {made.rows.count()} trainings.")
        if options["wait"]:
            run_to_end(made.job)
            made.refresh_from_db()
            for pairs in sorted({row.pairs_held_out for row in made.rows.all()} - {0}):
                self.stdout.write(f"{pairs:,} pairs of held-out clusters were not trained on.")
            self.stdout.write(as_csv(tables_of(made)))


def _of(aligner: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Those that the aligner has."""
    known = ALIGNERS.get(aligner).parameters.model_fields
    return {name: value for name, value in parameters.items() if name in known}
