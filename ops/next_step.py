"""What a person does next in a project: one sentence and one button, which say the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop as _, ngettext, ngettext_lazy

from alignment.services.batches import latest_job
from alignment.services.disputes import Disputes
from annotation.models import Batch, BatchKind, BatchState, HandingOut
from annotation.schemes import Label
from annotation.services.freezing import default_rule
from annotation.services.progress import Waiting, waiting_items
from corpus.models import ImportState
from jobs.models import JobState
from ops.facts import Facts
from projects.listings import grouped, many
from projects.models import GoldRule, Project, Role


@dataclass(frozen=True, slots=True)
class Task:
    """What people do with items of a kind; `page` lists the batches, `review` the disputes of one.

    entry: the name of that page, in the navigation.
    """

    entry: str
    verb: str
    thing: str
    step: str
    page: str
    disputed: str
    review: str
    detail: str
    """The page of one batch."""
    counted: Any
    do: str
    waiting: Any
    up_to: str
    """What annotators read, in their language: a number of things; what to do with them; that they wait."""

    def things(self, count: int) -> str:
        return str(self.counted % {"number": count, "count": grouped(count)})

    def action(self, count: int) -> str:
        return gettext(self.do) % {"things": self.things(count)}


TASKS = {
    BatchKind.JUDGE: Task(
        _("Judge"), "Judge", "pair", _("Judge pairs"), "judge", "disputed pair", "review-batch", "batch",
        ngettext_lazy("%(count)s pair", "%(count)s pairs", "number"),
        _("Judge %(things)s"),
        ngettext_lazy(
            "%(things)s to judge waits for you.", "%(things)s to judge wait for you.", "number"
        ),
        _("Up to %(things)s to judge are left for you; you get them as you go."),
    ),
    BatchKind.LINK: Task(
        _("Link"), "Link", "pair", _("Link words"), "link", "disputed linked pair", "link-review",
        "link-detail",
        ngettext_lazy("%(count)s pair", "%(count)s pairs", "number"),
        _("Link %(things)s"),
        ngettext_lazy("%(things)s to link waits for you.", "%(things)s to link wait for you.", "number"),
        _("Up to %(things)s to link are left for you; you get them as you go."),
    ),
    BatchKind.SPLIT: Task(
        _("Headlines"), "Split", "cluster", _("Split clusters"), "split", "disputed cluster",
        "split-review", "split-detail",
        ngettext_lazy("%(count)s cluster", "%(count)s clusters", "number"),
        _("Split %(things)s"),
        ngettext_lazy("%(things)s to split waits for you.", "%(things)s to split wait for you.", "number"),
        _("Up to %(things)s to split are left for you; you get them as you go."),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Action:
    """Something to press, and in one sentence why."""

    label: str
    url: str
    why: str


def next_step(facts: Facts) -> Action | None:
    """What the person does next: own work, then decisions, then the first step that is not done.

    A manager comes to decisions after the second pass. Trials are nobody's next step,
    trainings are.
    """
    own = own_actions([entry for entry in facts.waiting if not entry.batch.trial or entry.batch.measure])
    if own:
        return own[0]
    if facts.manages:
        return _Manager(facts).next_step()
    if decided := decisions(facts.disputes):
        return decided[0]
    return _readers_step(facts) if facts.reads else None


def own_actions(waiting: Iterable[Waiting]) -> list[Action]:
    """The way into the first of the batches of each kind that wait for a person's answers."""
    actions = []
    for kind, task in TASKS.items():
        of_kind = [entry for entry in waiting if entry.batch.kind == kind]
        if not of_kind:
            continue
        batch, again = of_kind[0].batch, of_kind[0].second_pass
        count = waiting_items([entry for entry in of_kind if entry.second_pass == again], kind)
        texts = {"things": task.things(count), "batch": batch.name, "number": count}
        why = str(task.waiting % texts)
        if again:
            why = ngettext(
                "Second pass of %(batch)s: %(things)s on which annotators differ waits for you.",
                "Second pass of %(batch)s: %(things)s on which annotators differ wait for you.",
                count,
            )
            why %= texts
        elif batch.handing_out == HandingOut.AS_THEY_COME:
            why = gettext(task.up_to) % texts
        url = reverse(f"{task.page}-batch", args=[batch.project.slug, batch.pk])
        actions.append(Action(task.action(count), url, why))
    return actions


