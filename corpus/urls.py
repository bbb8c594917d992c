"""Addresses of the corpus and its candidate pairs."""

from django.urls import include, path

from corpus.views import (
    articles,
    characteristics,
    datasets,
    dry_run,
    extractions,
    fetching,
    importing,
    lexicons,
    main_text,
    matching,
    matching_studies,
    pairs,
)

in_project = [
    path("corpus/", articles.corpus, name="corpus"),
    path("corpus/import/", importing.corpus_import, name="corpus-import"),
    path("corpus/imports/<int:pk>/", importing.import_page, name="import"),
    path("corpus/imports/<int:pk>/pages/", main_text.mark_blocks, name="import-pages"),
    path("corpus/imports/<int:pk>/method/", main_text.choose_method, name="import-method"),
    path("corpus/story/", main_text.main_text, name="story"),
    path("corpus/story/pages/<int:pk>/forget/", main_text.forget_page, name="marked-page-forget"),
    path("corpus/fetch/", fetching.new_fetch, name="fetch-new"),
    path("corpus/fetches/<int:pk>/", fetching.fetch_page, name="fetch"),
    path("corpus/clusters/<int:pk>/", articles.cluster, name="cluster"),
    path("corpus/articles/<int:pk>/", articles.article, name="article"),
    path("candidates/", extractions.candidates, name="candidates"),
    path("candidates/new/", extractions.new_extraction, name="extraction-new"),
    path("candidates/dry-run/", dry_run.extraction_dry_run, name="extraction-dry-run"),
    path("candidates/match/", matching.new_matching, name="matching-new"),
    path("candidates/match-headlines/", matching.new_headline_matching, name="headline-matching-new"),
    path("candidates/studies/", matching_studies.matching_studies, name="matching-studies"),
    path("candidates/studies/new/", matching_studies.new_matching_study, name="matching-study-new"),
    path("candidates/studies/<int:pk>/", matching_studies.matching_study, name="matching-study"),
    path(
        "candidates/studies/<int:pk>/table/",
        matching_studies.matching_study_table,
        name="matching-study-table",
    ),
    path(
        "candidates/studies/<int:pk>/plot/",
        matching_studies.matching_study_plot,
        name="matching-study-plot",
    ),
    path("candidates/presets/", extractions.new_preset, name="preset-new"),
    path("candidates/presets/<int:pk>/delete/", extractions.preset_delete, name="preset-delete"),
    path("candidates/extractions/<int:pk>/", extractions.extraction, name="extraction"),
    path(
        "candidates/extractions/<int:pk>/datasets/",
        datasets.datasets_of_presets,
        name="datasets-of-presets",
    ),
    path("candidates/pairs/", pairs.pairs, name="pairs"),
    path("candidates/pairs/<int:pk>/", pairs.pair, name="pair"),
    path("candidates/characteristics/", characteristics.characteristics_page, name="characteristics"),
    path("candidates/datasets/new/", datasets.new_dataset, name="dataset-new"),
    path("candidates/datasets/<int:pk>/", datasets.dataset, name="dataset"),
    path("classifier/lexicons/", lexicons.lexicons, name="lexicons"),
    path("classifier/lexicons/new/", lexicons.new_lexicon, name="lexicon-new"),
    path("classifier/lexicons/<int:pk>/", lexicons.lexicon, name="lexicon"),
]

urlpatterns = [path("projects/<slug:slug>/", include(in_project))]
