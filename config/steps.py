"""The order of the work in a project: what stands, what is under way, and the one next step for a person.

Counts of other people's answers are shown to managers, and to adjudicators who do not annotate: an
annotator's page must not change with what others answered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count
from django.urls import reverse

from alignment.models import Evaluation
from annotation.models import Batch, BatchKind, HandingOut, Item
from annotation.permissions import can_see_answers
from annotation.services.own_progress import own_progress
from annotation.services.waiting import Waiting, waiting_for, waiting_items
from corpus.models import Article, GoldRule, JobState, Project, Role
from corpus.permissions import MANAGERS, READERS, can_manage, roles_of
from corpus.services.kept_numbers import pairs_of

from .classifier_step import classifier_step
from .step import DONE, TO_DO, UNDER_WAY, Action, Step


@dataclass(slots=True)
class Path:
    """A project's stages as one person sees them, and what that person does next (the first is prominent)."""

    steps: list[Step] = field(default_factory=list)
    next: list[Action] = field(default_factory=list)


def path_of(user: Any, project: Project) -> Path:
    roles = roles_of(user, project)
    path = Path(next=own_work(user, project))
    if not roles & READERS:
        path.steps = _own_steps(user, project)
        return path
    manages = can_manage(user, project)
    oversees = manages or (Role.ADJUDICATOR in roles and Role.ANNOTATOR not in roles)
    path.steps = _steps(project, oversees=oversees)
    if roles & MANAGERS:
        undone = (
            step.action for step in path.steps if step.state != DONE and step.action and not step.optional
        )
        finished = Action(
            "See the exports",
            reverse("exports", args=[project.slug]),
            "Every stage has been done once. Draw another batch to make the gold standard larger.",
        )
        path.next.append(next(undone, finished))
    elif can_see_answers(user, project) and project.batches.filter(kind=BatchKind.JUDGE).exists():
        url = reverse("review", args=[project.slug])
        path.next.append(Action("Review the judgements", url, "Disagreements that are complete wait here."))
    elif project.gold_sets.exists():
        url = reverse("gold", args=[project.slug])
        path.next.append(Action("See the gold sets", url, "What this project has released so far."))
    elif project.clusters.exists():
        url = reverse("corpus", args=[project.slug])
        path.next.append(Action("Read the corpus", url, "No gold set is frozen yet."))
    return path


def own_work(user: Any, project: Project) -> list[Action]:
    """What waits for this person: the way into the first batch of each kind."""
    return own_actions(waiting_for(user, project))


def own_actions(waiting: Iterable[Waiting]) -> list[Action]:
    """The way into the first of the batches of each kind."""
    actions = []
    for kind, verb, thing, view in (
        (BatchKind.JUDGE, "Judge", "pair", "judge-batch"),
        (BatchKind.LINK, "Link", "pair", "link-batch"),
        (BatchKind.SPLIT, "Split", "cluster", "split-batch"),
    ):
        of_kind = [entry for entry in waiting if entry.batch.kind == kind]
        if of_kind:
            batch = of_kind[0].batch
            count = waiting_items(of_kind, kind)
            why = "They are assigned to you; every answer is saved as you go."
            if batch.handing_out == HandingOut.AS_THEY_COME:
                why = "You get them as you go; every answer is saved."
            url = reverse(view, args=[batch.project.slug, batch.pk])
            actions.append(Action(f"{verb} {count:,} {thing}{'' if count == 1 else 's'}", url, why))
    return actions


def _own_steps(user: Any, project: Project) -> list[Step]:
    steps = []
    for kind, label, thing, view in (
        (BatchKind.JUDGE, "Judge pairs", "pairs", "judge"),
        (BatchKind.LINK, "Link words", "pairs", "link"),
        (BatchKind.SPLIT, "Split clusters", "clusters", "split"),
    ):
        own = [
            own_progress(batch, user)
            for batch in Batch.objects.assigned_to(user).filter(project=project, kind=kind)
        ]
        total, done = sum(one.total for one in own), sum(one.done for one in own)
        if kind == BatchKind.SPLIT and not own:
            continue
        found = [(f"{done:,} of {total:,} {thing}", reverse(view, args=[project.slug]))] if total else []
        steps.append(Step(label, _state(done, total), found))
    return steps


def _state(done: int, total: int) -> str:
    if not total:
        return TO_DO
    return DONE if done == total else UNDER_WAY


