"""Freezing gold sets of every kind: their versions, and a forecast of what a freeze will leave out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.translation import gettext, gettext_noop as _

from annotation.models import Assignment, Batch, Decision
from jobs.services.removal import keep
from projects.errors import PublicError
from projects.models import Project

GoldT = TypeVar("GoldT", bound=Any)


def begin_freeze(project: Project, name: str, *batches: Any, noun: str) -> str:
    """The name without white space around it; batches are kept and the project's versions locked.

    Raises PublicError for an empty name. To be called in the transaction that freezes.
    """
    keep(*batches)
    # Another freeze in the project at the same time waits until this transaction ends.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if not name.strip():
        raise PublicError("%(noun)s needs a name.", field="name", noun=noun)
    return name.strip()


ADJUDICATED = "adjudicated"
"""The rule of each kind of gold that uses the decisions of adjudicators; every other rule ignores them."""


def default_rule(batches: Iterable[Batch | int], otherwise: str) -> str:
    """The rule that these batches are frozen by if nobody chooses one; `otherwise` without any decision."""
    return ADJUDICATED if decisions_in(batches) else otherwise


def decisions_in(batches: Iterable[Batch | int]) -> int:
    """On how many items of these batches an adjudicator has decided."""
    decided = Decision.objects.filter(item__batch__in=list(batches)).order_by()
    return decided.values("item").distinct().count()


def noted(*, held_out: int, decisions_unused: int) -> dict[str, int]:
    """What a gold set's counts name only where there is any: items of held-out clusters, and decisions of
    adjudicators that its rule does not use."""
    counts = {"held_out": held_out, "decisions_unused": decisions_unused}
    return {name: count for name, count in counts.items() if count}


def signed(counts: Mapping[str, int]) -> str:
    """The part of a gold set's signature about what its counts note."""
    held_out, unused = counts.get("held_out"), counts.get("decisions_unused")
    return (f"|held-out:{held_out}" if held_out else "") + (f"|decisions-unused:{unused}" if unused else "")


FIRST_PASS, SECOND_PASS = "first_pass", "second_pass"


def stored_agreement(first: dict[str, Any], second: dict[str, Any] | None) -> dict[str, Any]:
    """What gold keeps of the agreement: the figures of the first pass, and where annotators looked again at
    what they differ on, those of both passes under their names."""
    return first if second is None else first | {FIRST_PASS: first, SECOND_PASS: second}


def given_version(assignment: Assignment, annotator: str, **content: Any) -> dict[str, Any]:
    """The submission of an annotator (pseudonym), as gold links and gold sub-clusters store it."""
    return {
        "annotator": annotator,
        **content,
        "comment": assignment.comment,
        "flagged": assignment.flagged,
        "at": assignment.answered_at.isoformat() if assignment.answered_at else "",
    }


def kept_decision(decision: Decision | None, names: Mapping[int, str]) -> dict[str, Any] | None:
    """The adjudicator's decision as gold keeps it; `names` are pseudonyms."""
    if decision is None:
        return None
    return {
        "adjudicator": names[decision.adjudicator_id],
        **({"label": decision.label} if decision.label else {"version": decision.version}),
        "comment": decision.comment,
        "at": decision.decided_at.isoformat(),
    }


def unless_unchanged(gold_set: GoldT, *, rows: str) -> GoldT:
    """The new version, or the latest one before it where nothing has changed; the new one is then deleted.

    `rows` is the related name of what the set holds. The version that was there says `already_frozen`.
    """
    others = type(gold_set).objects.filter(project=gold_set.project_id, name=gold_set.name)
    before = others.exclude(pk=gold_set.pk).order_by("-version").first()
    if before is None or _content(before, rows) != _content(gold_set, rows):
        return gold_set
    gold_set.delete()
    before.already_frozen = True
    return before


def _content(gold_set: Any, rows: str) -> tuple[Any, list[Any]]:
    held = getattr(gold_set, rows)
    columns = [field.attname for field in held.model._meta.concrete_fields]
    fields = [name for name in columns if name not in ("id", "gold_set_id")]
    stored = type(gold_set).objects.values_list("rule", "signature", "counts").get(pk=gold_set.pk)
    return stored, list(held.order_by("item").values_list(*fields))


UNDECIDED = _("are disputed, and no adjudicator has decided them")
REASONS = {
    "judgements_missing": _("lack judgements: too few annotators have labelled them"),
    "waiting_for_adjudicator": UNDECIDED,
    "not_linked_by_all": _("have not been linked by all their annotators"),
    "not_split_by_enough": _("have been split by too few annotators"),
    "undecided": UNDECIDED,
    "uncertain": _("have no label that is probable enough, and no adjudicator has decided them"),
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many items are left out for one reason: `code` is its name in a gold set's counts."""

    code: str
    items: int
    reason: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """Of `items` items, `frozen` would be in the gold set; `left_out` says why the others would not.

    rule: the one that the forecast is for. decisions_unused: items that an adjudicator has decided, which it
    does not use. held_out: items of held-out clusters among those frozen, which are for testing only.
    """

    items: int
    frozen: int
    left_out: list[LeftOut]
    rule: str
    decisions_unused: int
    held_out: int

    @property
    def missing(self) -> int:
        return self.items - self.frozen


def forecast_of(counts: Mapping[str, int], *, frozen: int, rule: str) -> Forecast:
    """The forecast that the counts of a gold set amount to."""
    return Forecast(
        items=counts["items"],
        frozen=frozen,
        left_out=[
            LeftOut(code, counts[code], gettext(why)) for code, why in REASONS.items() if counts.get(code)
        ],
        rule=rule,
        decisions_unused=counts.get("decisions_unused", 0),
        held_out=counts.get("held_out", 0),
    )
