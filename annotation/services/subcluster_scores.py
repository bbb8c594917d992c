"""Matching headlines against gold sub-clusters (Wubben et al. 2009): scores, and the links behind them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import isnan
from typing import Any

from annotation.models import GoldSubclusterSet, ItemHeadline
from annotation.specs import SubclusterLinksSpec
from corpus.models import Article, Sentence
from corpus.services.headline_matching import CONTEXT_SENTENCES, context_of, language_of
from paragold.matching.headlines import (
    WITHIN_CLUSTER,
    Weights,
    distinct_titles,
    headline_terms,
    weights_over,
)
from paragold.matching.specs import HeadlineSpec
from paragold.matching.sub_clusters import (
    ALL_HEADLINES,
    JudgedCluster,
    Scores,
    development_part,
    judged_links,
    number_of_groups,
    scored,
    tuned_each,
)
from paragold.text.stemming import Stemmer
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project

# Numbers of clusters that are scored while somebody waits; tuning tries hundreds of thresholds on each.
MAX_CLUSTERS, MAX_TUNED = 1_000, 200
ROWS_AT_ONCE = 2_000


def scores_of(gold_set: GoldSubclusterSet, settings: HeadlineSpec, *, share: float | None = None) -> Scores:
    """Table 2 for a gold set, with the thresholds of the settings or tuned on a share of its clusters.

    Held-out clusters are not tuned on.
    Stems are those of the project's language; weights "file" are over all clusters of the set. Headlines
    that repeat an earlier one of their cluster are left out. Raises PublicError when there is no stemmer,
    nothing to score, too little to tune, or too much to wait for.
    """
    count = gold_set.clusters.count()
    if count > MAX_CLUSTERS or (share is not None and share * count > MAX_TUNED):
        raise PublicError(
            "At most %(limit)s clusters are scored here, and %(tuned)s tuned on; this set has "
            "%(count)s. Choose a smaller share, or use `paragold match-headlines` with the set's file.",
            field="share",
            limit=grouped(MAX_CLUSTERS),
            tuned=grouped(MAX_TUNED),
            count=grouped(count),
        )
    settings, clusters, weights = _prepared(gold_set, settings)
    try:
        judged = [cluster for cluster, _ in clusters]
        return scored(judged, settings, weights, share=share, for_testing=_held_out(gold_set))
    except ValueError as error:
        raise PublicError(str(error), field="share") from error


def tuned_for(project: Project, settings: HeadlineSpec) -> tuple[HeadlineSpec, str]:
    """The number of groups of k-means tuned on the project's newest gold sub-clusters, and what was chosen.

    Held-out clusters take no part. Without two other clusters the settings are returned as they are.
    """
    gold_set = project.gold_subcluster_sets.order_by("-pk").first()
    if gold_set is None:
        return settings, "estimated in each cluster: nobody has drawn sub-clusters"
    settings, clusters, weights = _prepared(gold_set, settings, held_out=False)
    judged = [cluster for cluster, _ in clusters]
    scores = scored(judged, settings, weights) if any(cluster.relevant for cluster in judged) else None
    if scores is None or not scores["each"]:
        return settings, f"estimated in each cluster: {gold_set} has too few clusters to tune on"
    on_all = scores["development"]["f"].item()
    table = scores["table"].set_index(["method", "headlines"])
    left_out = table["f"]["kmeans", ALL_HEADLINES]
    return scores["settings"], (
        f"{number_of_groups(scores['settings'])}; tuned on {scores['tuned_on']:,} clusters of {gold_set}, "
        f"F (beta 0.25) {on_all:.2f}, {left_out:.2f} on clusters left out"
    )


def links_of(
    gold_set: GoldSubclusterSet, spec: SubclusterLinksSpec, *, share: float | None = None
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The links that are asked for, in their order, and how many there are of each outcome.

    A link is a row of `judged_links` with the keys and titles of its two articles, `context` None where
    missing.
    With a share, those of the clusters that were not tuned on: the thresholds of the spec are taken as they
    are. Without one and without a threshold of PK1 the groups of k-means are tuned as in the scores.
    Raises PublicError as `scores_of` does.
    """
    count = gold_set.clusters.count()
    if count > MAX_CLUSTERS:
        raise PublicError(
            "Links of at most %(limit)s clusters are shown; this set has %(count)s. Use `paragold "
            "match-headlines --links` with the set's file.",
            field="method",
            limit=grouped(MAX_CLUSTERS),
            count=grouped(count),
        )
    settings, clusters, weights = _prepared(gold_set, spec)
    articles = {cluster.key: headlines for cluster, headlines in clusters}
    try:
        keys = (
            development_part(articles, share, spec.seed, for_testing=_held_out(gold_set))
            if share is not None
            else frozenset()
        )
    except ValueError as error:
        raise PublicError(str(error), field="share") from error
    test = [cluster for cluster, _ in clusters if cluster.key not in keys]
    each: list[HeadlineSpec] = []
    if share is None and spec.method == "kmeans" and spec.pk1 is None:
        each = tuned_each(test, settings, weights, for_testing=_held_out(gold_set))
    links = judged_links(test, settings, weights, clusters_only=spec.headlines == "clusters", each=each)
    counts = {name: int((links["outcome"] == name).sum()) for name in ("right", "wrong", "missed")}
    if spec.outcome != "all":
        links = links[links["outcome"] == spec.outcome]
    if spec.order == "cosine":
        links = links.sort_values("score", ascending=False, kind="stable")
    rows: list[dict[Any, Any]] = links.to_dict("records")
    return [_shown(row, articles[row["cluster"]]) for row in rows], counts


