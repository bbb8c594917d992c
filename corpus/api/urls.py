from django.urls import include, path

from .articles import ArticlesView, ClustersView, NearDuplicatesView, SentencesView
from .datasets import CharacteristicsView, DatasetsView, DatasetView, PresetDatasetsView
from .extractions import (
    ExtractionDryRunView,
    ExtractionsView,
    ExtractionView,
    HeadlineMatchingsView,
    MatchingEstimateView,
    MatchingsView,
    PresetsView,
    ProjectPresetsView,
    ProjectPresetView,
)
from .fetches import FetchedAddressesView, FetchesView, FetchImportView, FetchView
from .imports import ImportsView, ImportView, StoreImportView
from .lexicons import LexiconEntriesView, LexiconRatingView, LexiconsView, LexiconView
from .main_text import (
    ImportMethodView,
    ImportPagesView,
    MainTextModelsView,
    MainTextModelView,
    MarkedPagesView,
    MarkedPageView,
)
from .matching_studies import MatchingStudiesView, MatchingStudyView
from .pairs import PairsView
from .uploads import UploadsView, UploadView

in_project = [
    path("imports/", ImportsView.as_view(), name="api-imports"),
    path("imports/<int:pk>/", ImportView.as_view(), name="api-import"),
    path("imports/<int:pk>/store/", StoreImportView.as_view(), name="api-import-store"),
    path("imports/<int:pk>/pages/", ImportPagesView.as_view(), name="api-import-pages"),
    path("imports/<int:pk>/method/", ImportMethodView.as_view(), name="api-import-method"),
    path("marked-pages/", MarkedPagesView.as_view(), name="api-marked-pages"),
    path("marked-pages/<int:pk>/", MarkedPageView.as_view(), name="api-marked-page"),
    path("story-models/", MainTextModelsView.as_view(), name="api-story-models"),
    path("story-models/<int:pk>/", MainTextModelView.as_view(), name="api-story-model"),
    path("fetches/", FetchesView.as_view(), name="api-fetches"),
    path("fetches/<int:pk>/", FetchView.as_view(), name="api-fetch"),
    path("fetches/<int:pk>/addresses/", FetchedAddressesView.as_view(), name="api-fetched-addresses"),
    path("fetches/<int:pk>/import/", FetchImportView.as_view(), name="api-fetch-import"),
    path("uploads/", UploadsView.as_view(), name="api-uploads"),
    path("uploads/<str:token>/", UploadView.as_view(), name="api-upload"),
    path("clusters/", ClustersView.as_view(), name="api-clusters"),
    path("clusters/<int:pk>/near-duplicates/", NearDuplicatesView.as_view(), name="api-near-duplicates"),
    path("articles/", ArticlesView.as_view(), name="api-articles"),
    path("sentences/", SentencesView.as_view(), name="api-sentences"),
    path("presets/", ProjectPresetsView.as_view(), name="api-project-presets"),
    path("presets/<int:pk>/", ProjectPresetView.as_view(), name="api-project-preset"),
    path("extractions/", ExtractionsView.as_view(), name="api-extractions"),
    path("extractions/dry-run/", ExtractionDryRunView.as_view(), name="api-extraction-dry-run"),
    path("matchings/", MatchingsView.as_view(), name="api-matchings"),
    path("headline-matchings/", HeadlineMatchingsView.as_view(), name="api-headline-matchings"),
    path("matchings/estimate/", MatchingEstimateView.as_view(), name="api-matching-estimate"),
    path("matching-studies/", MatchingStudiesView.as_view(), name="api-matching-studies"),
    path("pairs/", PairsView.as_view(), name="api-pairs"),
    path("datasets/", DatasetsView.as_view(), name="api-datasets"),
    path("datasets/presets/", PresetDatasetsView.as_view(), name="api-preset-datasets"),
    path("characteristics/", CharacteristicsView.as_view(), name="api-characteristics"),
    path("lexicons/", LexiconsView.as_view(), name="api-lexicons"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    path("presets/", PresetsView.as_view(), name="api-presets"),
    path("matching-studies/<int:pk>/", MatchingStudyView.as_view(), name="api-matching-study"),
    path("extractions/<int:pk>/", ExtractionView.as_view(), name="api-extraction"),
    path("datasets/<int:pk>/", DatasetView.as_view(), name="api-dataset"),
    path("lexicons/<int:pk>/", LexiconView.as_view(), name="api-lexicon"),
    path("lexicons/<int:pk>/entries/", LexiconEntriesView.as_view(), name="api-lexicon-entries"),
    path("lexicons/<int:pk>/rating/", LexiconRatingView.as_view(), name="api-lexicon-rating"),
]
