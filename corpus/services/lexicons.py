"""Lexicons of word pairs, built from a dataset by the workers (Brockett and Dolan 2005, 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from corpus.models import Dataset, Lexicon, LexiconEntry, LexiconKind
from corpus.services.deletion_lock import keep
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import dispatch, ledger
from projects.errors import PublicError
from projects.models import Project

from .lexicon_pairs import associate_dataset, texts_of

if TYPE_CHECKING:
    from paragold.classification.lexicons import Lexicon as WordLexicon

KIND = "build_lexicon"
VERSION = 1
MOST_RANKS = 100_000
DEFAULT_RANKS = 13_001
# The number of ranks between two points of figure 1.
COVERAGE_STEP = 100
ROWS_AT_ONCE = 2_000
INSTALL_WORDNET = "WordNet is not here: apt-get install wordnet-base, or name its folder in PARAGOLD_WORDNET."


@transaction.atomic
def launch_lexicon(
    *,
    project: Project,
    by: User | None,
    kind: str,
    dataset: Dataset,
    name: str,
    ranks: int = DEFAULT_RANKS,
    min_together: int = 2,
    min_score: float = 0.0,
) -> Lexicon:
    """Ask for the next version of a lexicon, of the word pairs that a dataset's residue holds.

    ranks: the most word pairs that are kept, 1 to 100,000; min_together: in how many sentence pairs they face
    each other at least, from 1; min_score: for word association the least log-likelihood ratio, from 0.
    Raises PublicError for what cannot be built, WordNet where it is absent or the text not English.
    """
    keep(dataset)
    from paragold.classification.lexicons import ENGLISH
    from paragold.text.languages import stemmer_name

    name = name.strip()
    if not name:
        raise PublicError("A lexicon needs a name.", field="name")
    if kind not in LexiconKind.values:
        raise PublicError(
            f"{kind!r} is no lexicon; there are: {', '.join(LexiconKind.values)}.", field="kind"
        )
    if dataset.project_id != project.pk:
        raise PublicError(f"The dataset {dataset.name} belongs to another project.", field="dataset")
    if not 1 <= ranks <= MOST_RANKS:
        raise PublicError(f"Ranks are from 1 to {MOST_RANKS:,}.", field="ranks")
    if min_together < 1:
        raise PublicError("Word pairs face each other in 1 sentence pair or more.", field="min_together")
    if not 0 <= min_score < float("inf"):
        raise PublicError("The minimum score is a number from 0.", field="min_score")
    stemmer = stemmer_name(project.language)
    if kind == LexiconKind.MORPHOLOGY and stemmer is None:
        raise PublicError(f"There is no stemmer for the language {project.language}.", field="kind")
    if kind == LexiconKind.WORDNET:
        if stemmer != ENGLISH:
            message = f"WordNet is English, the text of this project is {project.language}."
            raise PublicError(message, field="kind")
        _open(kind, stemmer)
    version = (project.lexicons.filter(name=name).aggregate(latest=Max("version"))["latest"] or 0) + 1
    parameters = {
        "ranks": ranks,
        "min_together": min_together,
        "min_score": min_score,
        "language": project.language,
    }
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Build {name} v{version}",
        parameters={"kind": kind, **parameters, "units": "pairs"},
        signature=f"{KIND}|version:{VERSION}",
        chunks=[ledger.ChunkPlan(units=dataset.size, payload={})],
        short=dataset.size <= ledger.SHORT_LEXICON_PAIRS,
    )
    lexicon = Lexicon.objects.create(
        project=project,
        job=job,
        dataset=dataset,
        kind=kind,
        name=name,
        version=version,
        parameters=parameters,
    )
    dispatch.hand_over(job)
    return lexicon


def _open(kind: str, stemmer: str) -> WordLexicon:
    """What knows which words of any vocabulary belong together. PublicError: WordNet is absent."""
    from paragold.classification.lexicons import MorphologicalVariants, WordNetRelation
    from paragold.text.stemming import Stemmer
    from paragold.text.wordnet import WordNetError, wordnet_or_none

    if kind == LexiconKind.MORPHOLOGY:
        return MorphologicalVariants(Stemmer(stemmer))
    try:
        wordnet = wordnet_or_none()
    except WordNetError as error:
        raise PublicError(str(error), field="kind") from error
    if wordnet is None:
        raise PublicError(INSTALL_WORDNET, field="kind")
    return WordNetRelation.synonyms_and_hypernyms(wordnet)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found: word pairs, best first, each with score, sentence pairs, in WordNet, trivial."""

    entries: list[tuple[str, str, float, int, bool | None, bool]]
    coverage: list[tuple[int, float]]
    signatures: dict[str, str]


