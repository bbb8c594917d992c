"""A project's first page: the next step, four phases, what needs somebody, what runs, and answers a day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from alignment.models import Evaluation, ExperimentCell
from alignment.services.batches import suggester_choices
from alignment.services.disputes import link_figures
from alignment.services.trained_aligners.stored import PREFIX, chosen
from annotation.models import Assignment, Batch, BatchKind, BatchState
from annotation.models.item import takes_part
from annotation.presenters import percent
from annotation.services.batch_figures import BatchFigures
from annotation.services.progress import Progress, counted, held, pace, total
from corpus.models import CorpusImport, ImportState
from jobs.kinds import job_kind
from jobs.models import Job, JobState
from ops.facts import Facts, failed_jobs
from ops.next_step import TASKS, Action, disputes_url, next_step, own_actions
from paragold.metrics.label_agreement import Estimate
from projects.errors import PublicError
from projects.listings import grouped, many

EXTRACTIONS_SHOWN = 3
JOBS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """A line of a phase: what, how much, where to see it; `waits` where it needs somebody."""

    label: str
    value: str = ""
    url: str = ""
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the work; `done` of `of` are what its bar shows, in `words`.

    While nothing is there, `begin` says what to do first; otherwise it is "".
    """

    name: str
    headline: str
    url: str
    done: int
    of: int
    words: str
    figures: list[Figure] = field(default_factory=list)
    begin: str = ""

    @property
    def complete(self) -> bool:
        return bool(self.of) and self.done == self.of


@dataclass(frozen=True, slots=True)
class OwnTask:
    """An annotator's work of one kind: the page of it, the way to what waits, and what is done in words.

    `passes` are the names of the batches that are answered again; the bar then shows second answers alone.
    """

    label: str
    url: str
    action: Action | None
    progress: list[str]
    done: int
    of: int
    passes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Overview:
    """A project as one person sees it; `own` is all that an annotator sees of it.

    `running` are the first active jobs, `more_running` how many there are beyond. `days` are the answers of
    the last days, [] for whoever does not see others' answers and where there are none.
    """

    next: Action | None
    phases: list[Phase] = field(default_factory=list)
    needs: list[Action] = field(default_factory=list)
    running: list[Job] = field(default_factory=list)
    more_running: int = 0
    days: list[tuple[date, int]] = field(default_factory=list)
    own: list[OwnTask] = field(default_factory=list)
    empty: bool = False


def overview_of(facts: Facts) -> Overview:
    step = next_step(facts)
    if not facts.reads:
        return Overview(step, own=_own_tasks(facts))
    by_day = facts.answers_by_day
    jobs = facts.active_jobs
    return Overview(
        next=step,
        phases=_Phases(facts, by_day).phases(),
        needs=[need for need in needs_of(facts) if step is None or need.url != step.url],
        running=jobs[:JOBS_SHOWN],
        more_running=max(0, len(jobs) - JOBS_SHOWN),
        days=[(day, sum(kinds.values())) for day, kinds in by_day.items()] if any(by_day.values()) else [],
        empty=not (facts.counts["clusters"] or facts.counts["imported"] or facts.newest_import),
    )


def _own_tasks(facts: Facts) -> list[OwnTask]:
    tasks = []
    for kind, task in TASKS.items():
        rows = Batch.objects.assigned_to(facts.user).current()
        batches = list(rows.filter(project=facts.project, kind=kind))
        if kind == BatchKind.SPLIT and not batches:
            continue
        parts = counted(batches, facts.user)
        url = facts.url(task.page)
        actions = own_actions([entry for entry in facts.waiting if entry.batch.kind == kind])
        things = _("clusters") if kind == BatchKind.SPLIT else _("pairs")
        passes = [batch.name for batch in batches if parts[batch.pk].looks]
        texts = answer_counts(total([Progress(), *parts.values()]), things)
        done, due = (sum(getattr(part, name) for part in parts.values()) for name in ("done", "due"))
        tasks.append(OwnTask(_(task.step), url, next(iter(actions), None), texts, done, due, passes))
    return tasks


