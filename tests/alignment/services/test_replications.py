"""The tables of the papers on a project's own datasets: what is taken for them, and what is missing."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from alignment.models import GoldAlignmentSet
from alignment.services.replications import SVM, SVM_FROM_FILE, launch_replication, replication
from corpus.models import Dataset
from paragold.extraction.presets import PRESETS
from paragold.extraction.selection import preset_selections
from projects.errors import PublicError
from projects.models import Project
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory, UserFactory
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


def dataset_by(project: Project, preset: str, **settings: object) -> Dataset:
    """A dataset whose extraction was asked for with a preset, some parameters replaced."""
    made = dataset_of(project, 4)
    criteria = PRESETS[preset].criteria.with_settings(settings)
    made.extractions.update(criteria=criteria.settings())
    return made


@pytest.fixture
def gold() -> GoldAlignmentSet:
    return linked_gold(ProjectFactory(), 4)


def test_training_sets_are_known_by_what_was_asked_for(gold: GoldAlignmentSet) -> None:
    project = gold.project
    wide = dataset_by(project, "candidates-2005")
    f3 = dataset_by(project, "F3")
    dataset_by(project, "F2", placeholders=True)
    l12 = dataset_by(project, "L12")
    dataset_by(project, "L12", max_edit_distance=10)
    found = replication(project, "table-3")
    assert (found.datasets, found.gold_sets) == ([l12, f3], [gold])
    assert found.missing == ["F2", SVM, SVM_FROM_FILE]
    Dataset.objects.filter(pk=wide.pk).update(criteria=preset_selections()["F2"].settings())
    assert replication(project, "table-3").datasets == [l12, wide, f3]
    other = linked_gold(project, 4, name="other links")
    first = replication(project, "table-1")
    assert (first.datasets, first.gold_sets, first.missing) == ([l12, wide], [other, gold], [])
    assert replication(project, "table-3").gold_sets == [other]
    # That of 2004 counts another distance: it is known by what was asked for, and a part of it is not all.
    part = dataset_by(project, "L12-2004")
    Dataset.objects.filter(pk=part.pk).update(criteria={"min_shared_words": 3})
    word = dataset_by(project, "L12-2004-word")
    assert replication(project, "table-1").datasets == [word, wide]
    published = dataset_by(project, "L12-2004", clusters="rest")
    assert replication(project, "table-1").datasets == [published, wide]


def test_one_click_asks_for_all_trainings(gold: GoldAlignmentSet) -> None:
    project = gold.project
    client = Client()
    client.force_login(UserFactory(is_superuser=True))
    address = reverse("experiment-new", args=[project.slug])
    assert "none of its training sets is frozen" in client.get(address).content.decode()
    assert client.post(address, {"replicate": "table-3"}).url == address
    assert not project.experiments.exists()
    names = [dataset_by(project, preset).name for preset in ("L12", "F2", "F3")]
    page = client.get(address).content.decode()
    assert all(name in page for name in names) and "Missing: " in page
    response = client.post(address, {"replicate": "table-3"})
    made = project.experiments.get()
    assert response.url == reverse("experiment", args=[project.slug, made.pk])
    assert [(row.dataset.name, row.aligner_label) for row in made.rows.all()] == [
        (name, "hmm + lexicon, refined") for name in names
    ]
    again = launch_replication(project=project, by=None, table="table-3")
    assert (made.name, again.name) == (
        "Table 3 of Brockett & Dolan (2005)", "Table 3 of Brockett & Dolan (2005), 2"
    )  # fmt: skip
    answer = client.post(
        reverse("api-experiment-replications", args=[project.slug]),
        {"table": "table-1", "name": "by the API"},
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["name"]) == (201, "by the API")
    assert project.experiments.get(name="by the API").rows.first().aligner_label == "hmm, refined"


def test_the_command_runs_any_experiment(gold: GoldAlignmentSet) -> None:
    project = gold.project
    dataset = dataset_by(project, "L12")

    def printed(*arguments: str) -> list[str]:
        out = io.StringIO()
        call_command("run_experiment", "--project", project.slug, *arguments, stdout=out)
        return out.getvalue().splitlines()

    lines = printed(
        "--dataset", dataset.name, "--gold", gold.name, "--aligner", "ibm1", "--set", "lexicon=true",
        "--set", "linking=refined", "--name", "mine", "--wait",
    )  # fmt: skip
    assert lines[0].endswith("Experiment mine, 1 trainings.")
    assert "ibm1 + lexicon, refined" in "\n".join(lines)
    assert "links:refined" in project.experiments.get().rows.get().signature
    other = linked_gold(project, 4, name="other")
    chosen = ("--dataset", dataset.name, "--gold", gold.name, "--name", "taught")
    printed(*chosen, "--taught-by", gold.name, "--other-gold", other.name)
    row = project.experiments.get(name="taught").rows.get()
    assert (row.aligner, row.taught_by, list(row.other_gold.all())) == ("best", gold, [other])
    assert printed("--replicate", "table-3")[0].endswith("1 trainings.")
    with pytest.raises(CommandError, match="chooses datasets"):
        printed("--replicate", "table-3", "--other-gold", other.name)


def test_what_cannot_be_replicated_is_refused(gold: GoldAlignmentSet) -> None:
    with pytest.raises(PublicError, match="needs a training set: freeze the pairs of L12 or F2"):
        launch_replication(project=gold.project, by=None, table="table-1")
    with pytest.raises(PublicError, match="Available: table-1, table-3"):
        replication(gold.project, "table-2")
    empty = ProjectFactory()
    dataset_by(empty, "L12")
    with pytest.raises(PublicError, match="Choose a set of gold links"):
        launch_replication(project=empty, by=None, table="table-3")
