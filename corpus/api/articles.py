"""Reading the corpus: clusters, articles, sentences with their tokens; candidate pairs."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.listings import ARTICLES, CLUSTERS, PAIRS, in_collection
from corpus.models import Article, CandidatePair, Cluster, Sentence
from corpus.models.article import CORPUS, IMPORTED
from paragold.languages import ENGLISH
from projects.api.endpoint import ListingEndpoint, ProjectEndpoint
from projects.api.serializers import IdField, RowSerializer, StrictSerializer
from projects.permissions import check_read_corpus

COLLECTIONS = (CORPUS, IMPORTED)


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


class SentenceFilters(CollectionFilters):
    cluster = IdField(required=False)
    article = IdField(required=False)


@extend_schema_view(get=extend_schema(operation_id="clusters_list"))
class ClustersView(ListingEndpoint):
    """Clusters with the number of their articles; imported pairs are a collection of their own."""

    checks = {"GET": check_read_corpus}
    listing = CLUSTERS
    serializer_class = ClusterSerializer


@extend_schema_view(get=extend_schema(operation_id="articles_list"))
class ArticlesView(ListingEndpoint):
    """Articles, without their text. Those of imported pairs only with their `collection` or `cluster`."""

    checks = {"GET": check_read_corpus}
    listing = ARTICLES
    serializer_class = ArticleSerializer


class SentencesView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(
        operation_id="sentences_list", parameters=[SentenceFilters], responses=SentenceSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Sentences in the order of import; imported pairs only with their `collection`, `cluster` or
        `article`."""
        chosen = self.filters(SentenceFilters)
        rows = Sentence.objects.filter(article__cluster__project=self.project)
        rows = in_collection(rows, chosen, "article__cluster")
        if "cluster" in chosen:
            rows = rows.filter(article__cluster=chosen["cluster"])
        if "article" in chosen:
            rows = rows.filter(article=chosen["article"])
        return self.paged(rows, SentenceSerializer)


class PairSentenceSerializer(SentenceSerializer):
    """A sentence of a pair with its place."""

    article = serializers.CharField(source="article.key")
    source = serializers.CharField(source="article.source")  # type: ignore[assignment]  # a field of that name, not the framework's setting
    placeholders = serializers.SerializerMethodField(
        help_text="The words as an extraction with `placeholders` compares them."
    )

    class Meta(SentenceSerializer.Meta):
        fields = ("id", "article", "source", "number", "text", "tokens", "starts", "placeholders")

    def get_placeholders(self, sentence: Sentence) -> str:
        return ENGLISH.placeholder_text(sentence.token_list)


class PairSerializer(RowSerializer[CandidatePair]):
    cluster = serializers.CharField(source="cluster.key", help_text="Key of the cluster of sentence `a`.")
    other_cluster = serializers.CharField(
        source="other_cluster.key",
        allow_null=True,
        default=None,
        help_text="Key of the cluster of sentence `b`; null where it is the same.",
    )
    score = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="Score by the requested extraction, if its method scores pairs; 0 to 1.",
    )
    jaccard = serializers.FloatField(
        allow_null=True, default=None, help_text="As `score`, but exact Jaccard of the words."
    )
    a = PairSentenceSerializer(source="sentence_a")
    b = PairSentenceSerializer(source="sentence_b")

    class Meta:
        model = CandidatePair
        fields = (
            "id", "cluster", "other_cluster", "edit_distance", "length_a", "length_b", "shared_words",
            "score", "jaccard", "a", "b",
        )  # fmt: skip


@extend_schema_view(get=extend_schema(operation_id="pairs_list"))
class PairsView(ListingEndpoint):
    """Candidate pairs, by extraction, dataset, edit distance (in words, inclusive), text and cluster."""

    checks = {"GET": check_read_corpus}
    listing = PAIRS
    serializer_class = PairSerializer
