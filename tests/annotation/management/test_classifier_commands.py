"""train_project_classifier and apply_classifier: from a gold set to a refined dataset in the shell."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import ClassifierRun, TrainedClassifier
from corpus.models import Dataset
from paragold.classification.classes import CLASSES
from tests.factories.classifiers import built_lexicon, learnable_dataset, learnable_gold, trained

pytestmark = pytest.mark.django_db
STRING_ONLY = [f"--without={name}" for name in CLASSES if name != "string"]


@pytest.fixture
def dataset(project):
    return learnable_dataset(project)


@pytest.fixture
def gold(project, dataset):
    return learnable_gold(project, dataset)


def run(command, project, *options, **more):
    output = StringIO()
    call_command(command, "--project", project.slug, *options, stdout=output, stderr=StringIO(), **more)
    return output.getvalue()


def test_from_gold_to_a_refined_dataset(project, dataset, gold):
    said = run("train_project_classifier", project, "--gold", "gold", *STRING_ONLY, "--c", "0.1", "--wait")
    classifier = TrainedClassifier.objects.get()
    assert (classifier.finished, classifier.gold_set) == (True, gold)
    assert classifier.figures["classes"] == ["string"]
    assert f"sha256 {classifier.sha256}" in said
    assert "string only" in said
    asked = ("--classifier", "svm", "--dataset", dataset.name, "--threshold", "0.4", "--name", "kept")
    told = json.loads(run("apply_classifier", project, *asked, "--wait", "--json"))
    refined = Dataset.objects.get(name="kept")
    assert told == {
        "run": ClassifierRun.objects.get().pk, "pairs": 40, "accepted": refined.size, "refined": "kept",
    }  # fmt: skip
    nothing = ("--classifier", "svm v1", "--dataset", dataset.name, "--threshold", "1", "--wait")
    assert "No pair was accepted" in run("apply_classifier", project, *nothing)


def test_a_file_and_a_lexicon_teach_and_figures_come_as_json(project, dataset, tmp_path):
    path = tmp_path / "own.tsv"
    lines = [
        f"{n % 2}\tthe dam {n} was mended by the council\t"
        + (f"the council mended the dam {n}" if n % 2 else f"police close a market {n}")
        for n in range(24)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    built_lexicon(dataset)
    asked = ("--pairs", str(path), "--lexicon", "words", "--no-report", "--wait", "--json")
    told = json.loads(run("train_project_classifier", project, *asked, "--without", "wordnet"))
    assert (told["classifier"], told["pairs"]) == ("svm v1", 24)
    assert "association" in told["classes"]
    assert told["sha256"] == TrainedClassifier.objects.get().sha256
    assert "out_of_fold" not in told


def test_what_cannot_be_asked_for_is_said_plainly(project, dataset, gold, tmp_path):
    (tmp_path / "bad.tsv").write_text("1\tonly one\n", encoding="utf-8")
    trained(project, gold, name="own")
    train, apply = "train_project_classifier", "apply_classifier"
    for command, options, message in (
        (train, ("--gold", "golden"), "There is no gold set 'golden'. Available: gold v1"),
        (train, ("--gold", "gold", "--lexicon", "words"), "There is no lexicon 'words'. Available: none yet"),
        (train, ("--gold", "gold", "--c", "0"), "C must be a number above 0"),
        (train, ("--gold", "gold", "--aligned", dataset.name), "There are no gold links"),
        (train, ("--gold", "gold", "--bootstrap", "x"), "There is no dataset 'x'"),
        (train, ("--pairs", str(tmp_path / "bad.tsv")), "bad.tsv, line 1"),
        (apply, ("--classifier", "svm", "--dataset", dataset.name), "There is no trained classifier 'svm'"),
        (apply, ("--classifier", "own", "--dataset", "x"), "There is no dataset 'x'"),
        (apply, ("--classifier", "own", "--dataset", dataset.name, "--threshold", "2"), "from 0 to 1"),
    ):
        with pytest.raises(CommandError, match=message):
            run(command, project, *options)
    assert not ClassifierRun.objects.exists()
    assert TrainedClassifier.objects.count() == 1
