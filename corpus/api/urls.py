from django.urls import include, path

from projects.api.endpoint import route

from . import (
    articles,
    datasets,
    extractions,
    imports,
    lexicons,
    matching_studies,
    uploads,
)

in_project = [
    route("imports/", imports.ImportsView, "api-imports"),
    route("imports/<int:pk>/", imports.ImportView, "api-import"),
    route("imports/<int:pk>/store/", imports.StoreImportView, "api-import-store"),
    route("uploads/", uploads.UploadsView, "api-uploads"),
    route("uploads/<str:token>/", uploads.UploadView, "api-upload"),
    route("clusters/", articles.ClustersView, "api-clusters"),
    route("clusters/<int:pk>/near-duplicates/", articles.NearDuplicatesView, "api-near-duplicates"),
    route("articles/", articles.ArticlesView, "api-articles"),
    route("sentences/", articles.SentencesView, "api-sentences"),
    route("presets/", extractions.ProjectPresetsView, "api-project-presets"),
    route("presets/<int:pk>/", extractions.ProjectPresetView, "api-project-preset"),
    route("extractions/", extractions.ExtractionsView, "api-extractions"),
    route("extractions/dry-run/", extractions.ExtractionDryRunView, "api-extraction-dry-run"),
    route("matchings/", extractions.MatchingsView, "api-matchings"),
    route("headline-matchings/", extractions.HeadlineMatchingsView, "api-headline-matchings"),
    route("matchings/estimate/", extractions.MatchingEstimateView, "api-matching-estimate"),
    route("text-matchings/", matching_studies.TextMatchingsView, "api-text-matchings"),
    route("key-drafts/", matching_studies.KeyDraftsView, "api-key-drafts"),
    route("matching-studies/", matching_studies.MatchingStudiesView, "api-matching-studies"),
    route("pairs/", articles.PairsView, "api-pairs"),
    route("datasets/", datasets.DatasetsView, "api-datasets"),
    route("datasets/presets/", datasets.PresetDatasetsView, "api-preset-datasets"),
    route("characteristics/", datasets.CharacteristicsView, "api-characteristics"),
    route("lexicons/", lexicons.LexiconsView, "api-lexicons"),
    route("lexicon-files/", lexicons.LexiconFilesView, "api-lexicon-files"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("presets/", extractions.PresetsView, "api-presets"),
    route("matching-studies/<int:pk>/", matching_studies.MatchingStudyView, "api-matching-study"),
    route("extractions/<int:pk>/", extractions.ExtractionView, "api-extraction"),
    route("datasets/<int:pk>/", datasets.DatasetView, "api-dataset"),
    route("lexicons/<int:pk>/", lexicons.LexiconView, "api-lexicon"),
    route("lexicons/<int:pk>/entries/", lexicons.LexiconEntriesView, "api-lexicon-entries"),
    route("lexicons/<int:pk>/file/", lexicons.LexiconFileView, "api-lexicon-file"),
    route("lexicons/<int:pk>/rating/", lexicons.LexiconRatingView, "api-lexicon-rating"),
]
