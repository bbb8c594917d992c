from django.urls import include, path

from projects.api.endpoint import route

from . import (
    aligners,
    comparison,
    experiments,
    exports,
    gold_links,
    link_imports,
    link_review,
    linking,
    phrases,
)

in_project = [
    route("link-imports/", link_imports.LinkImportsView, "api-link-imports"),
    route("link-batches/", gold_links.LinkBatchesView, "api-link-batches"),
    route("gold-alignments/", gold_links.GoldAlignmentSetsView, "api-gold-alignment-sets"),
    route("gold-alignments/forecast/", gold_links.GoldAlignmentForecastView, "api-gold-alignments-forecast"),
    route("evaluations/", aligners.EvaluationsView, "api-evaluations"),
    route("experiments/", experiments.ExperimentsView, "api-experiments"),
    route("exports/", exports.ExportsView, "api-exports"),
    route("dataset-exports/", exports.DatasetExportsView, "api-dataset-exports"),
    route("trained-aligners/", aligners.TrainedAlignersView, "api-trained-aligners"),
    route("aligner-runs/", aligners.AlignerRunsView, "api-aligner-runs"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("aligners/", aligners.AlignersView, "api-aligners"),
    route("experiments/<int:pk>/", experiments.ExperimentView, "api-experiment"),
    route("experiment-cells/<int:pk>/errors/", experiments.ExperimentErrorsView, "api-experiment-errors"),
    route("batches/<int:pk>/link-agreement/", link_review.LinkAgreementView, "api-link-agreement"),
    route("batches/<int:pk>/suggestions/", linking.SuggestionsView, "api-suggestions"),
    route("items/<int:pk>/link-review/", link_review.LinkReviewView, "api-link-review"),
    route("assignments/<int:pk>/alignment/", linking.AlignmentView, "api-alignment"),
    route("assignments/<int:pk>/suggestions/", linking.SuggestionReasonsView, "api-suggestion-reasons"),
    route("gold-alignments/<int:pk>/", gold_links.GoldAlignmentSetView, "api-gold-alignment-set"),
    route("gold-alignments/<int:pk>/link-scores/", gold_links.LinkFileScoresView, "api-link-file-scores"),
    route("gold-alignments/<int:pk>/comparison/", comparison.ComparisonView, "api-aligner-comparison"),
    route("gold-alignments/<int:pk>/pairs/", gold_links.GoldAlignmentPairsView, "api-gold-alignment-pairs"),
    route("gold-alignments/<int:pk>/phrase-pairs/", phrases.GoldPhrasePairsView, "api-gold-phrases"),
    route("gold-alignments/<int:pk>/phrase-pairs/file/", phrases.GoldPhraseFileView, "api-gold-phrases-file"),
    route("trained-aligners/<int:pk>/", aligners.TrainedAlignerView, "api-trained-aligner"),
    route("trained-aligners/<int:pk>/again/", aligners.TrainedAlignerAgainView, "api-trained-aligner-again"),
    route("trained-aligners/<int:pk>/file/", aligners.TrainedAlignerFileView, "api-trained-aligner-file"),
    route("trained-aligners/<int:pk>/explanation/", aligners.ExplanationView, "api-link-explanation"),
    route("aligner-runs/<int:pk>/", aligners.AlignerRunView, "api-aligner-run"),
    route("aligner-runs/<int:pk>/links/", aligners.AutomaticAlignmentsView, "api-automatic-alignments"),
    route("aligner-runs/<int:pk>/files/", aligners.AlignerRunFilesView, "api-aligner-run-files"),
    route("aligner-runs/<int:pk>/phrase-pairs/", phrases.RunPhrasePairsView, "api-run-phrases"),
    route("aligner-runs/<int:pk>/phrase-pairs/file/", phrases.RunPhraseFileView, "api-run-phrases-file"),
    route("exports/<int:pk>/", exports.ExportView, "api-export"),
    route("exports/<int:pk>/download/", exports.ExportDownloadView, "api-export-download"),
]
