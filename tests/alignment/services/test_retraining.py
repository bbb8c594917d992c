"""Aligners that are trained again by themselves: when, at most one at a time, and never by an experiment."""

from __future__ import annotations

import pytest

from alignment.models import GoldAlignmentSet, SuggestedLinks, TrainedAligner
from alignment.services.batches import set_suggester
from alignment.services.retraining import new_finished_pairs, retrain_if_due, set_retraining
from alignment.services.trained_aligners.launching import train_again
from alignment.services.trained_aligners.stored import NEWEST, reference
from jobs.models import JobState
from jobs.services.running import run_here
from projects.errors import PublicError
from tests.factories.alignment import linking_batch
from tests.factories.experiments import experiment
from tests.factories.retraining import Linking
from tests.factories.trained_aligners import QUICK, trained_aligner

pytestmark = pytest.mark.django_db


@pytest.fixture
def linking() -> Linking:
    return Linking()


def test_nothing_happens_until_a_manager_switches_it_on(linking: Linking) -> None:
    linking.link(3)
    assert linking.jobs == []
    assert new_finished_pairs(linking.aligner) == 3
    set_retraining(trained=linking.aligner, retrain_after=3)
    assert [job.parameters["new_pairs"] for job in linking.jobs] == [3]


def test_gold_is_frozen_and_the_next_version_trained_after_enough_new_pairs(linking: Linking) -> None:
    set_retraining(trained=linking.aligner, retrain_after=2)
    linking.link(1)
    assert linking.jobs == []
    linking.link(1)
    (job,) = linking.jobs
    assert job.requested_by is None
    linking.link(1)
    assert len(linking.jobs) == 1  # one at a time
    run_here(job=job)
    job.refresh_from_db()
    assert (job.state, job.counts) == (JobState.DONE, {"aligners_trained": 1, "new_gold_pairs": 3})
    gold = linking.project.gold_alignment_sets.get(version=2)
    assert (gold.name, gold.rule, gold.alignments.count(), gold.created_by) == ("links", "papers", 7, None)
    second = linking.project.trained_aligners.get(version=2)
    assert (second.gold_set, second.new_pairs, second.retrain_after) == (gold, 3, 2)
    linking.link(1)
    assert len(linking.jobs) == 1  # while the training is under way, nor is one more pair enough
    run_here(job=second.job)
    assert linking.versions == [1, 2]
    assert len(linking.jobs) == 1


def test_the_end_of_a_training_looks_for_more_new_pairs(linking: Linking) -> None:
    set_retraining(trained=linking.aligner, retrain_after=1)
    linking.link(1)
    run_here(job=linking.jobs[0])
    linking.link(2)
    assert len(linking.jobs) == 1
    run_here(job=linking.project.trained_aligners.get(version=2).job)
    assert [job.parameters["new_pairs"] for job in linking.jobs] == [1, 2]


def test_open_batches_get_the_links_of_the_new_version(linking: Linking) -> None:
    set_suggester(batch=linking.batch, by=None, setting=reference(linking.aligner))
    other = linking_batch(linking.project, linking.people, source=linking.batch.gold_set)
    set_suggester(batch=other, by=None, setting=NEWEST)
    set_retraining(trained=linking.aligner, retrain_after=1)
    linking.link(1)
    run_here(job=linking.jobs[0])
    second = linking.project.trained_aligners.get(version=2)
    run_here(job=second.job)
    linking.batch.refresh_from_db()
    other.refresh_from_db()
    assert (linking.batch.suggester, other.suggester) == (reference(second), NEWEST)
    for job in linking.project.jobs.filter(kind="suggest", state=JobState.QUEUED):
        run_here(job=job)
    newest = SuggestedLinks.objects.filter(item__batch=other).latest("pk")
    assert newest.signature.startswith(str(second))


def test_a_job_that_is_no_longer_wanted_trains_nothing(linking: Linking) -> None:
    set_retraining(trained=linking.aligner, retrain_after=1)
    linking.link(1)
    set_retraining(trained=linking.aligner, retrain_after=None)
    run_here(job=linking.jobs[0])
    assert linking.versions == [1]
    assert not linking.project.gold_alignment_sets.filter(version=2).exists()


def test_disputed_pairs_count_once_they_are_decided_where_the_rule_says_so(linking: Linking) -> None:
    GoldAlignmentSet.objects.filter(pk=linking.gold.pk).update(rule="adjudicated")
    linking.aligner.gold_set.refresh_from_db()
    linking.link(2)
    assert new_finished_pairs(linking.aligner) == 2
    assert retrain_if_due(linking.batch) is None


def test_experiments_start_no_training_and_keep_their_gold(linking: Linking) -> None:
    set_retraining(trained=linking.aligner, retrain_after=1)
    taught = {"aligner": "best", "taught_by": linking.gold, **QUICK}
    made = experiment([linking.dataset], [linking.gold], aligners=[taught])
    assert made.job.state == JobState.DONE
    assert linking.jobs == []
    linking.link(1)
    run_here(job=linking.jobs[0])
    made.refresh_from_db()
    assert [row.taught_by for row in made.rows.all()] == [linking.gold]
    assert list(made.gold_sets.all()) == [linking.gold]


def test_what_cannot_be_retrained_is_refused(linking: Linking) -> None:
    plain = trained_aligner(linking.dataset, name="plain")
    with pytest.raises(PublicError, match="does not learn from the links"):
        set_retraining(trained=plain, retrain_after=5)
    with pytest.raises(PublicError, match="from 1 to"):
        set_retraining(trained=linking.aligner, retrain_after=0)
    train_again(trained=linking.aligner, by=None)
    with pytest.raises(PublicError, match="has a newer version"):
        set_retraining(trained=linking.aligner, retrain_after=5)
    set_retraining(trained=linking.aligner, retrain_after=None)
    assert TrainedAligner.objects.filter(retrain_after__isnull=False).count() == 0
