"""Sentence pairs that came with judgements or links: the corpus rows and the batch made of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.contrib.auth.models import User

from annotation.models import Batch, BatchKind, Item
from corpus.models import Article, CandidatePair, Cluster, Sentence
from corpus.services.pair_storage import refresh_statistics
from corpus.services.pairs import ROWS_AT_ONCE as ROWS_AT_ONCE
from corpus.services.pairs import GivenPair, GivenSentence, store_given_pairs
from paragold import limits
from paragold.formats.judgements.judged_pairs import JudgedPair
from paragold.text.tokenisation import SIGNATURE as TOKENISATION
from paragold.text.tokenisation import tokenise
from projects.errors import PublicError
from projects.models import Project

SIGNATURE = f"imported-judgements|{TOKENISATION}|version:1"
LONGEST_NAME = 80


def create_batch(
    *,
    project: Project,
    by: User | None,
    name: str,
    scheme: str,
    pairs: Sequence[JudgedPair],
    filename: str,
    sha256: str,
    format_name: str,
) -> Batch:
    """A judging batch without assignments: each pair is a cluster `name/id` of two one-sentence articles.

    To be called in a transaction. Raises PublicError for a name that is taken or too long.
    """
    if not name or len(name) > LONGEST_NAME:
        raise PublicError(f"The batch needs a name of 1 to {LONGEST_NAME} characters.", field="name")
    if project.batches.filter(name=name).exists():
        raise PublicError(f"There is a batch {name!r} already; give another name.", field="name")
    return batch_of_given_pairs(
        project=project,
        by=by,
        name=name,
        kind=BatchKind.JUDGE,
        scheme=scheme,
        pairs=[
            GivenPair(_cluster_key(name, pair.key), _sentence(pair.a), _sentence(pair.b)) for pair in pairs
        ],
        sides=("a", "b"),
        filename=filename,
        sha256=sha256,
        format_name=format_name,
        signature=SIGNATURE,
    )


def batch_of_given_pairs(
    *,
    project: Project,
    by: User | None,
    name: str,
    kind: str,
    scheme: str,
    pairs: Sequence[GivenPair],
    sides: tuple[str, str],
    filename: str,
    sha256: str,
    format_name: str,
    signature: str,
) -> Batch:
    """Store pairs of a file and make a batch without assignments of them, an item for each in their order."""
    source, stored = store_given_pairs(
        project=project,
        by=by,
        name=name,
        pairs=pairs,
        sides=sides,
        filename=filename,
        sha256=sha256,
        format_name=format_name,
        signature=signature,
    )
    batch = Batch.objects.create(
        project=project,
        name=name,
        kind=kind,
        corpus_import=source,
        scheme=scheme,
        overlap=1,
        seed=1,
        created_by=by,
    )
    Item.objects.bulk_create(
        [Item(batch=batch, pair=pair, number=number) for number, pair in enumerate(stored, start=1)],
        batch_size=ROWS_AT_ONCE,
    )
    refresh_statistics(Cluster, Article, Sentence, CandidatePair, Item)
    return batch


def _cluster_key(name: str, key: str) -> str:
    """`name/id`; where the id is too long for a cluster's key, `name/` and a hash of it."""
    whole = f"{name}/{key}"
    if len(whole) <= limits.KEY_CHARACTERS:
        return whole
    return f"{name}/{hashlib.sha256(key.encode()).hexdigest()}"


def _sentence(text: str) -> GivenSentence:
    return GivenSentence(text, *tokenise(text))