def decisions(disputes: Iterable[Disputes]) -> list[Action]:
    """What waits for the decision of an adjudicator: the first batch of each kind."""
    actions = []
    for things, count, url in _by_kind([(case.batch, len(case.decidable)) for case in disputes]):
        why = ngettext("%(things)s waits for your decision.", "%(things)s wait for your decision.", count)
        actions.append(
            Action(gettext("Decide %(things)s") % {"things": things}, url, why % {"things": things})
        )
    return actions


def undecided(project: Project, disputes: Iterable[Disputes]) -> list[Action]:
    """What waits for a manager whose project has no adjudicator: disputes that nobody may decide."""
    if project.memberships.filter(role=Role.ADJUDICATOR, user__is_active=True).exists():
        return []
    label, why = (
        gettext("Find an adjudicator for %(things)s"),
        gettext("Nobody in the project may decide them."),
    )
    return [
        Action(label % {"things": things}, url, why)
        for things, _, url in _by_kind([(case.batch, len(case.undecided)) for case in disputes])
    ]


def _by_kind(disputes: Sequence[tuple[Batch, int]]) -> list[tuple[str, int, str]]:
    """For each kind of batch, what waits in words, how many, and the address of the first batch."""
    rows = []
    for kind, task in TASKS.items():
        waiting = [(batch, count) for batch, count in disputes if batch.kind == kind and count]
        if waiting:
            count = sum(number for _, number in waiting)
            rows.append((many(count, task.disputed), count, disputes_url(waiting[0][0])))
    return rows


def disputes_url(batch: Batch) -> str:
    """The list of a batch's disputed items that nobody has decided."""
    review = TASKS[BatchKind(batch.kind)].review
    return reverse(review, args=[batch.project.slug, batch.pk]) + "?show=undecided"


def _readers_step(facts: Facts) -> Action | None:
    """The next step of viewers, and of adjudicators without anything to decide."""
    if facts.adjudicates and facts.of_kind(BatchKind.JUDGE):
        why = gettext("Nothing waits for your decision. Review the judgements that everybody has given.")
        return Action(gettext("Review the judgements"), facts.url("review"), why)
    for count, label, view, why in (
        (
            "gold_sets", _("See the gold sets"), "gold",
            _("See the gold sets that this project has frozen so far."),
        ),
        (
            "clusters", _("Read the corpus"), "corpus",
            _("No gold set is frozen yet. Read the corpus meanwhile."),
        ),
    ):  # fmt: skip
        if facts.counts[count]:
            return Action(gettext(label), facts.url(view), gettext(why))
    return None


