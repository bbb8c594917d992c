"""Texts of two uploaded files matched by their words (Chung & Knight), the pairs kept as a dataset."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import CorpusImport, Extraction, Sentence
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services.ledger import ChunkPlan
from paragold.formats.publishing import sha256_of
from paragold.languages import language
from paragold.matching import files as text_files
from paragold.matching.similar_pairs import jaccard_of, matched, sets_of_files
from paragold.matching.specs import MatchingSpec
from paragold.problems import FileProblem
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project
from projects.parsing.process import limited

from . import scored_pairs
from .extraction import free_name, launch
from .matching import in_language
from .pairs import GivenPair, GivenSentence, store_given_pairs
from .scored_pairs import Proposed, propose, sentences_of

KIND = "match_texts"
MAX_BYTES = 20 << 20
# Every text of one file with every text of the other.
MAX_COMPARISONS = 25_000_000
MAX_PAIRS = 20_000
# An encoder takes ten milliseconds a text, while a browser waits.
MAX_TEXTS_BY_MEANING = 2_000
PAIRS_A_CHUNK = 2_000
SIDES = ("first", "second")


def launch_text_matching(
    *,
    project: Project,
    by: User | None,
    files: Sequence[tuple[Path, str]],
    spec: MatchingSpec,
    name: str = "",
    encoding: str = "utf-8",
) -> Extraction:
    """Match the texts of two files, store the pairs apart from the corpus, and ask for their dataset.

    files: each a path and what the file is called. The texts themselves are kept where they are in a pair
    only. Raises PublicError for files that cannot be used (with every faulty line), for no pair, and for
    more than MAX_PAIRS.
    """
    if project.second_language:
        raise PublicError(
            "Texts in two languages share hardly any words. Import them as articles of their languages, and "
            "match translations.",
            field="first",
        )
    read = read_texts(files, encoding=encoding)
    spec, own = in_language(project, spec), language(project.language)
    if spec.method == "meaning" and sum(map(len, read)) > MAX_TEXTS_BY_MEANING:
        raise PublicError(
            "By meaning at most %(limit)s texts are compared here. Give fewer, import them as "
            "articles, or use `paragold match-texts`.",
            field="method",
            limit=grouped(MAX_TEXTS_BY_MEANING),
        )
    spec = spec.for_size(sum(map(len, read)))
    sets, split = sets_of_files(*(file.values() for file in read), spec=spec)
    pairs = matched(sets, spec, split=split)
    if not len(pairs):
        raise PublicError("No pair of texts reaches the threshold. Lower it.", field="threshold")
    if len(pairs) > MAX_PAIRS:
        raise PublicError(
            "%(count)s pairs reach the threshold; at most %(limit)s are allowed. Raise the threshold.",
            field="threshold",
            count=grouped(len(pairs)),
            limit=grouped(MAX_PAIRS),
        )
    texts = [text for file in read for text in file.values()]
    digest = hashlib.sha256("".join(sha256_of(path) for path, _ in files).encode()).hexdigest()
    signature = f"match-texts|{spec.signature()}|{own.token_signature}|sha256:{digest[:16]}"
    with transaction.atomic():
        name = free_name(project, name.strip() or f"Texts {spec.method} {spec.threshold:g}")
        stored = store_given_pairs(
            source=CorpusImport(
                project=project,
                filename=" and ".join(called for _, called in files)[:255],
                sha256=digest,
                imported_by=by,
            ),
            name=name,
            pairs=[
                GivenPair(f"{name}/{number}", *(GivenSentence.of(texts[place], own) for place in places))
                for number, places in enumerate(pairs[["first", "second"]].tolist(), start=1)
            ],
            sides=SIDES,
            format_name="texts",
            signature=own.token_signature,
        )
        scores = zip(
            stored.clusters,
            pairs["score"].tolist(),
            jaccard_of(sets, pairs).tolist(),
            strict=True,
        )
        return launch(
            project=project,
            by=by,
            kind=KIND,
            verb="Match",
            name=name,
            preset=spec.method,
            parameters={"spec": spec.as_json(), "units": "pairs", "texts": [len(file) for file in read]},
            signature=signature,
            chunks=[
                ChunkPlan(units=len(piece), payload={"scores": piece})
                for piece in iter(lambda: list(islice(scores, PAIRS_A_CHUNK)), [])
            ],
        )


def read_texts(files: Sequence[tuple[Path, str]], *, encoding: str = "utf-8") -> list[text_files.Texts]:
    """The texts of both files; no id is in both. Raises PublicError, naming files as they are called."""
    read: list[text_files.Texts] = []
    for field, (path, called) in zip(("first", "second"), files, strict=True):
        check_size(field, (path, called))
        with naming(field, (path, called)):
            others = [key for texts in read for key in texts]
            read.append(limited(text_files.read_texts, path, encoding=encoding, of_others=others))
    comparisons = len(read[0]) * len(read[1])
    if comparisons > MAX_COMPARISONS:
        raise PublicError(
            "There are %(comparisons)s pairs of texts; at most %(limit)s are allowed. Give fewer "
            "texts, or use the commands on the server, which have no limit.",
            field="first",
            comparisons=grouped(comparisons),
            limit=grouped(MAX_COMPARISONS),
        )
    return read


def check_size(field: str, file: tuple[Path, str]) -> None:
    path, called = file
    if path.stat().st_size > MAX_BYTES:
        raise PublicError(
            "%(called)s is larger than %(limit)s MB.", field=field, called=called, limit=MAX_BYTES >> 20
        )


@contextmanager
def naming(field: str, *files: tuple[Path, str]) -> Iterator[None]:
    """Turns the faults of files into a PublicError that calls them by their names."""
    try:
        yield
    except FileProblem as error:
        text = str(error)
        for path, called in files:
            text = text.replace(str(path), called)
        raise PublicError(text, field=field) from error


def spec_of(job: Job) -> MatchingSpec:
    return MatchingSpec.from_json(job.parameters["spec"])


def compute(job: Job, chunk: JobChunk) -> Proposed:
    """The stored pairs of a chunk as findings with their scores, each a cluster of two texts."""
    of_cluster = {cluster: (score, jaccard) for cluster, score, jaccard in chunk.payload["scores"]}
    sentences = sentences_of(Sentence.objects.filter(article__cluster__in=of_cluster))
    order = np.lexsort((sentences.rows["id"], sentences.rows["cluster"]))
    first, second = order[::2], order[1::2]
    scores = np.array([of_cluster[cluster] for cluster in sentences.rows["cluster"][first].tolist()])
    proposed = propose(sentences, first, second, scores[:, 0], scores[:, 1])
    return scored_pairs.collected(job, [proposed], MAX_PAIRS)


RUNNER = Runner(compute=compute, store=scored_pairs.store, finish=scored_pairs.finish)
