"""Reading the corpus: clusters, articles, sentences with their tokens."""

from __future__ import annotations

from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import Article, Cluster, Sentence
from corpus.permissions import check_read_corpus

from .endpoint import ProjectEndpoint
from .serializers import IdField, StrictSerializer


class ClusterSerializer(serializers.ModelSerializer[Cluster]):
    articles = serializers.IntegerField(source="article_count")

    class Meta:
        model = Cluster
        fields = ("id", "key", "held_out", "articles")
        read_only_fields = fields


class ArticleSerializer(serializers.ModelSerializer[Article]):
    class Meta:
        model = Article
        fields = ("id", "cluster", "key", "source", "url", "published", "title")
        read_only_fields = fields


class SentenceSerializer(serializers.ModelSerializer[Sentence]):
    """`starts` are the offsets of the tokens in `text`, in code points."""

    tokens = serializers.ListField(child=serializers.CharField(), source="token_list")
    starts = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = Sentence
        fields = ("id", "article", "number", "paragraph", "text", "tokens", "starts")
        read_only_fields = fields


class ArticleFilters(StrictSerializer):
    cluster = IdField(required=False)


class SentenceFilters(ArticleFilters):
    article = IdField(required=False)


class ClustersView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(operation_id="clusters_list", responses=ClusterSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Clusters with the number of their articles."""
        self.filters()
        return self.paged(self.project.clusters.annotate(article_count=Count("articles")), ClusterSerializer)


class ArticlesView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(
        operation_id="articles_list", parameters=[ArticleFilters], responses=ArticleSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Articles, without their text."""
        chosen = self.filters(ArticleFilters)
        return self.paged(Article.objects.filter(cluster__project=self.project, **chosen), ArticleSerializer)


class SentencesView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(
        operation_id="sentences_list", parameters=[SentenceFilters], responses=SentenceSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Sentences in the order of import."""
        chosen = self.filters(SentenceFilters)
        rows = Sentence.objects.filter(article__cluster__project=self.project)
        if "cluster" in chosen:
            rows = rows.filter(article__cluster=chosen["cluster"])
        if "article" in chosen:
            rows = rows.filter(article=chosen["article"])
        return self.paged(rows, SentenceSerializer)