class _Manager:
    """The steps of a project in the order of the work; each method gives its action while it is not done.

    For judgements and for links it is: draw, answer, second pass, decide, freeze. What the manager can do
    comes before what others are at.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.counts = facts.counts

    def next_step(self) -> Action:
        judged, linked = BatchKind.JUDGE, BatchKind.LINK
        steps = (
            self._corpus, self._extraction, self._split_decisions, self._drawing,
            partial(self._second_pass, judged), partial(self._deciding, judged),
            partial(self._answers, judged), partial(self._others_deciding, judged), self._gold,
            self._link_drawing, self._suggestions,
            partial(self._second_pass, linked), partial(self._deciding, linked),
            partial(self._answers, linked), partial(self._others_deciding, linked), self._gold_links,
            self._scoring, self._export, self._more_gold,
        )  # fmt: skip
        why = _("Every step has been done once. Draw another batch to make the gold standard larger.")
        finished = self._action(_("Draw another batch"), why, "launch", "draw-judging-batch")
        return next((action for step in steps if (action := step()) is not None), finished)

    def _action(self, label: str, why: str, view: str, *arguments: object, **values: object) -> Action:
        """An action whose texts are marked; their places are filled with `values`."""
        return Action(gettext(label) % values, self.facts.url(view, *arguments), gettext(why) % values)

    def _corpus(self) -> Action | None:
        if self.counts["clusters"] or self.counts["imported"]:
            return None
        source = self.facts.newest_import
        if source is None or source.state not in (
            ImportState.CHECKING, ImportState.STORING, ImportState.CHECKED, ImportState.REFUSED
        ):  # fmt: skip
            why = _("The project has no articles yet. Import a corpus to begin.")
            return self._action(_("Import a corpus"), why, "corpus-import")
        label, why = (
            _("See what stopped the import"),
            _("The import of %(name)s stopped. See what stopped it."),
        )
        if source.state == ImportState.CHECKED:
            label = _("Store %(name)s")
            why = _("%(name)s is checked. Look at what was found in it and store it.")
        elif source.state == ImportState.REFUSED:
            label = _("See what is wrong with %(name)s")
            why = _("%(name)s was refused. See what is wrong with it.")
        elif source.job and source.job.active:
            label, why = _("Follow the import"), _("%(name)s is being imported. Follow the import.")
        return self._action(label, why, "import", source.pk, name=source.filename)

    def _extraction(self) -> Action | None:
        extractions = self.facts.extractions
        finished = any(row.job.state == JobState.DONE for row in extractions)
        # Imported pairs are judged and linked already: nothing is extracted from them.
        done = (finished and self.facts.pairs) or self.facts.of_kind(BatchKind.JUDGE)
        if done or not self.counts["clusters"]:
            return None
        running = next((row for row in extractions if row.job.active), None)
        if running is not None:
            why = _("Candidate pairs are being extracted. Follow the extraction %(name)s.")
            return self._action(_("Follow the extraction"), why, "extraction", running.pk, name=running)
        if extractions and not finished:
            stopped = extractions[0]
            label = _("See what stopped the extraction")
            why = _("The extraction %(name)s is %(state)s. See what stopped it.")
            state = gettext(stopped.job.get_state_display()).lower()
            return self._action(label, why, "extraction", stopped.pk, name=stopped, state=state)
        why = _("The corpus is there. Extract candidate pairs of sentences from its clusters.")
        if extractions:
            why = _("The extraction found no pair. Extract candidate pairs with wider criteria.")
        return self._action(_("Extract candidate pairs"), why, "extraction-new")

    def _drawing(self) -> Action | None:
        if self.facts.of_kind(BatchKind.JUDGE) or self.counts["gold_sets"] or not self.facts.pairs:
            return None
        annotators, overlap = self.counts["annotators"], self.facts.project.overlap
        if annotators < overlap:
            why = gettext("Each pair is judged by %(overlap)s, and there is nobody to do it. Add annotators.")
            if annotators:
                why = gettext(
                    "Each pair is judged by %(overlap)s, and there is only %(annotators)s to do it. Add "
                    "annotators."
                )
            if invited := self.counts["invited"]:
                why += ngettext(
                    " %(links)s of invitation is not used up.", " %(links)s of invitation are not used up.",
                    invited,
                )  # fmt: skip
            values = {"overlap": overlap, "annotators": annotators, "links": many(invited, "link")}
            return self._action(_("Add annotators"), why, "members", **values)
        why = _("The candidate pairs are there. Draw a batch of them for the annotators to judge.")
        return self._action(_("Draw a batch to judge"), why, "launch", "draw-judging-batch")

    def _complete(self, batch: Batch) -> bool:
        """Whether no answer to a batch is waited for: skipped ones are, as long as the batch is open."""
        progress = self.facts.progress_of(batch)
        return not progress.waiting and (batch.state == BatchState.CLOSED or not progress.skipped)

    def _disputed(self, kind: str) -> list[Disputes]:
        """The batches of which nothing is waited for and that hold undecided disputes, the oldest first.

        Not those that are gold already: the rule has settled their disputes.
        """
        batches = {batch.pk: batch for batch in self.facts.of_kind(kind)}
        disputes = [case for case in self.facts.disputes if case.undecided and case.batch.pk in batches]
        return [
            replace(case, batch=batch)
            for case in disputes
            if self._complete(batch := batches[case.batch.pk]) and not batch.frozen
        ]

    def _second_pass(self, kind: BatchKind) -> Action | None:
        """The oldest batch whose second pass can begin or end; what nobody has decided yet can begin."""
        task = TASKS[kind]
        for batch in reversed(self.facts.of_kind(kind)):
            progress = self.facts.progress_of(batch)
            if progress.looks and not progress.waiting:
                label = _("End the second pass of %(batch)s")
                why = _(
                    "All %(count)s answers of the second pass of %(batch)s are in. End the second pass; then "
                    "decide what is still disputed."
                )
                values = {"batch": batch.name, "count": grouped(progress.looks)}
                return self._action(label, why, task.detail, batch.pk, **values)
        for disputes in self._disputed(kind):
            answered: Any = disputes.batch
            answered_here = answered.state == BatchState.OPEN and answered.corpus_import_id is None
            if answered_here and not answered.had_pass and not answered.had_decision:
                things = many(len(disputes.undecided), task.disputed)
                label = _("Start a second pass of %(batch)s")
                why = _(
                    "All answers to %(batch)s are in, with %(things)s. Start a second pass, in which "
                    "annotators look at them again, or decide them at once."
                )
                values = {"batch": answered.name, "things": things}
                return self._action(label, why, task.detail, answered.pk, **values)
        return None

    def _deciding(self, kind: BatchKind) -> Action | None:
        """Disputes that the person may decide, or that nobody may."""
        if own := decisions(self._disputed(kind)):
            return own[0]
        for things, count, _url in self._undecided(kind) if not self.counts["adjudicators"] else ():
            why = ngettext(
                "%(things)s waits for a decision, and nobody may decide. Add an adjudicator.",
                "%(things)s wait for a decision, and nobody may decide. Add an adjudicator.",
                count,
            )
            why += self._or_freeze(kind)
            return self._action(_("Add an adjudicator"), why, "members", things=things)
        return None

    def _split_decisions(self) -> Action | None:
        """Disputed clusters that the person may decide."""
        disputes = [case for case in self.facts.disputes if case.batch.kind == BatchKind.SPLIT]
        return next(iter(decisions(disputes)), None)

    def _others_deciding(self, kind: BatchKind) -> Action | None:
        """Disputes that wait for somebody else's decision."""
        for things, count, url in self._undecided(kind):
            why = ngettext(
                "%(things)s waits for an adjudicator's decision. Review them.",
                "%(things)s wait for an adjudicator's decision. Review them.",
                count,
            )
            label = gettext("Review %(things)s") % {"things": many(count, "disagreement")}
            return Action(label, url, why % {"things": things} + self._or_freeze(kind))
        return None

    def _undecided(self, kind: BatchKind) -> list[tuple[str, int, str]]:
        return _by_kind([(case.batch, len(case.undecided)) for case in self._disputed(kind)])

    def _or_freeze(self, kind: BatchKind) -> str:
        rule = self.facts.project.gold_rule
        if kind != BatchKind.JUDGE or rule == GoldRule.ADJUDICATED:
            return ""
        return gettext(" Or freeze a gold set now: the project's rule settles them without a decision.")

    def _answers(self, kind: BatchKind) -> Action | None:
        """The oldest batch that waits for answers, or batches that were closed without any."""
        batches = self.facts.of_kind(kind)
        detail = TASKS[kind].detail
        target = next((batch for batch in reversed(batches) if not self._complete(batch)), None)
        if target is not None:
            figures = self.facts.progress_of(target)
            counted = figures.given, figures.expected
            why = gettext("%(batch)s is being linked: %(done)s of %(all)s answers are in")
            if kind == BatchKind.JUDGE:
                why = gettext("%(batch)s is being judged: %(done)s of %(all)s answers are in")
            if figures.looks:
                counted = figures.looked, figures.looks
                why = gettext("Second pass of %(batch)s: %(done)s of %(all)s answers are in")
            elif figures.skipped:
                why += gettext(", %(skipped)s skipped")
            why += gettext(". See its progress.")
            done, expected = map(grouped, counted)
            values = {
                "batch": target.name,
                "done": done,
                "all": expected,
                "skipped": grouped(figures.skipped),
            }
            return self._action(_("See the progress of %(batch)s"), why, detail, target.pk, **values)
        whole = self.facts.progress(kind)
        if batches and not whole.answered and whole.missing:
            why = _("%(batch)s was closed without an answer. Open it again, or draw another batch.")
            label, batch = _("Open %(batch)s again"), batches[0]
            return self._action(label, why, detail, batch.pk, batch=batch.name)
        return None

    def _gold(self) -> Action | None:
        if self.counts["gold_sets"] or not self.facts.of_kind(BatchKind.JUDGE):
            return None
        project = self.facts.project
        rule = GoldRule(default_rule(self.facts.of_kind(BatchKind.JUDGE), project.gold_rule)).label
        why = _("All answers are in. Freeze a gold set by the rule: %(rule)s.")
        return self._action(_("Freeze a gold set"), why, "launch", "freeze-gold-set", rule=gettext(rule))

    def _more_gold(self) -> Action | None:
        """Batches that were answered after the first gold was frozen."""
        for kind, label, page in (
            (BatchKind.JUDGE, _("Freeze a gold set"), "freeze-gold-set"),
            (BatchKind.LINK, _("Freeze gold links"), "freeze-gold-links"),
        ):
            for batch in reversed(self.facts.of_kind(kind)):
                if self.facts.progress_of(batch).given and not batch.frozen:
                    why = _("%(batch)s is answered and part of no gold yet. %(label)s.")
                    values = {"batch": batch.name, "label": gettext(label)}
                    action = self._action(label, why, "launch", page, **values)
                    return replace(action, url=f"{action.url}?batch={batch.pk}")
        return None

    def _suggestions(self) -> Action | None:
        """The oldest linking batch that nobody gets, since its suggestions are not there."""
        pending = [batch for batch in self.facts.of_kind(BatchKind.LINK) if batch.suggestions_pending]
        if not pending:
            return None
        batch = pending[-1]
        job = latest_job(batch)
        if job is not None and job.active:
            label = _("Follow the suggestions")
            why = _("Suggestions for %(batch)s are being prepared; annotators get it once they are there.")
        else:
            label = _("See what stopped %(batch)s")
            why = _(
                "The suggestions for %(batch)s could not be prepared, so nobody gets it. Try again, or hand "
                "it out without suggestions."
            )
        return self._action(label, why, "link-detail", batch.pk, batch=batch.name)

    def _link_drawing(self) -> Action | None:
        gold_sets = self.facts.project.gold_sets.current()
        if self.facts.of_kind(BatchKind.LINK) or not any(
            counts.get(Label.PARAPHRASE) for counts in gold_sets.values_list("counts", flat=True)
        ):
            return None
        why = _("The gold set is frozen. Draw a linking batch of the pairs that it calls paraphrases.")
        return self._action(_("Draw a linking batch"), why, "launch", "draw-linking-batch")

    def _gold_links(self) -> Action | None:
        if self.counts["gold_links"] or not self.facts.of_kind(BatchKind.LINK):
            return None
        why = _("All words are linked. Freeze gold links from what the annotators submitted.")
        return self._action(_("Freeze gold links"), why, "launch", "freeze-gold-links")

    def _scoring(self) -> Action | None:
        if self.counts["scores"] or self.counts["experiments"] or not self.counts["gold_links"]:
            return None
        why = _("The gold links are frozen. Score an aligner against them.")
        return self._action(_("Score an aligner"), why, "aligners")

    def _export(self) -> Action | None:
        if self.counts["exports"] or not (self.counts["gold_sets"] or self.counts["gold_links"]):
            return None
        why = _("The gold standard is complete. Export the gold standard as files with a manifest.")
        return self._action(_("Export the gold standard"), why, "launch", "export-gold")