def answer_counts(progress: Progress, things: str) -> list[str]:
    """Answers given of those expected, second looks, skipped ones, and those that are not waited for."""
    closed = progress.missing - progress.withheld
    texts = [
        (progress.expected, progress.given, _("%(count)s of %(total)s %(things)s")),
        (progress.looks, progress.looked, _("second pass %(count)s of %(total)s")),
        (progress.skipped, progress.skipped, _("%(count)s skipped")),
        (progress.withheld, progress.withheld, _("%(count)s withheld until the second pass ends")),
        (closed, closed, _("%(count)s missing in closed batches")),
    ]
    return [
        text % {"count": grouped(count), "total": grouped(whole), "things": things}
        for whole, count, text in texts
        if whole
    ]


class _Phases:
    """The four phases, for those who read the corpus."""

    def __init__(self, facts: Facts, by_day: dict[date, dict[str, int]]) -> None:
        self.facts, self.project, self.counts = facts, facts.project, facts.counts
        self.by_day, self.url = by_day, facts.url

    def phases(self) -> list[Phase]:
        return [self._corpus(), self._judge(), self._link(), self._data()]

    def _corpus(self) -> Phase:
        counts, corpus = self.counts, self.url("corpus")
        figures = []
        if counts["clusters"]:
            held_out = _("%(count)s held out") % {"count": grouped(counts["held_out"])}
            held_out = held_out if counts["held_out"] else ""
            figures.append(Figure(many(counts["clusters"], "cluster"), held_out, corpus))
        if counts["imported"]:
            url = f"{corpus}?collection=imported"
            figures.append(Figure(_("imported pairs"), grouped(counts["imported"]), url))
        for extraction in self.facts.extractions[:EXTRACTIONS_SHOWN]:
            job = extraction.job
            value = _(job.get_state_display()).lower()
            if job.state == JobState.DONE:
                value = many(job.counts.get("pairs_kept") or 0, "pair")
            waits = job.state == JobState.FAILED
            figures.append(Figure(extraction.name, value, self.url("extraction", extraction.pk), waits))
        more = len(self.facts.extractions) - EXTRACTIONS_SHOWN
        if more > 0:
            figures.append(Figure(_("%(count)s more") % {"count": grouped(more)}, "", self.url("datasets")))
        if self.facts.pairs:
            figures.append(Figure(_("all candidates"), many(self.facts.pairs, "pair"), self.url("pairs")))
        steps = {
            _("articles imported"): bool(counts["articles"] or counts["imported"]),
            _("candidate pairs extracted"): bool(self.facts.pairs or counts["imported"]),
        }
        begin = _("Import articles on the same events, then extract candidate pairs.")
        begin = "" if figures else begin
        return self._steps(_("Corpus"), many(counts["articles"], "article"), corpus, steps, figures, begin)

    def _judge(self) -> Phase:
        begin = _("Draw a batch of candidate pairs; annotators judge which are paraphrases.")
        phase = self._answers(_("Judge"), BatchKind.JUDGE, self._label_agreement, begin)
        split = self.facts.of_kind(BatchKind.SPLIT)
        if split and self.facts.oversees:
            texts = answer_counts(self.facts.progress(BatchKind.SPLIT), _("answers"))
            phase.figures.append(Figure(_("clusters split"), ", ".join(texts), self.url("split")))
        return phase

    def _link(self) -> Phase:
        begin = _("Draw a linking batch from a gold set; annotators link the words of each paraphrase.")
        phase = self._answers(_("Link"), BatchKind.LINK, self._link_agreement, begin)
        names: dict[str, str] = {}
        for batch in self.facts.of_kind(BatchKind.LINK)[:1] if self.facts.manages else []:
            names = names or dict(suggester_choices(self.project, batch))
            if batch.suggester:
                name = names.get(batch.suggester, batch.suggester)
                phase.figures.append(Figure(_("suggested by"), name, self.url("link-detail", batch.pk)))
        return phase

    def _answers(self, name: str, kind: BatchKind, agreement: Any, begin: str) -> Phase:
        """Without the right to oversee it, only whether there is any work."""
        task, batches = TASKS[kind], self.facts.of_kind(kind)
        page = self.url(task.page)
        if not batches:
            return Phase(name, _("No batch yet"), page, 0, 1, _("nothing to answer yet"), begin=begin)
        if not self.facts.oversees:
            closed = all(batch.state == "closed" for batch in batches)
            return Phase(name, _("Closed") if closed else _("Under way"), page, int(closed), 1, "", [])
        progress = self.facts.progress(kind)
        parts = [self.facts.progress_of(batch) for batch in batches]
        done, due = sum(part.all_done for part in parts), sum(part.all_due for part in parts)
        counts = {"count": grouped(progress.given), "total": grouped(progress.expected)}
        headline = _("%(count)s of %(total)s") % counts
        words = _("%(count)s of %(total)s answers given") % counts
        figures = [Figure(many(len(batches), "batch", "batches"), "", page)]
        # The first of them is the headline.
        texts = answer_counts(progress, _("answers"))[1 if progress.expected else 0 :]
        figures += [Figure(text, "", page) for text in texts]
        figures += agreement(batches)
        if undecided := self.facts.undecided(kind):
            figures.append(
                Figure(
                    _("disputed"),
                    _("%(count)s undecided") % {"count": grouped(undecided)},
                    self.url("review"),
                    True,
                )
            )
        figures += self._pace(kind, progress.waiting)
        return Phase(name, headline, page, done, due, words, figures)

    def _pace(self, kind: str, left: int) -> list[Figure]:
        """Answers a day, and when those that are left are done at this pace."""
        recent = pace({day: kinds.get(kind, 0) for day, kinds in self.by_day.items()}, left)
        if recent is None or not left or not self.facts.manages:
            return []
        url = self.url("progress") + f"?kind={kind}"
        left_words = _("%(days)s left") % {"days": many(recent[1], "day")}
        return [Figure(_("%(count)s a day") % {"count": f"{recent[0]:,.0f}"}, left_words, url)]

    def _label_agreement(self, batches: list[Batch]) -> list[Figure]:
        """The agreement in the newest batch that has any."""
        for batch in batches:
            of_batch = self.facts.label_figures.get(batch.pk, BatchFigures())
            agreement, second = of_batch.agreement or {}, of_batch.second_pass
            if "observed" in agreement and agreement["observed"]["value"] is not None:
                name = _("kappa") if "cohen_kappa" in agreement else _("alpha")
                chance = agreement.get("cohen_kappa") or agreement["krippendorff_alpha"]
                value = _whole_percent(agreement["observed"])
                value += "" if chance["value"] is None else f", {name} {chance['value']:.2f}"
                if second and second["observed"]["value"] is not None:
                    value += _("; second pass %(share)s") % {"share": _whole_percent(second["observed"])}
                named = _("agreement, first pass") if second else _("agreement")
                return [Figure(named, value, f"{self.url('agreement')}?batch={batch.pk}")]
        return []

    def _link_agreement(self, batches: list[Batch]) -> list[Figure]:
        figures = link_figures(self.facts.user, self.project, batches)
        for batch in batches:
            linked = figures[batch.pk]
            if linked.agreement is not None:
                value, named = percent(linked.agreement), _("agreement")
                if linked.second_pass is not None:
                    value += _("; second pass %(share)s") % {"share": percent(linked.second_pass)}
                    named = _("agreement, first pass")
                return [Figure(named, value, self.url("link-agreement", batch.pk))]
        return []

    def _data(self) -> Phase:
        project, counts = self.project, self.counts
        gold = project.gold_sets.current().first()
        links = project.gold_alignment_sets.current().first()
        figures = []
        for frozen, page in ((gold, "gold-set"), (links, "gold-links")):
            if frozen:
                pairs = many(frozen.counts.get("pairs") or 0, "pair")
                figures.append(Figure(str(frozen), pairs, self.url(page, frozen.pk)))
        figures += [*self._classifier(bool(gold)), *self._lowest_aer()]
        export = project.exports.current().first()
        if export:
            ago = self.facts.days_ago(export.created_at)
            figures.append(Figure(_("last export"), age(ago, _("%(days)s ago")), self.url("exports")))
        steps = {
            _("gold frozen"): bool(gold or links),
            _("aligners scored"): bool(counts["scores"] or counts["experiments"]),
            _("data exported"): bool(export),
        }
        begin = _("Freeze the answers as gold, train and score models, export data sets.")
        begin = "" if figures else begin
        newest = max(filter(None, (gold, links)), key=lambda row: row.frozen_at, default=_("No gold yet"))
        return self._steps(_("Models and data out"), str(newest), self.url("gold"), steps, figures, begin)

    def _classifier(self, trainable: bool) -> list[Figure]:
        """The newest one with its F-score, or the way to train one."""
        rows = self.project.classifiers.current().select_related("job").defer("model", "imported_pairs")
        newest = rows.first()
        if newest is None:
            url = self.url("launch", "train-classifier")
            return [Figure(_("classifier"), _("train one"), url)] if trainable and self.facts.manages else []
        measured = newest.figures.get("measures", {}).get("f")
        value = (
            f"F {percent(measured)}" if measured is not None else _(newest.job.get_state_display()).lower()
        )
        waits = newest.job.state == JobState.FAILED
        return [Figure(str(newest), value, self.url("classifier", newest.pk), waits)]

    def _lowest_aer(self) -> list[Figure]:
        """Against the newest gold links that were scored, of single scores and experiments."""
        gold_links = self.project.gold_alignment_sets.current()
        current = self.project.experiments.current()
        scored = (
            ("aligners", "aligner", Evaluation.objects.all()),
            ("experiments", "row__aligner", ExperimentCell.objects.filter(row__experiment__in=current)),
        )
        scores = [
            (-gold, aer, name, view)
            for view, aligner, rows in scored
            for gold, aer, name in rows.filter(gold_set__in=gold_links)
            .order_by()
            .values_list("gold_set", "scores__all__aer", aligner)
            if aer is not None
        ]
        if not scores:
            return []
        _gold, aer, name, view = min(scores)
        return [Figure(_("lowest AER"), f"{name}, {percent(aer)}", self.url(view))]

    def _steps(
        self, name: str, headline: str, url: str, steps: dict[str, bool], figures: list[Figure], begin: str
    ) -> Phase:
        words = _("%(done)s of %(count)s steps done") % {"done": sum(steps.values()), "count": len(steps)}
        missing = ", ".join(step for step, is_done in steps.items() if not is_done)
        words += _("; not yet: %(steps)s") % {"steps": missing} if missing else ""
        return Phase(name, headline, url, sum(steps.values()), len(steps), words, figures, begin)


