"""Datasets: named, frozen selections of the pairs that extractions found or a classifier accepted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from corpus.models import Dataset, DatasetPair, Extraction, HeldOut
from jobs.services.removal import keep
from paragold.extraction.criteria import Criteria, Selection
from paragold.extraction.selection import lets_all_through, preset_selections, selection_of
from paragold.spec import SpecError
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import first_free

from .characteristics import compute_figures
from .presets import presets_of


@transaction.atomic
def freeze_dataset(
    *,
    project: Project,
    name: str,
    extractions: Sequence[Extraction],
    held_out: str = HeldOut.ALL,
    criteria: Mapping[str, object] | None = None,
    size: int | None = None,
) -> Dataset:
    """Freeze what the extractions found, from all clusters, only held-out ones, or only the rest.

    Of these pairs, only those that meet `criteria`, parameters of a `Selection` by name. The same name with
    the same selection gives the dataset that exists; with another selection it is refused, and so is a
    selection without a pair. `size`: where it is known already; counting millions of pairs takes seconds.
    """
    keep(*extractions)
    name = name.strip()
    if not name or not extractions:
        raise PublicError("A dataset needs a name and at least one extraction.")
    if held_out not in HeldOut.values:
        raise PublicError("held_out must be one of %(choices)s.", choices=", ".join(HeldOut.values))
    for extraction in extractions:
        if extraction.project_id != project.pk:
            raise PublicError(
                "The extraction %(extraction)s belongs to another project.", extraction=extraction.name
            )
    try:
        selection = Selection.from_json(criteria or {})
    except SpecError as error:
        raise PublicError(str(error), field=error.problems[0][0]) from error
    signature = _signature(extractions, held_out, selection)
    existing = project.datasets.filter(name=name).first()
    if existing is not None:
        if existing.signature == signature:
            return existing
        raise PublicError(
            "A dataset called %(name)r with another selection exists; choose another name.", name=name
        )
    dataset = Dataset.objects.create(
        project=project,
        name=name,
        held_out=held_out,
        criteria=selection.as_json(),
        size=0,
        signature=signature,
    )
    dataset.extractions.set(extractions)
    dataset.size = dataset.pairs().count() if size is None else size
    if not dataset.size:
        raise PublicError("This selection contains no pair. Choose other criteria, clusters or extractions.")
    dataset.save(update_fields=["size"])
    transaction.on_commit(lambda: compute_figures(dataset))
    return dataset


# What follows the preset's name in the name of a dataset of held-out clusters, or of the rest.
SUFFIXES: Mapping[str, str] = {HeldOut.ALL: "", HeldOut.ONLY: " held out", HeldOut.REST: " rest"}


def offered_selections(extraction: Extraction) -> dict[str, Selection]:
    """Presets that can be chosen in full out of what an extraction found, by name.

    Those are left out that the extraction does not let all pairs of through, and what it asked for itself.
    """
    if not extraction.criteria:  # pairs that came from elsewhere
        return {}
    criteria = Criteria(**extraction.criteria)
    return {
        name: selection
        for name, selection in preset_selections(presets_of(extraction.project)).items()
        if selection != selection_of(criteria) and lets_all_through(criteria, selection)
    }


@transaction.atomic
def freeze_presets(
    *, extraction: Extraction, presets: Sequence[str], held_out: Sequence[str] = (HeldOut.ALL,)
) -> list[Dataset]:
    """Freeze a dataset for each preset and each choice of clusters out of one extraction: all or none.

    Each is called after its preset and clusters; a number follows where that name holds another selection.
    What is frozen already is given again. Raises PublicError for a preset that cannot be chosen out of it.
    """
    if not extraction.finished:
        raise PublicError("The extraction %(extraction)s is not finished yet.", extraction=extraction.name)
    offered = offered_selections(extraction)
    unknown = [name for name in presets if name not in offered]
    if unknown or not presets or not held_out:
        raise PublicError(
            "Choose among the presets that %(extraction)s finds all pairs of: %(presets)s.",
            extraction=extraction.name,
            presets=", ".join(offered) or "there is none",
        )
    return [
        _freeze_preset(extraction, name, clusters, offered[name]) for name in presets for clusters in held_out
    ]


def _freeze_preset(extraction: Extraction, preset: str, held_out: str, selection: Selection) -> Dataset:
    base = preset + SUFFIXES[held_out]
    taken = dict(extraction.project.datasets.values_list("name", "signature"))
    signature = _signature([extraction], held_out, selection)
    name = first_free(base, {name for name, other in taken.items() if other != signature})
    try:
        return freeze_dataset(
            project=extraction.project,
            name=name,
            extractions=[extraction],
            held_out=held_out,
            criteria=selection.as_json(),
        )
    except PublicError as error:
        raise PublicError("%(base)s: %(error)s Nothing was frozen.", base=base, error=error) from error


def _signature(extractions: Sequence[Extraction], held_out: str, selection: Selection) -> str:
    signature = " + ".join(sorted(f"{e.name}#{e.pk}[{e.signature}]" for e in extractions))
    signature = f"{signature}|held_out:{held_out}"
    return f"{signature}|selection[{selection.signature()}]" if selection != Selection() else signature


ROWS_AT_ONCE = 5_000


@transaction.atomic
def freeze_refined_dataset(
    *, source: Dataset, name: str, pairs: Iterable[int], refinement: Mapping[str, object]
) -> Dataset:
    """Freeze `pairs` (ids, each once, all of them in `source`) as a dataset of the same project.

    `refinement` says in plain JSON values what chose them and becomes part of the signature. Raises
    PublicError for a name that is empty or taken, and when there is no pair.
    """
    name = name.strip()
    if not name:
        raise PublicError("A dataset needs a name.", field="name")
    if source.project.datasets.filter(name=name).exists():
        raise PublicError("A dataset called %(name)r exists; choose another name.", field="name", name=name)
    chosen = json.dumps(dict(refinement), sort_keys=True, separators=(",", ":"))
    dataset = Dataset.objects.create(
        project_id=source.project_id,
        name=name,
        held_out=source.held_out,
        criteria=source.criteria,
        refined_from=source,
        refinement=dict(refinement),
        size=0,
        signature=f"{source.signature}|refined[{chosen}]",
    )
    dataset.extractions.set(source.extractions.all())
    members = [DatasetPair(dataset=dataset, pair_id=pair) for pair in pairs]
    if not members:
        raise PublicError("No pair is accepted, so there is no dataset. Choose a lower threshold.")
    DatasetPair.objects.bulk_create(members, batch_size=ROWS_AT_ONCE)
    dataset.size = len(members)
    dataset.save(update_fields=["size"])
    transaction.on_commit(lambda: compute_figures(dataset))
    return dataset
