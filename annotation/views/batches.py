"""The judging stage: my batches, everybody's batches, a new one, and one of them in detail."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Count, Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from annotation.forms import BatchAnnotatorForm, annotators_of
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchKind,
    BatchState,
    Item,
    TrainingTry,
)
from annotation.permissions import can_see_answers, check_see_answers, own_progress_only
from annotation.presenters import coefficients, letter, measure_words, person_links, undecided_context
from annotation.services.batch_figures import BatchFigures, batch_figures
from annotation.services.batches import close_batch, reopen_batch, show_decisions
from annotation.services.drawing import draw_trial_batch
from annotation.services.progress import (
    AnnotatorProgress,
    Progress,
    both_progresses,
    counted,
    next_own,
    own_work,
)
from annotation.services.pseudonyms import pseudonyms
from annotation.services.reassignment import barred_items, change_annotator, places_without_annotator
from annotation.services.second_pass import end_second_pass, second_pass_summary, start_second_pass
from annotation.services.third_judgements import third_judgements
from paragold.sampling.strategy import RANDOM, UNCERTAINTY
from projects.errors import PublicError
from projects.listings import resources
from projects.models import PhenomenaScope, Project
from projects.permissions import can_manage, check_manage
from projects.views.lists import table_of
from projects.views.project_view import (
    FORM,
    POST,
    SAFE,
    any_member,
    next_address,
    project_view,
    show_error,
    user_of,
)


def waiting_context(batch: Batch, people: Iterable[User]) -> dict[str, Any]:
    """How many items wait for an annotator, and how many of them each of the people could take."""
    places = places_without_annotator(batch)
    if not places:
        return {"waiting": 0}
    items = list(Assignment.objects.filter(pk__in=places).order_by().values_list("item", flat=True))
    able = [
        (person.get_username(), len(items) - len(barred_items(person, batch, items))) for person in people
    ]
    return {"waiting": len(places), "able": [(name, count) for name, count in able if count]}


def passes(batch: Batch) -> dict[str, Any] | None:
    """The second pass as the batch's page shows it; None before there is one."""
    summary = second_pass_summary(batch)
    if summary is None:
        return None
    before, after = coefficients(summary["before"]), coefficients(summary["after"])
    rows = [(before[name], after[name]) for name in before if name in after]
    return summary | {"rows": rows}


@project_view(any_member, SAFE)
def judge(request: HttpRequest, project: Project) -> HttpResponse:
    lacking = not project.datasets.current().exists()
    return stage(
        request,
        project,
        BatchKind.JUDGE,
        draw="draw-judging-batch",
        imports="judgements-import",
        lacking=lacking,
    )


def stage(
    request: HttpRequest, project: Project, kind: str, *, draw: str, imports: str = "", lacking: bool = False
) -> HttpResponse:
    """One's own batches with one's own progress; all batches for those who may see others' answers.

    draw: the operation that draws a batch. imports: the page that imports answers. lacking: whether there is
    nothing yet to draw from.
    """
    mine = own_work(request.user, project, kind)
    context: dict[str, Any] = {
        "kind": kind,
        "draw": draw,
        "imports": imports,
        "lacking": lacking,
        "answer_view": f"{kind}-batch",
        "mine": mine,
        "following": next_own(mine),
        "sees_all": can_see_answers(request.user, project),
    }
    if context["sees_all"]:
        manages = can_manage(request.user, project)
        own_only = own_progress_only(request.user, project)

        def with_progress(batches: list[Batch]) -> list[tuple[Batch, list[AnnotatorProgress], Progress]]:
            own = own_only.filter(pk__in=[batch.pk for batch in batches])
            people, everybody = both_progresses(batches)
            progress = everybody | counted(own, request.user)
            names = people if manages else {}
            return [(batch, names.get(batch.pk, []), progress[batch.pk]) for batch in batches]

        batches = resources()["batches"]
        context["table"] = table_of(
            request,
            project,
            batches,
            row="annotation/_batch_row.html",
            columns=[one for one in batches.columns if manages or one.label != "By annotator"],
            fixed={"kind": kind},
            dressed=with_progress,
        )
        context["batches"] = context["table"].rows or context["table"].narrowed
    return render(request, "annotation/stage.html", context)


@project_view(check_manage, POST, refused=("candidates",))
def trial_batch(request: HttpRequest, project: Project) -> HttpResponse:
    """Judge a few pairs oneself, at once."""
    batch = draw_trial_batch(project=project, by=user_of(request))
    return redirect("judge-batch", project.slug, batch.pk)


