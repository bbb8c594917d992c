from django.urls import include, path

from alignment.imports import LINKS
from corpus.api.imports import import_view
from projects.api.endpoint import route

from . import (
    aligners,
    experiments,
    exports,
    gold_links,
    link_review,
)

in_project = [
    route("link-imports/", import_view(LINKS), "api-link-imports"),
    route("gold-alignments/", gold_links.GoldAlignmentSetsView, "api-gold-alignment-sets"),
    route("evaluations/", aligners.EvaluationsView, "api-evaluations"),
    route("experiments/", experiments.ExperimentsView, "api-experiments"),
    route("exports/", exports.ExportsView, "api-exports"),
    route("trained-aligners/", aligners.TrainedAlignersView, "api-trained-aligners"),
    route("aligner-runs/", aligners.AlignerRunsView, "api-aligner-runs"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("experiments/<int:pk>/", experiments.ExperimentView, "api-experiment"),
    route("items/<int:pk>/link-review/", link_review.LinkReviewView, "api-link-review"),
    route("assignments/<int:pk>/alignment/", link_review.AlignmentView, "api-alignment"),
    route("assignments/<int:pk>/suggestions/", link_review.SuggestionReasonsView, "api-suggestion-reasons"),
    route("gold-alignments/<int:pk>/", gold_links.GoldAlignmentSetView, "api-gold-alignment-set"),
    route("gold-alignments/<int:pk>/pairs/", gold_links.GoldAlignmentPairsView, "api-gold-alignment-pairs"),
    route("trained-aligners/<int:pk>/", aligners.TrainedAlignerView, "api-trained-aligner"),
    route("aligner-runs/<int:pk>/", aligners.AlignerRunView, "api-aligner-run"),
    route("aligner-runs/<int:pk>/links/", aligners.AutomaticAlignmentsView, "api-automatic-alignments"),
    route("exports/<int:pk>/", exports.ExportView, "api-export"),
    route("exports/<int:pk>/download/", exports.ExportDownloadView, "api-export-download"),
]
