"""Sentences of a project's two languages matched by a lexicon of translations, within clusters or across."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, QuerySet

from corpus.models import Extraction, Lexicon, Sentence
from corpus.specs import ProjectTranslationSpec
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.ledger import ChunkPlan
from jobs.services.removal import keep_own
from jobs.services.running import stop_check
from paragold.matching.specs import TranslationSpec
from paragold.matching.translations import WordPairs, translated_pairs, words_in
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project

from . import scored_pairs
from .clusters import chunks_of_clusters, sentences_of_clusters
from .extraction import launch
from .matching import CHOSEN_CLUSTERS, CLUSTERS_A_CHUNK, ROW_CAP, SCOPES
from .scored_pairs import Proposed, Sentences, propose, sentences_of

KIND = "match-translations"
# Every sentence of one language with every one of the other; of them all in one chunk, a minute or two.
MAX_COMPARISONS = 400_000_000
COMPARISONS_A_CHUNK = 20_000_000
# Slower than measured (docs/two-languages.md).
SECONDS_A_COMPARISON = 4e-7
SECONDS_A_SENTENCE = 1e-4


def translation_lexicons(project: Project) -> QuerySet[Lexicon]:
    """The lexicons of translations between the project's languages that are built."""
    if not project.second_language:
        return project.lexicons.none()
    rows = project.lexicons.filter(parameters__second_language=project.second_language)
    return rows.exclude(signature="").select_related("dataset")


def in_both(rows: QuerySet[Sentence], project: Project) -> tuple[QuerySet[Sentence], QuerySet[Sentence]]:
    """The sentences that are in the project's language, and those in its second one."""
    return rows.filter(article__language=""), rows.filter(article__language=project.second_language)


def _sizes(project: Project, spec: ProjectTranslationSpec) -> dict[int, tuple[int, int]]:
    """The sentences of both languages of each group within which they are compared: by the ids of clusters, 0
    for the whole project; of no group that lacks one of the languages."""
    sides = in_both(sentences_of_clusters(project, spec.clusters), project)
    if spec.scope == "clusters":
        first, second = (
            dict(rows.order_by().values_list("article__cluster").annotate(count=Count("pk")))
            for rows in sides
        )
        return {pk: (first[pk], second[pk]) for pk in sorted(first.keys() & second.keys())}
    a, b = (rows.count() for rows in sides)
    return {0: (a, b)} if a and b else {}


@transaction.atomic
def launch_translation_matching(
    *, project: Project, by: User | None, lexicon: Lexicon, spec: ProjectTranslationSpec, name: str = ""
) -> Extraction:
    """Ask for translations of sentences to be looked for: an extraction whose findings keep their share of
    translated words. `sentence_a` of each pair is in the project's language.

    Raises PublicError where the project has one language, for a lexicon of other languages, where nothing is
    to be compared, and for more than MAX_COMPARISONS.
    """
    if not project.second_language:
        raise PublicError("The project has one language: match its sentences by their words.")
    keep_own(project, lexicon, field="lexicon")
    if not translation_lexicons(project).filter(pk=lexicon.pk).exists():
        raise PublicError(
            "%(lexicon)s has no translations from %(language)s to %(second_language)s. Build one from "
            "pairs of translations.",
            field="lexicon",
            lexicon=lexicon,
            language=project.language,
            second_language=project.second_language,
        )
    sizes = _sizes(project, spec)
    if not sizes:
        raise PublicError(
            "There are no sentences in %(language)s and %(second_language)s to compare. Import "
            "articles in both languages, or choose other clusters.",
            field="clusters",
            language=project.language,
            second_language=project.second_language,
        )
    comparisons = sum(a * b for a, b in sizes.values())
    if comparisons > MAX_COMPARISONS:
        raise PublicError(
            "There are %(comparisons)s pairs of sentences; at most %(limit)s are compared. Compare "
            "within clusters, or choose fewer of them.",
            field="scope",
            comparisons=grouped(comparisons),
            limit=grouped(MAX_COMPARISONS),
        )
    spec = spec.replace(**dict(zip(("language", "second_language"), project.languages, strict=True)))
    chunks = [ChunkPlan(units=1, payload={})]
    if spec.scope == "clusters":
        work = ((pk, a * b) for pk, (a, b) in sizes.items())
        chunks = chunks_of_clusters(work, work=COMPARISONS_A_CHUNK, maximum=CLUSTERS_A_CHUNK)
    chosen = CHOSEN_CLUSTERS.get(spec.clusters, "")
    return launch(
        project=project,
        by=by,
        kind=KIND,
        verb="Match",
        name=name.strip() or f"Translations by {lexicon}, {SCOPES[spec.scope]}{chosen}"[:80],
        preset="translations",
        parameters={
            "spec": spec.as_json(),
            "lexicon": lexicon.pk,
            "units": "clusters" if spec.scope == "clusters" else "parts",
            **translation_cost(project=project, spec=spec).work,
        },
        signature=f"{KIND}|{spec.signature()}|{lexicon.signature}|{project.imports.text_signature()}",
        chunks=chunks,
    )


