"""Blocks of pages marked as main text or not, the models trained on them, and the method of an import."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import CorpusImport, MarkedPage, TrainedStoryModel
from corpus.services.main_text import ShownPage, check_again, mark_page, page_of, train_main_text
from projects.api.endpoint import DetailEndpoint, ListEndpoint, ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import LARGEST_ID, ListField, RowSerializer, StrictSerializer
from projects.errors import PublicError
from projects.permissions import check_manage

from .imports import ImportSerializer


class StoryModelSerializer(RowSerializer[TrainedStoryModel]):
    """`figures` are precision, recall and F of words, in percent, of pages left out of the training."""

    trained_by = serializers.CharField(source="trained_by.username", allow_null=True, default=None)

    class Meta:
        model = TrainedStoryModel
        fields = ("id", "version", "sha256", "pages", "blocks", "figures", "trained_by", "trained_at")


class StoryNumbersSerializer(RowSerializer[TrainedStoryModel]):
    """With `numbers`: what `import_corpus --main-text-model` reads."""

    class Meta:
        model = TrainedStoryModel
        fields = ("id", "version", "sha256", "numbers")


class MarkedPageSerializer(RowSerializer[MarkedPage]):
    blocks = serializers.SerializerMethodField()
    story = serializers.SerializerMethodField(help_text="How many blocks are main text.")
    marked_by = serializers.CharField(source="marked_by.username", allow_null=True, default=None)

    class Meta:
        model = MarkedPage
        fields = ("id", "name", "sha256", "blocks", "story", "marked_by", "marked_at")

    def get_blocks(self, page: MarkedPage) -> int:
        return len(page.marks)

    def get_story(self, page: MarkedPage) -> int:
        return sum(page.marks)


class PageBlockSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    tag = serializers.CharField()
    story = serializers.BooleanField()


class ImportedPageSerializer(serializers.Serializer[Any]):
    page = serializers.IntegerField(help_text="Counts the changes, from 1.")
    pages = serializers.IntegerField(help_text="How many pages the import has.")
    name = serializers.CharField()
    sha256 = serializers.CharField(help_text="SHA-256 of the blocks, to be sent with the marks.")
    marked = serializers.BooleanField(
        help_text="Whether people marked the blocks; else the import's method did."
    )
    blocks = PageBlockSerializer(many=True)


class PageNumberSerializer(StrictSerializer):
    page = serializers.IntegerField(default=1, min_value=1, max_value=LARGEST_ID)


class MarksSerializer(StrictSerializer):
    story = ListField(
        max_length=10_000,
        child=serializers.IntegerField(min_value=0, max_value=LARGEST_ID),
        help_text="Numbers of the blocks that are main text, from 0.",
    )
    sha256 = serializers.CharField(max_length=64, help_text="SHA-256 of the blocks that you saw.")


class MethodSerializer(StrictSerializer):
    story_model = serializers.IntegerField(
        allow_null=True,
        min_value=1,
        max_value=LARGEST_ID,
        help_text="Version of the model that finds the main text; null for trafilatura.",
    )


@extend_schema_view(get=extend_schema(operation_id="story_models_list"))
class MainTextModelsView(ListEndpoint):
    """The models of main text, every version."""

    checks = {"GET": check_manage, "POST": check_manage}
    rows = TrainedStoryModel.objects.select_related("trained_by").defer("numbers")
    serializer_class = StoryModelSerializer

    @extend_schema(operation_id="story_models_train", request=None, responses={201: StoryModelSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Train on all marked pages; without changes it returns the latest version."""
        return self.created(StoryModelSerializer, train_main_text(project=self.project, by=self.caller))


@extend_schema_view(get=extend_schema(operation_id="story_models_retrieve"))
class MainTextModelView(DetailEndpoint):
    """One version with its numbers."""

    checks = {"GET": check_manage}
    rows = TrainedStoryModel.objects.all()
    serializer_class = StoryNumbersSerializer


@extend_schema_view(get=extend_schema(operation_id="marked_pages_list"))
class MarkedPagesView(ListEndpoint):
    """The pages whose blocks are marked."""

    checks = {"GET": check_manage}
    rows = MarkedPage.objects.select_related("marked_by").defer("blocks")
    serializer_class = MarkedPageSerializer


class MarkedPageView(ObjectEndpoint):
    checks = {"DELETE": check_manage}
    rows = MarkedPage.objects.all()

    @extend_schema(operation_id="marked_pages_delete", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a page's marks; models trained on it do not change."""
        self.object.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class ImportPagesView(ObjectEndpoint):
    checks = {"GET": check_manage, "PUT": check_manage}
    rows = CorpusImport.objects.all()

    @extend_schema(
        operation_id="import_pages_retrieve",
        parameters=[PageNumberSerializer],
        responses=ImportedPageSerializer,
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The blocks of a page of an import that waits to be stored, and which of them are main text."""
        return Response(page_json(page_of(self.object, self.filters(PageNumberSerializer)["page"])))

    @extend_schema(
        operation_id="import_pages_mark",
        parameters=[PageNumberSerializer],
        request=MarksSerializer,
        responses=ImportedPageSerializer,
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Save which blocks of the page are main text; this replaces earlier marks."""
        number = self.filters(PageNumberSerializer)["page"]
        given = self.body(MarksSerializer)
        shown = page_of(self.object, number)
        if given["sha256"] != shown.sha256:
            raise PublicError("The page has changed since it was marked. Load it again.", field="sha256")
        mark_page(project=self.project, by=self.caller, shown=shown, story=given["story"])
        return Response(page_json(page_of(self.object, number)))


class ImportMethodView(ProjectEndpoint):
    # It ends the import that it is asked of: a request sent again finds it gone, and has the same answer.
    checks = {"POST": check_manage}

    @extend_schema(operation_id="imports_method", request=MethodSerializer, responses={202: ImportSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Find the main text of an import's pages again, by another method. The import is replaced
        by the one of the answer, which a worker checks."""
        version = self.body(MethodSerializer)["story_model"]
        trained = None
        if version is not None:
            trained = self.project.story_models.filter(version=version).first()
            if trained is None:
                raise PublicError("There is no such version of the model.", field="story_model")
        source: CorpusImport = get_object_or_404(self.project.imports, pk=pk)
        again = check_again(source=source, by=self.caller, trained=trained)
        return Response(ImportSerializer(again).data, status=status.HTTP_202_ACCEPTED)


def page_json(shown: ShownPage) -> dict[str, Any]:
    return {
        "page": shown.number,
        "pages": len(shown.names),
        "name": shown.name,
        "sha256": shown.sha256,
        "marked": shown.marked is not None,
        "blocks": [
            {"text": block.text, "tag": block.tag, "story": mark}
            for block, mark in zip(shown.blocks, shown.marks, strict=True)
        ],
    }
