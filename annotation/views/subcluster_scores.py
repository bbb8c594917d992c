"""Table 2 of Wubben et al. (2009) for a gold set of sub-clusters."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.forms import blame
from annotation.models import GoldSubclusterSet
from annotation.permissions import check_see_gold
from annotation.services.subclusters.scores import scores_of
from annotation.specs import SubclusterScoresSpec
from annotation.subcluster_scores_form import SubclusterScoresForm
from paragold.matching.sub_clusters import SubClusterScores, TableRow
from paragold.matching.table_2 import METHOD_NAMES, part_name, precision_text
from projects.errors import PublicError
from projects.models import Project
from projects.views.project_view import project_view

# Precision and recall as the paper printed them, by method and whether on clusters only.
PAPER = {
    ("kmeans", True): ("0.91", "0.43"),
    ("kmeans", False): ("0.66", "0.44"),
    ("pairwise", True): ("0.93", "0.39"),
    ("pairwise", False): ("0.76", "0.41"),
}


@require_safe
@project_view(check_see_gold)
def subcluster_scores(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Both methods by the thresholds in the address, or the paper's; tuned, if a share is given."""
    gold_set = get_object_or_404(GoldSubclusterSet.objects.select_related("project"), project=project, pk=pk)
    form = SubclusterScoresForm(request.GET or SubclusterScoresSpec().as_json())
    scores: SubClusterScores | None = None
    if form.is_valid():
        try:
            scores = scores_of(
                gold_set,
                form.spec,
                share=form.cleaned_data["share"],
                seed=form.spec.seed,
            )
        except PublicError as error:
            blame(form, error)
    context: dict[str, Any] = {"gold_set": gold_set, "form": form, "scores": scores}
    if scores:
        context |= {
            "rows": [_row(row) for row in scores.table],
            "development": [(METHOD_NAMES[row.method], f"{row.counts.f:.3f}") for row in scores.development],
            "thresholds": scores.settings.thresholds,
        }
    return render(request, "annotation/subcluster_scores.html", context, status=422 if form.errors else 200)


def _row(row: TableRow) -> dict[str, Any]:
    counts = row.counts
    precision, recall = PAPER[row.method, row.clusters_only]
    return {
        "method": METHOD_NAMES[row.method],
        "headlines": part_name(row),
        "precision": precision_text(counts),
        "recall": f"{counts.recall:.2f}",
        "f": f"{counts.f:.2f}",
        "counts": counts,
        "paper": f"{precision} / {recall}",
    }
