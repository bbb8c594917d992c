"""manage.py train_aligner: what it trains, prints and refuses."""

import io

import pytest
from django.core.management import CommandError, call_command

from alignment.models import TrainedAligner
from tests.factories.corpus import ProjectFactory, dataset_of
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(tmp_path, settings):
    settings.VAR = tmp_path
    return dataset_of(ProjectFactory(), pairs=6)


def printed(*arguments):
    out = io.StringIO()
    call_command("train_aligner", *arguments, stdout=out)
    return out.getvalue()


def test_trained_and_applied_at_once(dataset):
    project = dataset.project
    gold = linked_gold(project, 12)
    other = linked_gold(project, 12, name="other")
    lines = printed(
        "--project", project.slug, "--dataset", dataset.name, "--gold", gold.name, "--name", "mine",
        "--set", "hmm_iterations=2", "--set", "wordnet=false", "--wait",
        "--without", "rivals", "--without", "stem", "--other-gold", other.name,
        "--apply", gold.name, "--apply", dataset.name,
    ).splitlines()  # fmt: skip
    trained = TrainedAligner.objects.get()
    assert lines[0] == f"Job {trained.job.pk}: Train mine v1, {trained.pairs:,} sentence pairs."
    assert trained.sha256 in lines[1]
    assert lines[2].startswith("Learned elsewhere: ") and lines[2:4] == trained.transfers_in_words
    assert lines[4].endswith("% on held-out pairs") and "0  gold pairs" in lines[4]
    assert trained.parameters["without"] == ["rivals", "stem"]
    assert (trained.gold_set, len(trained.iterations), trained.parameters["wordnet"]) == (gold, 4, False)
    aer = 100 * trained.evaluations.get().scores["all"]["aer"]
    assert f"{aer:.2f}  % AER, all words" in "\n".join(lines)
    assert lines[-1].startswith(f"mine v1 on {dataset.name}: ")
    assert trained.runs.count() == 2


def test_without_waiting_it_is_left_to_a_worker(dataset):
    text = printed("--project", dataset.project.slug, "--dataset", dataset.name, "--aligner", "ibm1")
    assert len(text.splitlines()) == 1
    assert not TrainedAligner.objects.get().ready


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dataset", "nothing"], "There is no dataset 'nothing'. Available: dataset"),
        (["--gold", "links"], "There is no set of gold links 'links'. Available: none yet"),
        (["--apply", "x"], "--apply needs --wait"),
        (["--set", "colour"], "takes KEY=VALUE"),
    ],
)
def test_what_cannot_be_is_refused(dataset, arguments, message):
    with pytest.raises(CommandError, match=message):
        printed("--project", dataset.project.slug, *arguments)
    assert not TrainedAligner.objects.exists()
