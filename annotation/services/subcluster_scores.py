"""Both methods of matching headlines scored against gold sub-clusters (Wubben et al. 2009, table 2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from annotation.models import GoldSubclusterSet, ItemHeadline
from corpus.models import Sentence
from corpus.services.headline_matching import CONTEXT_SENTENCES, context_of, language_of
from paragold.matching.headlines import (
    WITHIN_CLUSTER,
    HeadlineSpec,
    HeadlineTerms,
    weights_over,
    words_in_order,
)
from paragold.matching.sub_clusters import JudgedCluster, SubClusterScores, scored
from paragold.text.stemming import Stemmer
from projects.errors import PublicError

# So many are scored while somebody waits; tuning tries hundreds of thresholds on each.
MOST_CLUSTERS, MOST_TUNED = 1_000, 200
ROWS_AT_ONCE = 2_000


def scores_of(
    gold_set: GoldSubclusterSet, settings: HeadlineSpec, *, share: float | None = None
) -> SubClusterScores:
    """Table 2 for a gold set, with the thresholds of the settings or tuned on a share of its clusters.

    Stems are those of the project's language; weights "file" are over all clusters of the set. Headlines
    that repeat an earlier one of their cluster are left out. Raises PublicError when there is no stemmer,
    nothing to score, too little to tune, or too much to wait for.
    """
    settings = settings.replace(language=language_of(gold_set.project))
    count = gold_set.clusters.count()
    if count > MOST_CLUSTERS or (share is not None and share * count > MOST_TUNED):
        raise PublicError(
            f"At most {MOST_CLUSTERS:,} clusters are scored here, and {MOST_TUNED:,} tuned on; this set has "
            f"{count:,}. Take a smaller share, or use `manage.py match_headlines` with the set's file.",
            field="share",
        )
    clusters = list(_judged(gold_set, Stemmer(settings.language)))
    over_all = settings.weights == "file"
    weights = weights_over([cluster.terms for cluster in clusters]) if over_all else WITHIN_CLUSTER
    try:
        return scored(clusters, settings, weights, share=share)
    except ValueError as error:
        raise PublicError(str(error), field="share") from error


def _judged(gold_set: GoldSubclusterSet, stemmer: Stemmer) -> Iterator[JudgedCluster]:
    rows = gold_set.clusters.select_related("item__cluster").prefetch_related("item__headlines__article")
    contexts = _contexts(gold_set)
    for gold in rows:
        articles = [headline.article for headline in gold.item.headlines.all()]
        seen: set[tuple[str, ...]] = set()
        places: dict[str, int] = {}
        terms: list[HeadlineTerms] = []
        for article in articles:
            words = words_in_order(article.title)
            if words not in seen:
                seen.add(words)
                places[article.key] = len(terms)
                terms.append(HeadlineTerms.of(article.title, contexts.get(article.pk, ""), stemmer))
        groups = [[places[key] for key in group if key in places] for group in gold.subclusters]
        yield JudgedCluster(gold.item.cluster.key if gold.item.cluster else str(gold.pk), terms, groups)


def _contexts(gold_set: GoldSubclusterSet) -> dict[int, str]:
    """The beginning of each article, by its id; where its first sentence is the title, what follows it."""
    articles = ItemHeadline.objects.filter(item__gold_subclusters__gold_set=gold_set).values("article")
    rows = (
        Sentence.objects.filter(article__in=articles, number__lte=CONTEXT_SENTENCES)
        .order_by("article_id", "number")
        .values_list("article_id", "article__title", "number", "text")
    )
    sentences_of: dict[int, list[str]] = defaultdict(list)
    for article, title, number, text in rows.iterator(chunk_size=ROWS_AT_ONCE):
        if number or text != title:
            sentences_of[article].append(text)
    return {article: context_of(sentences) for article, sentences in sentences_of.items()}
