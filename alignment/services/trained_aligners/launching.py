"""Asking for the training of a word aligner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from alignment.models import GoldAlignment, GoldAlignmentSet, TrainedAligner
from annotation.services.gold_versions import next_version
from corpus.models import Dataset
from corpus.services.deletion_lock import keep
from jobs.services import dispatch, ledger
from paragold.aligners.recipe import Recipe, RecipeError
from paragold.aligners.registry import PROGRAMS
from paragold.text import tokenisation
from paragold.text.languages import stemmer_name
from projects.errors import PublicError
from projects.models import Project

from .files import KIND
from .gold_folds import gold_folds
from .programs import check_installed, check_size
from .steps import units_of
from .training_text import pairs_of

LEAST_GOLD_PAIRS = 2
LONGEST_NAME = 80


def recipe_for(project: Project, settings: Mapping[str, Any]) -> Recipe:
    """The recipe with these settings; stems are those of the project's language unless `stemmer` is given.

    Programs have the lexicon and intersect both directions unless told otherwise. Raises PublicError, naming
    the setting at fault, and for a program that is missing.
    """
    name = settings.get("aligner", "best")
    own: dict[str, Any] = {"stemmer": stemmer_name(project.language)} if name == "best" else {}
    if name in PROGRAMS:
        own = {"linking": "intersection", "lexicon": True}
        check_installed(name)
    try:
        return Recipe.of({**own, **settings}).checked()
    except RecipeError as error:
        message = str(error)
        raise PublicError(f"{message[0].upper()}{message[1:]}.", field=error.field) from error


@transaction.atomic
def launch_training(
    *,
    project: Project,
    by: User | None,
    name: str = "",
    settings: Mapping[str, Any] | None = None,
    datasets: Sequence[Dataset] = (),
    texts: Sequence[GoldAlignmentSet] = (),
    gold_set: GoldAlignmentSet | None = None,
) -> TrainedAligner:
    """Ask for an aligner, trained on the sentences of datasets and of gold alignment sets.

    `settings` are those of a `Recipe`. Of `texts` only the sentences are read; the links of `gold_set`, whose
    sentences are read as well, train the supervised step of `best`. The name's next version is made.
    Raises PublicError for settings that cannot be and when there is nothing to train on.
    """
    keep(*datasets, *texts, gold_set)
    recipe = recipe_for(project, settings or {})
    read = [*texts, *([gold_set] if gold_set else [])]
    rows: list[Dataset | GoldAlignmentSet] = [*datasets, *read]
    for row in rows:
        if row.project_id != project.pk:
            raise PublicError(f"{row} belongs to another project.")
    if gold_set is not None:
        check_gold(recipe, gold_set)
    pairs = pairs_of(project, datasets, read).count()
    if not pairs:
        raise PublicError("Choose a dataset or a gold alignment set to train on.", field="datasets")
    if recipe.by_program:
        check_size(pairs, field="datasets")
    name = name.strip() or recipe.aligner
    if len(name) > LONGEST_NAME:
        raise PublicError(f"The name is too long: at most {LONGEST_NAME} characters.", field="name")
    version = next_version(project.trained_aligners, name)
    first, total = units_of(recipe, gold_folds(recipe, gold_set) if gold_set else [])
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Train {name} v{version}",
        parameters={"recipe": recipe.as_dict(), "units": "steps"},
        signature=f"train-aligner|{tokenisation.SIGNATURE}",
        chunks=[first],
        total=total,
    )
    trained = TrainedAligner.objects.create(
        project=project,
        job=job,
        name=name,
        version=version,
        aligner=recipe.aligner,
        parameters=recipe.as_dict(),
        gold_set=gold_set,
        pairs=pairs,
        created_by=by,
    )
    trained.datasets.set(datasets)
    trained.texts.set(texts)
    dispatch.hand_over(job)
    return trained


def check_gold(recipe: Recipe, gold_set: GoldAlignmentSet) -> None:
    """Raises PublicError unless the recipe's aligner can learn from these gold links."""
    if recipe.aligner != "best":
        raise PublicError(f"{recipe.aligner} does not learn from gold links; best does.", field="gold_set")
    linked = GoldAlignment.objects.filter(gold_set=gold_set).exclude(links=[]).count()
    if linked < LEAST_GOLD_PAIRS:
        message = (
            f"{gold_set} has {linked} pairs with links; at least {LEAST_GOLD_PAIRS} are needed to learn from."
        )
        raise PublicError(message, field="gold_set")


def train_again(*, trained: TrainedAligner, by: User | None) -> TrainedAligner:
    """The next version: as before, but with the newest version of its gold alignment set."""
    gold_set = trained.gold_set and newest_version(trained.gold_set)
    return launch_training(
        project=trained.project,
        by=by,
        name=trained.name,
        settings=trained.parameters,
        datasets=list(trained.datasets.all()),
        texts=list(trained.texts.all()),
        gold_set=gold_set,
    )


def newest_version(gold_set: GoldAlignmentSet) -> GoldAlignmentSet:
    """The newest version of a gold alignment set that is not archived, or the set itself."""
    versions = GoldAlignmentSet.objects.filter(
        Q(archived_at=None) | Q(pk=gold_set.pk), project=gold_set.project_id, name=gold_set.name
    )
    return versions.order_by("-version")[0]


def new_gold_pairs(trained: TrainedAligner) -> int:
    """How many pairs the newest version of its gold alignment set has that it has not learned from."""
    if trained.gold_set is None:
        return 0
    newest = newest_version(trained.gold_set)
    known = trained.gold_set.alignments.values("item__pair")
    return newest.alignments.exclude(item__pair__in=known).count()
