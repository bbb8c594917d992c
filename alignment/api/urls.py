from django.urls import path

from .agreement import LinkAgreementView
from .aligner_runs import AlignerRunFilesView, AlignerRunsView, AlignerRunView, AutomaticAlignmentsView
from .dataset_exports import DatasetExportsView
from .evaluations import AlignersView, EvaluationsView
from .experiments import ExperimentErrorsView, ExperimentsView, ExperimentView
from .exports import ExportDownloadView, ExportsView, ExportView
from .gold_links import (
    GoldAlignmentForecastView,
    GoldAlignmentPairsView,
    GoldAlignmentSetsView,
    GoldAlignmentSetView,
    LinkBatchesView,
)
from .link_imports import LinkImportsView
from .link_review import LinkReviewView
from .links import AlignmentView
from .second_pass import SecondPassView
from .suggestions import SuggestionReasonsView, SuggestionsView
from .trained_aligners import (
    ExplanationView,
    TrainedAlignerAgainView,
    TrainedAlignerFileView,
    TrainedAlignersView,
    TrainedAlignerView,
)

urlpatterns = [
    path("aligners/", AlignersView.as_view(), name="api-aligners"),
    path("projects/<slug:slug>/link-imports/", LinkImportsView.as_view(), name="api-link-imports"),
    path("projects/<slug:slug>/link-batches/", LinkBatchesView.as_view(), name="api-link-batches"),
    path(
        "projects/<slug:slug>/gold-alignments/",
        GoldAlignmentSetsView.as_view(),
        name="api-gold-alignment-sets",
    ),
    path(
        "projects/<slug:slug>/gold-alignments/forecast/",
        GoldAlignmentForecastView.as_view(),
        name="api-gold-alignments-forecast",
    ),
    path("projects/<slug:slug>/evaluations/", EvaluationsView.as_view(), name="api-evaluations"),
    path("projects/<slug:slug>/experiments/", ExperimentsView.as_view(), name="api-experiments"),
    path("experiments/<int:pk>/", ExperimentView.as_view(), name="api-experiment"),
    path("experiment-cells/<int:pk>/errors/", ExperimentErrorsView.as_view(), name="api-experiment-errors"),
    path("projects/<slug:slug>/exports/", ExportsView.as_view(), name="api-exports"),
    path("projects/<slug:slug>/dataset-exports/", DatasetExportsView.as_view(), name="api-dataset-exports"),
    path("batches/<int:pk>/link-agreement/", LinkAgreementView.as_view(), name="api-link-agreement"),
    path("batches/<int:pk>/suggestions/", SuggestionsView.as_view(), name="api-suggestions"),
    path("batches/<int:pk>/second-pass/", SecondPassView.as_view(), name="api-second-pass"),
    path("items/<int:pk>/link-review/", LinkReviewView.as_view(), name="api-link-review"),
    path("assignments/<int:pk>/alignment/", AlignmentView.as_view(), name="api-alignment"),
    path("assignments/<int:pk>/suggestions/", SuggestionReasonsView.as_view(), name="api-suggestion-reasons"),
    path("gold-alignments/<int:pk>/", GoldAlignmentSetView.as_view(), name="api-gold-alignment-set"),
    path(
        "gold-alignments/<int:pk>/pairs/", GoldAlignmentPairsView.as_view(), name="api-gold-alignment-pairs"
    ),
    path(
        "projects/<slug:slug>/trained-aligners/", TrainedAlignersView.as_view(), name="api-trained-aligners"
    ),
    path("trained-aligners/<int:pk>/", TrainedAlignerView.as_view(), name="api-trained-aligner"),
    path(
        "trained-aligners/<int:pk>/again/",
        TrainedAlignerAgainView.as_view(),
        name="api-trained-aligner-again",
    ),
    path(
        "trained-aligners/<int:pk>/file/", TrainedAlignerFileView.as_view(), name="api-trained-aligner-file"
    ),
    path("trained-aligners/<int:pk>/explanation/", ExplanationView.as_view(), name="api-link-explanation"),
    path("projects/<slug:slug>/aligner-runs/", AlignerRunsView.as_view(), name="api-aligner-runs"),
    path("aligner-runs/<int:pk>/", AlignerRunView.as_view(), name="api-aligner-run"),
    path("aligner-runs/<int:pk>/links/", AutomaticAlignmentsView.as_view(), name="api-automatic-alignments"),
    path("aligner-runs/<int:pk>/files/", AlignerRunFilesView.as_view(), name="api-aligner-run-files"),
    path("exports/<int:pk>/", ExportView.as_view(), name="api-export"),
    path("exports/<int:pk>/download/", ExportDownloadView.as_view(), name="api-export-download"),
]
