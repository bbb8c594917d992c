"""Aligners: what they score (table 1 of DQB04), training one, one in detail, and the links that it draws."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from alignment.forms import MAX_MEGABYTES, LinkFileForm, ScoreForm
from alignment.models import AlignerRun, Evaluation, GoldAlignment, Strength, TrainedAligner
from alignment.resources import TRAINED_ALIGNERS
from alignment.services.experiment_tables import NAMES
from alignment.services.scoring import score_aligner, score_link_file
from alignment.services.trained_aligners import stored
from alignment.services.trained_aligners.applying import (
    apply_aligner,
    drawn_links,
    explain_pair,
    run_archive,
)
from alignment.services.trained_aligners.launching import (
    new_gold_pairs,
    newest_version,
    train_again,
)
from annotation.permissions import check_see_gold
from annotation.presenters import percent, percents
from corpus.models import in_held_out_cluster
from corpus.services.uploads import on_disk
from corpus.views.uploads import SizeLimit, bounded_upload
from jobs.models import JobState
from paragold.aligners.registry import ALIGNERS
from paragold.charts import Chart, line_chart
from paragold.formats.link_files import LINK_FORMATS
from paragold.problems import FileProblem
from projects.api.serializers import LARGEST_ID
from projects.downloads import attachment, zip_response
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.reports import Asked, Report, report
from projects.views.figures import page_with_figures
from projects.views.keyset import keyset_page
from projects.views.lists import table_of
from projects.views.project_view import (
    POST,
    SAFE,
    form_page,
    initial_from,
    project_view,
    show_field_error,
    submitted,
    user_of,
)

from .ladder import ladder


@report("alignment/aligners.html", check_see_gold)
def aligners(asked: Asked) -> Report:
    """The scores of aligners; for programs the word aligners with their parameters."""
    project = asked.project
    form = ScoreForm(project=project, initial=initial_from(asked.request, "gold_set"))
    methods = [
        {
            "name": method.id,
            "learns_from_pairs": method.learns_from_pairs,
            "learns_from_gold": method.learns_from_gold,
            "parameters": method.parameters().as_json() | method.settings_for(*project.languages),
        }
        for method in ALIGNERS
    ]
    return Report(
        answer={"aligners": methods},
        page=lambda: {"form": form, **_scores(asked.request, project)},
        name="aligners",
    )


def _show_error_rate(request: HttpRequest, evaluation: Evaluation) -> None:
    words = {"scored": evaluation, "aer": percent(evaluation.scores["all"]["aer"])}
    messages.success(request, gettext("%(scored)s: AER %(aer)s.") % words)


@project_view(check_manage, POST)
def score(request: HttpRequest, project: Project) -> HttpResponse:
    form = ScoreForm(request.POST, project=project)
    if form.is_valid() and form.cleaned_data["aligner"].startswith(stored.PREFIX):
        return _apply(request, project, form)
    if evaluation := submitted(form, lambda: score_aligner(**form.cleaned_data)):
        _show_error_rate(request, evaluation)
        return redirect("aligners", project.slug)
    return _scores_page(request, project, form)


@bounded_upload
@project_view(check_manage)
def score_file(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    """Score the links of another program's file."""
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = LinkFileForm(*sent, project=project)
    if limit.exceeded:
        form.errors.pop("file", None)
        form.add_error(
            "file", gettext("This file is too large: at most %(limit)s MB.") % {"limit": MAX_MEGABYTES}
        )
    if form.is_bound and form.is_valid():
        try:
            with on_disk(form.cleaned_data["file"].chunks()) as path:
                evaluation = score_link_file(path=path, **form.arguments())
        except FileProblem as problem:
            form.add_error("file", str(problem))
        except PublicError as error:
            show_field_error(form, error)
        else:
            _show_error_rate(request, evaluation)
            return redirect("aligners", project.slug)
    gold_links = project.gold_alignment_sets.current().exists()
    return form_page(request, "alignment/score_file.html", form, gold_links=gold_links)


def _apply(request: HttpRequest, project: Project, form: ScoreForm) -> HttpResponse:
    """Have a trained aligner scored: by a job, since opening it takes long."""
    fields = form.cleaned_data
    if fields["strengths"] != "as_drawn":
        form.add_error(
            "strengths", gettext("A trained aligner is scored against the links as they are drawn.")
        )
        return _scores_page(request, project, form)
    trained = stored.chosen(project, fields["aligner"])
    run = apply_aligner(project=project, by=user_of(request), trained=trained, gold_set=fields["gold_set"])
    return redirect("aligner-run", project.slug, run.pk)


def _scores_page(request: HttpRequest, project: Project, form: ScoreForm) -> HttpResponse:
    return form_page(request, "alignment/aligners.html", form, **_scores(request, project))


