from django.urls import include, path

from corpus.views.importing import new_import

from .views import (
    agreement,
    answering,
    batches,
    classifiers,
    competence,
    gold,
    members,
    models,
    phenomena,
    progress,
    review,
    review_lists,
    subclusters,
    training,
)

in_project = [
    path("judge/", batches.judge, name="judge"),
    path("judge/trial/", batches.trial_batch, name="batch-trial"),
    path("judge/import/", new_import, {"kind": "judgements"}, name="judgements-import"),
    path("judge/<int:pk>/", batches.batch, name="batch"),
    path("batches/<int:pk>/second-pass/", batches.second_pass, name="second-pass"),
    path("members/<int:pk>/remove/", members.remove, name="member-remove"),
    path("batches/<int:pk>/hand-over/", members.hand_over, name="batch-hand-over"),
    path("members/adjudicator/", members.become_adjudicator, name="become-adjudicator"),
    path("judge/<int:pk>/annotators/", batches.batch_annotator, name="batch-annotator"),
    path("judge/models/<int:pk>/", models.model_annotator, name="model-annotator"),
    path("judge/<int:pk>/answer/", answering.judge_batch, name="judge-batch"),
    path("judge/<int:pk>/try/", training.training_try, name="training-try"),
    path("guidelines/confirm/", training.confirm, name="guidelines-confirm"),
    path("split/", subclusters.split, name="split"),
    path("split/<int:pk>/", subclusters.batch, name="split-detail"),
    path("split/<int:pk>/answer/", subclusters.split_batch, name="split-batch"),
    path("split/<int:pk>/agreement/", subclusters.agreement, name="split-agreement"),
    path("split/<int:pk>/review/", review_lists.review_list, {"kind": "split"}, name="split-review"),
    path("split/items/<int:pk>/review/", subclusters.decide, name="split-decide"),
    path("gold/subclusters/<int:pk>/", gold.gold_subclusters, name="gold-subclusters"),
    path("gold/subclusters/<int:pk>/scores/", subclusters.subcluster_scores, name="subcluster-scores"),
    path("gold/subclusters/<int:pk>/links/", subclusters.subcluster_links, name="subcluster-links"),
    path("gold/subclusters/<int:pk>/file/", gold.gold_subclusters_file, name="gold-subclusters-file"),
    path("review/<int:pk>/", review_lists.review_list, {"kind": "judge"}, name="review-batch"),
    path("review/pairs/", review_lists.judged_pairs, name="judged-pairs"),
    path("review/items/<int:pk>/", review.adjudicate, name="adjudicate"),
    path("progress/", progress.progress, name="progress"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("agreement/competence/", competence.competence, name="competence"),
    path("phenomena/", phenomena.phenomena, name="phenomena"),
    path("judge/<int:pk>/phenomena/", phenomena.batch_phenomena, name="batch-phenomena"),
    path("classifier/", classifiers.classifiers, name="classifiers"),
    path("classifier/<int:pk>/", classifiers.classifier, name="classifier"),
    path("classifier/<int:pk>/pair/", classifiers.classifier_pair, name="classifier-pair"),
    path("classifier/runs/<int:pk>/", classifiers.classifier_run, name="classifier-run"),
    path("gold/<int:pk>/", gold.gold_set, name="gold-set"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    path("accounts/keys/", answering.key_bindings, name="keys"),
]