def _whole_percent(figure: Estimate) -> str:
    return f"{figure['value']:.0%}".replace("%", " %")


IDLE_DAYS = 3
SHOWN = 5
REASON = 90
"""Letters of a job's error that are shown."""


def needs_of(facts: Facts) -> list[Action]:
    """What waits for the person, of managers also what the project needs of anybody; `why` is how old or how
    much it is."""
    needs = [replace(action, why=_("assigned to you")) for action in own_actions(facts.waiting)]
    needs += _disputes(facts)
    if facts.manages:
        for needs_of_kind in (_imports, _failed_jobs, _idle_annotators, _stale_suggesters):
            needs += needs_of_kind(facts)
    return needs


def age(days: int, words: str = "%(days)s") -> str:
    return words % {"days": many(days, "day")} if days else _("today")


def _disputes(facts: Facts) -> Iterator[Action]:
    """Disputes that the person may decide; for managers also those that wait for somebody else."""
    waiting = [(case, case.undecided if facts.manages else case.decidable) for case in facts.disputes]
    disputed = {item for _, items in waiting for item in items}
    if not disputed:
        return
    answered = Assignment.objects.filter(item__in=disputed).order_by().values_list("item")
    since = {item: at for item, at in answered.annotate(at=Max("answered_at")) if at}
    for disputes, items in waiting:
        if not items:
            continue
        things = many(len(items), TASKS[BatchKind(disputes.batch.kind)].disputed)
        oldest = min((since[item] for item in items if item in since), default=None)
        details = [_("oldest %(age)s") % {"age": age(facts.days_ago(oldest))}] if oldest else []
        if not disputes.decidable:
            there = facts.counts["adjudicators"]
            details.append(
                _("waiting for an adjudicator") if there else _("waiting for an adjudicator: add one")
            )
        label = _("%(things)s in %(batch)s") % {"things": things, "batch": disputes.batch}
        yield Action(label, disputes_url(disputes.batch), "; ".join(details))


