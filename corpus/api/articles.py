"""Reading the corpus: clusters, articles, sentences with their tokens, near duplicates; candidate pairs."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import Article, CandidatePair, Cluster, Sentence
from corpus.models.article import CORPUS, IMPORTED
from corpus.services.near_duplicates import near_duplicates
from paragold.matching.near_articles import MIN_SHARE
from paragold.text.placeholders import placeholder_text
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import (
    LARGEST_SEED,
    IdField,
    RowSerializer,
    StrictSerializer,
    WholeListSerializer,
    found,
)
from projects.permissions import check_read_corpus

COLLECTIONS = (CORPUS, IMPORTED)


def in_collection(chosen: dict[str, Any], path: str = "") -> Q:
    """The condition for rows whose `path` leads to clusters of the collection that is asked for.

    Without one it is the corpus, or any where a single cluster or article is named.
    """
    named = {"cluster", "article"} & set(chosen)
    asked = chosen.get("collection", "all" if named else CORPUS)
    return Q() if asked == "all" else Q(**{f"{path}pair_import__isnull": asked == CORPUS})


class ClusterSerializer(RowSerializer[Cluster]):
    articles = serializers.IntegerField(source="article_count")
    collection = serializers.ChoiceField(
        choices=COLLECTIONS, help_text="`corpus`, or `imported` for an imported pair."
    )

    class Meta:
        model = Cluster
        fields = ("id", "key", "collection", "held_out", "articles")


class ArticleSerializer(RowSerializer[Article]):
    class Meta:
        model = Article
        fields = ("id", "cluster", "key", "source", "url", "published", "title")


class SentenceSerializer(RowSerializer[Sentence]):
    """`starts` are the offsets of the tokens in `text`, in code points."""

    tokens = serializers.ListField(child=serializers.CharField(), source="token_list")
    starts = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = Sentence
        fields: tuple[str, ...] = ("id", "article", "number", "paragraph", "text", "tokens", "starts")


class CollectionFilters(StrictSerializer):
    collection = serializers.ChoiceField(
        choices=[*COLLECTIONS, "all"],
        required=False,
        help_text="`corpus` (the default), `imported` for imported pairs, or `all`.",
    )


class ArticleFilters(CollectionFilters):
    cluster = IdField(required=False)


class SentenceFilters(ArticleFilters):
    article = IdField(required=False)


class ClustersView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(
        operation_id="clusters_list", parameters=[CollectionFilters], responses=ClusterSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Clusters with the number of their articles; imported pairs are a collection of their own."""
        condition = in_collection(self.filters(CollectionFilters))
        rows = self.project.clusters.filter(condition).annotate(article_count=Count("articles"))
        return self.paged(rows, ClusterSerializer)


