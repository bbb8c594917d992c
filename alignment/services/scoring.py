"""Scoring word aligners against gold links.

`ALIGNMENT_ERROR` says what the pairs that a classifier accepts are worth to an aligner (Brockett and Dolan
2005, table 4).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import transaction

from alignment.models import Evaluation, GoldAlignmentSet, TrainedAligner
from annotation.services.classifiers.measuring import Measure
from corpus.models import CandidatePair
from paragold.aligners.aligner import Pair
from paragold.aligners.registry import ALIGNERS, aligner_label, aligner_of, untrained_ids
from paragold.formats.link_files import each_link
from paragold.formats.publishing import sha256_of
from paragold.metrics.error_rate import Score, counts_by_words, table_of
from paragold.metrics.links import Link
from projects.errors import PublicError
from projects.models import Project
from projects.parsing.process import limited_pieces

from .gold_links import BOOTSTRAP_SEED, linked_pairs, training_links
from .trained_aligners.launching import aligner_for, check_size, read_tokens, training_rate

RESAMPLES = 1_000
MAX_NAME_LENGTH = 40
ROWS_AT_ONCE = 500


@transaction.atomic
def score_aligner(*, gold_set: GoldAlignmentSet, aligner: str, strengths: str = "as_drawn") -> Evaluation:
    """Precision, recall and AER of an aligner on a set of gold links: all, identical, non-identical words.

    The same aligner on the same gold gives the evaluation that exists. With the strengths "all_sure" the
    POSSIBLE links of the gold count as SURE ones.
    """
    if aligner not in untrained_ids():
        raise PublicError(
            "There is no aligner %(aligner)r; choose one of: %(choices)s.",
            aligner=aligner,
            choices=", ".join(untrained_ids()),
        )
    settings = ALIGNERS.get(aligner).settings_for(*gold_set.project.languages)
    untrained = aligner_of({"aligner": aligner, **settings})
    pairs = linked_pairs(gold_set, strengths)
    return keep_evaluation(
        gold_set=gold_set,
        links=[untrained.align(*pair.tokens) for pair in pairs],
        aligner=aligner,
        signature=untrained.signature,
        strengths=strengths,
    )


def score_link_file(
    *,
    gold_set: GoldAlignmentSet,
    path: Path,
    name: str,
    format_name: str | None = None,
    encoding: str = "utf-8",
    strengths: str = "as_drawn",
    filename: str = "",
) -> Evaluation:
    """The same of the links that another program, called `name`, drew for the pairs of a gold set.

    The file has them in the order of the gold set, as its exports have; all its links count, whatever their
    strength. Raises FileProblem for a file that does not fit, PublicError for a name that cannot be one.
    """
    name = name.strip()
    if not name or len(name) > MAX_NAME_LENGTH:
        raise PublicError(
            "Name the program that drew the links, in 1 to %(limit)s characters.",
            field="name",
            limit=MAX_NAME_LENGTH,
        )
    tokens = [pair.tokens for pair in linked_pairs(gold_set)]
    pairs = limited_pieces(each_link, path, format_name, tokens=tokens, name=filename, encoding=encoding)
    return keep_evaluation(
        gold_set=gold_set,
        links=[pair.links.possible for pair in pairs],
        aligner=name,
        signature=f"file:{name}|sha256:{sha256_of(path)}",
        strengths=strengths,
    )


@transaction.atomic
def keep_evaluation(
    *,
    gold_set: GoldAlignmentSet,
    links: Sequence[Collection[Link]],
    aligner: str,
    signature: str,
    strengths: str = "as_drawn",
    trained: TrainedAligner | None = None,
) -> Evaluation:
    """Score the links that an aligner drew for each pair of a gold set, in the order of the batch.

    `aligner` is its name, `signature` its own; an equal one gives the evaluation that exists.
    """
    pairs = linked_pairs(gold_set, strengths)
    table = table_of(
        counts_by_words(links, pairs),
        seed=BOOTSTRAP_SEED,
    )
    signature = f"{signature}|{table['all']['signature']}|gold:{gold_set.signature}"
    if strengths != "as_drawn":
        signature += f"|strengths:{strengths}"
    evaluation, _ = Evaluation.objects.get_or_create(
        gold_set=gold_set,
        signature=signature,
        defaults={"aligner": aligner[:40], "scores": as_json(table), "trained": trained},
    )
    return evaluation


def as_json(table: Mapping[str, Score]) -> dict[str, Any]:
    """The table as JSON: rates are shares from 0 to 1, None where undefined."""
    names = ("precision", "recall", "aer", "aer_interval", "pairs")
    return {
        words: {name: row[name] for name in names} | {"links": row["scored"], "sure": row["sure"]}
        for words, row in table.items()
    }


def newest_gold(project: Project) -> tuple[int, str] | None:
    """The id and name of the project's newest set of gold links, archived ones apart; None without any."""
    gold_set = project.gold_alignment_sets.current().order_by("-pk").first()
    return None if gold_set is None else (gold_set.pk, str(gold_set))


def chosen_settings(project: Project, settings: Mapping[str, Any], pairs: int) -> dict[str, Any]:
    """These settings, completed, a lexicon left out where the aligner does not have that choice.

    Raises PublicError for another symmetrisation than the aligner has, for a program that is missing, and for
    more `pairs` than it can be given.
    """
    method = ALIGNERS.get(settings["aligner"])
    known = {"aligner", *(parameter.name for parameter in method.parameters.parameters())}
    if "linking" in settings and "linking" not in known:
        raise PublicError(
            "%(method)s has no symmetrisation; choose another aligner.",
            field="symmetrisation",
            method=method.id,
        )
    check_size(method, pairs, field="aligned")
    return aligner_for(project, {name: settings[name] for name in settings if name in known}).settings()


def non_identical_error(gold: int, pairs: Sequence[int], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The alignment error rate, between words that differ, of an aligner trained on candidate pairs.

    gold: the id of a set of gold links; its sentences, never its links, are training text as well, as in
    experiments. pairs: ids. Nothing of held-out clusters is trained on. settings: those of a
    `aligner_of`. `aer` and `interval` (95 %) are from 0 to 1; None and [] without links.
    """
    gold_set = GoldAlignmentSet.objects.get(pk=gold)
    tested = linked_pairs(gold_set)
    texts: list[Pair] = [pair.tokens for pair in tested]
    learned = [pair.tokens for pair in training_links(gold_set)]
    aligner = aligner_of(settings).fit([*_read(pairs), *learned])
    table = table_of(
        counts_by_words(aligner.align_all(texts), tested),
        seed=BOOTSTRAP_SEED,
        resamples=RESAMPLES,
    )
    score = table["non_identical"]
    return {
        **{"aer": score["aer"], "interval": list(score["aer_interval"] or ())},
        "aligner": aligner_label(settings),
    }


def _read(pairs: Sequence[int]) -> list[Pair]:
    """The tokens of the pairs that may be trained on, in the order of their sentences."""
    ordered = sorted(pairs)
    read: list[Pair] = []
    for start in range(0, len(ordered), ROWS_AT_ONCE):
        rows = CandidatePair.objects.for_training().filter(pk__in=ordered[start : start + ROWS_AT_ONCE])
        read += read_tokens(rows.order_by("pk"))
    return read


ALIGNMENT_ERROR = Measure(
    gold=newest_gold,
    settings=chosen_settings,
    error=non_identical_error,
    seconds=lambda aligner, pairs: training_rate([aligner]).seconds(pairs),
)
