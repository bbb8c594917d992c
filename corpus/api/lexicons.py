"""Lexicons: building them, their figures, and their word pairs as a file."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import Lexicon, LexiconKind
from corpus.services.lexicons import Goodness, goodness, launch_lexicon
from corpus.views.lexicons import file_response
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.classification.lexicon_settings import LexiconSpec
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import (
    IdField,
    RowSerializer,
    SpecSerializer,
    rows_with_ids,
    serializer_of,
)
from projects.permissions import check_manage, check_read_corpus

GoodnessSerializer = serializer_of(
    Goodness, "pairs", "in_wordnet", "share_in_wordnet", "rated_by_one", "rated_by_two", "disagreed",
    "phrases", "rated", "good", "enough", "score", "interval", "agreement", "agreement_interval",
)  # fmt: skip


class LexiconSerializer(RowSerializer[Lexicon]):
    state = serializers.CharField(source="job.state")
    requested_by = serializers.CharField(source="job.requested_by.username", allow_null=True, default=None)
    requested_at = serializers.DateTimeField(source="job.requested_at")

    class Meta:
        model = Lexicon
        fields = (
            "id", "name", "version", "kind", "dataset", "job", "state", "parameters", "size", "figures",
            "requested_by", "requested_at", "signature", "archived_at",
        )  # fmt: skip


class RatedLexiconSerializer(serializers.Serializer[Any]):
    lexicon = LexiconSerializer()
    goodness = GoodnessSerializer(
        allow_null=True, help_text="Goodness score of the lexicon; null where WordNet is not installed."
    )


class NewLexiconSerializer(SpecSerializer):
    spec_class = LexiconSpec
    kind = serializers.ChoiceField(choices=LexiconKind.choices)
    name = serializers.CharField(max_length=80)
    dataset = IdField()


@extend_schema_view(get=extend_schema(operation_id="lexicons_list"))
class LexiconsView(RemovableListEndpoint):
    """The lexicons of the project, every version."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = Lexicon.objects.select_related("job__requested_by")
    serializer_class = LexiconSerializer

    @extend_schema(request=NewLexiconSerializer, responses={201: LexiconSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Build the next version of a lexicon from a dataset, by a job."""
        fields: dict[str, Any] = self.body(NewLexiconSerializer)
        fields["dataset"] = rows_with_ids(self.project.datasets.all(), [fields["dataset"]], field="dataset")[
            0
        ]
        return self.created(LexiconSerializer, launch_lexicon(project=self.project, by=self.caller, **fields))


class LexiconView(RemovableEndpoint):
    rows = Lexicon.objects.select_related("job__requested_by")
    checks = {"GET": check_read_corpus, "DELETE": check_manage}
    serializer_class = RatedLexiconSerializer

    def get(self, request: Request, pk: int) -> Response:
        """One lexicon with its share in WordNet by rank and its goodness."""
        score = goodness(self.object) if self.object.kind == LexiconKind.ASSOCIATION else None
        return Response(RatedLexiconSerializer({"lexicon": self.object, "goodness": score}).data)


class LexiconFileView(ObjectEndpoint):
    rows = Lexicon.objects.select_related("project")
    checks = {"GET": check_read_corpus}

    @extend_schema(responses={(200, "text/tab-separated-values"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> StreamingHttpResponse:
        """All of its word pairs as lines of tab-separated values, best first, below a header."""
        self.filters()
        return file_response(self.object)
