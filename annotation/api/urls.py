from django.urls import include, path

from . import assignments, batches, classifiers, figures, gold, importing, key_bindings, members, review

in_project = [
    path("batches/", batches.BatchesView.as_view(), name="api-batches"),
    path("judgement-imports/", importing.JudgementImportsView.as_view(), name="api-judgement-imports"),
    path("progress/", figures.WorkView.as_view(), name="api-progress"),
    path("agreement/", figures.AgreementView.as_view(), name="api-agreement"),
    path("phenomena/", figures.PhenomenaView.as_view(), name="api-phenomena"),
    path("gold-sets/", gold.GoldSetsView.as_view(), name="api-gold-sets"),
    path("gold-sets/forecast/", gold.GoldForecastView.as_view(), name="api-gold-sets-forecast"),
    path("members/<int:pk>/", members.MemberView.as_view(), name="api-member"),
    path("split-batches/", batches.SplitBatchesView.as_view(), name="api-split-batches"),
    path("gold-subclusters/", gold.GoldSubclusterSetsView.as_view(), name="api-gold-subcluster-sets"),
    path(
        "gold-subclusters/forecast/",
        gold.GoldSubclusterForecastView.as_view(),
        name="api-gold-subclusters-forecast",
    ),
    path("classifiers/", classifiers.ClassifiersView.as_view(), name="api-classifiers"),
    path("classifier-runs/", classifiers.ClassifierRunsView.as_view(), name="api-classifier-runs"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    path("key-bindings/", key_bindings.KeyBindingsView.as_view(), name="api-key-bindings"),
    path("batches/<int:pk>/phenomena/", figures.BatchPhenomenaView.as_view(), name="api-batch-phenomena"),
    path("batches/<int:pk>/", batches.BatchView.as_view(), name="api-batch"),
    path("batches/<int:pk>/hand-over/", members.BatchHandOverView.as_view(), name="api-batch-hand-over"),
    path("batches/<int:pk>/annotators/", batches.BatchAnnotatorsView.as_view(), name="api-batch-annotators"),
    path(
        "batches/<int:pk>/judging-second-pass/",
        batches.SecondPassView.as_view(),
        name="api-judging-second-pass",
    ),
    path("batches/<int:pk>/close/", batches.BatchStateView.as_view(), name="api-batch-close"),
    path("batches/<int:pk>/reopen/", batches.BatchStateView.as_view(closes=False), name="api-batch-reopen"),
    path("batches/<int:pk>/review/", review.ReviewView.as_view(), name="api-review"),
    path("batches/<int:pk>/queue/", assignments.QueueView.as_view(), name="api-queue"),
    path("batches/<int:pk>/history/", assignments.HistoryView.as_view(), name="api-history"),
    path("assignments/<int:pk>/", assignments.AssignmentView.as_view(), name="api-assignment"),
    path("assignments/<int:pk>/context/", assignments.ContextView.as_view(), name="api-context"),
    path("assignments/<int:pk>/judgement/", assignments.JudgementView.as_view(), name="api-judgement"),
    path("items/<int:pk>/adjudication/", review.ItemAdjudicationView.as_view(), name="api-adjudication"),
    path("assignments/<int:pk>/placements/", assignments.PlacementsView.as_view(), name="api-placements"),
    path(
        "batches/<int:pk>/subcluster-agreement/",
        figures.SubclusterAgreementView.as_view(),
        name="api-subcluster-agreement",
    ),
    path(
        "items/<int:pk>/subcluster-review/",
        review.SubclusterReviewView.as_view(),
        name="api-subcluster-review",
    ),
    path("gold-subclusters/<int:pk>/", gold.GoldSubclusterSetView.as_view(), name="api-gold-subcluster-set"),
    path(
        "gold-subclusters/<int:pk>/clusters/",
        gold.GoldSubclusterClustersView.as_view(),
        name="api-gold-subcluster-clusters",
    ),
    path(
        "gold-subclusters/<int:pk>/scores/", gold.SubclusterScoresView.as_view(), name="api-subcluster-scores"
    ),
    path(
        "gold-subclusters/<int:pk>/file/",
        gold.GoldSubclusterFileView.as_view(),
        name="api-gold-subcluster-file",
    ),
    path("classifiers/<int:pk>/", classifiers.ClassifierView.as_view(), name="api-classifier"),
    path("classifiers/<int:pk>/file/", classifiers.ClassifierFileView.as_view(), name="api-classifier-file"),
    path(
        "classifiers/<int:pk>/doubts/",
        classifiers.ClassifierDoubtsView.as_view(),
        name="api-classifier-doubts",
    ),
    path(
        "classifiers/<int:pk>/explanation/",
        classifiers.ClassifierExplanationView.as_view(),
        name="api-classifier-explanation",
    ),
    path("classifier-runs/<int:pk>/", classifiers.ClassifierRunView.as_view(), name="api-classifier-run"),
    path(
        "classifier-runs/<int:pk>/scores/",
        classifiers.ClassifierRunScoresView.as_view(),
        name="api-classifier-scores",
    ),
    path(
        "classifier-runs/<int:pk>/datasets/",
        classifiers.ClassifierRunDatasetsView.as_view(),
        name="api-classifier-datasets",
    ),
    path("gold-sets/<int:pk>/", gold.GoldSetView.as_view(), name="api-gold-set"),
    path("gold-sets/<int:pk>/precision/", gold.GoldSetPrecisionView.as_view(), name="api-gold-set-precision"),
    path("gold-sets/<int:pk>/pairs/", gold.GoldSetPairsView.as_view(), name="api-gold-set-pairs"),
]
