"""Applying a classifier to a dataset: every pair gets a score, the accepted ones become a new dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import ClassifierRun, PairScore, TrainedClassifier
from corpus.models import Dataset
from corpus.services.datasets import freeze_refined_dataset
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.removal import keep
from paragold.sampling.sampling import pseudo_random
from projects.errors import PublicError
from projects.services.projects import first_free

from .context import classes_of, contexts_of, known_of
from .inspection import accepted_by, check_lexicons, model_of

KIND = "apply_classifier"
# Some seconds of work.
PAIRS_A_CHUNK = 10_000
# The rate where nothing was classified here yet: several times slower than measured (docs/classification.md).
SECONDS_A_PAIR = 1e-3
ENCODER_SECONDS_A_PAIR = 1e-2
ROWS_AT_ONCE = 2_000
Steps = Sequence[float | None]


@transaction.atomic
def launch_application(
    *,
    classifier: TrainedClassifier,
    by: User | None,
    dataset: Dataset,
    threshold: float | None = None,
    name: str = "",
) -> ClassifierRun:
    """Ask for the decision on every pair of a dataset, and for a dataset of the accepted ones.

    threshold: the calibrated probability, 0 to 1, from which on a pair is accepted; None: by the sign of the
    decision value. name: of the refined dataset. Raises PublicError for a
    classifier that is not trained or whose lexicons this machine does not have, and for a name that is taken.
    """
    keep(classifier, dataset)
    project = classifier.project
    if dataset.project_id != project.pk:
        raise PublicError(
            "The dataset %(dataset)s belongs to another project.", field="dataset", dataset=dataset.name
        )
    if not classifier.finished:
        raise PublicError(
            "%(classifier)s is not trained yet; wait for its job to end.", classifier=classifier
        )
    _check_threshold(threshold)
    check_lexicons(classifier)
    name = name.strip() or f"{dataset.name} by {classifier}"
    if len(name) > 80 or project.datasets.filter(name=name).exists():
        raise PublicError("%(name)r is too long or in use; choose another name.", field="name", name=name)
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Apply {classifier} to {dataset.name}"[:200],
        parameters={
            "threshold": threshold,
            "name": name,
            "dataset": dataset.pk,
            "classifier": classifier.pk,
            "units": "pairs",
            **application_cost(dataset, classifier).work,
        },
        signature=f"{KIND}|sha256:{classifier.sha256}",
        chunks=list(_plan(dataset)),
    )
    run = ClassifierRun.objects.create(
        classifier=classifier, dataset=dataset, job=job, threshold=threshold, name=name
    )
    ledger.hand_over(job)
    return run


def application_cost(dataset: Dataset, classifier: TrainedClassifier | None = None) -> LaunchCost:
    """The pairs that a classifier decides on, and the time that takes."""
    encoder = bool(classifier and classifier.figures.get("encoder"))
    seconds = dataset.size * (ENCODER_SECONDS_A_PAIR if encoder else SECONDS_A_PAIR)
    how = "with the encoder" if encoder else ""
    return launch_cost(KIND, f"{dataset.size:,} pairs", seconds, how=how, project=dataset.project)


def _check_threshold(threshold: float | None) -> None:
    if threshold is not None and not 0 <= threshold <= 1:
        raise PublicError(
            "The threshold is %(threshold)s; choose a probability from 0 to 1.",
            field="threshold",
            threshold=threshold,
        )


def _plan(dataset: Dataset) -> Iterator[ledger.ChunkPlan]:
    """Stretches of pair ids, from `first` up to and with `last`."""
    stretch: list[int] = []
    pairs = dataset.pairs().order_by("pk").values_list("pk", flat=True)
    for pk in pairs.iterator(chunk_size=ROWS_AT_ONCE):
        stretch.append(pk)
        if len(stretch) == PAIRS_A_CHUNK:
            yield _chunk(stretch)
            stretch = []
    if stretch:
        yield _chunk(stretch)


def _chunk(stretch: list[int]) -> ledger.ChunkPlan:
    return ledger.ChunkPlan(units=len(stretch), payload={"first": stretch[0], "last": stretch[-1]})


Scores = list[tuple[int, float, float]]
"""Pair ids, each with its decision value and its probability."""


def compute(job: Job, chunk: JobChunk) -> Scores:
    run = job.classifier_run
    stretch = {"pk__gte": chunk.payload["first"], "pk__lte": chunk.payload["last"]}
    rows = run.dataset.pairs().filter(**stretch).order_by("pk")
    read = list(rows.values_list("pk", "sentence_a__text", "sentence_b__text").iterator(ROWS_AT_ONCE))
    pairs = [pk for pk, *_ in read]
    contexts = known_of(pairs, contexts_of(rows, classes_of(run.classifier)))
    texts = [(first, second) for _, first, second in read]
    values, probabilities = model_of(run.classifier).decide(texts, contexts)
    return list(zip(pairs, values.tolist(), probabilities.tolist(), strict=True))


def store(job: Job, scores: Scores) -> dict[str, int]:
    run = job.classifier_run
    PairScore.objects.bulk_create(
        (
            PairScore(run=run, pair_id=pair, decision=value, probability=share)
            for pair, value, share in scores
        ),
        batch_size=ROWS_AT_ONCE,
    )
    accepted = 0
    if scores:
        stretch = run.scores.filter(pair__gte=scores[0][0], pair__lte=scores[-1][0])
        accepted = stretch.filter(accepted_by(run.threshold)).count()
    return {"pairs": len(scores), "accepted": accepted}


def finish(job: Job) -> None:
    """Freeze what was accepted; with nothing accepted the run has its scores and no dataset."""
    run = job.classifier_run
    if job.counts.get("accepted"):
        taken = set(job.project.datasets.values_list("name", flat=True))
        _freeze(run, run.threshold, first_free(run.name, taken))


@transaction.atomic
def freeze_at(*, run: ClassifierRun, threshold: float | None, name: str) -> Dataset:
    """Freeze another dataset from a finished run's scores, with another threshold, or by the sign: None.

    Raises PublicError for a run that is not finished, a threshold beyond 0 to 1 or without an accepted pair,
    and a name that is taken.
    """
    if not run.finished:
        raise PublicError("The classifier is still being applied; wait for its job to end.")
    _check_threshold(threshold)
    return _freeze(run, threshold, name)


def _freeze(run: ClassifierRun, threshold: float | None, name: str) -> Dataset:
    accepted = run.scores.filter(accepted_by(threshold)).order_by("pair_id")
    dataset = freeze_refined_dataset(
        source=run.dataset,
        name=name,
        pairs=accepted.values_list("pair_id", flat=True).iterator(chunk_size=ROWS_AT_ONCE),
        refinement={
            "classifier": str(run.classifier),
            "sha256": run.classifier.sha256,
            "threshold": threshold,
            **({"encoder": encoder} if (encoder := run.classifier.figures.get("encoder")) else {}),
        },
    )
    run.refined.add(dataset)
    return dataset


def yields(run: ClassifierRun, steps: Steps) -> dict[float | None, int]:
    """How many pairs of the run's dataset each threshold keeps; None is the sign of the decision value."""
    return {step: run.scores.filter(accepted_by(step)).count() for step in steps}


