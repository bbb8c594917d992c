"""Classifiers: training them, their figures and files, applying them, and why they decide as they do."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import TrainedClassifier
from annotation.resources import CLASSIFIERS, ClassifierSerializer
from annotation.services.classifiers.inspection import (
    model_of,
)
from annotation.services.classifiers.training import launch_training
from annotation.specs import TrainingSpec
from corpus.api.uploads import LimitedBody, uploaded
from jobs.models import JobState
from projects.api.endpoint import ObjectEndpoint, ResourceList, checked
from projects.api.serializers import (
    IdField,
    SpecSerializer,
    with_rows,
)
from projects.downloads import attachment
from projects.permissions import check_manage


class ClassifierFromFileSerializer(SpecSerializer):
    """Training and test data of a classifier, its features, and how it is fitted."""

    spec_class = TrainingSpec
    leave_out = ("language",)
    name = serializers.CharField(max_length=80)
    lexicon = IdField(required=False, help_text="Lexicon of word association; without one this class is off.")
    bootstrap = IdField(required=False, help_text="A dataset: measure the effect of bootstrapping on it.")
    aligned = IdField(
        required=False,
        help_text="A dataset: for each row of the ablation, train an aligner on the pairs accepted from "
        "it, and measure its alignment error rate. The project needs gold links.",
    )
    file = serializers.FileField(
        max_length=255,
        help_text="Labelled pairs: label TAB sentence TAB sentence, or the format of the Microsoft "
        "Research Paraphrase Corpus.",
    )
    encoding = serializers.CharField(default="utf-8", max_length=40)


class ClassifiersView(LimitedBody, ResourceList):
    resource = CLASSIFIERS
    parser_classes = (MultiPartParser,)

    @extend_schema(
        request={"multipart/form-data": ClassifierFromFileSerializer}, responses={201: ClassifierSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Train the next version on a `file` of labelled pairs; `operations/train-classifier/` takes gold."""
        # Of a form that leaves something out the defaults hold, as for JSON.
        sent = cast(QueryDict, request.data)
        form: dict[str, Any] = {name: sent[name] for name in sent}
        if "classes" in form:
            form["classes"] = sent.getlist("classes")
        fields = checked(ClassifierFromFileSerializer, form, context={"texts": True})
        del fields["file"]
        rows = {
            "lexicon": self.project.lexicons.filter(job__state=JobState.DONE),
            "bootstrap": self.project.datasets.all(),
            "aligned": self.project.datasets.all(),
        }
        with uploaded(request) as (path, filename):
            given = with_rows(fields, **rows) | {"pairs": path, "filename": filename}
            classifier = launch_training(project=self.project, by=self.caller, **given)
        return self.created(ClassifierSerializer, classifier)


class ClassifierFileView(ObjectEndpoint):
    rows = TrainedClassifier.objects.all()
    checks = {"GET": check_manage}

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Its numbers as npz, for `paragold classify-pairs --model`. 400 before it is trained."""
        model_of(self.object)
        name = f"classifier-{self.object.pk}-v{self.object.version}.npz"
        return HttpResponse(
            bytes(self.object.model),
            content_type="application/octet-stream",
            headers=attachment(name, self.project),
        )