def _imports(facts: Facts) -> Iterator[Action]:
    """Files that were checked or refused, and then left."""
    rows: list[CorpusImport] = list(
        facts.project.imports.filter(state__in=[ImportState.CHECKED, ImportState.REFUSED])[:SHOWN]
    )
    for source in rows:
        checked = source.state == ImportState.CHECKED
        yield Action(
            (_("%(name)s is checked, not stored") if checked else _("%(name)s was refused"))
            % {"name": source.filename},
            facts.url("import", source.pk),
            _("store or discard it") if checked else _("see what is wrong"),
        )


def _failed_jobs(facts: Facts) -> Iterator[Action]:
    for job in failed_jobs(facts.project).select_related("project")[:SHOWN]:
        reason = job.error if len(job.error) <= REASON else f"{job.error[: REASON - 1]}…"
        yield Action(_("Failed: %(job)s") % {"job": job.title}, job_kind(job.kind).page_of(job), reason)


def _idle_annotators(facts: Facts) -> Iterator[Action]:
    """People who hold items of open batches and have not answered for IDLE_DAYS, nor got any since."""
    batches = [batch for batch in facts.batches if batch.state == BatchState.OPEN]
    unfinished = [batch for batch in batches if facts.progress_of(batch).waiting]
    places = Assignment.objects.filter(item__batch__in=batches, annotator__isnull=False).order_by()
    paused = takes_part(OuterRef("annotator"), "item__batch").filter(paused=True)
    holders = (
        places.filter(held(), item__batch__in=unfinished)
        .exclude(Exists(paused))
        .values_list("annotator")
        .annotate(name=Max("annotator__username"), items=Count("pk"), drawn=Max("item__batch__created_at"))
        .order_by("name")
    )
    stopped = [row for row in holders if row[-1] < timezone.now() - timedelta(days=IDLE_DAYS)]
    people = places.filter(annotator__in=[pk for pk, *_ in stopped]).values_list("annotator")
    latest = dict(people.annotate(answered=Max("answered_at"))) if stopped else {}
    url = facts.url("progress")
    for pk, username, items, drawn in stopped:
        answered = latest[pk]
        if answered is None or answered < timezone.now() - timedelta(days=IDLE_DAYS):
            label = _("%(person)s has not answered yet, drawn %(day)s")
            if answered:
                label = _("%(person)s has not answered since %(day)s")
            label %= {"person": username, "day": f"{answered or drawn:%Y-%m-%d}"}
            yield Action(label, url, _("%(items)s held") % {"items": many(items, "item")})


def _stale_suggesters(facts: Facts) -> Iterator[Action]:
    """Aligners that suggest links in an open batch and learned from gold links, but not the newest ones."""
    newest = facts.project.gold_alignment_sets.current().first()
    for batch in facts.of_kind(BatchKind.LINK):
        if newest is None or batch.state != BatchState.OPEN or not batch.suggester.startswith(f"{PREFIX}:"):
            continue
        try:
            aligner = chosen(facts.project, batch.suggester)
        except PublicError:
            continue
        if aligner.learns_from_gold and newest.frozen_at > aligner.created_at:
            yield Action(
                _("%(gold)s is newer than %(aligner)s, which suggests links in %(batch)s")
                % {"gold": newest, "aligner": aligner, "batch": batch},
                facts.url("aligner", aligner.pk),
                _("train again"),
            )