def _shown(row: dict[Any, Any], headlines: list[Article]) -> dict[str, Any]:
    first, second = headlines[row["first"]], headlines[row["second"]]
    return {
        "cluster": row["cluster"],
        "cluster_id": first.cluster_id,
        "outcome": row["outcome"],
        "article_a": first.key,
        "article_b": second.key,
        "headline_a": first.title,
        "headline_b": second.title,
        "score": row["score"],
        "context": None if isnan(row["context"]) else row["context"],
    }


def _held_out(gold_set: GoldSubclusterSet) -> frozenset[str]:
    """The keys of the held-out clusters of a set: nothing is tuned on them."""
    clusters = gold_set.clusters.filter(item__cluster__held_out=True)
    return frozenset(clusters.values_list("item__cluster__key", flat=True))


def _prepared(
    gold_set: GoldSubclusterSet, settings: HeadlineSpec, *, held_out: bool = True
) -> tuple[HeadlineSpec, list[tuple[JudgedCluster, list[Article]]], Weights]:
    """The settings with the project's language, the clusters with their distinct headlines, the weights.

    held_out: whether clusters that are held out are among them.
    """
    settings = settings.replace(language=language_of(gold_set.project))
    clusters = list(_judged(gold_set, Stemmer(settings.language), held_out))
    if settings.weights == "file":
        return settings, clusters, weights_over([cluster.terms for cluster, _ in clusters])
    return settings, clusters, WITHIN_CLUSTER


def _judged(
    gold_set: GoldSubclusterSet, stemmer: Stemmer, held_out: bool
) -> Iterator[tuple[JudgedCluster, list[Article]]]:
    rows = gold_set.clusters.select_related("item__cluster").prefetch_related("item__headlines__article")
    if not held_out:
        rows = rows.exclude(item__cluster__held_out=True)
    contexts = _contexts(gold_set)
    for gold in rows:
        every = [headline.article for headline in gold.item.headlines.all()]
        articles = [every[place] for place in distinct_titles(article.title for article in every)]
        places = {article.key: place for place, article in enumerate(articles)}
        terms = [headline_terms(one.title, contexts.get(one.pk, ""), stemmer) for one in articles]
        groups = [[places[key] for key in group if key in places] for group in gold.subclusters]
        key = gold.item.cluster.key if gold.item.cluster else str(gold.pk)
        yield JudgedCluster(key, terms, groups), articles


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