def translation_cost(*, project: Project, spec: ProjectTranslationSpec, **others: Any) -> LaunchCost:
    """The sentences that a matching compares, and the time that takes."""
    sizes = _sizes(project, spec).values()
    first, second = (sum(sizes_of_side) for sizes_of_side in zip(*sizes, strict=True)) if sizes else (0, 0)
    seconds = (first + second) * SECONDS_A_SENTENCE + sum(a * b for a, b in sizes) * SECONDS_A_COMPARISON
    described = f"{first:,} sentences in {project.language}, {second:,} in {project.second_language}"
    return launch_cost(KIND, described, seconds, how=spec.scope, project=project)


def spec_of(job: Job) -> ProjectTranslationSpec:
    return ProjectTranslationSpec.from_json(job.parameters["spec"])


def compute(job: Job, chunk: JobChunk) -> Proposed:
    return scored_pairs.collected(job, _parts(job, chunk.payload.get("clusters")), ROW_CAP)


def _parts(job: Job, clusters: list[int] | None) -> Iterator[Proposed]:
    spec, check = spec_of(job), stop_check(job)
    lexicon = Lexicon.objects.filter(pk=job.parameters["lexicon"]).first()
    if lexicon is None:
        raise PublicError("The lexicon was deleted meanwhile. Launch the matching again with another.")
    translations = list(lexicon.entries.order_by("rank").values_list("first", "second"))
    rows = sentences_of_clusters(job.project, spec.clusters)
    if clusters is None:
        # No pair joins a held-out cluster to another one.
        groups = (rows.filter(article__cluster__held_out=held_out) for held_out in (False, True))
    else:
        groups = (rows.filter(article__cluster=pk) for pk in clusters)
    for group in groups:
        yield match_translations(job.project, group, translations, spec, clusters=int(clusters is not None))
        check()


def match_translations(
    project: Project,
    rows: QuerySet[Sentence],
    translations: WordPairs,
    spec: TranslationSpec,
    *,
    clusters: int = 0,
) -> Proposed:
    """The best pairs among sentences, measured; those of the project's language first."""
    first, second = (sentences_of(side) for side in in_both(rows, project))
    sentences = Sentences(np.concatenate((first.rows, second.rows)), first.texts + second.texts)
    words = [words_in(text.split(" ")) for text in sentences.texts]
    pairs = translated_pairs(words[: len(first)], words[len(first) :], translations, spec)
    proposed = propose(sentences, pairs["first"], pairs["second"], pairs["score"], in_order=True)
    proposed.counts["pairs_compared"] = len(first) * len(second)
    proposed.counts["sentences"] = len(sentences)
    if clusters:
        proposed.counts["clusters"] = clusters
    return proposed


RUNNER = Runner(compute=compute, store=scored_pairs.store, finish=scored_pairs.finish)
