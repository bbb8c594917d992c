"""Lexicons and word vectors of a project as evidence of aligners: which may be chosen, and what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from alignment.models import GoldAlignmentSet, WithEvidence
from corpus.models import Lexicon, LexiconKind
from corpus.services.lexicon_files import read_evidence
from jobs.models import JobState
from jobs.services.removal import keep_own
from paragold.aligners.method import Pair
from paragold.aligners.word_sources import LEXICON
from projects.errors import PublicError
from projects.models import Project

if TYPE_CHECKING:
    from paragold.aligners.word_evidence import WordEvidence


def lexicons_of(project: Project, kind: str) -> QuerySet[Lexicon]:
    """The lexicons of one of EVIDENCE that are finished and not archived."""
    rows = project.lexicons.current().filter(kind=kind, job__state=JobState.DONE)
    return rows.select_related("dataset")


def check_evidence(
    project: Project, evidence: Mapping[str, Lexicon], gold_set: GoldAlignmentSet | None
) -> None:
    """Raises PublicError for lexicons of another kind or project, unfinished ones, and without gold links.

    Call it in the transaction that launches what uses them: until its end nobody deletes them.
    """
    for kind, lexicon in evidence.items():
        keep_own(project, lexicon, field=kind)
        if lexicon.kind != kind or not lexicon.finished:
            label = LexiconKind(kind).label.lower()
            raise PublicError(f"{lexicon} is not a finished lexicon of the kind {label}.", field=kind)
        if gold_set is None:
            message = "Lexicons and vectors are weighed by gold links. Choose gold links, or none of them."
            raise PublicError(message, field=kind)


def read_all(trained: WithEvidence, pairs: Iterable[Pair]) -> list[WordEvidence]:
    """What the lexicons of a training say of the words of its sentence pairs."""
    evidence = trained.evidence
    words = {token.lower() for pair in pairs for side in pair for token in side} if evidence else set()
    return [
        _association(lexicon) if kind == LexiconKind.ASSOCIATION else read_evidence(lexicon, words)
        for kind, lexicon in evidence.items()
    ]


def _association(lexicon: Lexicon) -> WordEvidence:
    from paragold.aligners.word_evidence import PhrasePairs, ScoredPair

    entries = lexicon.entries.order_by("rank").values_list("first", "second", "rank")
    return PhrasePairs(LEXICON, (ScoredPair(first, second, -rank) for first, second, rank in entries))
