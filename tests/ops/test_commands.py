from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Dataset
from projects.models import Project, Role
from tests.factories.annotation import gold_set
from tests.factories.corpus import ProjectFactory, dataset_of, member
from tests.factories.news import add_articles
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db
TEXTS = "1\tThe council mended the old dam above the town .\n"
OTHERS = "2\tThe old dam above the town was mended by the council .\n"
LINKS = [{"id": "1", "source": "A dam", "target": "The dam", "sureAlign": "1-1", "possibleAlign": ""}]
STREAM = "id,date,text\na,2006-03-01,A dam broke in the north .\nb,2006-03-01,In the north a dam broke .\n"
# Command and arguments, what it says, and what is there afterwards.
COMMANDS: dict[str, tuple[list[str], str, Callable[[Project], Any]]] = {
    "import articles": (
        ["stream.csv", "--find-clusters"],
        "2",
        lambda p: p.imports.get(filename="stream.csv"),
    ),
    "launch extract": (
        ["--preset", "L12", "--set", "max_edit_distance=9", "--wait"],
        "pairs kept",
        lambda p: p.extractions.get(preset="L12").criteria["max_edit_distance"] == 9,
    ),
    "launch match-sentences": (
        ["--method", "exact", "--name", "m"],
        "Match m.",
        lambda p: p.extractions.get(name="m").job.state == "queued",
    ),
    "launch match-headlines": (
        ["--name", "h", "--wait", "--json"],
        '"pairs_kept"',
        lambda p: p.extractions.get(name="h"),
    ),
    "launch build-lexicon": (
        ["--dataset", "L12", "--kind", "morphology", "--ranks", "20", "--wait"],
        "Build morphology v1.",
        lambda p: p.lexicons.get(name="morphology").job.state == "done",
    ),
    "launch train-aligner": (
        [
            "--datasets",
            "L12",
            "--name",
            "mine",
            "--set",
            "aligner=ibm1",
            "--set",
            "ibm1_iterations=2",
            "--wait",
        ],
        "Train mine v1.",
        lambda p: p.trained_aligners.get(name="mine").parameters["ibm1_iterations"] == 2,
    ),
    "launch run-experiment": (
        [
            *("--datasets", "L12", "--gold-sets", "links", "--aligners", "ibm1", "identity"),
            *("--set", "lexicon=true", "--set", "linking=refined", "--name", "mine", "--wait"),
        ],
        "Experiment mine.",
        lambda p: "links:refined" in p.experiments.get(name="mine").rows.get(aligner="ibm1").signature,
    ),
    "match_project_texts": (["a.tsv", "b.tsv", "--name", "t"], "t: ", lambda p: p.extractions.get(name="t")),
    "characteristics": ([], "Corpus size (pairs)", lambda p: True),
    "launch draw-judging-batch": (
        ["--dataset", "L12", "--annotators", "ann", "--name", "new", "--size", "1", "--overlap", "1"],
        ": new.",
        lambda p: p.batches.get(name="new").items.get(),
    ),
    "launch draw-training": (
        ["--gold-set", "gold", "--annotators", "ann", "--name", "learn", "--size", "1"],
        ": learn.",
        lambda p: p.batches.get(name="learn", measure="accuracy", threshold=0.8),
    ),
    "import judgements": (
        ["judged.tsv", "--name", "STS", "--threshold", "4"],
        "Imported into STS v1",
        lambda p: p.gold_sets.get(name="STS"),
    ),
    "import links": (
        ["links.json", "--batch", "rte", "--whose", "gold"],
        "Imported into rte v1",
        lambda p: p.gold_alignment_sets.get(name="rte"),
    ),
    "export_gold": (
        ["--gold", "gold", "--output", "out", "--licence", "CC0-1.0"],
        "",
        lambda p: json.loads(Path("out/manifest.json").read_text())["details"]["export"]["licence"],
    ),
    "export_dataset": (
        ["--dataset", "L12", "--output", "l12.zip"],
        "",
        lambda p: Path("l12.zip").stat().st_size,
    ),
}


@pytest.fixture(scope="module")
def made(module_database):
    project = ProjectFactory(slug="dams")
    add_articles(project)
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    gold_set(project, people, size=2)
    linked_gold(project, 4, name="links")
    Dataset.objects.filter(pk=dataset_of(project, 2).pk).update(name="L12")
    return project


@pytest.fixture
def project(made, tmp_path, settings, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings.VAR, settings.UPLOADS_DIR, settings.EXPORTS_DIR = tmp_path, tmp_path / "u", tmp_path / "e"
    for folder in (settings.UPLOADS_DIR, settings.EXPORTS_DIR):
        folder.mkdir()
    for name, text in (
        ("a.tsv", TEXTS), ("b.tsv", OTHERS), ("judged.tsv", "4.2\ta\tb\n1.0\tc\td\n"),
        ("links.json", json.dumps(LINKS)), ("stream.csv", STREAM),
    ):  # fmt: skip
        Path(name).write_text(text)
    return Project.objects.get(pk=made.pk)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_does_what_its_page_does(project, name, capsys):
    arguments, said, made = COMMANDS[name]
    call_command(*name.split(), "--project", "dams", *arguments)
    assert said in capsys.readouterr().out
    assert made(project)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_project_that_is_not_there_is_named(project, name):
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        call_command(*name.split(), "--project", "nowhere", *COMMANDS[name][0])