def _scores(request: HttpRequest, project: Project) -> dict[str, Any]:
    evaluations = Evaluation.objects.filter(gold_set__in=project.gold_alignment_sets.all()).select_related(
        "gold_set"
    )

    def with_scores(aligners: list[TrainedAligner]) -> list[TrainedAligner]:
        for trained, scores in gold_scores(project, aligners):
            trained.listed_scores = scores  # type: ignore[attr-defined]  # for a column
        return aligners

    return {
        "rows": [
            (evaluation, [evaluation.scores[name] for name in NAMES])
            for evaluation in evaluations.order_by("-gold_set", "aligner", "-pk")
        ],
        "words": NAMES.values(),
        "gold_links": project.gold_alignment_sets.current().exists(),
        "trained": table_of(
            request, project, TRAINED_ALIGNERS, dressed=with_scores, of="trained-aligners", folded=True
        ),
    }


def gold_scores(
    project: Project, aligners: Collection[TrainedAligner]
) -> list[tuple[TrainedAligner, list[tuple[Evaluation, int]]]]:
    """The aligners with their scores on gold sets, each with how many pairs of the set were learned from."""
    hashes = [trained.sha256 for trained in aligners if trained.ready]
    evaluations = Evaluation.objects.filter(
        gold_set__in=project.gold_alignment_sets.all(), trained__sha256__in=hashes
    )
    by_hash: dict[str, list[Evaluation]] = defaultdict(list)
    for evaluation in evaluations.select_related("gold_set", "trained").order_by("-gold_set", "-pk"):
        if evaluation.trained is not None:
            by_hash[evaluation.trained.sha256].append(evaluation)
    return [
        (trained, [(own, _learned(trained, own)) for own in own_scores(trained, by_hash[trained.sha256])])
        for trained in aligners
    ]


def own_scores(trained: TrainedAligner, evaluations: Sequence[Evaluation]) -> Sequence[Evaluation]:
    """The aligner's own scores among those of all aligners with its hash, where two draws may differ."""
    if trained.estimator.trains_when_applied:
        return [
            evaluation for evaluation in evaluations if evaluation.trained_id == trained.pk
        ] or evaluations
    return evaluations


def _learned(trained: TrainedAligner, evaluation: Evaluation) -> int:
    """How many pairs of the gold set are among those that the aligner learned from."""
    if trained.gold_set_id is None:
        return 0
    sets = [trained.gold_set_id, *trained.other_gold.values_list("pk", flat=True)]
    taught = GoldAlignment.objects.filter(gold_set__in=sets).exclude(in_held_out_cluster("item__pair__"))
    return evaluation.gold_set.alignments.filter(item__pair__in=taught.values("item__pair")).count()


def aligner_of(project: Project, pk: int) -> TrainedAligner:
    return get_object_or_404(project.trained_aligners.select_related("job", "gold_set", "created_by"), pk=pk)


