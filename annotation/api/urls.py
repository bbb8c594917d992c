from django.urls import include, path

from annotation.imports import JUDGEMENTS
from annotation.resources import (
    CLASSIFIER_RUNS,
    CLASSIFIERS,
    GOLD_SETS,
    GOLD_SUBCLUSTERS,
    MODEL_ANNOTATORS,
    GoldJudgementSerializer,
    GoldSubclustersSerializer,
    ModelAnswerSerializer,
    PairScoreSerializer,
)
from corpus.api.imports import import_view
from jobs.api.removal import RemovableObject
from projects.api.endpoint import PartsList, ResourceList, route

from . import assignments, batches, classifiers, review

in_project = [
    route("batches/", batches.BatchesView, "api-batches"),
    route("judgement-imports/", import_view(JUDGEMENTS), "api-judgement-imports"),
    route("gold-sets/", ResourceList, "api-gold-sets", resource=GOLD_SETS),
    route("gold-subclusters/", ResourceList, "api-gold-subcluster-sets", resource=GOLD_SUBCLUSTERS),
    route("classifiers/", classifiers.ClassifiersView, "api-classifiers"),
    route("classifier-runs/", ResourceList, "api-classifier-runs", resource=CLASSIFIER_RUNS),
    route("model-annotators/", ResourceList, "api-model-annotators", resource=MODEL_ANNOTATORS),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("key-bindings/", assignments.KeyBindingsView, "api-key-bindings"),
    route("batches/<int:pk>/", batches.BatchView, "api-batch"),
    route("batches/<int:pk>/review/", review.ReviewView, "api-review"),
    route("batches/<int:pk>/undecided/", review.DecisionQueueView, "api-decision-queue"),
    route("batches/<int:pk>/queue/", assignments.QueueView, "api-queue"),
    route("batches/<int:pk>/history/", assignments.HistoryView, "api-history"),
    route("batches/<int:pk>/tries/", batches.TriesView, "api-tries"),
    route("assignments/<int:pk>/", assignments.AssignmentView, "api-assignment"),
    route("assignments/<int:pk>/context/", assignments.ContextView, "api-context"),
    route("assignments/<int:pk>/judgement/", assignments.JudgementView, "api-judgement"),
    route("items/<int:pk>/adjudication/", review.ItemAdjudicationView, "api-adjudication"),
    route("assignments/<int:pk>/placements/", assignments.PlacementsView, "api-placements"),
    route("items/<int:pk>/subcluster-review/", review.SubclusterReviewView, "api-subcluster-review"),
    route(
        "gold-subclusters/<int:pk>/", RemovableObject, "api-gold-subcluster-set", resource=GOLD_SUBCLUSTERS
    ),
    route(
        "gold-subclusters/<int:pk>/clusters/",
        PartsList,
        "api-gold-subcluster-clusters",
        resource=GOLD_SUBCLUSTERS,
        parts=lambda gold_set: gold_set.clusters.select_related("item__cluster"),
        serializer=GoldSubclustersSerializer,
    ),
    route("classifiers/<int:pk>/", RemovableObject, "api-classifier", resource=CLASSIFIERS),
    route("classifiers/<int:pk>/file/", classifiers.ClassifierFileView, "api-classifier-file"),
    route("classifier-runs/<int:pk>/", RemovableObject, "api-classifier-run", resource=CLASSIFIER_RUNS),
    route(
        "classifier-runs/<int:pk>/scores/",
        PartsList,
        "api-classifier-scores",
        resource=CLASSIFIER_RUNS,
        parts=lambda run: run.scores.all(),
        serializer=PairScoreSerializer,
    ),
    route("model-annotators/<int:pk>/", RemovableObject, "api-model-annotator", resource=MODEL_ANNOTATORS),
    route(
        "model-annotators/<int:pk>/answers/",
        PartsList,
        "api-model-answers",
        resource=MODEL_ANNOTATORS,
        parts=lambda annotator: annotator.answers.all(),
        serializer=ModelAnswerSerializer,
    ),
    route("gold-sets/<int:pk>/", RemovableObject, "api-gold-set", resource=GOLD_SETS),
    route(
        "gold-sets/<int:pk>/pairs/",
        PartsList,
        "api-gold-set-pairs",
        resource=GOLD_SETS,
        parts=lambda gold_set: gold_set.judgements.select_related(
            "item__pair__cluster", "item__pair__sentence_a__article", "item__pair__sentence_b__article"
        ),
        serializer=GoldJudgementSerializer,
    ),
]