RUNNER = Runner(compute=compute, store=store, finish=finish)


SAMPLE = 500
SEED = 1


def project_yield(
    classifier: TrainedClassifier, dataset: Dataset, steps: Steps
) -> tuple[dict[float | None, int], int]:
    """How many pairs each threshold keeps, None being the sign of the decision value: counted where the
    classifier was applied, else estimated from 500 pairs; and from how many it was estimated, or 0.

    Raises PublicError when the classifier's lexicons are not here.
    """
    run = classifier.runs.filter(dataset=dataset, job__state="done").first()
    if run is not None:
        return yields(run, steps), 0
    check_lexicons(classifier)
    keys = dataset.pairs().order_by("content_key", "pk").values_list("pk", "content_key")
    drawn = sorted(keys.iterator(chunk_size=5_000), key=lambda row: pseudo_random(SEED, row[1].hex))[:SAMPLE]
    rows = dataset.pairs().filter(pk__in=[pk for pk, _ in drawn]).order_by("pk")
    read = list(rows.values_list("pk", "sentence_a__text", "sentence_b__text"))
    texts = [(first, second) for _, first, second in read]
    contexts = known_of([pk for pk, *_ in read], contexts_of(rows, classes_of(classifier)))
    from paragold.classification.classifier import accepted

    decisions = model_of(classifier).decide(texts, contexts)
    scale = dataset.size / max(1, len(texts))
    kept = {step: round(scale * int(accepted(*decisions, step).sum())) for step in steps}
    return kept, 0 if len(texts) == dataset.size else len(texts)
