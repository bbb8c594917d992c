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
from annotation.permissions import can_see_answers
from annotation.services.progress import Progress, Waiting, counted, total, waiting_for, waiting_items
from corpus.models import Article, Dataset
from corpus.services.characteristics import pairs_of
from jobs.models import Job, JobState
from projects.models import GoldRule, Project, Role
from projects.permissions import MANAGERS, READERS, can_manage, roles_of

DONE, UNDER_WAY, TO_DO = "done", "running", "waiting"
WORDS = {DONE: "Done", UNDER_WAY: "Under way", TO_DO: "To do"}
# Of each kind of batch: what is done, to what, and the page where all of them are.
ANSWERING = (
    (BatchKind.JUDGE, "Judge", "pair", "judge"),
    (BatchKind.LINK, "Link", "pair", "link"),
    (BatchKind.SPLIT, "Split", "cluster", "split"),
)
OWN_STEPS = {BatchKind.JUDGE: "Judge pairs", BatchKind.LINK: "Link words", BatchKind.SPLIT: "Split clusters"}
DECIDING = (
    (BatchKind.JUDGE, "disputed pair", "review-batch"),
    (BatchKind.LINK, "disputed linked pair", "link-review"),
    (BatchKind.SPLIT, "disputed cluster", "split-review"),
)


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
    actions = own_actions(waiting_for(user, project)) + decisions(user, project)
    if not roles & READERS:
        return Overview(_own_steps(user, project), actions)
    oversees = can_manage(user, project) or (Role.ADJUDICATOR in roles and Role.ANNOTATOR not in roles)
    steps = _Steps(user, project, oversees).steps()
    if roles & MANAGERS:
        undone = (step.action for step in steps if step.state != DONE and step.action and not step.optional)
        finished = Action(
            "Draw another batch",
            reverse("batch-new", args=[project.slug]),
            "Every stage has been done once. Draw another batch to make the gold standard larger.",
        )
        actions.append(next(undone, finished))
    elif can_see_answers(user, project) and project.batches.current().filter(kind=BatchKind.JUDGE).exists():
        url = reverse("review", args=[project.slug])
        why = "Agreement, and what annotators said of each pair that everybody has answered."
        actions.append(Action("Review the judgements", url, why))
    elif project.gold_sets.current().exists():
        url = reverse("gold", args=[project.slug])
        actions.append(Action("See the gold sets", url, "What this project has released so far."))
    elif project.clusters.exists():
        url = reverse("corpus", args=[project.slug])
        actions.append(Action("Read the corpus", url, "No gold set is frozen yet."))
    return Overview(steps, actions)


def own_actions(waiting: Iterable[Waiting]) -> list[Action]:
    """The way into the first of the batches of each kind that wait for a person's answers."""
    actions = []
    for kind, verb, thing, view in ANSWERING:
        of_kind = [entry for entry in waiting if entry.batch.kind == kind]
        if of_kind:
            batch = of_kind[0].batch
            why = "They are assigned to you; every answer is saved as you go."
            if batch.handing_out == HandingOut.AS_THEY_COME:
                why = "You get them as you go; every answer is saved."
            url = reverse(f"{view}-batch", args=[batch.project.slug, batch.pk])
            actions.append(Action(f"{verb} {_many(waiting_items(of_kind, kind), thing)}", url, why))
    return actions


def decisions(user: Any, project: Project) -> list[Action]:
    """What waits for the decision of an adjudicator: the first batch of each kind."""
    if Role.ADJUDICATOR not in roles_of(user, project):
        return []
    disputes = [one for one in disputes_of(user, project) if one.decidable]
    waiting = [(one.batch, len(one.decidable)) for one in disputes]
    return [
        Action(f"Decide {things}", url, f"{things} wait{'s' if count == 1 else ''} for your decision.")
        for things, count, url in _by_kind(project, waiting)
    ]


