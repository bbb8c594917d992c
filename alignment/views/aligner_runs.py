"""A trained aligner applied to pairs: how far it is, the links it drew, their files, and why each link."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from alignment.models import AlignerRun, Evaluation, Strength
from alignment.services.trained_aligners.applying import run_archive
from alignment.services.trained_aligners.explaining import Explained, drawn_links, explain_pair
from annotation.permissions import check_see_gold
from jobs.models import Job, JobState
from paragold.formats.links.registry import LINK_FORMATS
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.keyset import keyset_page
from projects.views.project_view import project_view, tell

from .ladder import ladder
from .trained_aligners import found as found_aligner


def found(project: Project, pk: int) -> AlignerRun:
    rows = AlignerRun.objects.select_related("trained", "dataset", "gold_set", "job", "created_by")
    return get_object_or_404(rows, project=project, pk=pk)


@require_safe
@project_view(check_see_gold)
def run(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    chosen = found(project, pk)
    rows = chosen.alignments.select_related("pair__sentence_a", "pair__sentence_b")
    page = keyset_page(rows, request.GET.dict() | {"sort": "pair"}, {"pair": "pair_id"})
    scores = Evaluation.objects.filter(
        trained__sha256=chosen.trained.sha256, gold_set=chosen.gold_set_id or 0
    )
    context = {
        "run": chosen,
        "job": chosen.job,
        "page": page,
        "rows": [(row, len(row.link_list)) for row in page.rows],
        "formats": LINK_FORMATS.ids(),
        "done": chosen.job.state == JobState.DONE,
        "evaluation": scores.first(),
    }
    return render(request, "alignment/aligner_run.html", context)


@require_safe
@project_view(check_manage)
def download(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The links as files, in the `format` of the address."""
    chosen = found(project, pk)
    wanted = request.GET.get("format", LINK_FORMATS.ids()[0])
    try:
        data = run_archive(chosen, wanted)
    except PublicError as error:
        tell(request, error)
        return redirect("aligner-run", project.slug, pk)
    name = f"{project.slug}-links-{chosen.pk}-{wanted}.zip"
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(data, content_type="application/zip", headers={"Content-Disposition": disposition})


@require_safe
@project_view(check_see_gold)
def explanation(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Why the aligner draws the links of `?pair=`; `?link=3-4` chooses one of them."""
    trained = found_aligner(project, pk)
    context: dict[str, Any] = {"trained": trained}
    wanted = request.GET.get("pair", "")
    try:
        if not trained.recipe.method.gives_reasons:
            pair, links = drawn_links(trained=trained, pair=wanted)
        else:
            explained = explain_pair(trained=trained, pair=wanted)
            pair, links = explained.pair, [one.link for one in explained.links if one.drawn]
            context |= {"explained": explained, "chosen": _chosen(explained, request)}
    except PublicError as error:
        context["problem"] = str(error)
        return render(request, "alignment/aligner_pair.html", context)
    tokens = pair.sentence_a.token_list, pair.sentence_b.token_list
    context |= {
        "pair": pair,
        "words": [(tokens[0][a], tokens[1][b]) for a, b in links],
        "drawing": ladder(*tokens, [(*link, Strength.SURE) for link in links]),
    }
    return render(request, "alignment/aligner_pair.html", context)


def _chosen(explained: Explained, request: HttpRequest) -> Any:
    """The link of the address; else the drawn one that was least certain."""
    wanted = request.GET.get("link", "")
    for one in explained.links:
        if f"{one.link[0]}-{one.link[1]}" == wanted:
            return one
    drawn = [one for one in explained.links if one.drawn]
    return min(drawn, key=lambda one: one.probability, default=None)


def page_of_job(job: Job) -> str:
    return reverse("aligner-run", args=[job.project.slug, job.aligner_run.pk])
