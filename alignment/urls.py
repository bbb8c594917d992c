from django.urls import include, path

from alignment.resources import EXPERIMENTS
from annotation.views import review_lists
from corpus.views.importing import new_import
from projects.views.lists import list_view

from .views import aligners, batches, comparison, experiments, exports, gold, review

in_project = [
    path("link/", batches.link, name="link"),
    path("link/import/", new_import, {"kind": "links"}, name="link-import"),
    path("link/<int:pk>/", batches.batch, name="link-detail"),
    path("link/<int:pk>/suggestions/", batches.suggestions, name="link-suggestions"),
    path("link/<int:pk>/answer/", batches.link_batch, name="link-batch"),
    path("link/<int:pk>/agreement/", review.link_agreement, name="link-agreement"),
    path("link/<int:pk>/review/", review_lists.review_list, {"kind": "link"}, name="link-review"),
    path("link/items/<int:pk>/review/", review.canvas, name="link-canvas"),
    path("review/", review.review, name="review"),
    path("gold/", gold.gold, name="gold"),
    path("gold/links/<int:pk>/", gold.gold_links, name="gold-links"),
    path("gold/links/<int:pk>/phrases/", gold.gold_phrases, name="gold-phrases"),
    path("aligners/", aligners.aligners, name="aligners"),
    path("aligners/score/", aligners.score, name="score"),
    path("aligners/score-file/", aligners.score_file, name="score-file"),
    path("aligners/compare/", comparison.comparison, name="aligners-compare"),
    path("aligners/<int:pk>/", aligners.aligner, name="aligner"),
    path("aligners/<int:pk>/again/", aligners.again, name="aligner-again"),
    path("aligners/<int:pk>/download/", aligners.download, name="aligner-download"),
    path("aligners/<int:pk>/pair/", aligners.explanation, name="aligner-pair"),
    path("aligners/runs/<int:pk>/", aligners.run, name="aligner-run"),
    path("aligners/runs/<int:pk>/download/", aligners.download_links, name="aligner-run-download"),
    path("aligners/runs/<int:pk>/phrases/", gold.run_phrases, name="run-phrases"),
    path("experiments/", list_view(EXPERIMENTS), name="experiments"),
    path("experiments/<int:pk>/", experiments.experiment, name="experiment"),
    path("experiments/cells/<int:pk>/", experiments.cell, name="experiment-cell"),
    path("experiments/cells/<int:pk>/pair/", experiments.pair, name="experiment-pair"),
    path("export/", exports.exports, name="exports"),
    path("export/<int:pk>/download/", exports.download, name="export-download"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
]
