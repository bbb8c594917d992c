"""Train aligners on datasets of a project and score them on its gold links: a table, or that of a paper."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from alignment.services.climbs import launch_climb
from alignment.services.experiment_tables import as_csv, tables_of
from alignment.services.experiments import launch_experiment
from alignment.services.replications import TABLES, launch_replication
from jobs.management.project_argument import ProjectCommand, row_named, run_to_end, version_named
from paragold.aligners.registry import ALIGNERS, DEFAULT_ALIGNER
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.cli.arguments import (
    add_set,
    add_starting_point,
    add_without,
    left_out,
    parse_settings,
    parse_values,
    starting_point,
)
from paragold.extraction.presets import RECOMMENDED

CHOSEN = ("dataset", "aligner", "taught_by", "other_gold", "set", "symmetrise")


class Command(ProjectCommand):
    help = "Train aligners on datasets of a project and score them on its gold links, as a job."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        named: dict[str, Any] = {"action": "append", "default": [], "metavar": "NAME"}
        several: dict[str, Any] = {"action": "append", "default": []}
        parser.add_argument("--replicate", choices=TABLES, help="reproduce a paper's table (replication)")
        parser.add_argument(
            "--climb",
            action="append",
            default=[],
            metavar="NAME=A,B,...",
            help="values of an extraction parameter to try, such as max_edit_distance=4,8,12, in place of "
            "datasets; may be given twice",
        )
        parser.add_argument(
            "--preset", default=RECOMMENDED, help=f"preset to start a climb from; default {RECOMMENDED}"
        )
        parser.add_argument("--dataset", **named, help="pairs to train on; may be repeated")
        parser.add_argument("--gold", **named, help="gold links to score on; may be repeated")
        parser.add_argument(
            "--aligner",
            **several,
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
        add_starting_point(parser, f"of {DEFAULT_ALIGNER}; default: none")
        add_without(parser)
        add_set(parser, "a parameter of every aligner, such as lexicon=true")
        parser.add_argument(
            "--symmetrise",
            **several,
            choices=SYMMETRISATIONS,
            help="one training with each, for aligners that combine both directions; may be repeated",
        )
        parser.add_argument(
            "--held-out-sentences",
            action="store_true",
            help="also train on test sentences of held-out clusters, never on their links; default: nothing "
            "of held-out clusters is trained on",
        )
        parser.add_argument("--name", default="", help="default: experiment and a number")
        parser.add_argument("--wait", action="store_true", help="also run the job here, and print the table")

    def run(self, options: dict[str, Any]) -> None:
        common: dict[str, Any] = {"project": self.project, "by": self.user, "name": options["name"]}
        if options["replicate"]:
            if any(options[name] for name in (*CHOSEN, "climb", "gold")):
                raise CommandError("--replicate chooses datasets, gold links and aligner itself.")
            made = launch_replication(table=options["replicate"], **common)
        elif options["climb"]:
            aligners = options["aligner"] or [DEFAULT_ALIGNER]
            if any(options[name] for name in CHOSEN if name not in ("aligner", "set")) or len(aligners) > 1:
                raise CommandError("--climb has one aligner, its --set linking=..., and no datasets.")
            made = launch_climb(
                preset=options["preset"],
                values={key: text.split(",") for key, text in parse_settings(options["climb"]).items()},
                gold_sets=[
                    version_named(self.project.gold_alignment_sets.all(), gold) for gold in options["gold"]
                ],
                aligner={"aligner": aligners[0], **parse_values(options["set"])},
                **common,
            )
        else:
            own = parse_values(options["set"])
            of_best: dict[str, Any] = starting_point(options) | left_out(options)
            gold = self.project.gold_alignment_sets.all()
            if options["taught_by"]:
                of_best |= {"taught_by": version_named(gold, options["taught_by"])}
            if options["other_gold"]:
                of_best |= {"other_gold": [version_named(gold, name) for name in options["other_gold"]]}
            made = launch_experiment(
                datasets=[row_named(self.project.datasets.all(), name) for name in options["dataset"]],
                gold_sets=[version_named(gold, name) for name in options["gold"]],
                aligners=[
                    {"aligner": name, **(of_best if name == DEFAULT_ALIGNER else {}), **own}
                    for name in options["aligner"] or [DEFAULT_ALIGNER]
                ],
                symmetrisations=options["symmetrise"],
                held_out_sentences=options["held_out_sentences"],
                **common,
            )
        self.stdout.write(f"Job {made.job.pk}: {made.job.title}, {made.rows.count()} trainings.")
        if options["wait"]:
            run_to_end(made.job)
            made.refresh_from_db()
            for pairs in sorted({row.pairs_held_out for row in made.rows.all()} - {0}):
                self.stdout.write(f"{pairs:,} pairs of held-out clusters were not trained on.")
            self.stdout.write(as_csv(tables_of(made)))
