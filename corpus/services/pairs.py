"""Candidate pairs that no extraction found: stored with the same numbers as those that one did."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from corpus.models import CandidatePair, Sentence
from paragold.extraction.cluster import extract_cluster
from paragold.extraction.criteria import Criteria
from paragold.extraction.records import ClusterSentences, lowered

EVERYTHING = Criteria(method="first_sentences", first_n=1_000_000)


def measured(first: Sentence, second: Sentence) -> CandidatePair | None:
    """The pair of two sentences of different articles of one cluster, not saved yet.

    None when they are the same text, or differ in punctuation or case alone. Both need their `article`
    with its `cluster`.
    """
    a, b = sorted((first, second), key=lambda sentence: sentence.pk)
    cluster = ClusterSentences(
        ids=[a.pk, b.pk],
        articles=[a.article_id, b.article_id],
        indices=[a.number, b.number],
        tokens=[lowered(a.token_list), lowered(b.token_list)],
    )
    for pair in extract_cluster(cluster, EVERYTHING):
        return CandidatePair(
            project_id=a.article.cluster.project_id,
            cluster_id=a.article.cluster_id,
            sentence_a=a,
            sentence_b=b,
            content_key=uuid.UUID(bytes=pair.content_key),
            edit_distance=pair.edit_distance,
            length_a=pair.length_a,
            length_b=pair.length_b,
            shared_words=pair.shared_words,
            position_a=pair.position_a,
            position_b=pair.position_b,
        )
    return None


@transaction.atomic
def store_pairs(pairs: Sequence[CandidatePair]) -> dict[str, int]:
    """Store pairs of one project that are not there yet. Returns the id of each by its key in hex."""
    CandidatePair.objects.bulk_create(pairs, batch_size=500, ignore_conflicts=True)
    stored = CandidatePair.objects.filter(sentence_a__in={pair.sentence_a_id for pair in pairs})
    ids = {(a, b): pk for a, b, pk in stored.values_list("sentence_a", "sentence_b", "pk")}
    return {pair.content_key.hex: ids[pair.sentence_a_id, pair.sentence_b_id] for pair in pairs}
