"""Trained aligners for tests, made through the services."""

from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.trained_aligners.launching import launch_training
from annotation.forms import annotators_of
from jobs.services.running import run_here

from .alignment import link_all, linking_batch
from .annotation import gold_set as gold_labels
from .corpus import member

QUICK = {"ibm1_iterations": 1, "hmm_iterations": 1}


def trained_aligner(
    dataset,
    *,
    name="",
    gold_set=None,
    other_gold=(),
    run=True,
    **settings,
):
    """An aligner trained on a dataset, a quick `hmm` unless named otherwise; waiting where `run` is False."""
    if "aligner" not in settings:
        settings = {"aligner": "hmm"} | QUICK | settings
    trained = launch_training(
        project=dataset.project,
        by=None,
        name=name,
        settings=settings,
        datasets=[dataset],
        gold_set=gold_set,
        other_gold=other_gold,
    )
    if run:
        run_here(job=trained.job)
        trained.refresh_from_db()
    return trained


def linked_gold(project, judged, *, name="links"):
    """A set of gold links of half as many pairs as were judged, their equal words linked."""
    people = annotators_of(project) or [member(project, "annotator", name) for name in ("ann", "ben")]
    source = gold_labels(project, people, size=judged, name=f"gold {project.gold_sets.count() + 1}")
    batch = linking_batch(project, people, source=source)
    for user in people:
        link_all(batch, user)
    return freeze_gold_alignments(project=project, by=None, name=name, batch=batch)
