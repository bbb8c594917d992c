from django.urls import include, path

from alignment.imports import LINKS
from alignment.resources import (
    ALIGNER_RUNS,
    EXPERIMENTS,
    EXPORTS,
    GOLD_LINKS,
    TRAINED_ALIGNERS,
    AutomaticAlignmentSerializer,
    GoldAlignmentSerializer,
)
from corpus.api.imports import import_view
from jobs.api.removal import RemovableObject
from projects.api.endpoint import PartsList, ResourceList, route

from . import aligners, exports, link_review

in_project = [
    route("link-imports/", import_view(LINKS), "api-link-imports"),
    route("gold-alignments/", ResourceList, "api-gold-alignment-sets", resource=GOLD_LINKS),
    route("evaluations/", aligners.EvaluationsView, "api-evaluations"),
    route("experiments/", ResourceList, "api-experiments", resource=EXPERIMENTS),
    route("exports/", ResourceList, "api-exports", resource=EXPORTS),
    route("trained-aligners/", ResourceList, "api-trained-aligners", resource=TRAINED_ALIGNERS),
    route("aligner-runs/", ResourceList, "api-aligner-runs", resource=ALIGNER_RUNS),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("experiments/<int:pk>/", RemovableObject, "api-experiment", resource=EXPERIMENTS),
    route("items/<int:pk>/link-review/", link_review.LinkReviewView, "api-link-review"),
    route("assignments/<int:pk>/alignment/", link_review.AlignmentView, "api-alignment"),
    route("assignments/<int:pk>/suggestions/", link_review.SuggestionReasonsView, "api-suggestion-reasons"),
    route("gold-alignments/<int:pk>/", RemovableObject, "api-gold-alignment-set", resource=GOLD_LINKS),
    route(
        "gold-alignments/<int:pk>/pairs/",
        PartsList,
        "api-gold-alignment-pairs",
        resource=GOLD_LINKS,
        parts=lambda gold_set: gold_set.alignments.select_related(
            "item__pair__sentence_a__article", "item__pair__sentence_b__article"
        ),
        serializer=GoldAlignmentSerializer,
    ),
    route("trained-aligners/<int:pk>/", RemovableObject, "api-trained-aligner", resource=TRAINED_ALIGNERS),
    route("aligner-runs/<int:pk>/", RemovableObject, "api-aligner-run", resource=ALIGNER_RUNS),
    route(
        "aligner-runs/<int:pk>/links/",
        PartsList,
        "api-automatic-alignments",
        resource=ALIGNER_RUNS,
        parts=lambda run: run.alignments.all(),
        serializer=AutomaticAlignmentSerializer,
    ),
    route("exports/<int:pk>/", RemovableObject, "api-export", resource=EXPORTS),
    route("exports/<int:pk>/download/", exports.ExportDownloadView, "api-export-download"),
]
