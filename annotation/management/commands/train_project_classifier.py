"""Train a classifier on a gold set of a project, or on a file of labelled pairs."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.models import TrainedClassifier
from annotation.services.classifiers.training import launch_training
from annotation.specs import TrainingSpec
from corpus.models import LexiconKind
from jobs.management.project_argument import ProjectCommand, row_named, run_to_end, version_named
from jobs.models import JobState
from paragold.cli.arguments import add_arguments, spec_from
from paragold.cli.classifier import add_class_arguments, chosen_classes
from projects.models import Project

SHARES = ("error", "f", "precision", "recall")
# What has options of its own: --with and --without, --balanced, --no-report.
OWN_OPTIONS = ("classes", "class_weight", "report", "language")


class Command(ProjectCommand):
    help = "Train a classifier in a project, as a job; train_classifier works on files, without a project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--gold", metavar="NAME", help="a gold set: 'gold v1', or 'gold' for its latest")
        source.add_argument(
            "--pairs", type=Path, metavar="FILE", help="labelled pairs, as for train_classifier"
        )
        parser.add_argument("--name", default="svm", help="it gets its next version (default %(default)s)")
        parser.add_argument(
            "--lexicon", metavar="NAME", help="lexicon of word association; without it the class is off"
        )
        add_class_arguments(parser)
        parser.add_argument("--balanced", action="store_true", help="the rarer label counts more")
        add_arguments(parser, TrainingSpec, leave_out=OWN_OPTIONS)
        parser.add_argument(
            "--aligned", metavar="DATASET", help="measure the alignment error rate of the accepted pairs"
        )
        parser.add_argument(
            "--bootstrap", metavar="DATASET", help="measure the effect of bootstrapping on it"
        )
        parser.add_argument("--no-report", action="store_true", help="without ablation and learning curve")
        parser.add_argument("--wait", action="store_true", help="also run the job here until it ends")
        parser.add_argument("--json", action="store_true", help="with --wait: print all figures as JSON")

    def run(self, options: dict[str, Any]) -> None:
        spec = spec_from(
            TrainingSpec,
            options,
            classes=chosen_classes(options),
            class_weight="balanced" if options["balanced"] else "none",
            report=not options["no_report"],
        )
        classifier = launch_training(
            project=self.project,
            by=self.user,
            name=options["name"],
            spec=spec,
            **sources(self.project, options),
        )
        if not options["wait"]:
            self.stdout.write(f"Job {classifier.job.pk}: {classifier.job.title}. See the classifier's page.")
            return
        run_to_end(classifier.job)
        classifier.refresh_from_db()
        if options["json"]:
            self.stdout.write(json.dumps(as_json(classifier), indent=2))
        else:
            self.report(classifier)

    def report(self, classifier: TrainedClassifier) -> None:
        figures, write = classifier.figures, self.stdout.write
        for note in classifier.notes:
            self.stderr.write(note)
        write(
            f"{classifier} trained on {figures['pairs']:,} pairs, {figures['paraphrases']:,} paraphrases: "
            f"{figures['features']:,} features, {figures['word_pairs']:,} of them single word pairs, "
            f"C {figures['c']:g}, sha256 {classifier.sha256}"
        )
        write("\nFeature classes             columns   error       F   precision  recall  AER")
        whole = {"name": "clusters whole", **figures}
        for row in [whole, *figures.get("ablation", [])]:
            if "measures" not in row:
                write(f"  {row['name']:<24}  {row['problem']}")
                continue
            shares = "  ".join(f"{100 * row['measures'][name]:6.2f}" for name in SHARES)
            aer = row.get("aligned", {}).get("aer")
            last = "" if aer is None else f"{100 * aer:6.2f}"
            write(f"  {row['name']:<24}{row['dimensions']:>9.0f}  {shares}  {last}")


def sources(project: Project, options: dict[str, Any]) -> dict[str, Any]:
    """The training and test data. Raises CommandError for an unknown name."""
    fields: dict[str, Any] = {}
    if options["gold"] is not None:
        fields["gold_set"] = version_named(project.gold_sets.all(), options["gold"])
    else:
        fields |= {"pairs": options["pairs"], "filename": options["pairs"].name}
    if options["lexicon"] is not None:
        lexicons = project.lexicons.filter(kind=LexiconKind.ASSOCIATION, job__state=JobState.DONE)
        fields["lexicon"] = version_named(lexicons, options["lexicon"])
    for name in ("aligned", "bootstrap"):
        if options[name] is not None:
            fields[name] = row_named(project.datasets.all(), options[name])
    return fields


def as_json(classifier: TrainedClassifier) -> dict[str, Any]:
    figures = {name: value for name, value in classifier.figures.items() if name != "out_of_fold"}
    return {
        "classifier": str(classifier),
        "id": classifier.pk,
        "sha256": classifier.sha256,
        "signature": classifier.signature,
        "notes": classifier.notes,
        **figures,
    }
