"""Batches for linking words, drawn from the pairs that a gold set calls paraphrases."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Batch, BatchKind, GoldSet, Label
from annotation.services.batches import fill_batch
from jobs.services.removal import keep
from paragold.sampling.sampling import sample
from projects.errors import PublicError
from projects.models import Project

from .suggestions import check_suggester, set_suggester


@transaction.atomic
def draw_linking_batch(
    *,
    project: Project,
    by: User | None,
    name: str,
    gold_set: GoldSet,
    annotators: Sequence[str],
    seed: int,
    size: int | None = None,
    overlap: int | None = None,
    suggester: str = "",
) -> Batch:
    """Draw `size` (all by default) of a gold set's paraphrases at random for `annotators` to link.

    `suggester` is a setting of `suggestions`: whose links are offered as suggestions; none by default.
    """
    keep(gold_set)
    if gold_set.project_id != project.pk:
        raise PublicError(f"The gold set {gold_set} belongs to another project.")
    if suggester:
        check_suggester(project, suggester)
    paraphrases = gold_set.judgements.filter(label=Label.PARAPHRASE)
    pool: dict[str, int] = {}
    for key, pair in paraphrases.order_by("item__pair__sentence_a", "item__pair__sentence_b").values_list(
        "item__pair__content_key", "item__pair"
    ):
        pool.setdefault(key.hex, pair)
    if not pool:
        message = f"{gold_set} calls no pair a paraphrase, so there is nothing to link."
        raise PublicError(message, field="gold_set")
    wanted = len(pool) if size is None else size
    if not 1 <= wanted <= len(pool):
        message = f"{wanted} pairs asked for; {gold_set} calls {len(pool)} paraphrases."
        raise PublicError(message, field="size")
    batch = Batch(
        project=project,
        name=name,
        kind=BatchKind.LINK,
        gold_set=gold_set,
        created_by=by,
        seed=seed,
    )
    pairs = [pool[key] for key in sample(pool, wanted, seed=seed)]
    fill_batch(batch=batch, pairs=pairs, annotators=annotators, overlap=overlap)
    set_suggester(batch=batch, by=by, setting=suggester)
    return batch