def compute(job: Job, chunk: JobChunk) -> Found:
    from paragold.classification.association import (
        Association,
        facing_pairs,
        found_in,
        share_by_rank,
        trivial,
    )
    from paragold.classification.lexicons import ENGLISH
    from paragold.text.languages import stemmer_name

    lexicon = job.lexicon
    wanted = lexicon.parameters
    stemmer = stemmer_name(wanted["language"])
    signatures = {}
    if lexicon.kind == LexiconKind.ASSOCIATION:
        pairs: Sequence[Association] = associate_dataset(lexicon.dataset, wanted)
    else:
        known = _open(lexicon.kind, stemmer or "")
        signatures[lexicon.kind] = known.signature
        pairs = facing_pairs(
            texts_of(lexicon.dataset), known, ranks=wanted["ranks"], min_together=wanted["min_together"]
        )
    related: list[bool | None] = [None] * len(pairs)
    if stemmer == ENGLISH:
        try:
            wordnet = _open(LexiconKind.WORDNET, stemmer)
        except PublicError:
            pass  # nothing to compare with, as the page says
        else:
            signatures["wordnet"] = wordnet.signature
            related = list(found_in(pairs, wordnet))
    plain = trivial(pairs, stemmer)
    # As the paper does: pairs that differ in spelling alone say nothing of either lexicon.
    shown = [bool(inside) for inside, alike in zip(related, plain, strict=True) if not alike]
    return Found(
        entries=[
            (pair.first, pair.second, pair.score, pair.together, inside, alike)
            for pair, inside, alike in zip(pairs, related, plain, strict=True)
        ],
        coverage=share_by_rank(shown, step=COVERAGE_STEP) if "wordnet" in signatures else [],
        signatures=signatures,
    )


def store(job: Job, found: Found) -> dict[str, int]:
    lexicon = job.lexicon
    LexiconEntry.objects.bulk_create(
        (
            LexiconEntry(
                lexicon=lexicon, rank=rank, first=first, second=second, score=score, together=together,
                in_wordnet=inside, trivial=alike,
            )
            for rank, (first, second, score, together, inside, alike) in enumerate(found.entries, start=1)
        ),
        batch_size=ROWS_AT_ONCE,
    )  # fmt: skip
    lexicon.size = len(found.entries)
    lexicon.figures = {"coverage": found.coverage, "signatures": found.signatures}
    lexicon.save(update_fields=["size", "figures"])
    return {"word_pairs": len(found.entries)}


def finish(job: Job) -> None:
    lexicon = job.lexicon
    digest = sha256()
    for row in lexicon.entries.order_by("rank").values_list("first", "second", "score", "together"):
        digest.update("\t".join(map(str, row)).encode() + b"\n")
    wanted = lexicon.parameters
    parts: list[Any] = [
        f"lexicon|version:{VERSION}|kind:{lexicon.kind}",
        *(f"{name}:{wanted[name]}" for name in ("ranks", "min_together", "min_score", "language")),
        *(f"{name}:{signature}" for name, signature in sorted(lexicon.figures["signatures"].items())),
        f"pairs:{lexicon.size}",
        f"sha256:{digest.hexdigest()[:16]}",
    ]
    lexicon.signature = "|".join(parts)
    lexicon.save(update_fields=["signature"])


RUNNER = Runner(compute=compute, store=store, finish=finish)
