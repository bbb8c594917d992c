"""Candidate pairs that no extraction found: chosen by people, or imported from a file.

Each imported pair is a cluster of its own, two articles of one sentence, that names its import
(`Cluster.pair_import`): a collection apart from the corpus.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import transaction
from rapidfuzz.distance import Levenshtein

from corpus.models import Article, CandidatePair, Cluster, CorpusImport, Sentence
from paragold.extraction.cluster import extract_cluster
from paragold.extraction.criteria import Criteria
from paragold.extraction.records import ClusterSentences, content_key, lowered, sentence_bytes
from paragold.languages import Language
from projects.errors import PublicError
from projects.models import Project

EVERYTHING = Criteria(method="first_sentences", first_n=1_000_000)
LONG_WORD = 4
ROWS_AT_ONCE = 1_000


def measured(first: Sentence, second: Sentence) -> CandidatePair | None:
    """The pair of two sentences of one cluster, not saved yet.

    None when they are the same text, or differ in punctuation or case alone. Both need their `article`
    with its `cluster`. Of two languages, that of the project comes first.
    """
    second_language = first.article.cluster.project.second_language

    def place(sentence: Sentence) -> tuple[bool, int]:
        return bool(second_language) and sentence.article.language == second_language, sentence.pk

    a, b = sorted((first, second), key=place)
    cluster = ClusterSentences(
        ids=[a.pk, b.pk],
        articles=[0, 1],  # of one article or two, they are a pair
        indices=[a.number, b.number],
        tokens=[lowered(a.token_list), lowered(b.token_list)],
    )
    for *_, distance, length_a, length_b, shared, position_a, position_b, key in extract_cluster(
        cluster, EVERYTHING
    ).tolist():
        return CandidatePair(
            project_id=a.article.cluster.project_id,
            cluster_id=a.article.cluster_id,
            sentence_a=a,
            sentence_b=b,
            content_key=uuid.UUID(bytes=key),
            edit_distance=distance,
            length_a=length_a,
            length_b=length_b,
            shared_words=shared,
            position_a=position_a,
            position_b=position_b,
        )
    return None


@transaction.atomic
def store_pairs(pairs: Sequence[CandidatePair]) -> dict[str, int]:
    """Store pairs of one project that are not there yet. Returns the id of each by its key in hex."""
    CandidatePair.objects.bulk_create(pairs, batch_size=500, ignore_conflicts=True)
    stored = CandidatePair.objects.filter(sentence_a__in={pair.sentence_a_id for pair in pairs})
    ids = {(a, b): pk for a, b, pk in stored.values_list("sentence_a", "sentence_b", "pk")}
    return {pair.content_key.hex: ids[pair.sentence_a_id, pair.sentence_b_id] for pair in pairs}


@dataclass(frozen=True, slots=True)
class GivenSentence:
    """A sentence with its tokens and their offsets in code points."""

    text: str
    tokens: Sequence[str]
    starts: Sequence[int]

    @classmethod
    def of(cls, text: str, language: Language) -> GivenSentence:
        """With the tokens that the language's rules give."""
        return cls(text, *language.tokens(text))


@dataclass(frozen=True, slots=True)
class GivenPair:
    """Two sentences and the key of the cluster that is made of them; in a project of two languages the second
    sentence is in the second one."""

    cluster: str
    a: GivenSentence
    b: GivenSentence


@dataclass(frozen=True, slots=True)
class StoredPairs:
    """The import that pairs came by, and the ids of the pairs and of their clusters in the order given."""

    source: CorpusImport
    pairs: list[int]
    clusters: list[int]


def store_given_pairs(
    *,
    source: CorpusImport,
    name: str,
    pairs: Iterable[GivenPair],
    sides: tuple[str, str],
    format_name: str,
    signature: str,
) -> StoredPairs:
    """Store pairs of an import, whose clusters are called `name/...`, a thousand at a time.

    `sides` are the keys of the two articles of each, `format_name` is what the file was read as. To be
    called in a transaction. Raises PublicError when the project has such clusters already.
    """
    project = source.project
    if project.clusters.filter(key__startswith=f"{name}/").exists():
        raise PublicError(
            "The corpus already has clusters called %(name)s/...; choose another name.",
            field="name",
            name=name,
        )
    source.options["format"], source.signature = format_name, signature
    source.save()
    stored = StoredPairs(source, [], [])
    remaining = iter(pairs)
    while block := list(islice(remaining, ROWS_AT_ONCE)):
        for pair in _store_block(project, source, name, sides, block):
            stored.pairs.append(pair.pk)
            stored.clusters.append(pair.cluster_id)
    both = 2 * len(stored.pairs)
    source.counts |= {
        "clusters": len(stored.pairs),
        "articles": both,
        "sentences": both,
        "duplicate_articles": 0,
        "articles_already_there": 0,
        "articles_added": both,
        "sentences_added": both,
    }
    source.save(update_fields=["counts"])
    return stored


def _store_block(
    project: Project, source: CorpusImport, name: str, sides: tuple[str, str], pairs: Sequence[GivenPair]
) -> list[CandidatePair]:
    clusters = Cluster.objects.bulk_create(
        [Cluster(project=project, key=pair.cluster, pair_import=source) for pair in pairs]
    )
    given = [
        (cluster, side, sentence)
        for cluster, pair in zip(clusters, pairs, strict=True)
        for side, sentence in zip(sides, (pair.a, pair.b), strict=True)
    ]
    articles = Article.objects.bulk_create(
        [
            # The side is hashed too: both sentences of a pair may be the same.
            Article(
                cluster=cluster,
                key=side,
                source=name,
                language=project.second_language if side == sides[1] else "",
                content_sha256=hashlib.sha256(f"{side}\n\n{sentence.text}".encode()).hexdigest(),
                corpus_import=source,
            )
            for cluster, side, sentence in given
        ]
    )
    sentences = Sentence.objects.bulk_create(
        [
            Sentence(
                article=article,
                number=0,
                text=sentence.text,
                tokens=" ".join(sentence.tokens),
                starts=list(sentence.starts),
            )
            for article, (_, _, sentence) in zip(articles, given, strict=True)
        ]
    )
    return CandidatePair.objects.bulk_create(
        [
            candidate(project, cluster, a, b)
            for cluster, a, b in zip(clusters, sentences[::2], sentences[1::2], strict=True)
        ]
    )


def candidate(project: Project, cluster: Cluster, a: Sentence, b: Sentence) -> CandidatePair:
    """The pair of two sentences, whatever they are, not saved yet; `a` has the smaller id."""
    first, second = (sentence.tokens.lower().split(" ") for sentence in (a, b))
    long_words = ({word for word in words if len(word) >= LONG_WORD} for words in (first, second))
    return CandidatePair(
        project=project,
        cluster=cluster,
        sentence_a=a,
        sentence_b=b,
        content_key=uuid.UUID(bytes=content_key(sentence_bytes(first), sentence_bytes(second))),
        edit_distance=Levenshtein.distance(first, second),
        length_a=len(first),
        length_b=len(second),
        shared_words=len(set.intersection(*long_words)),
        position_a=a.number,
        position_b=b.number,
    )
