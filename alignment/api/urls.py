from django.urls import include, path

from . import (
    aligners,
    experiments,
    exports,
    gold_links,
    link_imports,
    link_review,
    linking,
)

in_project = [
    path("link-imports/", link_imports.LinkImportsView.as_view(), name="api-link-imports"),
    path("link-batches/", gold_links.LinkBatchesView.as_view(), name="api-link-batches"),
    path("gold-alignments/", gold_links.GoldAlignmentSetsView.as_view(), name="api-gold-alignment-sets"),
    path(
        "gold-alignments/forecast/",
        gold_links.GoldAlignmentForecastView.as_view(),
        name="api-gold-alignments-forecast",
    ),
    path("evaluations/", aligners.EvaluationsView.as_view(), name="api-evaluations"),
    path("experiments/", experiments.ExperimentsView.as_view(), name="api-experiments"),
    path("exports/", exports.ExportsView.as_view(), name="api-exports"),
    path("dataset-exports/", exports.DatasetExportsView.as_view(), name="api-dataset-exports"),
    path("trained-aligners/", aligners.TrainedAlignersView.as_view(), name="api-trained-aligners"),
    path("aligner-runs/", aligners.AlignerRunsView.as_view(), name="api-aligner-runs"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    path("aligners/", aligners.AlignersView.as_view(), name="api-aligners"),
    path("experiments/<int:pk>/", experiments.ExperimentView.as_view(), name="api-experiment"),
    path(
        "experiment-cells/<int:pk>/errors/",
        experiments.ExperimentErrorsView.as_view(),
        name="api-experiment-errors",
    ),
    path(
        "batches/<int:pk>/link-agreement/", link_review.LinkAgreementView.as_view(), name="api-link-agreement"
    ),
    path("batches/<int:pk>/suggestions/", linking.SuggestionsView.as_view(), name="api-suggestions"),
    path("batches/<int:pk>/second-pass/", linking.SecondPassView.as_view(), name="api-second-pass"),
    path("items/<int:pk>/link-review/", link_review.LinkReviewView.as_view(), name="api-link-review"),
    path("assignments/<int:pk>/alignment/", linking.AlignmentView.as_view(), name="api-alignment"),
    path(
        "assignments/<int:pk>/suggestions/",
        linking.SuggestionReasonsView.as_view(),
        name="api-suggestion-reasons",
    ),
    path(
        "gold-alignments/<int:pk>/", gold_links.GoldAlignmentSetView.as_view(), name="api-gold-alignment-set"
    ),
    path(
        "gold-alignments/<int:pk>/pairs/",
        gold_links.GoldAlignmentPairsView.as_view(),
        name="api-gold-alignment-pairs",
    ),
    path(
        "trained-aligners/<int:pk>/",
        aligners.TrainedAlignerView.as_view(),
        name="api-trained-aligner",
    ),
    path(
        "trained-aligners/<int:pk>/again/",
        aligners.TrainedAlignerAgainView.as_view(),
        name="api-trained-aligner-again",
    ),
    path(
        "trained-aligners/<int:pk>/file/",
        aligners.TrainedAlignerFileView.as_view(),
        name="api-trained-aligner-file",
    ),
    path(
        "trained-aligners/<int:pk>/explanation/",
        aligners.ExplanationView.as_view(),
        name="api-link-explanation",
    ),
    path("aligner-runs/<int:pk>/", aligners.AlignerRunView.as_view(), name="api-aligner-run"),
    path(
        "aligner-runs/<int:pk>/links/",
        aligners.AutomaticAlignmentsView.as_view(),
        name="api-automatic-alignments",
    ),
    path(
        "aligner-runs/<int:pk>/files/",
        aligners.AlignerRunFilesView.as_view(),
        name="api-aligner-run-files",
    ),
    path("exports/<int:pk>/", exports.ExportView.as_view(), name="api-export"),
    path("exports/<int:pk>/download/", exports.ExportDownloadView.as_view(), name="api-export-download"),
]
