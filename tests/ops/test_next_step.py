"""What each role does next, by the state of the project: invite, draw, answer, second pass, decide, freeze,
of judgements and of links alike. Trials and skipped answers are no answers."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from django.contrib.auth.models import User

from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.link_review import adjudicate_links, link_review
from alignment.services.scoring import score_aligner
from annotation.schemes import Label
from annotation.services.batches import close_batch
from annotation.services.drawing import draw_trial_batch
from annotation.services.gold import freeze_gold_set, gold_forecast
from annotation.services.second_pass import end_second_pass, start_second_pass
from ops.facts import Facts
from ops.next_step import next_step
from ops.overview import overview_of
from projects.errors import PublicError
from projects.models import GoldRule, Project, Role
from projects.services.people import invite
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import adjudicate, assignments_of, judge, judging_batch
from tests.factories.corpus import ClusterFactory, dataset_of, member
from tests.factories.exports import export_gold

pytestmark = pytest.mark.django_db
SAME, OTHER = Label.PARAPHRASE, Label.NOT_PARAPHRASE
LINKS, OTHERS = [[0, 0, "sure", "drawn"]], [[0, 0, "possible", "drawn"]]


@dataclass
class State:
    """A project on its way, and what its people do."""

    project: Project
    people: dict[str, User] = field(default_factory=dict)
    linking: bool = False

    def __post_init__(self):
        for name, role in (("mira", Role.MANAGER), ("vera", Role.VIEWER)):
            self.join(name, role)

    def join(self, name, role):
        self.people[name] = member(self.project, role, name)

    @property
    def annotators(self):
        return [self.people[name] for name in ("anna", "bert")]

    @property
    def batch(self):
        return self.project.batches.order_by("pk").last()

    def answer(self, name, numbers=(1, 2), *, differ=False):
        for assignment in assignments_of(self.batch, self.people[name]):
            if assignment.item.number in numbers and self.linking:
                link(assignment, OTHERS if differ else LINKS)
            elif assignment.item.number in numbers:
                judge(assignment, OTHER if differ else SAME)


def corpus(state):
    ClusterFactory(project=state.project)


def pairs(state):
    dataset_of(state.project, 30)


def people(state):
    for name in ("anna", "bert"):
        state.join(name, Role.ANNOTATOR)


def invited(state):
    invite(project=state.project, by=state.people["mira"], role=Role.ANNOTATOR)


def trial(state):
    batch = draw_trial_batch(project=state.project, by=state.people["mira"])
    for assignment in assignments_of(batch, state.people["mira"]):
        judge(assignment, SAME)


def drawn(state):
    if not state.project.datasets.exists():
        pairs(state)
    judging_batch(state.project, state.annotators, size=2, name="work")


def drawn_links(state):
    state.linking = True
    batch = linking_batch(state.project, state.annotators, source=state.project.gold_sets.get(), name="links")
    batch.items.filter(number__gt=2).delete()


def begun(state):
    state.answer("anna", [1])


def skipped(state):
    state.answer("anna")
    state.answer("bert", [1])
    judge(assignments_of(state.batch, state.people["bert"])[-1], None, skipped=True)


def agreed(state):
    state.answer("anna")
    state.answer("bert")


def disputed(state):
    state.answer("anna")
    state.answer("bert", differ=True)


def partly_disputed(state):
    state.answer("anna")
    state.answer("bert", [1], differ=True)


def closed(state):
    close_batch(batch=state.batch)


def second_pass(state):
    start_second_pass(batch=state.batch, by=state.people["mira"])


def ended(state):
    end_second_pass(batch=state.batch, by=state.people["mira"])


def adjudicator(state):
    state.join("adam", Role.ADJUDICATOR)


def manager_decides(state):
    member(state.project, Role.ADJUDICATOR, "mira")


def decided(state, numbers=(1, 2)):
    by = state.people.get("adam") or state.people["mira"]
    for item in state.batch.items.filter(number__in=numbers):
        if state.linking:
            basis = link_review(item).basis
            adjudicate_links(item=item, by=by, links=[[0, 0, "sure"]], version=0, basis=basis)
        else:
            adjudicate(item, by, SAME)


def one_decided(state):
    decided(state, [1])


def by_adjudication(state):
    state.project.gold_rule = GoldRule.ADJUDICATED
    state.project.save()


def frozen(state):
    if state.linking:
        freeze_gold_alignments(project=state.project, by=None, name="links", batch=state.batch, rule="papers")
    else:
        freeze_gold_set(project=state.project, by=None, name="gold", batches=[state.batch])


def scored(state):
    score_aligner(gold_set=state.project.gold_alignment_sets.get(), aligner="identity")


def exported(state):
    gold = {"gold_set": state.project.gold_sets.get(), "gold_links": state.project.gold_alignment_sets.get()}
    export_gold(project=state.project, by=None, **gold)


def moved(project, moves):
    state = State(project)
    for move in moves:
        move(state)
    return state


def step(state, name):
    action = next_step(Facts(state.people[name], state.project))
    return (action.label, action.why) if action else ("", "")


THE_WHOLE_WAY = [
    (corpus, "Extract candidate pairs", ""),
    (pairs, "Add annotators", "there is nobody to do it"),
    (invited, "Add annotators", "1 link of invitation is not used up"),
    (trial, "Add annotators", "there is nobody to do it"),
    (people, "Draw a batch to judge", ""),
    (drawn, "See the progress of work", "0 of 4 answers are in"),
    (begun, "See the progress of work", "1 of 4"),
    (disputed, "Start a second pass of work", "2 disputed pairs"),
    (second_pass, "See the progress of work", "0 of 4 answers"),
    (begun, "See the progress of work", "Second pass of work: 1"),
    (disputed, "End the second pass of work", ""),
    (ended, "Add an adjudicator", "Or freeze a gold set now"),
    (manager_decides, "Decide 2 disputed pairs", "wait for your decision"),
    (decided, "Freeze a gold set", ""),
    (frozen, "Draw a linking batch", ""),
    (drawn_links, "See the progress of links", "0 of 4 answers are in"),
    (disputed, "Start a second pass of links", "2 disputed linked pairs"),
    (second_pass, "See the progress of links", "0 of 4"),
    (disputed, "End the second pass of links", ""),
    (ended, "Decide 2 disputed linked pairs", ""),
    (decided, "Freeze gold links", ""),
    (frozen, "Score an aligner", ""),
    (scored, "Export the gold standard", ""),
    (exported, "Draw another batch", ""),
]


def test_a_manager_is_led_in_the_order_of_the_work(project):
    state = State(project)
    assert step(state, "mira")[0] == "Import a corpus"
    for move, label, why in THE_WHOLE_WAY:
        move(state)
        given, reason = step(state, "mira")
        assert given == label and why in reason, f"after {move.__name__}: {reason}"


BRANCHES = [
    ([people, drawn, skipped], "See the progress of work", "3 of 4 answers are in, 1 skipped"),
    ([people, drawn, skipped, closed], "Freeze a gold set", ""),
    ([people, drawn, partly_disputed], "See the progress of work", "3 of 4"),
    ([people, drawn, closed], "Open work again", "without an answer"),
    ([people, by_adjudication, drawn, disputed], "Start a second pass of work", ""),
    ([people, manager_decides, drawn, disputed, one_decided], "Decide 1 disputed pair", ""),
    ([people, adjudicator, drawn, disputed, closed], "Review 2 disagreements", ""),
    ([people, drawn, disputed, second_pass, agreed, ended], "Freeze a gold set", ""),
    (
        [people, by_adjudication, adjudicator, drawn, disputed, second_pass, disputed, ended],
        "Review 2 disagreements",
        "adjudicator's decision",
    ),
    ([people, drawn, disputed, frozen], "Export the gold standard", ""),  # there is no paraphrase to link
    ([people, drawn, agreed, frozen, drawn_links, agreed], "Freeze gold links", ""),
    (
        [people, drawn, agreed, frozen, drawn_links, disputed, second_pass, disputed, ended],
        "Add an adjudicator",
        "2 disputed linked pairs",
    ),
]


@pytest.mark.parametrize(("moves", "label", "why"), BRANCHES)
def test_a_manager_is_led_where_the_ways_part(project, moves, label, why):
    state = moved(project, moves)
    given, reason = step(state, "mira")
    assert given == label, reason
    assert why in reason


ROLES = [
    ([people, drawn], {"anna": "Judge 2 pairs", "vera": "Read the corpus"}),
    ([people, drawn, begun], {"anna": "Judge 1 pair", "bert": "Judge 2 pairs"}),
    ([people, adjudicator, drawn, disputed], {"anna": "", "adam": "Decide 2 disputed pairs"}),
    (
        [people, adjudicator, drawn, disputed, second_pass],
        {"anna": "Judge 2 pairs", "adam": "Review the judgements", "vera": "Read the corpus"},
    ),
    (
        [people, adjudicator, drawn, disputed, second_pass, disputed, ended],
        {"anna": "", "adam": "Decide 2 disputed pairs"},
    ),
    ([people, adjudicator, drawn, agreed, frozen], {"anna": "", "vera": "See the gold sets"}),
    ([people, drawn, agreed, frozen, drawn_links], {"anna": "Link 2 pairs", "vera": "See the gold sets"}),
    (
        [people, adjudicator, drawn, agreed, frozen, drawn_links, disputed, second_pass],
        {"anna": "Link 2 pairs", "adam": "Review the judgements"},
    ),
    (
        [people, adjudicator, drawn, agreed, frozen, drawn_links, disputed, second_pass, disputed, ended],
        {"anna": "", "adam": "Decide 2 disputed linked pairs"},
    ),
]


@pytest.mark.parametrize(("moves", "labels"), ROLES)
def test_the_others_have_their_own_steps(project, moves, labels):
    state = moved(project, moves)
    assert {name: step(state, name)[0] for name in labels} == labels


def test_a_trial_counts_nowhere(project):
    state = moved(project, [pairs, people, trial])
    batch = state.batch
    assert batch.trial and batch.overlap == 1
    judged = overview_of(Facts(state.people["mira"], project)).phases[1]
    assert (judged.headline, judged.done) == ("No batch yet", 0)
    for freeze in (freeze_gold_set, gold_forecast):
        given = {"by": None, "name": "gold"} if freeze is freeze_gold_set else {}
        with pytest.raises(PublicError, match="Trial is a trial"):
            freeze(project=project, batches=[batch], rule=GoldRule.MAJORITY, **given)
    assert not project.gold_sets.exists()
