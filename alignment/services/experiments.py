"""Experiments: launched here, computed by the workers, one training for each row of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction

from alignment.models import Experiment, ExperimentCell, ExperimentRow, GoldAlignmentSet
from corpus.models import Dataset, in_held_out_cluster
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.removal import check_own, keep_own
from jobs.services.running import LONG_CHUNKS, watched
from paragold.aligners.aligner import (
    NO_OTHER_GOLD,
    Aligner,
    LinkExplanation,
    OtherGold,
    Pair,
    Transfer,
    texts_of,
)
from paragold.aligners.programs import ProgramError
from paragold.aligners.registry import DEFAULT_ALIGNER
from paragold.folds import apart_from, folds, groups_of
from paragold.metrics.error_rate import RATES, WORDS, CountArray, aer_of, compare, counts_by_words, score_of
from paragold.metrics.link_comparison import errors_by_kind
from paragold.metrics.links import Link, LinkedPair
from paragold.statistics import holm
from paragold.text import tokenisation
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import checked_name

from .experiment_errors import Explain, reasons_of
from .gold_links import BOOTSTRAP_SEED, linked_pairs, training_links
from .trained_aligners.launching import (
    aligner_for,
    check_gold,
    check_other_gold,
    check_size,
    read_tokens,
    training_pairs,
)

KIND = "experiment"
VERSION = 2
MAX_ROWS = 100
MAX_PAIRWISE = 16
"""In larger tables only the lowest row is tested against the others."""
SIGNIFICANT = 0.05
GOLD_KEYS = ("taught_by", "other_gold")
"""Keys of an aligner's settings that name sets of gold links."""
LinkLists = list[list[Link]]
PairKey = tuple[tuple[str, ...], ...]


@transaction.atomic
def launch_experiment(
    *,
    project: Project,
    by: User | None,
    name: str = "",
    datasets: Sequence[Dataset] = (),
    gold_sets: Sequence[GoldAlignmentSet] = (),
    aligners: Sequence[Mapping[str, Any]] = ({"aligner": DEFAULT_ALIGNER},),
    test_sentences: bool = True,
    held_out_sentences: bool = False,
) -> Experiment:
    """Ask for a table: every aligner trained on every dataset, scored on every set of gold links.

    `aligners` are settings of `aligner_of`; those that learn nothing get one row each. Their key `taught_by`
    is a set of gold links whose links are learned from; pairs of the test sets that are among them are held
    out in folds. Their key `other_gold` are sets of gold links to use besides, as far as they help on those
    of `taught_by`, without the pairs that share a sentence with a test set.
    Pairs of held-out clusters are not trained on. With `held_out_sentences` those of the test sets are
    training text, as other test sentences are; their links are never learned from.
    Raises PublicError, naming the field, for choices that cannot be.
    """
    keep_own(project, *datasets, field="datasets")
    keep_own(project, *gold_sets, field="gold_sets")
    for settings in aligners:
        taught = (settings.get("taught_by"), *(settings.get("other_gold") or ()))
        check_own(project, *taught, field="aligners")
    if not gold_sets:
        raise PublicError("Choose a set of gold links to test on.", field="gold_sets")
    rows, other_gold = _rows(project, datasets, aligners)
    reading = sorted({row.aligner for row in rows if row.estimator.trains_when_applied})
    if reading and not test_sentences:
        raise PublicError(
            "%(reading)s train on the sentences that they align: turn on test sentences.",
            field="test_sentences",
            reading=" and ".join(reading),
        )
    if held_out_sentences and not test_sentences:
        raise PublicError(
            "Turn on test sentences, too: those of held-out clusters are a part of them.",
            field="held_out_sentences",
        )
    if len(rows) > MAX_ROWS:
        raise PublicError(
            "%(count)s trainings are too many for one table; at most %(limit)s.",
            field="aligners",
            count=len(rows),
            limit=MAX_ROWS,
        )
    name = checked_name(name, f"experiment {project.experiments.count() + 1}")
    if project.experiments.filter(name=name).exists():
        raise PublicError("There is an experiment %(name)s already.", field="name", name=name)
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Experiment {name}",
        parameters={"units": "trainings", "aligners": [_as_json(settings) for settings in aligners]}
        | (LONG_CHUNKS if reading else {}),
        signature=f"experiment|version:{VERSION}|{tokenisation.SIGNATURE}",
        chunks=[ledger.ChunkPlan(units=1, payload={"row": row.number}) for row in rows],
    )
    experiment = Experiment.objects.create(
        project=project,
        job=job,
        name=name,
        test_sentences=test_sentences,
        held_out_sentences=held_out_sentences,
        created_by=by,
    )
    experiment.gold_sets.set(gold_sets)
    for row in rows:
        row.experiment = experiment
    ExperimentRow.objects.bulk_create(rows)
    for row in experiment.rows.filter(number__in=other_gold):
        row.other_gold.set(other_gold[row.number])
    ledger.hand_over(job)
    return experiment