@project_view(check_see_gold, SAFE)
def aligner(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    trained = aligner_of(project, pk)
    newer = new_gold_pairs(trained)
    versions = TrainedAligner.objects.filter(project=project, name=trained.name)
    versions = versions.select_related("gold_set", "job", "created_by")
    likelihoods, curve = likelihood_figure(trained), curve_figure(trained)
    context = {
        "trained": trained,
        "job": trained.job,
        "datasets": trained.datasets.all(),
        "texts": trained.texts.all(),
        "other_gold": trained.other_gold.all(),
        "likelihoods": likelihoods,
        "curve": curve,
        "parameters": [(gettext("Aligner"), trained.aligner), *trained.estimator.spec.described()],
        "new_pairs": newer,
        "newest_gold": newest_version(trained.gold_set) if trained.gold_set and newer else None,
        "runs": trained.runs.select_related("job", "dataset", "gold_set"),
        "scores": gold_scores(project, [trained])[0][1],
        "versions": versions.order_by("-version"),
    }
    return page_with_figures(request, "alignment/aligner.html", context, (likelihoods, curve))


def likelihood_figure(trained: TrainedAligner) -> Chart | None:
    """Log-likelihood of a sentence pair by iteration, in both directions."""
    iterations = trained.iterations
    chart = line_chart(
        [
            (
                words,
                [
                    (n, iteration[name] / trained.pairs, None)
                    for n, iteration in enumerate(iterations, start=1)
                ],
            )
            for words, name in (
                (gettext("first sentence to second"), "forward"),
                (gettext("second to first"), "backward"),
            )
        ],
        x_ticks=range(1, len(iterations) + 1),
        describe=lambda name, value: f"{name}, iteration {value[0]:g}: {value[1]:.2f}",
        name="likelihood",
        title=gettext("Log-likelihood by iteration"),
        x_axis=gettext("iteration"),
        y_axis=gettext("log-likelihood of a sentence pair (nats)"),
    )
    if chart is None:
        return None
    several = len({iteration["model"] for iteration in iterations}) > 1
    return replace(
        chart,
        caption=gettext(
            "Solid: the second sentence given the first. Dashed: the first given the second. Natural "
            "logarithm of the probability before each M-step, divided by the number of sentence pairs"
        )
        + (gettext("; not comparable between IBM Model 1 and the HMM.") if several else "."),
        head=(gettext("Iteration"), gettext("Model"), gettext("First to second"), gettext("Second to first")),
        rows=[
            (n, iteration["model"], f"{iteration['forward']:,.2f}", f"{iteration['backward']:,.2f}")
            for n, iteration in enumerate(iterations, start=1)
        ],
        text_columns=2,
    )


def curve_figure(trained: TrainedAligner) -> Chart | None:
    """AER in percent, held out, by number of gold pairs learned from; 0 is without any."""
    points = [
        (point["pairs"], 100 * score["aer"], percents(score["aer_interval"]))
        for point in trained.learning_curve
        if (score := point["scores"]["all"])["aer"] is not None
    ]
    chart = line_chart(
        [("AER", points)],
        x_ticks=[pairs for pairs, _, _ in points],
        describe=lambda _, value: (
            gettext("%(pairs)s gold pairs: AER %(aer)s %%")
            % {"pairs": f"{value[0]:g}", "aer": f"{value[1]:.2f}"}
        ),
        place=lambda pairs: math.log1p(pairs / 5),
        name="learning",
        title=gettext("Alignment error rate by number of gold pairs"),
        x_axis=gettext("gold pairs learned from"),
        y_axis=gettext("AER of all words, %"),
    )
    caption = gettext(
        "Alignment error rate on held-out pairs, in five folds by pair, with its 95 % bootstrap "
        "interval; 0 gold pairs are the starting point or, without one, the fixed rules."
    )
    return replace(chart, caption=caption) if chart else None


@project_view(check_manage, POST, refused=("aligner", "pk"))
def again(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    trained = train_again(trained=aligner_of(project, pk), by=user_of(request))
    messages.success(request, gettext("%(trained)s is being trained.") % {"trained": trained})
    return redirect("aligner", project.slug, trained.pk)


@project_view(check_manage, SAFE, refused=("aligner", "pk"))
def download(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    trained = aligner_of(project, pk)
    path = stored.file_of(trained)
    name = f"{project.slug}-{trained.aligner}-v{trained.version}-{trained.sha256[:8]}.npz"
    return zip_response(path, name, project)


def run_of(project: Project, pk: int) -> AlignerRun:
    rows = AlignerRun.objects.select_related("trained", "dataset", "gold_set", "job", "created_by")
    return get_object_or_404(rows, project=project, pk=pk)


@project_view(check_see_gold, SAFE)
def run(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    chosen = run_of(project, pk)
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
        "formats": LINK_FORMATS.choices(),
        "done": chosen.job.state == JobState.DONE,
        "evaluation": scores.first(),
    }
    return render(request, "alignment/aligner_run.html", context)


@project_view(check_manage, SAFE, refused=("aligner-run", "pk"))
def download_links(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The links as files, in the `format` of the address."""
    chosen = run_of(project, pk)
    format_id = request.GET.get("format", LINK_FORMATS.ids()[0])
    data = run_archive(chosen, format_id)
    filename = f"{project.slug}-links-{chosen.pk}-{format_id}.zip"
    headers = attachment(filename, project)
    return HttpResponse(data, content_type="application/zip", headers=headers)


class ExplanationForm(forms.Form):
    pair = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    link = forms.RegexField(r"^\d{1,6}-\d{1,6}\Z", required=False)


@report("alignment/aligner_pair.html", check_see_gold, choices=lambda data, project: ExplanationForm(data))
def explanation(asked: Asked, pk: int) -> Report:
    """The reasons for and against each candidate link of `?pair=`; `?link=3-4` chooses one of them."""
    trained = aligner_of(asked.project, pk)
    number, link = asked.request.GET.get("pair", ""), asked.chosen.get("link")
    if asked.by_program and not number:
        return Report(answer={"pair": None, "links": []})
    context: dict[str, Any] = {"trained": trained}
    explained: list[dict[str, Any]] = []
    try:
        if trained.estimator.gives_reasons or asked.by_program:
            pair, explained = explain_pair(trained=trained, pair=number)
            drawn = [tuple(candidate["link"]) for candidate in explained if candidate["drawn"]]
            context |= {"chosen": _chosen(explained, link)}
        else:
            pair, drawn = drawn_links(trained=trained, pair=number)
    except PublicError as error:
        if asked.by_program:
            raise
        problem = str(error)
        return Report(answer={}, page=lambda: context | {"problem": problem})

    def page() -> dict[str, Any]:
        tokens = pair.sentence_a.token_list, pair.sentence_b.token_list
        return context | {
            "pair": pair,
            "words": [(tokens[0][a], tokens[1][b]) for a, b in drawn],
            "drawing": ladder(*tokens, [(*drawn_link, Strength.SURE) for drawn_link in drawn]),
        }

    only = [candidate for candidate in explained if "{}-{}".format(*candidate["link"]) == link]
    links = only if asked.by_program and link else explained
    return Report(answer={"pair": pair.pk, "links": links}, page=page, name=f"links-{pk}-{pair.pk}")


def _chosen(explained: list[dict[str, Any]], link: str | None) -> dict[str, Any] | None:
    """The link of the address; else the drawn one that was least certain."""
    for candidate in explained:
        if "{}-{}".format(*candidate["link"]) == link:
            return candidate
    drawn = [candidate for candidate in explained if candidate["drawn"]]
    return min(drawn, key=lambda candidate: candidate["probability"], default=None)
