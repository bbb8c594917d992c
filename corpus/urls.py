"""Addresses of the corpus and its candidate pairs."""

from django.urls import include, path

from corpus.resources import ARTICLES, LEXICONS
from corpus.views import (
    articles,
    datasets,
    extractions,
    importing,
    lexicons,
)
from projects.views.lists import list_view

corpus_pages = [
    path("", articles.corpus, name="corpus"),
    path("import/", importing.new_import, {"kind": "articles"}, name="corpus-import"),
    path("imports/<int:pk>/", importing.import_page, name="import"),
    path("clusters/<int:pk>/", articles.cluster, name="cluster"),
    path("articles/", list_view(ARTICLES), name="articles"),
    path("articles/<int:pk>/", articles.article, name="article"),
]
candidate_pages = [
    path("", extractions.candidates, name="candidates"),
    path("new/", extractions.new_extraction, name="extraction-new"),
    path("dry-run/", extractions.extraction_dry_run, name="extraction-dry-run"),
    path("match-texts/", extractions.new_text_matching, name="text-matching-new"),
    path("presets/", extractions.new_preset, name="preset-new"),
    path("presets/<int:pk>/delete/", extractions.preset_delete, name="preset-delete"),
    path("extractions/<int:pk>/", extractions.extraction, name="extraction"),
    path("extractions/<int:pk>/datasets/", datasets.datasets_of_presets, name="datasets-of-presets"),
    path("pairs/", articles.pairs, name="pairs"),
    path("pairs/<int:pk>/", articles.pair, name="pair"),
    path("characteristics/", datasets.characteristics_page, name="characteristics"),
    path("datasets/", datasets.datasets, name="datasets"),
    path("datasets/<int:pk>/", datasets.dataset, name="dataset"),
]
lexicon_pages = [
    path("lexicons/", list_view(LEXICONS), name="lexicons"),
    path("lexicons/<int:pk>/", lexicons.lexicon, name="lexicon"),
    path("lexicons/<int:pk>/file/", lexicons.lexicon_file, name="lexicon-file"),
]

urlpatterns = [
    path("projects/new/", importing.new_project, {"kind": "articles"}, name="project-new"),
    path("projects/<slug:slug>/corpus/", include(corpus_pages)),
    path("projects/<slug:slug>/candidates/", include(candidate_pages)),
    path("projects/<slug:slug>/classifier/", include(lexicon_pages)),
]
