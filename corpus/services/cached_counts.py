"""Counts over millions of pairs, computed once and cached: pages do not look at the pairs again for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Count, Max, QuerySet

from corpus.models import CandidatePair, Dataset, Extraction, KeptNumbers
from jobs.models import JobState
from projects.models import Project

# So many pairs are counted in milliseconds.
MANY = 20_000


def cached(project: Project, name: str, compute: Callable[[], Any]) -> Any:
    """What is cached under `name`, or else what `compute` gives, as JSON holds it, and caches from now on.

    `name` must say of what: an id that never comes again of something that never changes.
    """
    known = KeptNumbers.objects.filter(project=project, name=name).values_list("numbers", flat=True).first()
    if known is not None:
        return known
    numbers = compute()
    # Whoever computed the same meanwhile found the same.
    KeptNumbers.objects.bulk_create(
        [KeptNumbers(project=project, name=name, numbers=numbers)], ignore_conflicts=True
    )
    return numbers


def pairs_of(project: Project) -> int:
    """How many candidate pairs a project has, without imported ones.

    Many are counted again only where others have come.
    """
    pairs_of_corpus = project.pairs.of_corpus()
    few = counted(pairs_of_corpus, MANY)
    if few <= MANY:
        return few
    # Pairs get ever higher ids, and only the end of a job takes some away.
    latest = project.pairs.aggregate(latest=Max("pk"))["latest"]
    done = project.jobs.filter(state=JobState.DONE).count()
    state = f"{latest}:{done}"
    known = KeptNumbers.objects.filter(project=project, name="pairs").first()
    if known is not None and known.numbers["state"] == state:
        return int(known.numbers["pairs"])
    pairs = pairs_of_corpus.count()
    KeptNumbers.objects.update_or_create(
        project=project, name="pairs", defaults={"numbers": {"state": state, "pairs": pairs}}
    )
    return pairs


def counted(pairs: QuerySet[CandidatePair], most: int) -> int:
    """How many pairs there are, or `most` + 1 where there are more: nobody waits for millions."""
    return pairs.order_by()[: most + 1].count()


def distances_of(found: Extraction | Dataset) -> dict[int, int]:
    """Edit distance -> how many pairs of a finished extraction, or of a dataset, have it."""
    if isinstance(found, Dataset):
        name, pairs = f"distances of dataset {found.pk}", found.pairs()
    else:
        name = f"distances of extraction {found.pk}"
        pairs = CandidatePair.objects.found_by([found.pk])
    rows = pairs.order_by().values_list("edit_distance").annotate(pairs=Count("pk"))
    return dict(cached(found.project, name, lambda: [list(row) for row in rows]))
