"""The order of the work in a project: what stands, what is under way, and the one next step for a person.

Counts of other people's answers are shown to managers, and to adjudicators who do not annotate: an
annotator's page must not change with what others answered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from alignment.models import Evaluation
from alignment.services.disputes import Disputes, disputes_of
from annotation.models import Batch, BatchKind
from annotation.permissions import can_see_answers
from annotation.services.batch_progress import Progress, counted, total
from corpus.models import Article
from corpus.services.cached_counts import pairs_of
from jobs.models import JobState
from projects.models import GoldRule, Project, Role
from projects.permissions import MANAGERS, READERS, can_manage, roles_of

from .classifier_step import classifier_step
from .own_work import own_work
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
    path.steps = _steps(user, project, oversees=oversees)
    if roles & MANAGERS:
        undone = (
            step.action for step in path.steps if step.state != DONE and step.action and not step.optional
        )
        finished = Action(
            "Draw another batch",
            reverse("batch-new", args=[project.slug]),
            "Every stage has been done once. Draw another batch to make the gold standard larger.",
        )
        path.next.append(next(undone, finished))
    elif can_see_answers(user, project) and project.batches.current().filter(kind=BatchKind.JUDGE).exists():
        url = reverse("review", args=[project.slug])
        why = "Agreement, and what annotators said of each pair that everybody has answered."
        path.next.append(Action("Review the judgements", url, why))
    elif project.gold_sets.current().exists():
        url = reverse("gold", args=[project.slug])
        path.next.append(Action("See the gold sets", url, "What this project has released so far."))
    elif project.clusters.exists():
        url = reverse("corpus", args=[project.slug])
        path.next.append(Action("Read the corpus", url, "No gold set is frozen yet."))
    return path


def _own_steps(user: Any, project: Project) -> list[Step]:
    steps = []
    for kind, label, thing, view in (
        (BatchKind.JUDGE, "Judge pairs", "pairs", "judge"),
        (BatchKind.LINK, "Link words", "pairs", "link"),
        (BatchKind.SPLIT, "Split clusters", "clusters", "split"),
    ):
        batches = list(Batch.objects.assigned_to(user).current().filter(project=project, kind=kind))
        own = total(counted(batches, user).values())
        if kind == BatchKind.SPLIT and not batches:
            continue
        steps.append(Step(label, _state(own), _counts(own, thing, reverse(view, args=[project.slug]))))
    return steps


def _state(progress: Progress) -> str:
    if progress.waiting:
        return UNDER_WAY
    return DONE if progress.answered else TO_DO


def _counts(progress: Progress, things: str, url: str) -> list[tuple[str, str]]:
    """What is there of answers: given of those wanted, second looks, and those that are not waited for."""
    found = []
    if progress.wanted:
        found.append((f"{progress.answered:,} of {progress.wanted:,} {things}", url))
    if progress.looks:
        found.append((f"second pass {progress.looked:,} of {progress.looks:,}", url))
    if progress.withheld:
        found.append((f"{progress.withheld:,} withheld until the second pass ends", url))
    closed = progress.missing - progress.withheld
    if closed:
        found.append((f"{closed:,} missing in closed batches", url))
    return found


def _steps(user: Any, project: Project, *, oversees: bool) -> list[Step]:
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
    gold_sets = project.gold_sets.current().count()
    gold_links = project.gold_alignment_sets.current().count()
    scores = Evaluation.objects.filter(gold_set__project=project, gold_set__archived_at=None).count()
    experiments = project.experiments.current().filter(job__state=JobState.DONE).count()
    exports = project.exports.current().count()
    disputed = disputes_of(user, project) if oversees else []
    judge = _answering(project, BatchKind.JUDGE)
    link = _answering(project, BatchKind.LINK)
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
            + (_disputes(disputed, BatchKind.JUDGE, url("review")) if oversees else []),
            _freezing(project, disputed, url),
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
            ([number(gold_links, "set", "gold")] if gold_links else [])
            + _disputes(disputed, BatchKind.LINK, url("review")),
            Action("Freeze gold links", url("gold-links-new"), "Merges what the annotators submitted."),
        ),
        Step(
            "Score aligners",
            DONE if scores or experiments else TO_DO,
            [
                *([number(scores, "score", "aligners")] if scores else []),
                *([number(experiments, "experiment", "experiments")] if experiments else []),
            ],
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
    extractions = list(project.extractions.current().select_related("job"))
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


def _freezing(project: Project, disputes: list[Disputes], url: Any) -> Action:
    if project.gold_rule == GoldRule.ADJUDICATED:
        open_ones = _undecided(disputes, BatchKind.JUDGE)
        if open_ones:
            why = (
                f"By the project's rule an adjudicator decides where annotators disagree: {open_ones:,} wait."
            )
            word = "disagreement" if open_ones == 1 else "disagreements"
            return Action(f"Review {open_ones:,} {word}", url("review"), why)
    return Action("Freeze a gold set", url("gold-new"), f"By the rule: {project.get_gold_rule_display()}.")


def _answering(project: Project, kind: str) -> list[Batch]:
    return list(Batch.objects.current().filter(project=project, kind=kind))


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
    progress = counted(batches)
    whole = total(progress.values())
    open_ones = [batch for batch in reversed(batches) if progress[batch.pk].waiting]
    target = open_ones[0] if open_ones else batches[0]
    found = _counts(whole, "answers", url(view, target.pk))
    if not open_ones and not whole.answered and whole.missing:
        why = "Its batches are closed without an answer: open one again, or draw another."
        return Step(label, TO_DO, found, Action(f"Open “{target.name}” again", url(view, target.pk), why))
    action = Action(f"See how far “{target.name}” is", url(view, target.pk), why)
    return Step(label, UNDER_WAY if open_ones else DONE, found, action)


def _undecided(disputes: list[Disputes], kind: str) -> int:
    return sum(len(one.undecided) for one in disputes if one.batch.kind == kind)


def _disputes(disputes: list[Disputes], kind: str, url: str) -> list[tuple[str, str]]:
    count = _undecided(disputes, kind)
    return (
        [(f"{count:,} undecided {'disagreement' if count == 1 else 'disagreements'}", url)] if count else []
    )
