"""Asking for the training of a word aligner: what it reads, the steps of its job, how long it will take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from alignment.models import GoldAlignment, GoldAlignmentSet, TrainedAligner
from alignment.services.gold_links import links_for_training, training_links
from corpus.models import CandidatePair, Dataset, in_held_out_cluster
from corpus.models.candidate_pair import CandidatePairQuerySet
from jobs.models import JobState
from jobs.services import ledger
from jobs.services.launch_cost import RECENT, LaunchCost, Rate, rate_from
from jobs.services.ledger import ChunkPlan
from jobs.services.removal import keep_own
from paragold.aligners.aligner import Aligner, Pair
from paragold.aligners.registry import ALIGNERS, DEFAULT_ALIGNER, aligner_of
from paragold.folds import curve_sizes, folds, groups_of
from paragold.spec import SpecError
from paragold.text import tokenisation
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project
from projects.services.projects import checked_name, next_version
from projects.services.server_choices import check_on_server

from .stored import KIND

MIN_GOLD_PAIRS = 2
ROWS_AT_ONCE = 5_000
# The steps of a training: one chunk of the job each, so that nothing done is done again after a kill.
ITERATION, MODEL, RULES, FOLD = "iteration", "model", "rules", "fold"
# Where nothing was trained here yet: slower than measured on two cores (docs/aligners.md).
BUILT_IN_SECONDS_A_PAIR = 0.002
# Smaller trainings take as long as Python takes to start.
MIN_PAIRS = 1_000


def aligner_for(project: Project, settings: Mapping[str, Any], *, in_experiment: bool = False) -> Aligner:
    """The aligner with these settings, for the project's languages where they leave that open.

    Some defaults are others `in_experiment`, see `Aligner.in_experiments`.

    Raises PublicError, naming the setting at fault, and for a program that is missing.
    """
    name = str(settings.get("aligner") or DEFAULT_ALIGNER)
    own = dict(ALIGNERS.get(name).settings_for(*project.languages)) if name in ALIGNERS else {}
    if in_experiment and name in ALIGNERS:
        own |= ALIGNERS.get(name).in_experiments
    try:
        aligner = aligner_of({**own, **settings, "aligner": name})
    except SpecError as error:
        field, message = error.problems[0]
        raise PublicError(message, field=field) from error
    check_on_server(aligner.spec)
    check_installed(aligner)
    return aligner


def check_installed(method: Aligner, *, field: str = "aligner") -> None:
    """Raises PublicError, which says how to install it, for a program that is missing."""
    hint = method.install_hint()
    if hint:
        raise PublicError(hint, field=field)


def check_size(method: Aligner, pairs: int, *, field: str) -> None:
    """Raises PublicError for more sentence pairs than a method is given at once."""
    if method.max_pairs is not None and pairs > method.max_pairs:
        others = [
            aligner.id for aligner in ALIGNERS if aligner.learns_from_pairs and aligner.max_pairs is None
        ]
        raise PublicError(
            "%(pairs)s sentence pairs are too many for %(method)s, which trains on all of them at "
            "once: at most %(limit)s. These aligners take more: %(others)s.",
            field=field,
            pairs=grouped(pairs),
            method=method.id,
            limit=grouped(method.max_pairs),
            others=", ".join(others),
        )


def pairs_of(
    project: Project, datasets: Sequence[Dataset], gold_sets: Sequence[GoldAlignmentSet]
) -> CandidatePairQuerySet:
    """The pairs of datasets and of gold sets, each once, in the order in which their sentences came in."""
    conditions = [dataset.condition() for dataset in datasets]
    if gold_sets:
        items = GoldAlignment.objects.filter(gold_set__in=gold_sets)
        conditions.append(Q(pk__in=items.values("item__pair")))
    pairs = CandidatePair.objects.filter(project_id=project.pk)
    if not conditions:
        return pairs.none()
    return pairs.filter(reduce(or_, conditions)).order_by("sentence_a_id", "sentence_b_id")


def training_pairs(
    project: Project, datasets: Sequence[Dataset], gold_sets: Sequence[GoldAlignmentSet]
) -> CandidatePairQuerySet:
    """As `pairs_of`, those that may be trained on: none of held-out clusters."""
    return pairs_of(project, datasets, gold_sets).for_training()


def read_tokens(pairs: QuerySet[CandidatePair]) -> list[Pair]:
    """The tokens of both sentences of each pair."""
    rows = pairs.values_list("sentence_a__tokens", "sentence_b__tokens").iterator(chunk_size=ROWS_AT_ONCE)
    return [(a.split(" "), b.split(" ")) for a, b in rows]


def gold_folds(aligner: Aligner, gold_set: GoldAlignmentSet | None) -> list[list[int]]:
    """The numbers of the gold pairs of each fold, in the order of `training_links`; [] without a gold set."""
    if gold_set is None:
        return []
    pairs = (pair.tokens for pair in training_links(gold_set))
    return folds(groups_of(pairs), seed=aligner.spec.seed)


def iteration_step(number: int) -> ChunkPlan:
    """The iteration of that number, from 1. Iterations follow one another."""
    return ChunkPlan(units=1, payload={"step": ITERATION, "number": number})


def last_steps(parts: Sequence[Sequence[int]]) -> list[ChunkPlan]:
    """What comes after the iterations, in any order: the model, and measurements for the learning curve.

    `parts` are the folds of the gold pairs, empty without gold links.
    """
    steps = [ChunkPlan(units=1, payload={"step": MODEL})]
    sizes = curve_sizes(parts)
    if sizes:
        steps.append(ChunkPlan(units=1, payload={"step": RULES}))
    for size in sizes:
        for fold in range(len(parts)):
            steps.append(ChunkPlan(units=1, payload={"step": FOLD, "fold": fold, "size": size}))
    return steps


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
    other_gold: Sequence[GoldAlignmentSet] = (),
) -> TrainedAligner:
    """Ask for an aligner, trained on the sentences of datasets and of sets of gold links.

    `settings` are those of `aligner_of`. Of `texts` only sentences are read; from the links of `gold_set`,
    whose sentences are read as well, an aligner learns that can; it also learns what each set of
    `other_gold` is worth. Pairs of held-out clusters are left out of all of these. The name's next version is
    made.
    Raises PublicError for settings that cannot be and when there is nothing to train on.
    """
    keep_own(project, *datasets, *texts, gold_set, *other_gold)
    aligner = aligner_for(project, settings or {})
    read = [*texts, *other_gold, *([gold_set] if gold_set else [])]
    if gold_set is not None:
        check_gold(aligner, gold_set)
    check_other_gold(aligner, gold_set, other_gold)
    pairs = training_pairs(project, datasets, read).count()
    left_out = pairs_of(project, datasets, read).filter(in_held_out_cluster()).count()
    if not pairs and left_out:
        raise PublicError(
            "All %(left_out)s pairs are of held-out clusters, which are kept for testing. Choose a "
            "dataset with other pairs.",
            field="datasets",
            left_out=grouped(left_out),
        )
    if not pairs:
        raise PublicError("Choose a dataset or a set of gold links to train on.", field="datasets")
    check_size(aligner, pairs, field="datasets")
    name = checked_name(name, aligner.id)
    version = next_version(project.trained_aligners, name)
    iterations = aligner.iterations
    last = last_steps(gold_folds(aligner, gold_set) if iterations else [])
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Train {name} v{version}",
        parameters={"recipe": aligner.settings(), "units": "steps"},
        signature=f"train-aligner|{tokenisation.SIGNATURE}",
        chunks=[iteration_step(1)] if iterations else last,
        total=iterations + len(last),
    )
    trained = TrainedAligner.objects.create(
        project=project,
        job=job,
        name=name,
        version=version,
        aligner=aligner.id,
        learns_from_gold=aligner.learns_from_gold,
        parameters=aligner.settings(),
        gold_set=gold_set,
        pairs=pairs,
        pairs_held_out=left_out,
        created_by=by,
    )
    trained.datasets.set(datasets)
    trained.texts.set(texts)
    trained.other_gold.set(other_gold)
    ledger.hand_over(job)
    return trained


def check_other_gold(
    aligner: Aligner, gold_set: GoldAlignmentSet | None, other_gold: Sequence[GoldAlignmentSet]
) -> None:
    """Raises PublicError unless these can be used beside the gold links that decide what they are worth."""
    if other_gold and gold_set is None:
        raise PublicError(
            "Own gold links decide whether other ones help. Choose both, or no other gold links.",
            field="other_gold",
        )
    for gold_links in other_gold:
        if gold_links == gold_set:
            raise PublicError(
                "%(gold_links)s is already learned from.", field="other_gold", gold_links=gold_links
            )
        check_gold(aligner, gold_links, field="other_gold")


def check_gold(aligner: Aligner, gold_set: GoldAlignmentSet, *, field: str = "gold_set") -> None:
    """Raises PublicError unless the aligner can learn from these gold links."""
    if not aligner.learns_from_gold:
        can = ", ".join(method.id for method in ALIGNERS if method.learns_from_gold)
        raise PublicError(
            "%(aligner)s is not trained on gold links. Choose one that is: %(can)s.",
            field=field,
            aligner=aligner.id,
            can=can,
        )
    linked = links_for_training(gold_set).exclude(links=[]).count()
    if linked < MIN_GOLD_PAIRS:
        message = _(
            "%(gold_set)s has %(linked)s pairs with links; at least %(limit)s are needed for training."
        ) % {"gold_set": gold_set, "linked": linked, "limit": MIN_GOLD_PAIRS}
        if left_out := gold_set.alignments.count() - links_for_training(gold_set).count():
            message += _(" %(left_out)s more are of held-out clusters, which are kept for testing.") % {
                "left_out": left_out
            }
        raise PublicError(message, field=field)


@transaction.atomic
def train_again(*, trained: TrainedAligner, by: User | None) -> TrainedAligner:
    """The next version: as before, but with the newest version of its set of gold links."""
    gold_set = trained.gold_set and newest_version(trained.gold_set)
    return launch_training(
        project=trained.project,
        by=by,
        name=trained.name,
        settings=trained.parameters,
        datasets=list(trained.datasets.all()),
        texts=list(trained.texts.all()),
        gold_set=gold_set,
        other_gold=list(trained.other_gold.all()),
    )


def newest_version(gold_set: GoldAlignmentSet) -> GoldAlignmentSet:
    """The newest version of a set of gold links that is not archived, or the set itself."""
    versions = GoldAlignmentSet.objects.filter(
        Q(archived_at=None) | Q(pk=gold_set.pk), project=gold_set.project_id, name=gold_set.name
    )
    return versions.order_by("-version")[0]


def new_gold_pairs(trained: TrainedAligner) -> int:
    """How many pairs the newest version of its set of gold links has that it has not learned from."""
    if trained.gold_set is None:
        return 0
    newest = newest_version(trained.gold_set)
    known = trained.gold_set.alignments.values("item__pair")
    return links_for_training(newest).exclude(item__pair__in=known).count()


def training_rate(aligners: Sequence[str]) -> Rate:
    """The rate a pair of the slowest of these aligners, from the newest trainings of each in all projects."""
    rates = []
    for aligner in aligners:
        past = TrainedAligner.objects.filter(
            aligner=aligner, pairs__gte=MIN_PAIRS, job__state=JobState.DONE
        ).select_related("job")
        newest = past.order_by("-pk")[:RECENT]
        rates.append(
            rate_from(((trained.job.seconds, trained.pairs) for trained in newest), BUILT_IN_SECONDS_A_PAIR)
        )
    slowest = max((rate.seconds_a_unit for rate in rates), default=BUILT_IN_SECONDS_A_PAIR)
    return Rate(slowest, measured=bool(rates) and all(rate.measured for rate in rates))


def training_cost(aligner: str, pairs: int) -> LaunchCost:
    """The time that a training on so many sentence pairs takes."""
    return LaunchCost(KIND, f"{pairs:,} pairs", pairs, rate=training_rate([aligner]))