@project_view(check_see_answers, FORM)
def batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = batch_of(project, pk, BatchKind.JUDGE)
    if request.method == "POST":
        return set_state(request, project, batch)
    figures = batch_figures(request.user, project, [batch]).get(batch.pk, BatchFigures())
    context = batch_context(request, project, batch) | {
        "figures": figures,
        "coefficients": coefficients(figures.agreement, figures.second_pass),
        **undecided_context(request, project, batch, figures.undecided_items),
        "gold_sets": batch.gold_sets.all(),
        "thirds": third_judgements(batch) if batch.third_judgement else None,
        "phenomena_scopes": PhenomenaScope.choices,
        "strategy": strategy_words(batch.sampling, holds_out=project.clusters.filter(held_out=True).exists()),
        "strata": batch.sampling.get("strata", []),
    }
    return render(request, "annotation/batch.html", context)


CLUSTERS_DRAWN = {
    "all": gettext_noop("held-out clusters too"),
    "only": gettext_noop("held-out clusters only, for testing"),
    "rest": gettext_noop("no held-out clusters"),
}


def strategy_words(sampling: dict[str, Any], *, holds_out: bool) -> str:
    """How a batch was drawn, for people; "" for batches from before this was kept.

    holds_out: whether the project has held-out clusters.
    """
    if "by" not in sampling:
        return ""
    words = [gettext("at random")]
    if sampling["by"] == UNCERTAINTY:
        words = [
            gettext("what a classifier is least sure of, %(audit)s %% at random for an audit")
            % {"audit": sampling["audit"]}
        ]
    elif sampling["by"] != RANDOM:
        words = [
            gettext("stratified by %(by)s, %(allocation)s shares")
            % {"by": sampling["by"].replace("_", " "), "allocation": sampling["allocation"]}
        ]
    if sampling.get("paraphrases_of"):
        words.append(gettext("only paraphrases of %(gold_set)s") % {"gold_set": sampling["paraphrases_of"]})
    if sampling["per_cluster"]:
        words.append(gettext("at most %(limit)s of a cluster") % {"limit": sampling["per_cluster"]})
    if holds_out:
        words.append(gettext(CLUSTERS_DRAWN[sampling["clusters"]]))
    if sampling["rejected"]:
        words.append(gettext("%(share)s %% rejected pairs") % {"share": sampling["rejected"]})
    if sampling["again"]:
        words.append(gettext("pairs of earlier batches too"))
    return gettext("Drawn %(words)s.") % {"words": "; ".join(words)}


