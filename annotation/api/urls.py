from django.urls import include, path

from annotation.imports import JUDGEMENTS
from corpus.api.imports import import_view
from projects.api.endpoint import route

from . import assignments, batches, classifiers, gold, review

in_project = [
    route("batches/", batches.BatchesView, "api-batches"),
    route("judgement-imports/", import_view(JUDGEMENTS), "api-judgement-imports"),
    route("gold-sets/", gold.GoldSetsView, "api-gold-sets"),
    route("gold-subclusters/", gold.GoldSubclusterSetsView, "api-gold-subcluster-sets"),
    route("classifiers/", classifiers.ClassifiersView, "api-classifiers"),
    route("classifier-runs/", classifiers.ClassifierRunsView, "api-classifier-runs"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("key-bindings/", assignments.KeyBindingsView, "api-key-bindings"),
    route("batches/<int:pk>/", batches.BatchView, "api-batch"),
    route("batches/<int:pk>/review/", review.ReviewView, "api-review"),
    route("batches/<int:pk>/undecided/", review.DecisionQueueView, "api-decision-queue"),
    route("batches/<int:pk>/queue/", assignments.QueueView, "api-queue"),
    route("batches/<int:pk>/history/", assignments.HistoryView, "api-history"),
    route("assignments/<int:pk>/", assignments.AssignmentView, "api-assignment"),
    route("assignments/<int:pk>/context/", assignments.ContextView, "api-context"),
    route("assignments/<int:pk>/judgement/", assignments.JudgementView, "api-judgement"),
    route("items/<int:pk>/adjudication/", review.ItemAdjudicationView, "api-adjudication"),
    route("assignments/<int:pk>/placements/", assignments.PlacementsView, "api-placements"),
    route("items/<int:pk>/subcluster-review/", review.SubclusterReviewView, "api-subcluster-review"),
    route("gold-subclusters/<int:pk>/", gold.GoldSubclusterSetView, "api-gold-subcluster-set"),
    route(
        "gold-subclusters/<int:pk>/clusters/", gold.GoldSubclusterClustersView, "api-gold-subcluster-clusters"
    ),
    route("classifiers/<int:pk>/", classifiers.ClassifierView, "api-classifier"),
    route("classifiers/<int:pk>/file/", classifiers.ClassifierFileView, "api-classifier-file"),
    route("classifier-runs/<int:pk>/", classifiers.ClassifierRunView, "api-classifier-run"),
    route("classifier-runs/<int:pk>/scores/", classifiers.ClassifierRunScoresView, "api-classifier-scores"),
    route("gold-sets/<int:pk>/", gold.GoldSetView, "api-gold-set"),
    route("gold-sets/<int:pk>/pairs/", gold.GoldSetPairsView, "api-gold-set-pairs"),
]