def _rows(
    project: Project,
    datasets: Sequence[Dataset],
    aligners: Sequence[Mapping[str, Any]],
) -> tuple[list[ExperimentRow], dict[int, Sequence[GoldAlignmentSet]]]:
    """The rows, and by number the other gold links of those that have any."""
    rows: list[ExperimentRow] = []
    others: dict[int, Sequence[GoldAlignmentSet]] = {}
    if not aligners:
        raise PublicError("Choose an aligner.", field="aligners")
    for dataset in datasets:
        if dataset.pairs().exists() and not training_pairs(project, [dataset], []).exists():
            raise PublicError(
                "All pairs of %(dataset)s are of held-out clusters, which are kept for testing. "
                "Choose a dataset with other pairs.",
                field="datasets",
                dataset=dataset,
            )
    for settings in aligners:
        taught_by: GoldAlignmentSet | None = settings.get("taught_by")
        other_gold: Sequence[GoldAlignmentSet] = settings.get("other_gold") or ()
        before = len(rows)
        own = {key: value for key, value in settings.items() if key not in GOLD_KEYS}
        try:
            aligner = aligner_for(project, own, in_experiment=True)
        except PublicError as error:
            raise PublicError(str(error), field="aligners") from error
        if taught_by:
            check_gold(aligner, taught_by)
        check_other_gold(aligner, taught_by, other_gold)
        row = {
            "aligner": aligner.id,
            "learns_from_gold": aligner.learns_from_gold,
            "parameters": aligner.settings(),
            "taught_by": taught_by,
        }
        if not aligner.learns_from_pairs:
            rows.append(ExperimentRow(number=len(rows) + 1, **row))
            continue
        if not datasets:
            raise PublicError(
                "%(aligner)s is trained on pairs: choose a dataset.", field="datasets", aligner=aligner.id
            )
        for dataset in datasets:
            check_size(aligner, dataset.size, field="datasets")
            rows.append(ExperimentRow(number=len(rows) + 1, dataset=dataset, **row))
        if other_gold:
            others |= dict.fromkeys(range(before + 1, len(rows) + 1), other_gold)
    return rows, others