@project_view(check_manage, POST)
def batch_annotator(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Set an annotator's quota, or pause the annotator and take up the work again."""
    batch = get_object_or_404(Batch, project=project, pk=pk)
    form = BatchAnnotatorForm(request.POST, batch=batch)
    if form.is_valid():
        try:
            settled = change_annotator(batch=batch, by=user_of(request), **form.settings())
        except PublicError as error:
            show_error(request, error)
        else:
            words = gettext("%(name)s is paused.") if settled.paused else gettext("%(name)s gets items.")
            messages.success(request, words % {"name": settled.annotator.get_username()})
    else:
        messages.error(request, gettext("Nothing was changed: a quota is a whole number, or empty for none."))
    return redirect(batch)


def batch_of(project: Project, pk: int, kind: str) -> Batch:
    """A batch of the project. Raises Http404."""
    batches = Batch.objects.select_related("project", "dataset", "gold_set", "corpus_import")
    return get_object_or_404(batches, project=project, pk=pk, kind=kind)


def batch_context(request: HttpRequest, project: Project, batch: Batch) -> dict[str, Any]:
    """A batch with everybody's progress: under their names for managers, under letters for others.

    Whoever annotates the batch, and does not manage the project, gets the own progress only.
    """
    by_annotator, everybody = both_progresses([batch])
    people = by_annotator[batch.pk]
    own_only = own_progress_only(request.user, project).filter(pk=batch.pk).exists()
    # Only open places can be held by somebody, or wait for an annotator.
    is_open = everybody[batch.pk].left + everybody[batch.pk].missing > 0
    settled = sorted(_settled(batch, is_open=is_open), key=lambda row: row.annotator.username)
    there = {person.user_id for person in people}
    # Annotators who have not taken an item yet are listed too.
    people += [
        AnnotatorProgress(row.annotator_id, row.annotator.username)
        for row in settled
        if row.annotator_id not in there
    ]
    people.sort(key=lambda person: person.username)
    if own_only:
        people = [person for person in people if person.user_id == request.user.pk]
    names = {person.user_id: person.username for person in people}
    links: dict[int, dict[str, str]] = {}
    if not can_manage(request.user, project):
        names = {user: letter(name) for user, name in pseudonyms(project, names).items()}
    elif batch.kind == BatchKind.JUDGE:
        links = person_links(project, names, batch)
    progress = (counted([batch], request.user) if own_only else everybody)[batch.pk]
    return {
        "models": batch.model_annotators.current().select_related("job"),
        "batch": batch,
        "people": [(names[person.user_id], person, links.get(person.user_id)) for person in people],
        "pairs": Item.everything.filter(batch=batch).count(),
        "progress": progress,
        "unanswered": _unanswered(people, names, progress),
        "complete": progress.complete,
        "settled": settled,
        "paused": {row.annotator_id for row in settled if row.paused},
        **(_managing(batch, names, is_open=is_open) if can_manage(request.user, project) else {}),
    }


def _unanswered(
    people: Iterable[AnnotatorProgress], names: dict[int, str], progress: Progress
) -> list[tuple[str, int]]:
    """The people whose answers are missing, with how many; last those that nobody has taken."""
    waiting = [(names[who.user_id], who.total - who.done) for who in people if who.total > who.done]
    untaken = progress.left - sum(count for _, count in waiting)
    return [*waiting, *([(gettext("nobody yet"), untaken)] if untaken > 0 else [])]


def _managing(batch: Batch, people: Iterable[int], *, is_open: bool) -> dict[str, Any]:
    """Context for managers only: who has left, who may get items, and the items that wait."""
    takers = annotators_of(batch.project)
    return {
        "second_pass": passes(batch),
        "departed": set(people) - {user.pk for user in takers},
        "takers": [user.get_username() for user in takers],
        "tries": training_tries(batch) if batch.measure else [],
        **(waiting_context(batch, takers) if is_open else {"waiting": 0}),
    }


def training_tries(batch: Batch) -> list[tuple[TrainingTry, str]]:
    """The tries of a training by annotator, each with the value of the measure."""
    shown = measure_words(batch.measure)
    rows = batch.tries.select_related("annotator").order_by("annotator__username", "number")
    return [(row, shown(row.value)) for row in rows]


def _settled(batch: Batch, *, is_open: bool) -> list[Any]:
    """The annotators of a batch with what each holds: `held` items, to be answered by `held_until`."""
    rows: list[Any] = list(batch.annotators.select_related("annotator"))
    people = [row.annotator_id for row in rows if is_open]
    held = Assignment.objects.filter(
        item__batch=batch,
        annotator__in=people,
        state=AssignmentState.OPEN,
        leased_until__gt=timezone.now(),
    )
    counts = held.order_by().values_list("annotator").annotate(items=Count("pk"), until=Max("leased_until"))
    holds = {annotator: both for annotator, *both in counts}
    for row in rows:
        row.held, row.held_until = holds.get(row.annotator_id, (0, None))
    return rows


def set_state(request: HttpRequest, project: Project, batch: Batch) -> HttpResponse:
    """Close or reopen a batch, or show its decisions to annotators, as the button that was pressed says."""
    check_manage(request.user, project)
    decisions = request.POST.get("decisions")
    if decisions in {"shown", "hidden"}:
        show_decisions(batch=batch, shown=decisions == "shown")
        words = gettext("Annotators no longer see the decisions that differ from their answers.")
        if decisions == "shown":
            words = gettext("Annotators see the decisions that differ from their answers.")
        messages.success(request, words)
        return redirect(batch)
    state = request.POST.get("state")
    if state == BatchState.CLOSED:
        close_batch(batch=batch)
        messages.success(
            request,
            gettext("%(name)s is closed: it takes no more answers, and keeps those it has.")
            % {"name": batch.name},
        )
    elif state == BatchState.OPEN:
        reopen_batch(batch=batch)
        messages.success(request, gettext("%(name)s is open again.") % {"name": batch.name})
    else:
        raise Http404(gettext("A batch is open or closed."))
    return redirect(batch)


@project_view(check_manage, POST)
def second_pass(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Start or end it, as the button that was pressed says."""
    batch = get_object_or_404(Batch, project=project, pk=pk)
    move = request.POST.get("second_pass")
    try:
        if move in {"start", "anyway"}:
            start_second_pass(batch=batch, by=user_of(request), anyway=move == "anyway")
            messages.success(
                request, gettext("The second pass has begun: all see their own disputed pairs again.")
            )
        elif move == "end":
            end_second_pass(batch=batch, by=user_of(request))
            messages.success(
                request, gettext("The second pass has ended. What is still disputed can be decided.")
            )
        else:
            raise Http404(gettext("A second pass is started or ended."))
    except PublicError as error:
        show_error(request, error)
    return redirect(next_address(request) or batch.get_absolute_url())
