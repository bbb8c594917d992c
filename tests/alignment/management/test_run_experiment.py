"""`manage.py run_experiment`."""

import io

import pytest
from django.core.management import call_command

from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


def test_the_command_runs_any_experiment():
    gold = linked_gold(ProjectFactory(), 4)
    project = gold.project
    dataset = dataset_of(project, 4)

    def printed(*arguments):
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
