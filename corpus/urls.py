"""Addresses of the corpus and its candidate pairs."""

from django.urls import include, path

from corpus.views import (
    articles,
    datasets,
    extractions,
    importing,
    lexicons,
    main_text,
    matching_studies,
    new_project,
    uploaded_texts,
)

corpus_pages = [
    path("", articles.corpus, name="corpus"),
    path("import/", importing.corpus_import, name="corpus-import"),
    path("imports/<int:pk>/", importing.import_page, name="import"),
    path("imports/<int:pk>/pages/", main_text.mark_blocks, name="import-pages"),
    path("imports/<int:pk>/method/", main_text.choose_method, name="import-method"),
    path("main-text/", main_text.main_text, name="main-text"),
    path("main-text/pages/<int:pk>/forget/", main_text.forget_page, name="marked-page-forget"),
    path("fetch/", importing.new_fetch, name="fetch-new"),
    path("fetches/<int:pk>/", importing.fetch_page, name="fetch"),
    path("clusters/<int:pk>/", articles.cluster, name="cluster"),
    path("articles/", articles.articles, name="articles"),
    path("articles/<int:pk>/", articles.article, name="article"),
]
candidate_pages = [
    path("", extractions.candidates, name="candidates"),
    path("new/", extractions.new_extraction, name="extraction-new"),
    path("dry-run/", extractions.extraction_dry_run, name="extraction-dry-run"),
    path("match/", extractions.new_matching, name="matching-new"),
    path("match-headlines/", extractions.new_headline_matching, name="headline-matching-new"),
    path("match-texts/", uploaded_texts.new_text_matching, name="text-matching-new"),
    path("answer-key/", uploaded_texts.draft_answer_key, name="answer-key-draft"),
    path("studies/", matching_studies.matching_studies, name="matching-studies"),
    path("studies/new/", matching_studies.new_matching_study, name="matching-study-new"),
    path("studies/<int:pk>/", matching_studies.matching_study, name="matching-study"),
    path("studies/<int:pk>/table/", matching_studies.matching_study_table, name="matching-study-table"),
    path("studies/<int:pk>/plot/", matching_studies.matching_study_plot, name="matching-study-plot"),
    path("presets/", extractions.new_preset, name="preset-new"),
    path("presets/<int:pk>/delete/", extractions.preset_delete, name="preset-delete"),
    path("extractions/<int:pk>/", extractions.extraction, name="extraction"),
    path("extractions/<int:pk>/datasets/", datasets.datasets_of_presets, name="datasets-of-presets"),
    path("pairs/", articles.pairs, name="pairs"),
    path("pairs/<int:pk>/", articles.pair, name="pair"),
    path("characteristics/", datasets.characteristics_page, name="characteristics"),
    path("external/new/", datasets.attach_dataset, name="external-dataset-new"),
    path("external/<int:pk>/", datasets.external_dataset, name="external-dataset"),
    path("datasets/new/", datasets.new_dataset, name="dataset-new"),
    path("datasets/<int:pk>/", datasets.dataset, name="dataset"),
]
lexicon_pages = [
    path("lexicons/", lexicons.lexicons, name="lexicons"),
    path("lexicons/new/", lexicons.new_lexicon, name="lexicon-new"),
    path("lexicons/<int:pk>/", lexicons.lexicon, name="lexicon"),
    path("lexicons/<int:pk>/file/", lexicons.lexicon_file, name="lexicon-file"),
]

urlpatterns = [
    path("projects/new/", new_project.new_project, name="project-new"),
    path("projects/<slug:slug>/corpus/", include(corpus_pages)),
    path("projects/<slug:slug>/candidates/", include(candidate_pages)),
    path("projects/<slug:slug>/classifier/", include(lexicon_pages)),
]
