from django.urls import path

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

urlpatterns = [
    path("presets/", PresetsView.as_view(), name="api-presets"),
    path("projects/<slug:slug>/imports/", ImportsView.as_view(), name="api-imports"),
    path("projects/<slug:slug>/imports/<int:pk>/", ImportView.as_view(), name="api-import"),
    path("projects/<slug:slug>/imports/<int:pk>/store/", StoreImportView.as_view(), name="api-import-store"),
    path("projects/<slug:slug>/imports/<int:pk>/pages/", ImportPagesView.as_view(), name="api-import-pages"),
    path(
        "projects/<slug:slug>/imports/<int:pk>/method/", ImportMethodView.as_view(), name="api-import-method"
    ),
    path("projects/<slug:slug>/marked-pages/", MarkedPagesView.as_view(), name="api-marked-pages"),
    path("projects/<slug:slug>/marked-pages/<int:pk>/", MarkedPageView.as_view(), name="api-marked-page"),
    path("projects/<slug:slug>/story-models/", MainTextModelsView.as_view(), name="api-story-models"),
    path("projects/<slug:slug>/story-models/<int:pk>/", MainTextModelView.as_view(), name="api-story-model"),
    path("projects/<slug:slug>/fetches/", FetchesView.as_view(), name="api-fetches"),
    path("projects/<slug:slug>/fetches/<int:pk>/", FetchView.as_view(), name="api-fetch"),
    path(
        "projects/<slug:slug>/fetches/<int:pk>/addresses/",
        FetchedAddressesView.as_view(),
        name="api-fetched-addresses",
    ),
    path("projects/<slug:slug>/fetches/<int:pk>/import/", FetchImportView.as_view(), name="api-fetch-import"),
    path("projects/<slug:slug>/uploads/", UploadsView.as_view(), name="api-uploads"),
    path("projects/<slug:slug>/uploads/<str:token>/", UploadView.as_view(), name="api-upload"),
    path("projects/<slug:slug>/clusters/", ClustersView.as_view(), name="api-clusters"),
    path(
        "projects/<slug:slug>/clusters/<int:pk>/near-duplicates/",
        NearDuplicatesView.as_view(),
        name="api-near-duplicates",
    ),
    path("projects/<slug:slug>/articles/", ArticlesView.as_view(), name="api-articles"),
    path("projects/<slug:slug>/sentences/", SentencesView.as_view(), name="api-sentences"),
    path("projects/<slug:slug>/presets/", ProjectPresetsView.as_view(), name="api-project-presets"),
    path("projects/<slug:slug>/presets/<int:pk>/", ProjectPresetView.as_view(), name="api-project-preset"),
    path("projects/<slug:slug>/extractions/", ExtractionsView.as_view(), name="api-extractions"),
    path(
        "projects/<slug:slug>/extractions/dry-run/",
        ExtractionDryRunView.as_view(),
        name="api-extraction-dry-run",
    ),
    path("projects/<slug:slug>/matchings/", MatchingsView.as_view(), name="api-matchings"),
    path(
        "projects/<slug:slug>/headline-matchings/",
        HeadlineMatchingsView.as_view(),
        name="api-headline-matchings",
    ),
    path(
        "projects/<slug:slug>/matchings/estimate/",
        MatchingEstimateView.as_view(),
        name="api-matching-estimate",
    ),
    path(
        "projects/<slug:slug>/matching-studies/", MatchingStudiesView.as_view(), name="api-matching-studies"
    ),
    path("matching-studies/<int:pk>/", MatchingStudyView.as_view(), name="api-matching-study"),
    path("extractions/<int:pk>/", ExtractionView.as_view(), name="api-extraction"),
    path("datasets/<int:pk>/", DatasetView.as_view(), name="api-dataset"),
    path("projects/<slug:slug>/pairs/", PairsView.as_view(), name="api-pairs"),
    path("projects/<slug:slug>/datasets/", DatasetsView.as_view(), name="api-datasets"),
    path("projects/<slug:slug>/datasets/presets/", PresetDatasetsView.as_view(), name="api-preset-datasets"),
    path("projects/<slug:slug>/characteristics/", CharacteristicsView.as_view(), name="api-characteristics"),
    path("projects/<slug:slug>/lexicons/", LexiconsView.as_view(), name="api-lexicons"),
    path("lexicons/<int:pk>/", LexiconView.as_view(), name="api-lexicon"),
    path("lexicons/<int:pk>/entries/", LexiconEntriesView.as_view(), name="api-lexicon-entries"),
    path("lexicons/<int:pk>/rating/", LexiconRatingView.as_view(), name="api-lexicon-rating"),
]
