"""The objects of the corpus that can be archived and deleted, and the rows deleted with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from corpus.models import (
    Article,
    CandidatePair,
    Cluster,
    CorpusImport,
    Dataset,
    DatasetPair,
    Extraction,
    Finding,
    ImportState,
    KeptNumbers,
    Lexicon,
    LexiconEntry,
    LexiconRating,
    Sentence,
)
from jobs.services.removal import Kind
from projects.errors import PublicError

from .pair_storage import remove_unreferenced, wait_until_nothing_is_stored


def _remove_findings(extraction: Extraction, limit: int) -> int:
    """Some findings, and those of their pairs that nothing else refers to."""
    wait_until_nothing_is_stored(extraction.project_id)
    findings = Finding.objects.filter(extraction=extraction)
    pairs = list(findings.order_by("pair_id").values_list("pair_id", flat=True)[:limit])
    findings.filter(pair__in=pairs)._raw_delete("default")
    remove_unreferenced(pairs)
    if len(pairs) < limit:
        known = KeptNumbers.objects.filter(project=extraction.project_id)
        known.filter(Q(name="pairs") | Q(name__endswith=f"extraction {extraction.pk}")).delete()
    return len(pairs)


def _check_import(source: CorpusImport) -> None:
    if source.state != ImportState.IMPORTED:
        raise PublicError("%(filename)s is not imported. Discard it instead.", filename=source.filename)
    brought = source.counts.get("articles_added", 0)
    if brought and not source.articles.exists():
        raise PublicError(
            "%(filename)s was imported before Paragold recorded which articles an import brought. "
            "Archive it instead.",
            filename=source.filename,
        )


def _clusters(source: CorpusImport) -> QuerySet[Cluster]:
    return Cluster.objects.filter(
        Exists(Article.objects.filter(cluster=OuterRef("pk"), corpus_import=source)),
        project=source.project_id,
    )


def _extractions_over(source: CorpusImport) -> Iterable[Extraction]:
    """Those that looked at its articles: with pairs of its clusters, or asked for since (pairs that were
    imported have no job, and extractions leave them out)."""
    findings = Finding.objects.filter(
        extraction=OuterRef("pk"), pair__cluster__in=_clusters(source).values("pk")
    )
    over = Q(Exists(findings))
    if source.job_id is not None:
        over |= Q(job__requested_at__gte=source.imported_at)
    return Extraction.everything.filter(over, project=source.project_id)


def _made_from(source: CorpusImport) -> Iterable[Any]:
    """Extractions over its articles, and batches in which its clusters are split."""
    yield from _extractions_over(source)
    batches = source.project.batches(manager="everything")
    yield from batches.filter(items__cluster__in=_clusters(source)).distinct()


def _remove_import(source: CorpusImport, limit: int) -> int:
    """Pairs, sentences and articles of some of its articles; clusters that are empty then."""
    articles = list(source.articles.order_by("pk").values_list("pk", flat=True)[:limit])
    sentences = Sentence.objects.filter(article__in=articles)
    of_them = Q(sentence_a__article__in=articles) | Q(sentence_b__article__in=articles)
    clusters = list(Article.objects.filter(pk__in=articles).values_list("cluster_id", flat=True).distinct())
    CandidatePair.objects.filter(of_them, cluster__in=clusters)._raw_delete("default")
    sentences._raw_delete("default")
    Article.objects.filter(pk__in=articles)._raw_delete("default")
    full = Article.objects.filter(cluster=OuterRef("pk"))
    Cluster.objects.filter(~Exists(full), pk__in=clusters).delete()
    return len(articles)


KINDS = (
    Kind(
        name="import",
        model=CorpusImport,
        in_list="corpus",
        rows=(lambda source: Article.objects.filter(corpus_import=source),),
        piece=100,
        remove=_remove_import,
        also_used_by=_made_from,
        check=_check_import,
        shared=True,
    ),
    Kind(
        name="extraction",
        model=Extraction,
        in_list="candidates",
        rows=(lambda extraction: Finding.objects.filter(extraction=extraction),),
        remove=_remove_findings,
        shared=True,
    ),
    Kind(
        name="dataset",
        model=Dataset,
        in_list="datasets",
        rows=(lambda dataset: DatasetPair.objects.filter(dataset=dataset),),
        ignored=frozenset({"refining_runs"}),
        parameters=("dataset",),
    ),
    Kind(
        name="lexicon",
        model=Lexicon,
        rows=(
            lambda lexicon: LexiconRating.objects.filter(entry__lexicon=lexicon),
            lambda lexicon: LexiconEntry.objects.filter(lexicon=lexicon),
        ),
    ),
)