class ArticlesView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(
        operation_id="articles_list", parameters=[ArticleFilters], responses=ArticleSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Articles, without their text. Those of imported pairs only with their `collection` or `cluster`."""
        chosen = self.filters(ArticleFilters)
        rows = Article.objects.filter(in_collection(chosen, "cluster__"), cluster__project=self.project)
        if "cluster" in chosen:
            rows = rows.filter(cluster=chosen["cluster"])
        return self.paged(rows, ArticleSerializer)


class SentencesView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(
        operation_id="sentences_list", parameters=[SentenceFilters], responses=SentenceSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Sentences in the order of import; imported pairs only with their `collection`, `cluster` or
        `article`."""
        chosen = self.filters(SentenceFilters)
        condition = in_collection(chosen, "article__cluster__")
        rows = Sentence.objects.filter(condition, article__cluster__project=self.project)
        if "cluster" in chosen:
            rows = rows.filter(article__cluster=chosen["cluster"])
        if "article" in chosen:
            rows = rows.filter(article=chosen["article"])
        return self.paged(rows, SentenceSerializer)


class LeastShareSerializer(StrictSerializer):
    least = serializers.FloatField(
        default=MIN_SHARE, min_value=0.05, max_value=1, help_text="The minimum share of equal text."
    )


class NearDuplicatesSerializer(serializers.Serializer[Any]):
    first = serializers.IntegerField(source="first.pk", help_text="An article")
    second = serializers.IntegerField(source="second.pk", help_text="One that was imported later")
    share = serializers.FloatField(help_text="Of the shorter one's text that both have, 0 to 1")


class ClusterDuplicatesSerializer(WholeListSerializer):
    items = NearDuplicatesSerializer(many=True)


class NearDuplicatesView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(
        operation_id="clusters_near_duplicates",
        parameters=[LeastShareSerializer],
        responses=ClusterDuplicatesSerializer,
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Pairs of a cluster's articles that share much of their text, most first. Of a cluster of more than
        100 articles they are those that the checks of its imports found, at most 100 of each."""
        least = self.filters(LeastShareSerializer)["least"]
        found = near_duplicates(get_object_or_404(self.project.clusters, pk=pk), least=least)
        return Response(ClusterDuplicatesSerializer({"items": found}).data)


class PairSentenceSerializer(SentenceSerializer):
    """A sentence of a pair with its place."""

    article = serializers.CharField(source="article.key")
    source = serializers.CharField(source="article.source")  # type: ignore[assignment]  # a field of that name, not the framework's setting
    placeholders = serializers.SerializerMethodField(
        help_text="The words as the option `placeholders` of an extraction compares them."
    )

    class Meta(SentenceSerializer.Meta):
        fields = ("id", "article", "source", "number", "text", "tokens", "starts", "placeholders")

    def get_placeholders(self, sentence: Sentence) -> str:
        return placeholder_text(sentence.token_list)


class PairSerializer(RowSerializer[CandidatePair]):
    cluster = serializers.CharField(source="cluster.key", help_text="That of the sentence `a`.")
    other_cluster = serializers.CharField(
        source="other_cluster.key",
        allow_null=True,
        default=None,
        help_text="That of the sentence `b` where it is another.",
    )
    score = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="Of the extraction that is asked for, where its method scores pairs; 0 to 1.",
    )
    jaccard = serializers.FloatField(
        allow_null=True, default=None, help_text="As `score`: the exact Jaccard of the words."
    )
    a = PairSentenceSerializer(source="sentence_a")
    b = PairSentenceSerializer(source="sentence_b")

    class Meta:
        model = CandidatePair
        fields = (
            "id", "cluster", "other_cluster", "edit_distance", "length_a", "length_b", "shared_words",
            "score", "jaccard", "a", "b",
        )  # fmt: skip


class PairFilters(StrictSerializer):
    extraction = IdField(required=False)
    dataset = IdField(required=False)
    min_distance = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST_SEED)
    max_distance = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST_SEED)
    cluster = serializers.CharField(required=False, max_length=200, help_text="The cluster's own id.")
    collection = serializers.ChoiceField(
        choices=[*COLLECTIONS, "all"],
        required=False,
        help_text="`corpus`, `imported` or `all`; without it `corpus`, or `all` where an extraction, dataset "
        "or cluster is named.",
    )


class PairsView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(operation_id="pairs_list", parameters=[PairFilters], responses=PairSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Candidate pairs, by extraction, dataset, edit distance (in words, inclusive) and cluster."""
        chosen = self.filters(PairFilters)
        rows = CandidatePair.objects.filter(project=self.project)
        collection = chosen.get("collection")
        if collection is None and not {"dataset", "extraction", "cluster"} & set(chosen):
            collection = CORPUS
        if "dataset" in chosen:
            rows = found(self.project.datasets.all(), [chosen["dataset"]], field="dataset")[0].pairs()
        if "extraction" in chosen:
            found(self.project.extractions.all(), [chosen["extraction"]], field="extraction")
            rows = rows.found_by([chosen["extraction"]]).with_scores_of(chosen["extraction"])
        if "min_distance" in chosen:
            rows = rows.filter(edit_distance__gte=chosen["min_distance"])
        if "max_distance" in chosen:
            rows = rows.filter(edit_distance__lte=chosen["max_distance"])
        if "cluster" in chosen:
            rows = rows.of_cluster(chosen["cluster"])
        if collection in COLLECTIONS:
            rows = rows.of_corpus() if collection == CORPUS else rows.imported()
        return self.paged(rows.with_sentences(), PairSerializer)
