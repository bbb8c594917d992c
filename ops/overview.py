"""The order of the work in a project: what is there, what is under way, and what a person does next.

Counts of other people's answers are shown to managers, and to adjudicators who do not annotate: an
annotator's page must not change with what others answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from alignment.models import Evaluation, ExperimentRow
from alignment.services.disputes import Disputes, disputes_of
from annotation.models import Batch, BatchKind, ClassifierRun, HandingOut, TrainedClassifier
from annotation.services.progress import Progress, Waiting, counted, total, waiting_for, waiting_items
from corpus.models import Article, Dataset
from corpus.services.characteristics import pairs_of
from jobs.models import Job, JobState
from projects.models import GoldRule, Project, Role
from projects.permissions import MANAGERS, READERS, roles_of

DONE, UNDER_WAY, TO_DO = "done", "running", "waiting"
WORDS = {DONE: "Done", UNDER_WAY: "Under way", TO_DO: "To do"}


@dataclass(frozen=True, slots=True)
class Task:
    """What people do with items of a kind; `page` lists the batches, `review` the disputes of one."""

    verb: str
    thing: str
    step: str
    page: str
    disputed: str
    review: str


TASKS = {
    BatchKind.JUDGE: Task("Judge", "pair", "Judge pairs", "judge", "disputed pair", "review-batch"),
    BatchKind.LINK: Task("Link", "pair", "Link words", "link", "disputed linked pair", "link-review"),
    BatchKind.SPLIT: Task("Split", "cluster", "Split clusters", "split", "disputed cluster", "split-review"),
}


@dataclass(frozen=True, slots=True)
class Action:
    """Something to press, and in one sentence why."""

    label: str
    url: str
    why: str


@dataclass(frozen=True, slots=True)
class Step:
    """A stage of the work. `contents` are (text, address or "") of what is there.

    An optional one is beside the way: its action is shown in its row and is never what is to be done next.
    """

    label: str
    state: str
    contents: list[tuple[str, str]] = field(default_factory=list)
    action: Action | None = None
    optional: bool = False

    @property
    def word(self) -> str:
        return WORDS[self.state]


@dataclass(slots=True)
class Overview:
    """A project's stages as one person sees them, and what that person does next (the first is prominent)."""

    steps: list[Step]
    next: list[Action]


def overview_of(user: Any, project: Project) -> Overview:
    roles = roles_of(user, project)
    adjudicates, manages = Role.ADJUDICATOR in roles, bool(roles & MANAGERS)
    oversees = manages or (adjudicates and Role.ANNOTATOR not in roles)
    disputes = disputes_of(user, project) if adjudicates or oversees else []
    actions = own_actions(waiting_for(user, project)) + decisions(project, disputes)
    if not roles & READERS:
        return Overview(_own_steps(user, project), actions)
    steps = _Steps(project, oversees, disputes if oversees else []).steps()
    if manages:
        undone = (step.action for step in steps if step.state != DONE and step.action and not step.optional)
        finished = Action(
            "Draw another batch",
            reverse("batch-new", args=[project.slug]),
            "Every stage has been done once. Draw another batch to make the gold standard larger.",
        )
        return Overview(steps, [*actions, next(undone, finished)])
    if adjudicates and project.batches.current().filter(kind=BatchKind.JUDGE).exists():
        why = "Agreement, and what annotators said of each pair that everybody has answered."
        further = [("Review the judgements", "review", why)]
    elif project.gold_sets.current().exists():
        further = [("See the gold sets", "gold", "What this project has released so far.")]
    elif project.clusters.exists():
        further = [("Read the corpus", "corpus", "No gold set is frozen yet.")]
    else:
        further = []
    actions += [Action(label, reverse(view, args=[project.slug]), why) for label, view, why in further]
    return Overview(steps, actions)


