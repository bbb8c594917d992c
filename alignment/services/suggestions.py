"""Suggested links: the settings that a linking batch can have, and the aligners behind them.

A setting is "" for none, the name of a suggester, or its name, a colon and what is chosen among its own
("trained:7"). Links are suggested when a batch is drawn or by a job (`suggestion_jobs`), and kept: no
page that an annotator asks for waits for an aligner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corpus.errors import PublicError
from corpus.models import Project
from paragold.aligners.identity import IdentityAligner, IdentityStemAligner
from paragold.aligners.registry import Aligner, Pair
from paragold.metrics.links import Link
from paragold.text.languages import stemmer_name

NONE = ""


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The links of every pair, in order, the signature of the aligner that drew them, and its reasons."""

    links: list[list[Link]]
    signature: str
    reasons: list[list[str]] | None = None
    """What spoke for each of the links, in words; None where the aligner does not tell."""


@dataclass(frozen=True, slots=True)
class Suggester:
    """One way to suggest links.

    `choices` are the settings that it offers in a project, each with a label: none where it cannot work.
    `suggest` draws the links of the token pairs for one of its settings. `at_once`: it is quick enough
    for the request that asks; the others are left to a job. `text_pairs` is how many pairs of text a setting
    trains on each time it is used, besides those that it links.
    """

    choices: Callable[[Project], list[tuple[str, str]]]
    suggest: Callable[[Project, str, Sequence[Pair]], Suggestions]
    at_once: bool = False
    text_pairs: Callable[[Project, str], int] = lambda project, setting: 0


def suggester_choices(project: Project) -> list[tuple[str, str]]:
    """Every setting that a batch of the project can have, with its label; none is the first."""
    offered = (choice for suggester in SUGGESTERS.values() for choice in suggester.choices(project))
    return [(NONE, "None"), *offered]


def suggester_of(project: Project, setting: str) -> Suggester:
    """The suggester behind a setting other than none. Raises PublicError, naming the settings there are."""
    settings = [name for name, _ in suggester_choices(project) if name]
    if setting not in settings:
        raise PublicError(
            f"There is no suggester {setting!r} here; there are: {', '.join(settings)}.",
            field="suggester",
        )
    return SUGGESTERS[setting.partition(":")[0]]


def suggest_links(project: Project, setting: str, pairs: Sequence[Pair]) -> Suggestions:
    """The links that a setting suggests for token pairs of the project; raises as `suggester_of` does."""
    return suggester_of(project, setting).suggest(project, setting, pairs)


def _drawn(aligner: Aligner, pairs: Sequence[Pair]) -> Suggestions:
    links = [aligner.align(*pair) for pair in pairs]
    reasons = [
        ["equal words" if source[i].lower() == target[j].lower() else "words of one stem" for i, j in found]
        for (source, target), found in zip(pairs, links, strict=True)
    ]
    return Suggestions(links, aligner.signature, reasons)


def _identity(project: Project, setting: str, pairs: Sequence[Pair]) -> Suggestions:
    return _drawn(IdentityAligner(), pairs)


def _identity_stem(project: Project, setting: str, pairs: Sequence[Pair]) -> Suggestions:
    return _drawn(IdentityStemAligner(stemmer_name(project.language) or ""), pairs)


def _with_stems(project: Project) -> list[tuple[str, str]]:
    if stemmer_name(project.language) is None:
        return []
    return [(IdentityStemAligner.name, "Equal words and words of one stem")]


def _best(project: Project, setting: str, pairs: Sequence[Pair]) -> Suggestions:
    # What it needs takes a second and 100 MB to import, which the web server is spared.
    from paragold.aligners.best import BestTrainer, best
    from paragold.aligners.explanations import reasons_of
    from paragold.aligners.relations import Relations

    stemmer = stemmer_name(project.language)
    trainer = best(language=stemmer) if stemmer else BestTrainer(Relations(None, None))
    aligner = trainer.train(pairs)
    links = aligner.align_all(pairs)
    return Suggestions(links, aligner.signature, reasons_of(aligner, pairs, links))


SUGGESTERS: dict[str, Suggester] = {
    IdentityAligner.name: Suggester(
        lambda project: [(IdentityAligner.name, "Equal words")], _identity, at_once=True
    ),
    IdentityStemAligner.name: Suggester(_with_stems, _identity_stem, at_once=True),
    "best": Suggester(
        lambda project: [("best", "The best aligner without gold links, trained on the batch's own pairs")],
        _best,
    ),
}
"""By name. Whoever adds one imports this and puts it in when the app is ready."""
