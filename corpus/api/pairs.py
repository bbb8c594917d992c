"""Candidate pairs with their sentences."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import CandidatePair
from corpus.models.article import CORPUS
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import LARGEST_SEED, IdField, RowSerializer, StrictSerializer, found
from projects.permissions import check_read_corpus

from .articles import COLLECTIONS, SentenceSerializer


class PairSentenceSerializer(SentenceSerializer):
    """A sentence of a pair with its place."""

    article = serializers.CharField(source="article.key")
    source = serializers.CharField(source="article.source")  # type: ignore[assignment]  # a field of that name, not the framework's setting

    class Meta(SentenceSerializer.Meta):
        fields = ("id", "article", "source", "number", "text", "tokens", "starts")


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
