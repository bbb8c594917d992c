"""The gold page, and gold alignment sets: freezing one, and reading one."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db.models import Count, F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from alignment.forms import MERGING, GoldLinksForm
from alignment.models import GoldAlignment, GoldAlignmentSet, Strength
from alignment.services.gold_links import freeze_gold_alignments, links_forecast
from annotation.forms import RULES, blame
from annotation.models import Batch, BatchKind, Item, Label
from annotation.permissions import check_see_gold
from annotation.views.agreement import coefficients, percent
from annotation.views.batches import SAFE_AND_POST
from annotation.views.forecasts import shown_forecast
from annotation.views.gold import rule_words, say_frozen
from annotation.views.gold_subclusters import gold_rows
from annotation.views.letters import letter
from annotation.views.progress import AnnotatorProgress, annotator_progress
from jobs.views.archived import shown
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.keyset import keyset_page
from projects.views.project_view import project_view, user_of

from .ladder import Ladder, ladder

PAIRS_A_PAGE = 10
SHORT_RULES = {name: text.partition(":")[0] for name, text in (RULES | MERGING).items()}


@require_safe
@project_view(check_see_gold)
def gold(request: HttpRequest, project: Project) -> HttpResponse:
    """Everything that is gold here: judged pairs, word links, sub-clusters of headlines."""
    gold_sets = list(shown(request, project.gold_sets.all()))
    gold_links = list(shown(request, project.gold_alignment_sets.select_related("batch")))
    batches = project.batches.current().filter(kind=BatchKind.LINK)
    context = {
        "gold_sets": [
            (found, rule_words(found.rule).partition(":")[0], found.counts.get(Label.PARAPHRASE, 0),
             coefficients(found.agreement))
            for found in gold_sets
        ],
        "gold_links": [
            (found, SHORT_RULES.get(found.rule, found.rule), percent(found.agreement["value"]))
            for found in gold_links
        ],
        "judge_batches": project.batches.current().filter(kind=BatchKind.JUDGE).exists(),
        "link_batches": batches.exists(),
        "links_next": gold_sets and not gold_links and _linked(batches),
        "gold_subclusters": gold_rows(request, project),
        "split_batches": project.batches.current().filter(kind=BatchKind.SPLIT).exists(),
    }  # fmt: skip
    return render(request, "alignment/gold.html", context)


def _linked(batches) -> bool:
    """Whether a linking batch holds a pair that as many annotators submitted as the batch asks for."""
    done = Count("assignments", filter=Q(assignments__state="done"))
    items = Item.objects.filter(batch__in=batches.values("pk")).annotate(submitted=done)
    return items.filter(submitted__gte=F("batch__overlap")).exists()


@require_http_methods(SAFE_AND_POST)
@project_view(check_manage)
def new_gold_links(request: HttpRequest, project: Project) -> HttpResponse:
    batches = list(Batch.objects.current().filter(project=project, kind=BatchKind.LINK))
    people = annotator_progress(batches)
    labels = {batch.pk: f"{batch.name}: {_how_far(people[batch.pk])}" for batch in batches}
    initial = {"batch": request.GET.get("batch") or (batches[0].pk if batches else None)}
    form = GoldLinksForm(request.POST or None, project=project, labels=labels, initial=initial)
    if request.method == "POST" and "check" not in request.POST and form.is_valid():
        try:
            gold_set = freeze_gold_alignments(project=project, by=user_of(request), **form.cleaned_data)
        except PublicError as error:
            blame(form, error)
        else:
            pairs = gold_set.counts["pairs"]
            say_frozen(request, gold_set, f"{pairs:,} pair{'s' * (pairs != 1)}")
            return redirect("gold-links", project.slug, gold_set.pk)
    compute = partial(links_forecast, project=project)
    forecast = shown_forecast(form, ("batch", "rule"), compute, thing="pair")
    context = {"form": form, "batches": batches, "forecast": forecast}
    return render(request, "alignment/gold_links_form.html", context, status=422 if form.errors else 200)


def _how_far(people: list[AnnotatorProgress]) -> str:
    answered, answers = sum(person.done for person in people), sum(person.total for person in people)
    return f"{answered:,} of {answers:,} answers are in"


@require_safe
@project_view(check_see_gold)
def gold_links(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    found = get_object_or_404(GoldAlignmentSet.objects.select_related("batch"), project=project, pk=pk)
    alignments = found.alignments.select_related(
        "item__pair__cluster", "item__pair__sentence_a", "item__pair__sentence_b"
    )
    page = keyset_page(alignments, request.GET, {"id": "pk"}, size=PAIRS_A_PAGE)
    context = {
        "gold_set": found,
        "rule": MERGING[found.rule],
        "agreement": percent(found.agreement["value"]),
        "rows": [(alignment, _drawn(alignment), _versions(alignment)) for alignment in page.rows],
        "page": page,
        "evaluations": found.evaluations.count(),
    }
    return render(request, "alignment/gold_links.html", context)


def _drawn(alignment: GoldAlignment) -> Ladder:
    pair = alignment.item.pair
    return ladder(pair.sentence_a.token_list, pair.sentence_b.token_list, alignment.links)


def _versions(alignment: GoldAlignment) -> list[dict[str, Any]]:
    """What each annotator drew, in Pharaoh's notation: `0-0` is SURE, `1?2` POSSIBLE."""
    versions = [
        {
            "letter": letter(version["annotator"]),
            "links": " ".join(
                f"{a}{'-' if s == Strength.SURE else '?'}{b}" for a, b, s, *_ in version["links"]
            ),
            "comment": version["comment"],
            "flagged": version["flagged"],
        }
        for version in alignment.versions
    ]
    return sorted(versions, key=lambda version: (len(version["letter"]), version["letter"]))