def own_actions(waiting: Iterable[Waiting]) -> list[Action]:
    """The way into the first of the batches of each kind that wait for a person's answers."""
    actions = []
    for kind, task in TASKS.items():
        of_kind = [entry for entry in waiting if entry.batch.kind == kind]
        if of_kind:
            batch = of_kind[0].batch
            why = "They are assigned to you; every answer is saved as you go."
            if batch.handing_out == HandingOut.AS_THEY_COME:
                why = "You get them as you go; every answer is saved."
            things = _many(waiting_items(of_kind, kind), task.thing)
            url = reverse(f"{task.page}-batch", args=[batch.project.slug, batch.pk])
            actions.append(Action(f"{task.verb} {things}", url, why))
    return actions


def decisions(project: Project, disputes: Sequence[Disputes]) -> list[Action]:
    """What waits for the decision of an adjudicator: the first batch of each kind."""
    waiting = [(one.batch, len(one.decidable)) for one in disputes if one.decidable]
    return [
        Action(f"Decide {things}", url, f"{things} wait{'s' if count == 1 else ''} for your decision.")
        for things, count, url in _by_kind(project, waiting)
    ]


def undecided(project: Project, disputes: Sequence[Disputes]) -> list[Action]:
    """What waits for a manager whose project has no adjudicator: disputes that nobody may decide."""
    if project.memberships.filter(role=Role.ADJUDICATOR, user__is_active=True).exists():
        return []
    waiting = [(one.batch, len(one.undecided)) for one in disputes]
    return [
        Action(f"Find an adjudicator for {things}", url, "Nobody in the project may decide them.")
        for things, _, url in _by_kind(project, waiting)
    ]


def _by_kind(project: Project, disputes: Sequence[tuple[Batch, int]]) -> list[tuple[str, int, str]]:
    """For each kind of batch, what waits in words, how many, and the address of the first batch."""
    rows = []
    for kind, task in TASKS.items():
        waiting = [(batch, count) for batch, count in disputes if batch.kind == kind]
        if waiting:
            count = sum(number for _, number in waiting)
            url = reverse(task.review, args=[project.slug, waiting[0][0].pk]) + "?show=undecided"
            rows.append((_many(count, task.disputed), count, url))
    return rows


def _own_steps(user: Any, project: Project) -> list[Step]:
    steps = []
    for kind, task in TASKS.items():
        batches = list(Batch.objects.assigned_to(user).current().filter(project=project, kind=kind))
        if kind == BatchKind.SPLIT and not batches:
            continue
        own = total(counted(batches, user).values())
        state = UNDER_WAY if own.waiting else DONE if own.answered else TO_DO
        url = reverse(task.page, args=[project.slug])
        steps.append(Step(task.step, state, _answer_counts(own, f"{task.thing}s", url)))
    return steps


def _answer_counts(progress: Progress, things: str, url: str) -> list[tuple[str, str]]:
    """What is there of answers: given of those expected, second looks, and those that are not waited for."""
    closed = progress.missing - progress.withheld
    texts = [
        (progress.wanted, f"{progress.answered:,} of {progress.wanted:,} {things}"),
        (progress.looks, f"second pass {progress.looked:,} of {progress.looks:,}"),
        (progress.withheld, f"{progress.withheld:,} withheld until the second pass ends"),
        (closed, f"{closed:,} missing in closed batches"),
    ]
    return [(text, url) for count, text in texts if count]


def _many(count: int, noun: str, plural: str = "") -> str:
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