def undecided(user: Any, project: Project) -> list[Action]:
    """What waits for a manager whose project has no adjudicator: disputes that nobody may decide."""
    adjudicators = project.memberships.filter(role=Role.ADJUDICATOR, user__is_active=True)
    if not roles_of(user, project) & MANAGERS or adjudicators.exists():
        return []
    waiting = [(one.batch, len(one.undecided)) for one in disputes_of(user, project)]
    return [
        Action(f"Find an adjudicator for {things}", url, "Nobody in the project may decide them.")
        for things, _, url in _by_kind(project, waiting)
    ]


def _by_kind(project: Project, disputes: Sequence[tuple[Batch, int]]) -> list[tuple[str, int, str]]:
    """For each kind of batch, what waits in words, how many, and the address of the first batch."""
    rows = []
    for kind, thing, view in DECIDING:
        waiting = [(batch, count) for batch, count in disputes if batch.kind == kind]
        if waiting:
            count = sum(number for _, number in waiting)
            url = reverse(view, args=[project.slug, waiting[0][0].pk]) + "?show=undecided"
            rows.append((_many(count, thing), count, url))
    return rows


def _own_steps(user: Any, project: Project) -> list[Step]:
    steps = []
    for kind, _, thing, view in ANSWERING:
        batches = list(Batch.objects.assigned_to(user).current().filter(project=project, kind=kind))
        own = total(counted(batches, user).values())
        if kind == BatchKind.SPLIT and not batches:
            continue
        state = UNDER_WAY if own.waiting else DONE if own.answered else TO_DO
        url = reverse(view, args=[project.slug])
        steps.append(Step(OWN_STEPS[kind], state, _answer_counts(own, f"{thing}s", url)))
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

    def __init__(self, user: Any, project: Project, oversees: bool) -> None:
        self.project = project
        self.oversees = oversees
        self.disputes: list[Disputes] = disputes_of(user, project) if oversees else []

    def steps(self) -> list[Step]:
        project, url = self.project, self.url
        gold_sets = project.gold_sets.current().count()
        gold_links = project.gold_alignment_sets.current().count()
        scores = Evaluation.objects.filter(gold_set__project=project, gold_set__archived_at=None).count()
        experiments = project.experiments.current().filter(job__state=JobState.DONE).count()
        exports = project.exports.current().count()
        judge = list(project.batches.current().filter(kind=BatchKind.JUDGE))
        link = list(project.batches.current().filter(kind=BatchKind.LINK))
        judging = "The annotators are judging; each sees only their own work."
        draw_links = "Pairs that gold calls paraphrases get word links."
        freeze_links = "Merges what the annotators submitted."
        score = "Alignment error rate against the gold links."
        export = "Pairs, links and a manifest in one zip."
        return [
            self._corpus(),
            self._extraction(),
            self._step("Draw a batch", self._drawing(), (len(judge), "batch", "judge")),
            self._answers("Judge", judge, "batch", judging),
            self._step(
                "Review, freeze gold",
                self._freezing(),
                (gold_sets, "gold set", "gold"),
                disputes=self._undecided(BatchKind.JUDGE),
            ),
            self._classifier(),
            self._step(
                "Draw a linking batch",
                Action("Draw a linking batch", url("link-new"), draw_links),
                (len(link), "batch", "link"),
            ),
            self._answers("Link words", link, "link-detail", "The annotators are linking words."),
            self._step(
                "Freeze gold links",
                Action("Freeze gold links", url("gold-links-new"), freeze_links),
                (gold_links, "set", "gold"),
                disputes=self._undecided(BatchKind.LINK),
            ),
            self._step(
                "Score aligners",
                Action("Score an aligner", url("aligners"), score),
                (scores, "score", "aligners"),
                (experiments, "experiment", "experiments"),
            ),
            self._step(
                "Export",
                Action("Export the gold standard", url("export-new"), export),
                (exports, "export", "exports"),
            ),
        ]

    def url(self, view: str, *arguments: object) -> str:
        return reverse(view, args=[self.project.slug, *arguments])

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
            Action("Import a corpus", self.url("corpus-import"), why),
            (clusters, "cluster", "corpus"),
            (articles, "article", "corpus"),
            (imported, "imported pair", "corpus"),
        )

    def _extraction(self) -> Step:
        extractions = list(self.project.extractions.current().select_related("job"))
        running = next((one for one in extractions if one.job.active), None)
        finished = any(one.job.state == JobState.DONE for one in extractions)
        pairs = pairs_of(self.project)
        state = DONE if finished and pairs else TO_DO
        contents = []
        if extractions:
            contents = [
                (_many(len(extractions), "extraction"), self.url("candidates")),
                (f"{pairs:,} pairs", self.url("pairs")),
            ]
        if running:
            state = DONE if finished and pairs else UNDER_WAY
            why = f"It is at {running.job.done:,} of {running.job.total:,} clusters."
            action = Action("Follow the extraction", self.url("extraction", running.pk), why)
        elif extractions and not finished:
            stopped = extractions[0]
            why = f"It is {stopped.job.get_state_display().lower()}."
            action = Action("See what stopped the extraction", self.url("extraction", stopped.pk), why)
        else:
            why = "Pairs of sentences from different articles of one cluster."
            action = Action("Extract candidate pairs", self.url("extraction-new"), why)
        return Step("Extract candidates", state, contents, action)

    def _drawing(self) -> Action:
        annotators = self.project.memberships.filter(role=Role.ANNOTATOR).count()
        overlap = self.project.overlap
        if annotators < overlap:
            why = f"Each pair is judged by {overlap} people; the project has {annotators} of them."
            return Action("Add annotators", self.url("members"), why)
        why = "A random sample of the pairs, for annotators."
        return Action("Draw a batch to judge", self.url("batch-new"), why)

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
            return Action(f"Review {_many(waiting, 'disagreement')}", self.url("review"), why)
        why = f"By the rule: {self.project.get_gold_rule_display()}."
        return Action("Freeze a gold set", self.url("gold-new"), why)

    def _classifier(self) -> Step:
        """The stage as its newest classifier and the newest run have it; no other stage waits for it."""
        label, project = "Classifier", self.project
        classifiers = project.classifiers.current().select_related("job").defer("model", "imported_pairs")
        classifier = classifiers.first()
        if classifier is None:
            if not project.gold_sets.current().exists():
                return Step(label, TO_DO, optional=True)
            why = "It learns from the gold set and decides on whole datasets."
            train = Action("Train a classifier", self.url("classifier-new"), why)
            return Step(label, TO_DO, [], train, optional=True)
        runs = ClassifierRun.objects.current().filter(classifier__project=project).select_related("job")
        refined = Dataset.objects.current().filter(refining_runs__in=runs).distinct().count()
        contents = [(_many(classifiers.count(), "classifier"), self.url("classifiers"))]
        if refined:
            contents.append((_many(refined, "refined dataset"), self.url("candidates")))
        run = runs.first()
        state = DONE if refined else TO_DO
        action = _waiting(classifier.job, "training", self.url("classifier", classifier.pk))
        if action is None and run is not None:
            action = _waiting(run.job, "run", self.url("classifier-run", run.pk))
        if action and (classifier.job.active or (run is not None and run.job.active)):
            state = UNDER_WAY
        return Step(label, state, contents, action or self._after_training(classifier, run), optional=True)

    def _after_training(self, classifier: TrainedClassifier, run: ClassifierRun | None) -> Action:
        if run is None:
            why = "What it accepts becomes a dataset of its own."
            return Action(f"Apply {classifier}", self.url("classifier-apply", classifier.pk), why)
        dataset = run.refined.current().first()
        compared = dataset is None or ExperimentRow.objects.filter(dataset=dataset).exists()
        if not compared and self.project.gold_alignment_sets.current().exists():
            why = "A row of the table of alignment error rates."
            return Action("Compare what it accepted", self.url("experiment-new"), why)
        url = self.url("classifier-run", run.pk)
        return Action("See the run, draw the next batch", url, "The loop goes on.")


def _waiting(job: Job, what: str, url: str) -> Action | None:
    """The way to a job that has not come to its end."""
    if job.active:
        return Action(f"Follow the {what}", url, f"It is at {job.done:,} of {job.total:,}.")
    if job.state != JobState.DONE:
        return Action(f"See what stopped the {what}", url, f"It is {job.get_state_display().lower()}.")
    return None
