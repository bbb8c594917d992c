"""Experiments for tests, made through the services."""

from alignment.services.experiments import launch_experiment
from jobs.services.running import run_here

from .trained_aligners import QUICK

ALIGNERS = ({"aligner": "identity"}, {"aligner": "hmm", **QUICK})


def experiment(datasets, gold_sets, *, run=True, **fields):
    """The identity baseline and a quick HMM on every dataset, done unless `run` is False."""
    fields = {"aligners": ALIGNERS} | fields
    made = launch_experiment(
        project=gold_sets[0].project, by=None, datasets=datasets, gold_sets=gold_sets, **fields
    )
    if run:
        run_here(job=made.job)
        made.refresh_from_db()
    return made
