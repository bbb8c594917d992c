"""Train a word aligner in a project, and apply it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from alignment.models import AlignerRun, TrainedAligner
from alignment.services.trained_aligners.applying import apply_aligner
from alignment.services.trained_aligners.launching import launch_training
from jobs.management.project_argument import ProjectCommand, row_named, run_to_end, version_named
from paragold.aligners.registry import DEFAULT_ALIGNER, all_parameters, trained_ids
from paragold.cli.arguments import add_set, parse_values
from paragold.cli.link_options import OTHER_GOLD_HELP, add_of_best, of_best


class Command(ProjectCommand):
    help = "Train a word aligner on datasets and gold links of a project, as a job."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        named: dict[str, Any] = {"action": "append", "default": [], "metavar": "NAME"}
        parser.add_argument("--dataset", **named, help="pairs to train on; may be repeated")
        parser.add_argument("--texts", **named, help="gold links to take sentences from, not links")
        parser.add_argument("--gold", metavar="NAME", help="gold links to train on")
        parser.add_argument("--other-gold", **named, help=OTHER_GOLD_HELP)
        parser.add_argument(
            "--aligner",
            choices=trained_ids(),
            default=DEFAULT_ALIGNER,
            help=f"default {DEFAULT_ALIGNER}",
        )
        parser.add_argument("--name", default="", help="default: name of the aligner")
        add_of_best(parser, "default: english where the project's language is")
        add_set(
            parser,
            "a parameter, such as hmm_iterations=8, linking=refined or wordnet=false; available: "
            + ", ".join(parameter.name for parameter in all_parameters()),
        )
        parser.add_argument("--wait", action="store_true", help="also run the job here until it ends")
        parser.add_argument(
            "--apply", **named, help="with --wait: dataset or gold links to draw links for, then"
        )

    def run(self, options: dict[str, Any]) -> None:
        if options["apply"] and not options["wait"]:
            raise CommandError("--apply needs --wait: the aligner must be trained first.")
        targets = [self.target(name) for name in options["apply"]]
        gold = self.project.gold_alignment_sets.all()
        datasets = [row_named(self.project.datasets.all(), name) for name in options["dataset"]]
        texts = [version_named(gold, name) for name in options["texts"]]
        gold_set = version_named(gold, options["gold"]) if options["gold"] else None
        trained = launch_training(
            project=self.project,
            by=self.user,
            name=options["name"],
            settings={"aligner": options["aligner"]} | of_best(options) | parse_values(options["set"]),
            datasets=datasets,
            texts=texts,
            gold_set=gold_set,
            other_gold=[version_named(gold, name) for name in options["other_gold"]],
        )
        self.stdout.write(f"Job {trained.job.pk}: {trained.job.title}, {trained.pairs:,} sentence pairs.")
        if options["wait"]:
            self.finish(trained)
            for target in targets:
                self.apply(apply_aligner(project=self.project, by=self.user, trained=trained, **target))

    def target(self, name: str) -> dict[str, Any]:
        dataset = self.project.datasets.filter(name=name).first()
        if dataset is not None:
            return {"dataset": dataset}
        return {"gold_set": version_named(self.project.gold_alignment_sets.all(), name)}

    def finish(self, trained: TrainedAligner) -> None:
        run_to_end(trained.job)
        trained.refresh_from_db()
        self.stdout.write(f"{trained} is trained in {trained.job.seconds:.1f} s, sha256 {trained.sha256}")
        if trained.pairs_held_out:
            self.stdout.write(f"{trained.pairs_held_out:,} pairs of held-out clusters were not trained on.")
        for words in trained.transfers_in_words:
            self.stdout.write(words)
        for point in trained.learning_curve:
            aer = point["scores"]["all"]["aer"]
            self.stdout.write(f"{point['pairs']:>14,}  gold pairs: AER {100 * aer:.2f} % on held-out pairs")

    def apply(self, applied: AlignerRun) -> None:
        run_to_end(applied.job)
        counts = applied.job.counts
        self.stdout.write(f"{applied}: {counts['links_drawn']:,} links in {counts['pairs_aligned']:,} pairs")
        evaluation = (
            applied.gold_set and applied.trained.evaluations.filter(gold_set=applied.gold_set).first()
        )
        if evaluation:
            self.stdout.write(f"{100 * evaluation.scores['all']['aer']:>14.2f}  % AER, all words")
