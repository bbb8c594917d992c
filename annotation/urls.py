from django.urls import path

from .views import (
    agreement_report,
    answering,
    batches,
    dashboard,
    gold,
    gold_subclusters,
    importing,
    judged_pairs,
    key_bindings,
    members,
    phenomena,
    review,
    second_pass,
    splitting,
    subcluster_review,
    subcluster_scores,
)
from .views.classifier_runs import apply_classifier, classifier_pair, classifier_run
from .views.classifiers import classifier, classifiers, new_classifier
from .views.obstacles import become_adjudicator

urlpatterns = [
    path("accounts/keys/", key_bindings.key_bindings, name="keys"),
    path("projects/<slug:slug>/judge/", batches.judge, name="judge"),
    path("projects/<slug:slug>/judge/new/", batches.new_batch, name="batch-new"),
    path("projects/<slug:slug>/judge/import/", importing.judgements_import, name="judgements-import"),
    path("projects/<slug:slug>/judge/<int:pk>/", batches.batch, name="batch"),
    path("projects/<slug:slug>/judge/<int:pk>/second-pass/", second_pass.second_pass, name="second-pass"),
    path("projects/<slug:slug>/members/<int:pk>/remove/", members.remove, name="member-remove"),
    path("projects/<slug:slug>/batches/<int:pk>/hand-over/", members.hand_over, name="batch-hand-over"),
    path("projects/<slug:slug>/members/adjudicator/", become_adjudicator, name="become-adjudicator"),
    path("projects/<slug:slug>/judge/<int:pk>/annotators/", batches.batch_annotator, name="batch-annotator"),
    path("projects/<slug:slug>/judge/<int:pk>/answer/", answering.judge_batch, name="judge-batch"),
    path("projects/<slug:slug>/split/", splitting.split, name="split"),
    path("projects/<slug:slug>/split/new/", splitting.new_batch, name="split-new"),
    path("projects/<slug:slug>/split/<int:pk>/", splitting.batch, name="split-detail"),
    path("projects/<slug:slug>/split/<int:pk>/answer/", splitting.split_batch, name="split-batch"),
    path(
        "projects/<slug:slug>/split/<int:pk>/agreement/", subcluster_review.agreement, name="split-agreement"
    ),
    path("projects/<slug:slug>/split/<int:pk>/review/", subcluster_review.review, name="split-review"),
    path("projects/<slug:slug>/split/items/<int:pk>/review/", subcluster_review.decide, name="split-decide"),
    path(
        "projects/<slug:slug>/gold/subclusters/new/",
        gold_subclusters.new_gold_subclusters,
        name="gold-subclusters-new",
    ),
    path(
        "projects/<slug:slug>/gold/subclusters/<int:pk>/",
        gold_subclusters.gold_subclusters,
        name="gold-subclusters",
    ),
    path(
        "projects/<slug:slug>/gold/subclusters/<int:pk>/scores/",
        subcluster_scores.subcluster_scores,
        name="subcluster-scores",
    ),
    path(
        "projects/<slug:slug>/gold/subclusters/<int:pk>/file/",
        gold_subclusters.gold_subclusters_file,
        name="gold-subclusters-file",
    ),
    path("projects/<slug:slug>/review/<int:pk>/", review.review_batch, name="review-batch"),
    path("projects/<slug:slug>/review/pairs/", judged_pairs.judged_pairs, name="judged-pairs"),
    path("projects/<slug:slug>/review/items/<int:pk>/", review.adjudicate, name="adjudicate"),
    path("projects/<slug:slug>/progress/", dashboard.progress, name="progress"),
    path("projects/<slug:slug>/agreement/", agreement_report.agreement, name="agreement"),
    path("projects/<slug:slug>/phenomena/", phenomena.phenomena, name="phenomena"),
    path("projects/<slug:slug>/judge/<int:pk>/phenomena/", phenomena.batch_phenomena, name="batch-phenomena"),
    path("projects/<slug:slug>/classifier/", classifiers, name="classifiers"),
    path("projects/<slug:slug>/classifier/new/", new_classifier, name="classifier-new"),
    path("projects/<slug:slug>/classifier/<int:pk>/", classifier, name="classifier"),
    path("projects/<slug:slug>/classifier/<int:pk>/apply/", apply_classifier, name="classifier-apply"),
    path("projects/<slug:slug>/classifier/<int:pk>/pair/", classifier_pair, name="classifier-pair"),
    path("projects/<slug:slug>/classifier/runs/<int:pk>/", classifier_run, name="classifier-run"),
    path("projects/<slug:slug>/gold/new/", gold.new_gold_set, name="gold-new"),
    path("projects/<slug:slug>/gold/<int:pk>/", gold.gold_set, name="gold-set"),
]
