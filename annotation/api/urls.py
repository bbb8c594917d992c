from django.urls import path

from .agreement import AgreementView
from .assignments import AssignmentView, ContextView, HistoryView, JudgementView, QueueView
from .batches import (
    BatchAnnotatorsView,
    BatchCloseView,
    BatchesView,
    BatchReopenView,
    BatchView,
    SecondPassView,
)
from .classifiers import (
    ClassifierDoubtsView,
    ClassifierExplanationView,
    ClassifierFileView,
    ClassifierRunDatasetsView,
    ClassifierRunScoresView,
    ClassifierRunsView,
    ClassifierRunView,
    ClassifiersView,
    ClassifierView,
)
from .gold import (
    GoldForecastView,
    GoldSetPairsView,
    GoldSetsView,
    GoldSetView,
    GoldSubclusterClustersView,
    GoldSubclusterFileView,
    GoldSubclusterForecastView,
    GoldSubclusterSetsView,
    GoldSubclusterSetView,
)
from .importing import JudgementImportsView
from .key_bindings import KeyBindingsView
from .members import BatchHandOverView, MemberView
from .phenomena import BatchPhenomenaView, PhenomenaView
from .precision import GoldSetPrecisionView
from .progress import WorkView
from .review import ItemAdjudicationView, ReviewView, SubclusterReviewView
from .subclusters import (
    PlacementsView,
    SplitBatchesView,
    SubclusterAgreementView,
    SubclusterScoresView,
)

urlpatterns = [
    path("key-bindings/", KeyBindingsView.as_view(), name="api-key-bindings"),
    path("projects/<slug:slug>/batches/", BatchesView.as_view(), name="api-batches"),
    path(
        "projects/<slug:slug>/judgement-imports/",
        JudgementImportsView.as_view(),
        name="api-judgement-imports",
    ),
    path("projects/<slug:slug>/progress/", WorkView.as_view(), name="api-progress"),
    path("projects/<slug:slug>/agreement/", AgreementView.as_view(), name="api-agreement"),
    path("projects/<slug:slug>/phenomena/", PhenomenaView.as_view(), name="api-phenomena"),
    path("batches/<int:pk>/phenomena/", BatchPhenomenaView.as_view(), name="api-batch-phenomena"),
    path("projects/<slug:slug>/gold-sets/", GoldSetsView.as_view(), name="api-gold-sets"),
    path(
        "projects/<slug:slug>/gold-sets/forecast/", GoldForecastView.as_view(), name="api-gold-sets-forecast"
    ),
    path("batches/<int:pk>/", BatchView.as_view(), name="api-batch"),
    path("projects/<slug:slug>/members/<int:pk>/", MemberView.as_view(), name="api-member"),
    path("batches/<int:pk>/hand-over/", BatchHandOverView.as_view(), name="api-batch-hand-over"),
    path("batches/<int:pk>/annotators/", BatchAnnotatorsView.as_view(), name="api-batch-annotators"),
    path("batches/<int:pk>/judging-second-pass/", SecondPassView.as_view(), name="api-judging-second-pass"),
    path("batches/<int:pk>/close/", BatchCloseView.as_view(), name="api-batch-close"),
    path("batches/<int:pk>/reopen/", BatchReopenView.as_view(), name="api-batch-reopen"),
    path("batches/<int:pk>/review/", ReviewView.as_view(), name="api-review"),
    path("batches/<int:pk>/queue/", QueueView.as_view(), name="api-queue"),
    path("batches/<int:pk>/history/", HistoryView.as_view(), name="api-history"),
    path("assignments/<int:pk>/", AssignmentView.as_view(), name="api-assignment"),
    path("assignments/<int:pk>/context/", ContextView.as_view(), name="api-context"),
    path("assignments/<int:pk>/judgement/", JudgementView.as_view(), name="api-judgement"),
    path("items/<int:pk>/adjudication/", ItemAdjudicationView.as_view(), name="api-adjudication"),
    path("projects/<slug:slug>/split-batches/", SplitBatchesView.as_view(), name="api-split-batches"),
    path("assignments/<int:pk>/placements/", PlacementsView.as_view(), name="api-placements"),
    path(
        "batches/<int:pk>/subcluster-agreement/",
        SubclusterAgreementView.as_view(),
        name="api-subcluster-agreement",
    ),
    path("items/<int:pk>/subcluster-review/", SubclusterReviewView.as_view(), name="api-subcluster-review"),
    path(
        "projects/<slug:slug>/gold-subclusters/",
        GoldSubclusterSetsView.as_view(),
        name="api-gold-subcluster-sets",
    ),
    path(
        "projects/<slug:slug>/gold-subclusters/forecast/",
        GoldSubclusterForecastView.as_view(),
        name="api-gold-subclusters-forecast",
    ),
    path("gold-subclusters/<int:pk>/", GoldSubclusterSetView.as_view(), name="api-gold-subcluster-set"),
    path(
        "gold-subclusters/<int:pk>/clusters/",
        GoldSubclusterClustersView.as_view(),
        name="api-gold-subcluster-clusters",
    ),
    path("gold-subclusters/<int:pk>/scores/", SubclusterScoresView.as_view(), name="api-subcluster-scores"),
    path(
        "gold-subclusters/<int:pk>/file/", GoldSubclusterFileView.as_view(), name="api-gold-subcluster-file"
    ),
    path("projects/<slug:slug>/classifiers/", ClassifiersView.as_view(), name="api-classifiers"),
    path("classifiers/<int:pk>/", ClassifierView.as_view(), name="api-classifier"),
    path("classifiers/<int:pk>/file/", ClassifierFileView.as_view(), name="api-classifier-file"),
    path("classifiers/<int:pk>/doubts/", ClassifierDoubtsView.as_view(), name="api-classifier-doubts"),
    path(
        "classifiers/<int:pk>/explanation/",
        ClassifierExplanationView.as_view(),
        name="api-classifier-explanation",
    ),
    path("projects/<slug:slug>/classifier-runs/", ClassifierRunsView.as_view(), name="api-classifier-runs"),
    path("classifier-runs/<int:pk>/", ClassifierRunView.as_view(), name="api-classifier-run"),
    path("classifier-runs/<int:pk>/scores/", ClassifierRunScoresView.as_view(), name="api-classifier-scores"),
    path(
        "classifier-runs/<int:pk>/datasets/",
        ClassifierRunDatasetsView.as_view(),
        name="api-classifier-datasets",
    ),
    path("gold-sets/<int:pk>/", GoldSetView.as_view(), name="api-gold-set"),
    path("gold-sets/<int:pk>/precision/", GoldSetPrecisionView.as_view(), name="api-gold-set-precision"),
    path("gold-sets/<int:pk>/pairs/", GoldSetPairsView.as_view(), name="api-gold-set-pairs"),
]
