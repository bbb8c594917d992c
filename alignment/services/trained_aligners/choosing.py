"""Which trained aligner is meant: a certain one, or the newest; and suggesting links with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from django.db.models import F

from alignment.models import TrainedAligner
from alignment.services.suggestions import Suggester, Suggestions
from paragold.aligners.program_aligner import ProgramAligner
from paragold.aligners.registry import PROGRAMS, Pair
from projects.errors import PublicError
from projects.models import Project

from .files import load_aligner
from .programs import of_draw, usable

if TYPE_CHECKING:
    from paragold.aligners.explanations import Explaining

PREFIX = "trained"
NEWEST = f"{PREFIX}:newest"


def reference(trained: TrainedAligner) -> str:
    """How settings name an aligner: `trained:` and its number."""
    return f"{PREFIX}:{trained.pk}"


def short_signature(trained: TrainedAligner) -> str:
    """What tells its links from those of any other aligner."""
    return f"{trained.aligner}|sha256:{trained.sha256}"


def newest(project: Project) -> TrainedAligner | None:
    """The aligner that fits the project best now: the last one that learned from gold links, else the last.

    Retired ones are passed over, and programs that are missing.
    """
    offered = project.trained_aligners.offered().order_by(F("gold_set").desc(nulls_last=True), "-pk")
    return next(filter(usable, offered), None)


def chosen(project: Project, setting: str) -> TrainedAligner:
    """The trained aligner that a setting names, NEWEST or a `reference`. Raises PublicError for any other."""
    number = setting.removeprefix(f"{PREFIX}:")
    if setting == NEWEST:
        found = newest(project)
    else:
        found = project.trained_aligners.ready().filter(pk=number).first() if number.isdecimal() else None
    if found is None:
        raise PublicError(f"There is no trained aligner {setting!r} in this project.")
    return found


def _choices(project: Project) -> list[tuple[str, str]]:
    offered = list(filter(usable, project.trained_aligners.offered()))
    if not offered:
        return []
    label = f"The newest aligner trained here (at present {newest(project)})"
    return [(NEWEST, label), *((reference(trained), f"Aligner {trained}") for trained in offered)]


def _suggest(project: Project, setting: str, pairs: Sequence[Pair]) -> Suggestions:
    # What it needs takes a second and 100 MB to import, which the web server is spared.
    from paragold.aligners.explanations import reasons_of

    trained = chosen(project, setting)
    aligner = cast("Explaining | ProgramAligner", load_aligner(trained))
    links = aligner.align_all(pairs)
    signature = f"{trained}|{short_signature(trained)}{of_draw(trained, links)}"
    reasons = None if isinstance(aligner, ProgramAligner) else reasons_of(aligner, pairs, links)
    return Suggestions(links, signature, reasons)


def _text_pairs(project: Project, setting: str) -> int:
    trained = chosen(project, setting)
    return trained.pairs if trained.aligner in PROGRAMS else 0


TRAINED = Suggester(_choices, _suggest, text_pairs=_text_pairs)
