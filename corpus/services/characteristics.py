"""Characteristics of datasets and their overlap, and counts over millions of pairs, cached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    Avg,
    Case,
    Count,
    F,
    FilteredRelation,
    FloatField,
    Max,
    Min,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Cast, Greatest, Least

from corpus.models import CandidatePair, Dataset, Extraction, KeptNumbers
from jobs.models import JobState
from paragold.extraction.criteria import Criteria, Selection
from paragold.extraction.selection import alternatives, narrowed, widest
from paragold.spec import SpecError
from projects.models import Project

# Pairs that are counted in milliseconds, and so many that even an index of them takes longer to read.
MANY = 20_000
VERY_MANY = 500_000


def cached(project: Project, name: str, compute: Callable[[], Any]) -> Any:
    """The cached value of `name`, or else the result of `compute`, a JSON value, which is then cached.

    `name` must say of what: an id that never comes again of something that never changes.
    """
    known = KeptNumbers.objects.filter(project=project, name=name).values_list("numbers", flat=True).first()
    if known is not None:
        return known
    numbers = compute()
    # Another process that computed it meanwhile has the same numbers.
    KeptNumbers.objects.bulk_create(
        [KeptNumbers(project=project, name=name, numbers=numbers)], ignore_conflicts=True
    )
    return numbers


def cached_while(
    project: Project, name: str, state: str, compute: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """The cached value of `name`, or else the result of `compute`, cached until `state` changes."""
    known = KeptNumbers.objects.filter(project=project, name=name).values_list("numbers", flat=True).first()
    if known is not None and known["state"] == state:
        return known
    numbers = {"state": state, **compute()}
    KeptNumbers.objects.update_or_create(project=project, name=name, defaults={"numbers": numbers})
    return numbers


def pairs_of(project: Project) -> int:
    """How many candidate pairs a project has, without imported ones.

    Many are counted again only where others have come.
    """
    pairs_of_corpus = project.pairs.of_corpus()
    kept = KeptNumbers.objects.filter(project=project, name="pairs").values_list("numbers", flat=True).first()
    if kept is None:
        few = counted(pairs_of_corpus, MANY)
        if few <= MANY:
            return few
    # Pairs get ever higher ids, and only the end of a job takes some away. With a count, databases read the
    # index of the project's pairs; without one, they go back through the later pairs of other projects.
    figures = {"latest": Max("pk")} | ({} if kept and kept["pairs"] > VERY_MANY else {"all": Count("pk")})
    latest = project.pairs.aggregate(**figures)["latest"]
    done = project.jobs.filter(state=JobState.DONE).count()
    known = cached_while(project, "pairs", f"{latest}:{done}", lambda: {"pairs": pairs_of_corpus.count()})
    return int(known["pairs"])


def counted(pairs: QuerySet[CandidatePair], maximum: int) -> int:
    """How many pairs there are, or `maximum` + 1 where there are more: counting millions takes too long."""
    return pairs.order_by().values("pk")[: maximum + 1].count()


def distances_of(source: Extraction | Dataset) -> dict[int, int]:
    """Edit distance -> how many pairs of a finished extraction, or of a dataset, have it."""
    if isinstance(source, Dataset):
        name, pairs = f"distances of dataset {source.pk}", source.pairs()
    else:
        name = f"distances of extraction {source.pk}"
        pairs = CandidatePair.objects.found_by([source.pk])
    rows = pairs.order_by().values_list("edit_distance").annotate(pairs=Count("pk"))
    return dict(cached(source.project, name, lambda: [list(row) for row in rows]))


def compute_figures(dataset: Dataset) -> None:
    """Compute what the pages of a new dataset and its extractions show, so that nobody waits for it there."""
    characteristics(dataset)
    distances_of(dataset)
    for extraction in dataset.extractions.select_related("job", "project"):
        distances_of(extraction)


def characteristics(dataset: Dataset) -> dict[str, Any]:
    """The column of a dataset in the table of characteristics, computed once: a dataset is frozen.

    As `paragold.extraction.selection.characteristics_table` takes it, and the `name` of the dataset.
    """
    numbers = cached(dataset.project, f"characteristics of dataset {dataset.pk}", lambda: _numbers(dataset))
    return {"name": dataset.name, "asked": selections_of(dataset), **numbers}


def _numbers(dataset: Dataset) -> dict[str, int | float]:
    """In one query over the pairs."""
    shorter, longer = Least("length_a", "length_b"), Greatest("length_a", "length_b")
    numbers = (
        dataset.pairs()
        .order_by()
        .aggregate(
            pairs=Count("pk"),
            clusters=Count("cluster", distinct=True),
            distance_least=Min("edit_distance"),
            distance_greatest=Max("edit_distance"),
            distance_mean=Avg("edit_distance"),
            position_greatest=Max(Greatest("position_a", "position_b")),
            shortest=Min(shorter),
            longest=Max(longer),
            length_mean=Avg((F("length_a") + F("length_b")) / 2.0),
            ratio_least=Min(Cast(shorter, FloatField()) / Cast(longer, FloatField())),
            shared_least=Min("shared_words"),
            shared_greatest=Max("shared_words"),
            shared_mean=Avg("shared_words"),
        )
    )
    # An average of whole numbers is a Decimal on PostgreSQL.
    return {
        name: number if isinstance(number, int) else float(number)
        for name, number in numbers.items()
        if number is not None
    }


def selections_of(dataset: Dataset) -> list[Selection]:
    """The criteria of a dataset's pairs, which met any one of these: its extractions' and its own."""
    selections = []
    for extraction in dataset.extractions.all():
        for selection in _criteria(extraction):
            # A selection that shares nothing with what an extraction looked for takes nothing out of it.
            try:
                selections.append(narrowed(selection, dataset.selection))
            except SpecError:
                continue
    return widest(selections) or [dataset.selection]


def _criteria(extraction: Extraction) -> list[Selection]:
    if not extraction.criteria:
        return [Selection()]
    return alternatives(Criteria(**extraction.criteria))


@dataclass(frozen=True, slots=True)
class Overlap:
    """Pairs that are in all of `members` and in none of the other datasets looked at."""

    members: tuple[Dataset, ...]
    pairs: int


def overlaps(project: Project, datasets: Sequence[Dataset]) -> list[Overlap]:
    """How the datasets overlap: the part of their union in each combination, the greatest first.

    A pair counts by its place in the corpus. Computed once: datasets are frozen.
    """
    by_id = {dataset.pk: dataset for dataset in datasets}
    name = _overlap_name(datasets)
    parts = [
        Overlap(tuple(by_id[pk] for pk in members), pairs)
        for members, pairs in cached(project, name, lambda: _overlaps(project, datasets))
    ]
    return sorted(parts, key=lambda overlap: (-overlap.pairs, [dataset.pk for dataset in overlap.members]))


def overlap_is_known(project: Project, datasets: Sequence[Dataset]) -> bool:
    """Whether it is cached, or soon computed."""
    soon = sum(dataset.size for dataset in datasets) <= MANY
    return soon or project.kept_numbers.filter(name=_overlap_name(datasets)).exists()


def _overlap_name(datasets: Sequence[Dataset]) -> str:
    return "overlap of datasets " + " ".join(map(str, sorted(dataset.pk for dataset in datasets)))


def _overlaps(project: Project, datasets: Sequence[Dataset]) -> list[tuple[list[int], int]]:
    """The ids of the datasets in each combination and its pairs; one query that looks at each pair once."""
    joined, members = _membership(datasets)
    flags = {
        f"in_{number}": Case(When(condition, then=Value(1)), default=Value(0))
        for number, condition in enumerate(members)
    }
    rows = (
        CandidatePair.objects.filter(project=project)
        .order_by()
        .annotate(**joined)
        .annotate(**flags)
        .values(*flags)
        .annotate(pairs=Count("pk"))
    )
    combinations = [
        ([dataset.pk for number, dataset in enumerate(datasets) if row[f"in_{number}"]], row["pairs"])
        for row in rows
    ]
    return [(members, pairs) for members, pairs in combinations if members]


def _membership(datasets: Sequence[Dataset]) -> tuple[dict[str, FilteredRelation], list[Q]]:
    """The joins to the pairs, and for each dataset the condition that its pairs meet.

    Findings are joined once for each extraction, however many datasets it has. `Dataset.condition` would look
    every pair up among all findings of every dataset.
    """
    joined: dict[str, FilteredRelation] = {}
    members = []
    for dataset in datasets:
        if dataset.refined_from_id is not None:
            members.append(dataset.condition())
            continue
        in_extractions = Q(pk__in=[])
        for extraction in dataset.extractions.all():
            name = f"found_{extraction.pk}"
            joined[name] = FilteredRelation("findings", condition=Q(findings__extraction=extraction.pk))
            in_extractions |= Q(**{f"{name}__isnull": False})
        members.append(in_extractions & dataset.narrowing())
    return joined, members
