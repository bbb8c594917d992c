import pytest

from alignment.models import TrainedAligner
from alignment.services.trained_aligners import applying, stored
from alignment.services.trained_aligners.applying import apply_aligner
from jobs.models import JobState
from jobs.services.running import run_here
from tests.factories.corpus import ProjectFactory, dataset_of
from tests.factories.trained_aligners import linked_gold, trained_aligner
from tests.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# Seconds that a worker may take to start and to work, ten times what a busy machine needs.
PATIENCE = 300
# Steps after which the worker is killed; a quick one may be further by then, which is no harm.
KILLED_AFTER = (1, 12)


def wait_for(worker, job, steps=float("inf")):
    """Until so many steps are done, or the job has ended."""

    def reached():
        job.refresh_from_db()
        return job.done >= steps or not job.active

    wait_until(reached, PATIENCE, f"{steps} steps of {job}\n{worker.log()}")


def links_of(run):
    return list(run.alignments.values_list("pair", "links"))


def test_a_killed_worker_leaves_the_aligner_of_an_undisturbed_run(worker, monkeypatch):
    dataset = dataset_of(ProjectFactory(), pairs=30)
    gold = linked_gold(dataset.project, 12)
    recipe = {"aligner": "best", "gold_set": gold, "ibm1_iterations": 8, "hmm_iterations": 8}
    undisturbed = trained_aligner(dataset, **recipe)
    trained = trained_aligner(dataset, run=False, **recipe)
    for steps in KILLED_AFTER:
        worker.start()
        wait_for(worker, trained.job, steps)
        worker.kill()
    worker.start()
    wait_for(worker, trained.job)
    trained.refresh_from_db()
    assert (trained.job.state, trained.job.error) == (JobState.DONE, "")
    assert trained.sha256 == undisturbed.sha256
    assert trained.iterations == undisturbed.iterations
    assert trained.learning_curve == undisturbed.learning_curve
    assert trained.job.done == trained.job.total == trained.job.chunks.count()
    assert not list(stored.folder().glob(f"training-{trained.job.pk}-*"))

    monkeypatch.setattr(applying, "PAIRS_A_CHUNK", 2)
    project = dataset.project
    run = apply_aligner(project=project, by=None, trained=trained, dataset=dataset)
    wait_for(worker, run.job)
    expected = apply_aligner(project=project, by=None, trained=undisturbed, dataset=dataset)
    run_here(job=expected.job)
    assert links_of(run) == links_of(expected)
    assert run.job.counts == expected.job.counts
    assert TrainedAligner.objects.count() == 2