def _steps(project: Project, *, oversees: bool) -> list[Step]:
    slug = project.slug

    def url(view: str, *arguments: object) -> str:
        return reverse(view, args=[slug, *arguments])

    def number(count: int, noun: str, view: str) -> tuple[str, str]:
        return (f"{count:,} {noun}{'' if count == 1 else 's'}", url(view))

    clusters = project.clusters.of_corpus().count()
    imported = project.clusters.imported_pairs().count()
    articles = Article.objects.filter(cluster__project=project, cluster__pair_import=None).count()
    corpus = Step(
        "Import a corpus",
        DONE if clusters or imported else TO_DO,
        [
            number(count, noun, "corpus")
            for count, noun in ((clusters, "cluster"), (articles, "article"), (imported, "imported pair"))
            if count
        ],
        Action("Import a corpus", url("corpus-import"), "Articles on the same events, clustered, as JSONL."),
    )
    gold_sets = project.gold_sets.count()
    gold_links = project.gold_alignment_sets.count()
    scores = Evaluation.objects.filter(gold_set__project=project).count()
    exports = project.exports.count()
    judge = _answering(project, BatchKind.JUDGE, oversees=oversees)
    link = _answering(project, BatchKind.LINK, oversees=oversees)
    return [
        corpus,
        _extraction(project, url),
        Step(
            "Draw a batch",
            DONE if judge else TO_DO,
            _batches(judge, url("judge")),
            _drawing(project, url),
        ),
        _answers(
            "Judge",
            judge,
            oversees,
            url,
            "batch",
            "The annotators are judging; each sees only their own work.",
        ),
        Step(
            "Review, freeze gold",
            DONE if gold_sets else TO_DO,
            ([number(gold_sets, "gold set", "gold")] if gold_sets else [])
            + (_disputes(project, url("review")) if oversees else []),
            _freezing(project, url),
        ),
        classifier_step(project, url),
        Step(
            "Draw a linking batch",
            DONE if link else TO_DO,
            _batches(link, url("link")),
            Action(
                "Draw a linking batch", url("link-new"), "Pairs that gold calls paraphrases get word links."
            ),
        ),
        _answers("Link words", link, oversees, url, "link-detail", "The annotators are linking words."),
        Step(
            "Freeze gold links",
            DONE if gold_links else TO_DO,
            [number(gold_links, "set", "link")] if gold_links else [],
            Action("Freeze gold links", url("gold-links-new"), "Merges what the annotators submitted."),
        ),
        Step(
            "Score aligners",
            DONE if scores else TO_DO,
            [number(scores, "score", "aligners")] if scores else [],
            Action("Score an aligner", url("aligners"), "Alignment error rate against the gold links."),
        ),
        Step(
            "Export",
            DONE if exports else TO_DO,
            [number(exports, "export", "exports")] if exports else [],
            Action("Export the gold standard", url("export-new"), "Pairs, links and a manifest in one zip."),
        ),
    ]


def _extraction(project: Project, url: Any) -> Step:
    extractions = list(project.extractions.select_related("job"))
    running = next((found for found in extractions if found.job.active), None)
    finished = any(found.job.state == JobState.DONE for found in extractions)
    pairs = pairs_of(project)
    found = []
    if extractions:
        word = "extraction" if len(extractions) == 1 else "extractions"
        found = [(f"{len(extractions):,} {word}", url("candidates")), (f"{pairs:,} pairs", url("pairs"))]
    if running:
        why = f"It is at {running.job.done:,} of {running.job.total:,} clusters."
        action = Action("Follow the extraction", url("extraction", running.pk), why)
        return Step("Extract candidates", DONE if pairs and finished else UNDER_WAY, found, action)
    if extractions and not finished:
        why = f"It is {extractions[0].job.get_state_display().lower()}."
        action = Action("See what stopped the extraction", url("extraction", extractions[0].pk), why)
        return Step("Extract candidates", TO_DO, found, action)
    why = "Pairs of sentences from different articles of one cluster."
    action = Action("Extract candidate pairs", url("extraction-new"), why)
    return Step("Extract candidates", DONE if finished and pairs else TO_DO, found, action)


def _drawing(project: Project, url: Any) -> Action:
    annotators = project.memberships.filter(role=Role.ANNOTATOR).count()
    if annotators < project.overlap:
        why = f"Each pair is judged by {project.overlap} people; the project has {annotators} of them."
        return Action("Add annotators", url("members"), why)
    return Action("Draw a batch to judge", url("batch-new"), "A random sample of the pairs, for annotators.")


def _freezing(project: Project, url: Any) -> Action:
    if project.gold_rule == GoldRule.ADJUDICATED:
        open_ones = _disputed(project).filter(adjudication__isnull=True).count()
        if open_ones:
            why = "The project's rule asks an adjudicator where annotators disagree."
            word = "disagreement" if open_ones == 1 else "disagreements"
            return Action(f"Review {open_ones:,} {word}", url("review"), why)
    return Action("Freeze a gold set", url("gold-new"), f"By the rule: {project.get_gold_rule_display()}.")


def _answering(project: Project, kind: str, *, oversees: bool) -> list[Any]:
    batches = Batch.objects.filter(project=project, kind=kind)
    return list(batches.with_progress() if oversees else batches)


def _batches(batches: list[Any], url: str) -> list[tuple[str, str]]:
    if not batches:
        return []
    return [(f"{len(batches):,} {'batch' if len(batches) == 1 else 'batches'}", url)]


def _answers(label: str, batches: list[Any], oversees: bool, url: Any, view: str, why: str) -> Step:
    """The step of answering; without the right to oversee it, only whether there is anything to answer."""
    if not batches:
        return Step(label, TO_DO, [])
    if not oversees:
        closed = all(batch.state == "closed" for batch in batches)
        return Step(label, DONE if closed else UNDER_WAY, [])
    answers = sum(batch.answers for batch in batches)
    answered = sum(batch.answered for batch in batches)
    open_ones = [
        batch for batch in reversed(batches) if batch.state == "open" and batch.answered < batch.answers
    ]
    target = open_ones[0] if open_ones else batches[0]
    found = [(f"{answered:,} of {answers:,} answers", url(view, target.pk))]
    action = Action(f"See how far “{target.name}” is", url(view, target.pk), why)
    return Step(label, UNDER_WAY if open_ones else DONE, found, action)


def _disputed(project: Project) -> Any:
    items = Item.objects.filter(batch__project=project, batch__kind=BatchKind.JUDGE)
    return items.annotate(answers=Count("assignments__judgement__label", distinct=True)).filter(answers__gt=1)


def _disputes(project: Project, url: str) -> list[tuple[str, str]]:
    count = _disputed(project).count()
    return [(f"{count:,} {'disagreement' if count == 1 else 'disagreements'}", url)] if count else []
