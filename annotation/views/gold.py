"""Gold sets: freezing one, and reading one."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.forms import RULES, GoldSetForm, blame
from annotation.models import IMPORTED, SCHEME_LABELS, Batch, BatchKind, GoldJudgement, GoldSet, Label
from annotation.permissions import can_see_answers, check_see_gold
from annotation.services.batch_figures import BatchFigures, batch_figures
from annotation.services.gold import freeze_gold_set, gold_forecast
from projects.errors import PublicError
from projects.models import GoldRule, Project
from projects.permissions import check_manage
from projects.views.keyset import keyset_page
from projects.views.project_view import project_view, user_of

from .agreement import coefficients
from .batches import SAFE_AND_POST
from .forecasts import shown_forecast
from .label_shares import precision_context, recall_context
from .letters import letter


@require_http_methods(SAFE_AND_POST)
@project_view(check_manage)
def new_gold_set(request: HttpRequest, project: Project) -> HttpResponse:
    batches = list(Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE))
    figures = batch_figures(request.user, project, batches)
    labels = {batch.pk: _how_far(batch, figures.get(batch.pk, BatchFigures())) for batch in batches}
    ready = [str(pk) for pk, found in sorted(figures.items()) if found.judged_by_all == found.items]
    initial = {"batches": request.GET.getlist("batch") or ready[-1:]}
    form = GoldSetForm(request.POST or None, project=project, labels=labels, initial=initial)
    if request.method == "POST" and "check" not in request.POST and form.is_valid():
        try:
            gold_set = freeze_gold_set(project=project, by=user_of(request), **form.cleaned_data)
        except PublicError as error:
            blame(form, error)
        else:
            pairs = gold_set.counts["pairs"]
            say_frozen(request, gold_set, f"{pairs:,} pair{'s' * (pairs != 1)}")
            return redirect("gold-set", project.slug, gold_set.pk)
    forecast = shown_forecast(
        form, ("batches", "rule"), partial(gold_forecast, project=project), thing="pair"
    )
    context = {"form": form, "batches": batches, "forecast": forecast}
    return render(request, "annotation/gold_form.html", context, status=422 if form.errors else 200)


def say_frozen(request: HttpRequest, gold_set: Any, held: str) -> None:
    """The message after a freeze, of any kind of gold set; `held` says how much is in it."""
    if gold_set.already_frozen:
        messages.info(request, f"Nothing has changed since {gold_set} was frozen: no new version was made.")
    else:
        messages.success(request, f"{gold_set} is frozen with {held}.")


def _how_far(batch: Batch, found: BatchFigures) -> str:
    """What a batch holds and what of it is ready."""
    text = f"{batch.name}: {found.judged_by_all:,} of {found.items:,} pairs judged by all"
    if found.disputed:
        text += f", {found.disputed:,} disputed, {found.undecided:,} of them undecided"
    return text


@require_safe
@project_view(check_see_gold)
def gold_set(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    found = get_object_or_404(GoldSet, project=project, pk=pk)
    judgements = found.judgements.select_related(
        "item__pair__cluster", "item__pair__sentence_a", "item__pair__sentence_b"
    )
    shown = request.GET.get("label", "")
    if shown in SCHEME_LABELS[found.scheme]:
        judgements = judgements.filter(label=shown)
    page = keyset_page(judgements, request.GET, {"id": "pk"})
    context = {
        "gold_set": found,
        "rule": rule_words(found.rule),
        "coefficients": coefficients(found.agreement),
        "labels": [
            (name, Label(name).label, found.counts.get(name, 0)) for name in SCHEME_LABELS[found.scheme]
        ],
        "shown": shown,
        "paraphrases": found.counts.get(Label.PARAPHRASE, 0),
        "link_batches": found.link_batches.count(),
        "rows": [(gold, Label(gold.label).label, votes_of(gold)) for gold in page.rows],
        "page": page,
        "versions": project.gold_sets.filter(name=found.name).exclude(pk=found.pk).order_by("-version"),
        "sees_answers": can_see_answers(request.user, project),
    }
    context |= precision_context(found) | recall_context(found)
    return render(request, "annotation/gold_set.html", context)


def rule_words(rule: str) -> str:
    """What decided the labels, in a sentence."""
    if rule == IMPORTED:
        return "Imported: the labels came with a file and are final."
    return RULES[GoldRule(rule)]


def votes_of(gold: GoldJudgement) -> list[dict[str, Any]]:
    """Who said what, and the adjudicator's word, with everything that was remarked."""
    votes = [
        {
            "letter": letter(vote["annotator"]),
            "word": Label(vote["label"]).label if vote["label"] else "Skipped" if vote["skipped"] else "None",
            "comment": vote["comment"],
            "flagged": vote["flagged"],
            "at": vote["at"],
        }
        for vote in gold.votes
    ]
    votes.sort(key=lambda vote: (len(vote["letter"]), vote["letter"]))
    if gold.adjudication:
        word = Label(gold.adjudication["label"]).label
        votes.append(
            {
                "letter": "Adjudicated",
                "word": word,
                "comment": gold.adjudication["comment"],
                "flagged": False,
                "at": gold.adjudication["at"],
            }
        )
    return votes