def _as_json(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as JSON has them."""
    described = dict(settings)
    if described.get("taught_by"):
        described["taught_by"] = described["taught_by"].pk
    if described.get("other_gold"):
        described["other_gold"] = [gold_set.pk for gold_set in described["other_gold"]]
    return described


def compute(job: Job, chunk: JobChunk) -> dict[str, Any]:
    row = ExperimentRow.objects.select_related("experiment", "dataset", "taught_by").get(
        experiment__job=job, number=chunk.payload["row"]
    )
    gold_sets = list(row.experiment.gold_sets.order_by("pk"))
    gold = [linked_pairs(gold_set) for gold_set in gold_sets]
    texts = [texts_of(pairs) for pairs in gold]
    pairs: list[Pair] = []
    left_out = 0
    if row.dataset is not None:
        pairs = read_tokens(training_pairs(job.project, [row.dataset], []))
        left_out = row.dataset.pairs().filter(in_held_out_cluster()).count()
    trained_on = len(pairs)
    if row.experiment.test_sentences:
        own_texts = (
            texts if row.experiment.held_out_sentences else map(texts_of, map(training_links, gold_sets))
        )
        pairs = [*pairs, *(pair for own in own_texts for pair in own)]
    other_gold = {str(other): training_links(other) for other in row.other_gold.order_by("pk")}
    with watched(chunk):
        drawn = draw(row, pairs, texts, other_gold)
    signature = drawn.signature
    if left_out:
        signature += f"|left-out-of-held-out-clusters:{left_out}"
    if row.experiment.held_out_sentences:
        signature += "|test-sentences-of-held-out-clusters:yes"
    return {
        "row": row.pk,
        "pairs": trained_on,
        "pairs_held_out": left_out,
        "signature": signature,
        "transfers": drawn.transfers,
        "cells": [
            _cell(gold_set, pairs, links) | {"reasons": reasons_of(pairs, links, drawn.explain)}
            for gold_set, pairs, links in zip(gold_sets, gold, drawn.links, strict=True)
        ],
    }


@dataclass(frozen=True, slots=True)
class Drawn:
    """The links of every test set, the signature of their aligner, and what explains the links of a pair."""

    links: list[LinkLists]
    signature: str
    explain: Explain
    transfers: list[Transfer]


def draw(
    row: ExperimentRow,
    pairs: Sequence[Pair],
    tests: Sequence[list[Pair]],
    other_gold: OtherGold = NO_OTHER_GOLD,
) -> Drawn:
    """The links of every test set by the row's aligner, trained on `pairs`.

    Where it learns from gold links, those of held-out clusters and of the pair at hand are never among them:
    pairs that are among
    those learned from, by their text, are held out in folds; all others are linked by what was learned from
    all. Pairs of `other_gold` that share a sentence with a test set are left out.
    Raises PublicError for a program that is missing or fails, and where nothing can be learned.
    """
    aligner = row.estimator
    gold = training_links(row.taught_by) if row.taught_by else []
    texts = [pair for test in tests for pair in test]
    of_folds: dict[PairKey, list[Link]] = {}
    try:
        if gold:
            others = {name: apart_from(linked, texts) for name, linked in other_gold.items()}
            text = [*pairs, *(pair for other in others.values() for pair in texts_of(other))]
            aligner, of_folds, explain = _taught(aligner, text, gold, others, texts)
        else:
            aligner.fit(pairs)
            explain = _explain_by(aligner)
        # All at once: some aligners train again each time.
        links = [
            of_folds.get(_key(pair), own) for pair, own in zip(texts, aligner.align_all(texts), strict=True)
        ]
    except ProgramError as error:
        raise PublicError(str(error)) from error
    parts = [aligner.signature, aligner.draw_signature(links)]
    if gold:
        parts.append(f"held-out:{len(of_folds)}")
    remaining = iter(links)
    links_by_test = [list(islice(remaining, len(test))) for test in tests]
    return Drawn(links_by_test, "|".join(filter(None, parts)), explain, list(aligner.transfers))


def _explain_by(aligner: Aligner) -> Explain:
    return lambda pair: aligner.explanations(*pair)


def _taught(
    aligner: Aligner,
    pairs: Sequence[Pair],
    gold: Sequence[LinkedPair],
    other_gold: OtherGold,
    tested: Sequence[Pair],
) -> tuple[Aligner, dict[PairKey, list[Link]], Explain]:
    """The aligner that learned from all gold links, the links of those gold pairs that are tested, and what
    explains links: of such a pair the aligner that learned from the other folds."""
    taught = texts_of(gold)
    training = aligner.begin([*pairs, *taught], gold=gold, other_gold=other_gold)
    state = training.start()
    for _ in range(training.iterations):
        state = training.advance(state)
    try:
        fitted = training.finish(state)
    except ValueError as error:
        raise PublicError("Training is not possible: %(error)s.", error=error) from error
    places = {_key(pair): number for number, pair in enumerate(taught)}
    needed = {_key(pair): places[_key(pair)] for pair in tested if _key(pair) in places}
    links: dict[int, list[Link]] = {}
    fold_of: dict[int, int] = {}
    for fold, parts in enumerate(folds(groups_of(taught), seed=aligner.spec.seed)):
        if set(needed.values()) & set(parts):
            links |= training.held_out_links(state, fold=fold, size=len(gold))
            fold_of |= dict.fromkeys(parts, fold)
    others: dict[int, Aligner | None] = {}

    def explain(pair: Pair) -> list[LinkExplanation]:
        if _key(pair) not in needed:
            return fitted.explanations(*pair)
        fold = fold_of[needed[_key(pair)]]
        if fold not in others:
            others[fold] = training.held_out_aligner(state, fold=fold, size=len(gold))
        own = others[fold]
        return own.explanations(*pair) if own else []

    return fitted, {key: links[number] for key, number in needed.items()}, explain


def _key(pair: Pair) -> PairKey:
    return tuple(pair[0]), tuple(pair[1])


def _cell(
    gold_set: GoldAlignmentSet, pairs: Sequence[LinkedPair], links: Sequence[Sequence[Link]]
) -> dict[str, Any]:
    counts = counts_by_words(links, pairs)
    return {
        "gold_set_id": gold_set.pk,
        "links": [" ".join(f"{a}-{b}" for a, b in drawn) for drawn in links],
        "counts": {words: counts[words].tolist() for words in WORDS},
        "scores": {words: _scores(counts[words]) for words in WORDS},
        "errors": errors_by_kind(pairs, links, language=gold_set.project.language, seed=BOOTSTRAP_SEED),
    }


def _scores(counts: CountArray) -> dict[str, Any]:
    row = score_of(counts, seed=BOOTSTRAP_SEED)
    return {name: row[name] for name in (*RATES, *(f"{rate}_interval" for rate in RATES))}


def store(job: Job, result: dict[str, Any]) -> dict[str, int]:
    ExperimentRow.objects.filter(pk=result["row"]).update(
        pairs=result["pairs"],
        pairs_held_out=result["pairs_held_out"],
        signature=result["signature"],
        transfers=result["transfers"],
    )
    ExperimentCell.objects.filter(row=result["row"]).delete()
    ExperimentCell.objects.bulk_create(
        [ExperimentCell(row_id=result["row"], **cell) for cell in result["cells"]]
    )
    return {}


def finish(job: Job) -> None:
    """Test the best training of each gold set and kind of word against every other one."""
    experiment = job.experiment
    experiment.comparisons = {
        str(gold_set.pk): {words: _compared(experiment, gold_set, words) for words in WORDS}
        for gold_set in experiment.gold_sets.all()
    }
    experiment.save(update_fields=["comparisons"])


def _compared(experiment: Experiment, gold_set: GoldAlignmentSet, words: str) -> dict[str, Any] | None:
    rows = ExperimentCell.objects.filter(row__experiment=experiment, gold_set=gold_set).defer("links")
    cells = {
        cell.row.number: cell for cell in rows.select_related("row") if cell.scores[words]["aer"] is not None
    }
    if not cells:
        return None
    tables = {number: np.array(cell.counts[words], dtype=np.int64) for number, cell in cells.items()}

    best = min(cells, key=lambda number: (cells[number].scores[words]["aer"], number))
    others = {}
    for number in sorted(tables):
        if number != best:
            others[str(number)] = compare(tables[best], tables[number], seed=BOOTSTRAP_SEED)
    return {"best": best, "others": others} | _pairwise(tables, best, others)


def _pairwise(
    tables: Mapping[int, CountArray], best: int, others: Mapping[str, Any]
) -> dict[str, dict[str, list[int]]]:
    """`better`: the rows that each row is significantly better than, of tests of every two rows.

    p is corrected for the number of all these tests. With more than MAX_PAIRWISE rows nothing is tested.
    """
    if len(tables) > MAX_PAIRWISE:
        return {}
    ps: dict[tuple[int, int], float] = {}
    for first, second in combinations(tables, 2):
        if best in (first, second):
            known = others[str(second if first == best else first)]
            p = known["p"] if known else None
        else:
            test = compare(tables[first], tables[second], seed=BOOTSTRAP_SEED, resamples=0)
            p = test and test["p"]
        if p is not None:
            ps[first, second] = p
    aer = {number: aer_of(counts) or 0.0 for number, counts in tables.items()}
    better: dict[str, list[int]] = {str(number): [] for number in sorted(tables)}
    for (first, second), p in zip(ps, holm(list(ps.values())), strict=True):
        if p < SIGNIFICANT:
            lower, higher = sorted((first, second), key=lambda number: aer[number])
            better[str(lower)].append(higher)
    return {"better": better}


RUNNER = Runner(compute=compute, store=store, finish=finish)
