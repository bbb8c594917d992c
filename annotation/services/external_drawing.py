"""Drawing a batch from an external dataset: a job, because it reads files; only drawn pairs are stored."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import BatchKind, Item
from corpus.models import ExternalDataset, ExternalRow, Extraction
from corpus.services.datasets import freeze_dataset
from corpus.services.external_datasets import opened, store_rows
from corpus.services.extraction import free_name, launch
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services.ledger import ChunkPlan
from jobs.services.removal import keep
from jobs.services.running import reporting
from paragold.problems import FileProblem
from paragold.sampling.rows import SIGNATURE, DrawnRow, check_spec, draw_rows
from paragold.sampling.sampling import assign
from paragold.sampling.strategy import DrawSpec
from paragold.spec import SpecError
from projects.errors import PublicError
from projects.models import Project

from .batches import annotators_called
from .drawing import PLAIN, draw_judging_batch

KIND = "draw-external"
Drawn = tuple[list[DrawnRow], list[dict[str, Any]]]


def launch_external_draw(
    *,
    project: Project,
    by: User | None,
    name: str,
    dataset: ExternalDataset,
    size: int,
    annotators: list[str],
    seed: int,
    strategy: DrawSpec = PLAIN,
    paraphrases_of: Any = None,
    **assignment: Any,
) -> Extraction:
    """Ask for a batch of `size` pairs of an external dataset; parameters as those of `draw_judging_batch`.

    The drawn pairs become an extraction with a dataset of their own, from which the batch is. Raises
    PublicError for what cannot be drawn from files, and for a batch that could not be made.
    """
    if dataset.project_id != project.pk or not dataset.finished:
        raise PublicError(f"The parts of {dataset} are not checked yet, or it is of another project.")
    if paraphrases_of is not None:
        raise PublicError("A gold set holds no pairs of an external dataset.", field="paraphrases_of")
    name = name.strip()
    if not name or project.batches.filter(name=name).exists():
        raise PublicError(f"Choose another name: {name!r} is in use or empty.", field="name")
    if not 1 <= size <= dataset.size:
        raise PublicError(f"{size} pairs requested, but {dataset} has {dataset.size:,}.", field="size")
    people = annotators_called(project, annotators)
    overlap = assignment.get("overlap") or project.overlap
    try:
        check_spec(strategy, opened(dataset))
        assign(size, [user.pk for user in people], overlap, seed=seed)
    except SpecError as error:
        (field, message), *_ = error.problems
        raise PublicError(message, field=field) from error
    except ValueError as error:
        message = f"{error}. Choose more annotators or lower the overlap."
        raise PublicError(message, field="overlap") from error
    settings = strategy.settings()
    chosen = ",".join(f"{key}:{value}" for key, value in {"seed": seed, "size": size, **settings}.items())
    parts = [f"external|sha256:{dataset.manifest_sha256}", SIGNATURE, *strategy.signature().split(" + ")[1:]]
    with transaction.atomic():
        keep(dataset)
        return launch(
            project=project,
            by=by,
            kind=KIND,
            verb="Draw",
            name=free_name(project, f"{dataset.name}: {name}"[:70]),
            preset="external dataset",
            parameters={
                "units": "pairs",
                "external": dataset.pk,
                "assignment": {"name": name, "annotators": annotators, **assignment},
                "size": size,
                "seed": seed,
                "spec": settings,
            },
            signature=" + ".join([*parts, chosen]),
            chunks=[ChunkPlan(units=min(dataset.size, 2**31 - 1), payload={})],
            external=dataset,
        )


def _dataset(job: Job) -> ExternalDataset:
    return cast(ExternalDataset, job.extraction.external)


def _draw(job: Job, chunk: JobChunk) -> Drawn:
    parameters, dataset = job.parameters, _dataset(job)
    spec = DrawSpec.from_json(parameters["spec"])
    judged = Item.objects.filter(batch__project=job.project, batch__kind=BatchKind.JUDGE)
    earlier = ExternalRow.objects.filter(extraction__external=dataset, pair__in=judged.values("pair"))
    try:
        return draw_rows(
            opened(dataset),
            parameters["size"],
            seed=parameters["seed"],
            spec=spec,
            left_out=() if spec.again else set(earlier.values_list("number", flat=True)),
            known=()
            if spec.again
            else {key.bytes for key in judged.values_list("pair__content_key", flat=True)},
            report=reporting(chunk),
        )
    except FileProblem as error:
        raise PublicError(str(error)) from error
    except ValueError as error:
        raise PublicError(f"{error}, without those drawn before.") from error


def _store(job: Job, drawn: Drawn) -> dict[str, int]:
    """Store the pairs, freeze their dataset and draw all of it into the batch."""
    rows, strata = drawn
    extraction, parameters = job.extraction, job.parameters
    pairs = store_rows(extraction, _dataset(job), rows)
    dataset = freeze_dataset(
        project=job.project, name=extraction.name, extractions=[extraction], size=len(pairs)
    )
    batch = draw_judging_batch(
        project=job.project,
        by=job.requested_by,
        dataset=dataset,
        size=len(pairs),
        seed=parameters["seed"],
        strategy=DrawSpec.from_json(parameters["spec"]),
        **parameters["assignment"],
    )
    batch.sampling |= {"signature": extraction.signature, "strata": strata}
    batch.save(update_fields=["sampling"])
    return {"pairs_kept": len(pairs)}


RUNNER = Runner(compute=_draw, store=_store)
