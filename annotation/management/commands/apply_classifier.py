"""Apply a trained classifier to a dataset of a project; what it accepts becomes a dataset."""

import json
from argparse import ArgumentParser
from typing import Any

from annotation.services.classifiers.applying import launch_application
from jobs.management.project_argument import ProjectCommand, row_named, run_to_end, version_named


class Command(ProjectCommand):
    help = "Apply a classifier to a dataset, as a job; `paragold classify-pairs` works on files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--classifier", required=True, metavar="NAME", help="'svm v1', or 'svm' for its latest"
        )
        parser.add_argument("--dataset", required=True, metavar="NAME")
        parser.add_argument(
            "--threshold",
            type=float,
            help="minimum probability of an accepted pair, 0 to 1 (default: the sign of the decision)",
        )
        parser.add_argument("--name", default="", help="of the refined dataset")
        parser.add_argument("--wait", action="store_true", help="also run the job here until it ends")
        parser.add_argument("--json", action="store_true", help="with --wait: print the counts as JSON")

    def run(self, options: dict[str, Any]) -> None:
        run = launch_application(
            classifier=version_named(self.project.classifiers.all(), options["classifier"]),
            by=self.user,
            dataset=row_named(self.project.datasets.all(), options["dataset"]),
            threshold=options["threshold"],
            name=options["name"],
        )
        if not options["wait"]:
            self.stdout.write(f"Job {run.job.pk}: {run.job.title}. See the run's page.")
            return
        run_to_end(run.job)
        run.refresh_from_db()
        pairs, accepted = (run.job.counts.get(name, 0) for name in ("pairs", "accepted"))
        refined = run.refined.first()
        if options["json"]:
            result = {"run": run.pk, "pairs": pairs, "accepted": accepted}
            result["refined"] = refined and refined.name
            self.stdout.write(json.dumps(result, indent=2))
            return
        by = "by the sign of the decision" if run.threshold is None else f"from {run.threshold:g} on"
        self.stdout.write(f"{accepted:,} of {pairs:,} pairs accepted {by}.")
        self.stdout.write(
            f"Dataset {refined.name}." if refined else "No pair was accepted, so there is no dataset."
        )
