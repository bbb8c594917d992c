"""Models as annotators for tests."""

from annotation.services.model_answers import launch_answers
from annotation.specs import ModelSpec
from jobs.services.running import run_here


def answered_by_model(batch, *, classifier=None, **options):
    """A model that has answered a batch: by default a pair scorer, or an aligner, that comes along."""
    if batch.kind == "link":
        options = {"aligner": "identity"} | options
    elif classifier is None:
        options = {"scorer": "edit-similarity", "threshold": 0.5} | options
    spec = ModelSpec(**options)
    annotator = launch_answers(project=batch.project, by=None, batch=batch, classifier=classifier, spec=spec)
    run_here(job=annotator.job)
    annotator.refresh_from_db()
    return annotator
