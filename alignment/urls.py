from django.urls import path

from .views import (
    agreement,
    aligner_runs,
    aligners,
    batches,
    experiments,
    exports,
    gold,
    link_import,
    link_review,
    linking,
    review,
    trained_aligners,
)

urlpatterns = [
    path("projects/<slug:slug>/link/", batches.link, name="link"),
    path("projects/<slug:slug>/link/new/", batches.new_batch, name="link-new"),
    path("projects/<slug:slug>/link/import/", link_import.link_import, name="link-import"),
    path("projects/<slug:slug>/link/<int:pk>/", batches.batch, name="link-detail"),
    path("projects/<slug:slug>/link/<int:pk>/suggestions/", batches.suggestions, name="link-suggestions"),
    path("projects/<slug:slug>/link/<int:pk>/answer/", linking.link_batch, name="link-batch"),
    path("projects/<slug:slug>/link/<int:pk>/again/", linking.second_pass, name="link-second-pass"),
    path("projects/<slug:slug>/link/<int:pk>/agreement/", agreement.link_agreement, name="link-agreement"),
    path("projects/<slug:slug>/link/<int:pk>/review/", link_review.review, name="link-review"),
    path("projects/<slug:slug>/link/items/<int:pk>/review/", link_review.canvas, name="link-canvas"),
    path("projects/<slug:slug>/review/", review.review, name="review"),
    path("projects/<slug:slug>/gold/", gold.gold, name="gold"),
    path("projects/<slug:slug>/gold/links/new/", gold.new_gold_links, name="gold-links-new"),
    path("projects/<slug:slug>/gold/links/<int:pk>/", gold.gold_links, name="gold-links"),
    path("projects/<slug:slug>/aligners/", aligners.aligners, name="aligners"),
    path("projects/<slug:slug>/aligners/score/", aligners.score, name="score"),
    path("projects/<slug:slug>/aligners/new/", trained_aligners.new_aligner, name="aligner-new"),
    path("projects/<slug:slug>/aligners/<int:pk>/", trained_aligners.aligner, name="aligner"),
    path("projects/<slug:slug>/aligners/<int:pk>/again/", trained_aligners.again, name="aligner-again"),
    path(
        "projects/<slug:slug>/aligners/<int:pk>/retire/", trained_aligners.set_retired, name="aligner-retire"
    ),
    path("projects/<slug:slug>/aligners/<int:pk>/delete/", trained_aligners.delete, name="aligner-delete"),
    path(
        "projects/<slug:slug>/aligners/<int:pk>/download/", trained_aligners.download, name="aligner-download"
    ),
    path("projects/<slug:slug>/aligners/<int:pk>/apply/", trained_aligners.apply, name="aligner-apply"),
    path("projects/<slug:slug>/aligners/<int:pk>/pair/", aligner_runs.explanation, name="aligner-pair"),
    path("projects/<slug:slug>/aligners/runs/<int:pk>/", aligner_runs.run, name="aligner-run"),
    path(
        "projects/<slug:slug>/aligners/runs/<int:pk>/delete/", aligner_runs.delete, name="aligner-run-delete"
    ),
    path(
        "projects/<slug:slug>/aligners/runs/<int:pk>/download/",
        aligner_runs.download,
        name="aligner-run-download",
    ),
    path("projects/<slug:slug>/experiments/", experiments.experiments, name="experiments"),
    path("projects/<slug:slug>/experiments/new/", experiments.new_experiment, name="experiment-new"),
    path("projects/<slug:slug>/experiments/<int:pk>/", experiments.experiment, name="experiment"),
    path("projects/<slug:slug>/experiments/<int:pk>/table/", experiments.table, name="experiment-table"),
    path("projects/<slug:slug>/experiments/<int:pk>/delete/", experiments.delete, name="experiment-delete"),
    path("projects/<slug:slug>/experiments/cells/<int:pk>/", experiments.cell, name="experiment-cell"),
    path("projects/<slug:slug>/experiments/cells/<int:pk>/pair/", experiments.pair, name="experiment-pair"),
    path("projects/<slug:slug>/export/", exports.exports, name="exports"),
    path("projects/<slug:slug>/export/new/", exports.new_export, name="export-new"),
    path("projects/<slug:slug>/export/dataset/", exports.new_dataset_export, name="export-dataset"),
    path("projects/<slug:slug>/export/<int:pk>/download/", exports.download, name="export-download"),
]