class _Steps:
    """The stages of a project, for those who read its corpus; `oversees`: counts of answers are shown."""

    def __init__(self, project: Project, oversees: bool, disputes: Sequence[Disputes]) -> None:
        self.project = project
        self.oversees = oversees
        self.disputes = disputes

    def steps(self) -> list[Step]:
        project, action = self.project, self._action
        linking = "Pairs that gold calls paraphrases get word links."
        scores = Evaluation.objects.filter(gold_set__project=project, gold_set__archived_at=None).count()
        experiments = project.experiments.current().filter(job__state=JobState.DONE).count()
        judge = list(project.batches.current().filter(kind=BatchKind.JUDGE))
        link = list(project.batches.current().filter(kind=BatchKind.LINK))
        return [
            self._corpus(),
            self._extraction(),
            self._step("Draw a batch", self._drawing(), (len(judge), "batch", "judge")),
            self._answers(
                "Judge", judge, "batch", "The annotators are judging; each sees only their own work."
            ),
            self._step(
                "Review, freeze gold",
                self._freezing(),
                (project.gold_sets.current().count(), "gold set", "gold"),
                disputes=self._undecided(BatchKind.JUDGE),
            ),
            self._classifier(),
            self._step(
                "Draw a linking batch",
                action("Draw a linking batch", linking, "link-new"),
                (len(link), "batch", "link"),
            ),
            self._answers("Link words", link, "link-detail", "The annotators are linking words."),
            self._step(
                "Freeze gold links",
                action("Freeze gold links", "Merges what the annotators submitted.", "gold-links-new"),
                (project.gold_alignment_sets.current().count(), "set", "gold"),
                disputes=self._undecided(BatchKind.LINK),
            ),
            self._step(
                "Score aligners",
                action("Score an aligner", "Alignment error rate against the gold links.", "aligners"),
                (scores, "score", "aligners"),
                (experiments, "experiment", "experiments"),
            ),
            self._step(
                "Export",
                action("Export the gold standard", "Pairs, links and a manifest in one zip.", "export-new"),
                (project.exports.current().count(), "export", "exports"),
            ),
        ]

    def url(self, view: str, *arguments: object) -> str:
        return reverse(view, args=[self.project.slug, *arguments])

    def _action(self, label: str, why: str, view: str, *arguments: object) -> Action:
        return Action(label, self.url(view, *arguments), why)

    def _step(self, label: str, action: Action, *counts: tuple[int, str, str], disputes: int = 0) -> Step:
        """A stage that is done once there is anything of it; counts: number, noun and the page of each."""
        contents = [
            (_many(count, noun, "batches" if noun == "batch" else ""), self.url(view))
            for count, noun, view in counts
            if count
        ]
        state = DONE if contents else TO_DO
        if disputes:
            contents.append((_many(disputes, "undecided disagreement"), self.url("review")))
        return Step(label, state, contents, action)

    def _corpus(self) -> Step:
        clusters = self.project.clusters.of_corpus().count()
        imported = self.project.clusters.imported_pairs().count()
        articles = Article.objects.filter(cluster__project=self.project, cluster__pair_import=None).count()
        why = "Articles on the same events, clustered, as JSONL."
        return self._step(
            "Import a corpus",
            self._action("Import a corpus", why, "corpus-import"),
            (clusters, "cluster", "corpus"),
            (articles, "article", "corpus"),
            (imported, "imported pair", "corpus"),
        )

    def _extraction(self) -> Step:
        extractions = list(self.project.extractions.current().select_related("job"))
        running = next((one for one in extractions if one.job.active), None)
        finished = any(one.job.state == JobState.DONE for one in extractions)
        pairs = pairs_of(self.project)
        state = DONE if finished and pairs else UNDER_WAY if running else TO_DO
        contents = []
        if extractions:
            contents = [
                (_many(len(extractions), "extraction"), self.url("candidates")),
                (f"{pairs:,} pairs", self.url("pairs")),
            ]
        why = "Pairs of sentences from different articles of one cluster."
        action = self._action("Extract candidate pairs", why, "extraction-new")
        if running:
            why = f"It is at {running.job.done:,} of {running.job.total:,} clusters."
            action = self._action("Follow the extraction", why, "extraction", running.pk)
        elif extractions and not finished:
            stopped = extractions[0]
            why = f"It is {stopped.job.get_state_display().lower()}."
            action = self._action("See what stopped the extraction", why, "extraction", stopped.pk)
        return Step("Extract candidates", state, contents, action)

    def _drawing(self) -> Action:
        annotators = self.project.memberships.filter(role=Role.ANNOTATOR).count()
        overlap = self.project.overlap
        if annotators < overlap:
            why = f"Each pair is judged by {overlap} people; the project has {annotators} of them."
            return self._action("Add annotators", why, "members")
        return self._action(
            "Draw a batch to judge", "A random sample of the pairs, for annotators.", "batch-new"
        )

    def _answers(self, label: str, batches: list[Batch], view: str, why: str) -> Step:
        """The stage of answering; without the right to oversee it, only whether there is any to do."""
        if not batches:
            return Step(label, TO_DO)
        if not self.oversees:
            closed = all(batch.state == "closed" for batch in batches)
            return Step(label, DONE if closed else UNDER_WAY)
        progress = counted(batches)
        whole = total(progress.values())
        open_ones = [batch for batch in reversed(batches) if progress[batch.pk].waiting]
        target = open_ones[0] if open_ones else batches[0]
        url = self.url(view, target.pk)
        contents = _answer_counts(whole, "answers", url)
        if not open_ones and not whole.answered and whole.missing:
            why = "Its batches are closed without an answer: open one again, or draw another."
            return Step(label, TO_DO, contents, Action(f"Open “{target.name}” again", url, why))
        action = Action(f"See how far “{target.name}” is", url, why)
        return Step(label, UNDER_WAY if open_ones else DONE, contents, action)

    def _undecided(self, kind: str) -> int:
        return sum(len(one.undecided) for one in self.disputes if one.batch.kind == kind)

    def _freezing(self) -> Action:
        rule = self.project.gold_rule
        if rule == GoldRule.ADJUDICATED and (waiting := self._undecided(BatchKind.JUDGE)):
            why = f"By the project's rule an adjudicator decides where annotators disagree: {waiting:,} wait."
            return self._action(f"Review {_many(waiting, 'disagreement')}", why, "review")
        return self._action(
            "Freeze a gold set", f"By the rule: {self.project.get_gold_rule_display()}.", "gold-new"
        )

    def _classifier(self) -> Step:
        """The stage as its newest classifier and the newest run have it; no other stage waits for it."""
        label, project = "Classifier", self.project
        classifiers = project.classifiers.current().select_related("job").defer("model", "imported_pairs")
        classifier = classifiers.first()
        if classifier is None:
            train = None
            if project.gold_sets.current().exists():
                why = "It learns from the gold set and decides on whole datasets."
                train = self._action("Train a classifier", why, "classifier-new")
            return Step(label, TO_DO, [], train, optional=True)
        runs = ClassifierRun.objects.current().filter(classifier__project=project).select_related("job")
        refined = Dataset.objects.current().filter(refining_runs__in=runs).distinct().count()
        contents = [(_many(classifiers.count(), "classifier"), self.url("classifiers"))]
        if refined:
            contents.append((_many(refined, "refined dataset"), self.url("candidates")))
        run = runs.first()
        action = _waiting(classifier.job, "training", self.url("classifier", classifier.pk))
        if action is None and run is not None:
            action = _waiting(run.job, "run", self.url("classifier-run", run.pk))
        active = classifier.job.active or (run is not None and run.job.active)
        state = UNDER_WAY if action and active else DONE if refined else TO_DO
        return Step(label, state, contents, action or self._after_training(classifier, run), optional=True)

    def _after_training(self, classifier: TrainedClassifier, run: ClassifierRun | None) -> Action:
        if run is None:
            why = "What it accepts becomes a dataset of its own."
            return self._action(f"Apply {classifier}", why, "classifier-apply", classifier.pk)
        dataset = run.refined.current().first()
        compared = dataset is None or ExperimentRow.objects.filter(dataset=dataset).exists()
        if not compared and self.project.gold_alignment_sets.current().exists():
            why = "A row of the table of alignment error rates."
            return self._action("Compare what it accepted", why, "experiment-new")
        return self._action("See the run, draw the next batch", "The loop goes on.", "classifier-run", run.pk)


def _waiting(job: Job, what: str, url: str) -> Action | None:
    """The way to a job that has not come to its end."""
    if job.active:
        return Action(f"Follow the {what}", url, f"It is at {job.done:,} of {job.total:,}.")
    if job.state != JobState.DONE:
        return Action(f"See what stopped the {what}", url, f"It is {job.get_state_display().lower()}.")
    return None
