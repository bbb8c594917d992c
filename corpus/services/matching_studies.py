"""Studies of matching by a job: uploaded texts with an answer key, methods scored, the texts forgotten."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import MatchingStudy
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.launch_cost import LaunchCost, launch_cost
from paragold.matching import study
from paragold.matching.files import Paragraph, places_of, read_answer_key, read_paragraphs
from paragold.matching.settings import MAX_PERMUTATIONS, MatchingSpec
from paragold.matching.study import EXACT, PERMUTATIONS, AnswerKey, StudyTexts
from paragold.matching.word_sets import content_words
from paragold.parsing.process import limited
from paragold.problems import FileProblem
from projects.errors import PublicError
from projects.models import Project

KIND = "study_matching"
VERSION = "1"
# What a study tries out itself, or does not need.
NOT_OF_A_STUDY = ("method", "permutations", "max_entry", "threshold", "greedy")
MAX_BYTES = 20 << 20
# Of two files, or of one with itself: every pair is looked at, by every method.
MAX_COMPARISONS = 25_000_000
# The rate where no study was done here yet: slower than measured (docs/matching.md).
SECONDS_A_COMPARISON = 1e-6


def launch_study(
    *,
    project: Project,
    by: User | None,
    name: str,
    files: Sequence[tuple[Path, str]],
    key: tuple[Path, str],
    permutations: Sequence[int] = PERMUTATIONS,
    spec: MatchingSpec | None = None,
    encoding: str = "utf-8",
) -> MatchingStudy:
    """Ask for the methods to be scored on the texts of one file or two, against an answer key.

    files, key: each a path and what the file is called, all in this encoding; spec: its seed and stop words
    count. Raises PublicError for a name that is taken, files that cannot be used (with every faulty line),
    and more than MAX_COMPARISONS pairs of texts.
    """
    name = name.strip()
    if not name:
        raise PublicError("A study needs a name.", field="name")
    if project.matching_studies.filter(name=name).exists():
        raise PublicError(f"A study called {name!r} exists; choose another name.", field="name")
    chosen = sorted(set(permutations))
    if not chosen or not 1 <= chosen[0] <= chosen[-1] <= MAX_PERMUTATIONS or len(chosen) > 10:
        raise PublicError(
            f"Choose up to ten numbers of permutations from 1 to {MAX_PERMUTATIONS:,}.", field="permutations"
        )
    spec = spec or MatchingSpec()
    texts, rows = read_study(files, key, encoding=encoding)
    methods = [EXACT, *map(str, chosen)]
    packed = zlib.compress(json.dumps({"texts": texts, "key": rows}).encode(), 6)
    counts = [len(file) for file in texts]
    parameters = {
        "methods": methods,
        "seed": spec.seed,
        "stop_words": sorted(spec.stop_words),
        "files": [called for _, called in files],
        "key": key[1],
        "texts": counts,
    }
    signature = (
        f"matching-study|methods:{','.join(methods)}|{spec.signature()}"
        f"|sha256:{hashlib.sha256(packed).hexdigest()[:16]}|version:{VERSION}"
    )
    chunks = [
        *(ledger.ChunkPlan(units=1, payload={"quality": method}) for method in methods),
        *(ledger.ChunkPlan(units=1, payload={"scatter": method}) for method in methods[1:]),
        *(ledger.ChunkPlan(units=1, payload={"times": method}) for method in methods),
    ]
    with transaction.atomic():
        job = ledger.request_job(
            project=project,
            by=by,
            kind=KIND,
            title=f"Study of matching {name}",
            parameters={"units": "measurements", "methods": methods, **study_cost(counts, len(methods)).work},
            signature=signature,
            chunks=chunks,
        )
        matching_study = MatchingStudy.objects.create(
            project=project, job=job, name=name, parameters=parameters, texts=packed, signature=signature
        )
        ledger.hand_over(job)
    return matching_study


def pairs_of_texts(sizes: Sequence[int]) -> int:
    """The pairs of texts of one file, or of two files of these sizes."""
    return sizes[0] * sizes[1] if len(sizes) > 1 else sizes[0] ** 2 // 2


def study_cost(sizes: Sequence[int], methods: int) -> LaunchCost:
    """The pairs that a study of files of these sizes compares with so many methods, and the time for it."""
    return _cost(min(pairs_of_texts(sizes), MAX_COMPARISONS), methods)


def maximum_cost(methods: int) -> LaunchCost:
    """The cost of the largest study that is accepted."""
    return _cost(MAX_COMPARISONS, methods)


def _cost(pairs: int, methods: int) -> LaunchCost:
    processes = f"{pairs:,} pairs of texts by {methods} methods"
    return launch_cost(KIND, processes, pairs * methods * SECONDS_A_COMPARISON)


def read_study(
    files: Sequence[tuple[Path, str]], key: tuple[Path, str], *, encoding: str = "utf-8"
) -> tuple[list[list[str]], list[list[int]]]:
    """The texts of each file, and for each row of the key the numbers of its texts, over both files.

    Raises PublicError, naming the files as they are called.
    """
    read = read_texts(files, encoding=encoding)
    places = places_of([path for path, _ in files], read)
    check_size("key", key)
    with naming("key", key):
        rows = limited(read_answer_key, key[0], frozenset(places), encoding=encoding)
    return (
        [[paragraph.text for paragraph in file] for file in read],
        [[places[one] for one in [*first, *second]] for first, second in rows],
    )


def read_texts(files: Sequence[tuple[Path, str]], *, encoding: str = "utf-8") -> list[list[Paragraph]]:
    """The texts of each file; no id is in both. Raises PublicError, naming files as they are called."""
    read: list[list[Paragraph]] = []
    for field, (path, called) in zip(("first", "second"), files, strict=False):
        check_size(field, (path, called))
        with naming(field, (path, called)):
            read.append(limited(read_paragraphs, path, encoding=encoding))
    with naming("second", *files):
        places_of([path for path, _ in files], read)
    comparisons = pairs_of_texts([len(file) for file in read])
    if comparisons > MAX_COMPARISONS:
        raise PublicError(
            f"There are {comparisons:,} pairs of texts; at most {MAX_COMPARISONS:,} are allowed. Give "
            "fewer texts, or use the commands on the server, which have no limit.",
            field="first",
        )
    return read


def check_size(field: str, file: tuple[Path, str]) -> None:
    path, called = file
    if path.stat().st_size > MAX_BYTES:
        raise PublicError(f"{called} is larger than {MAX_BYTES >> 20} MB.", field=field)


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


def texts_and_key(matching_study: MatchingStudy) -> tuple[StudyTexts, AnswerKey]:
    """The texts and the answer key of an unfinished study."""
    kept = json.loads(zlib.decompress(bytes(matching_study.texts or b"")))
    stop_words = frozenset(matching_study.parameters["stop_words"])
    files = kept["texts"]
    split = len(files[0]) if len(files) > 1 else 0
    words = [content_words(text, stop_words) for file in files for text in file]
    return StudyTexts(words, split), AnswerKey.from_rows(kept["key"], split)


def compute(job: Job, chunk: JobChunk) -> tuple[str, str, Any]:
    matching_study = job.matching_study
    texts, key = texts_and_key(matching_study)
    ((what, method),) = chunk.payload.items()
    seed = matching_study.parameters["seed"]
    if what == "quality":
        return what, method, study.quality(texts, key, method, seed=seed)
    if what == "scatter":
        return what, method, study.scatter(texts, int(method), seed=seed)
    return what, method, study.times(texts, method, seed=seed)


def store(job: Job, result: tuple[str, str, Any]) -> dict[str, int]:
    what, method, figures = result
    ledger.lock(job)
    matching_study = MatchingStudy.objects.get(job=job)
    matching_study.figures.setdefault(what, {})[method] = figures
    matching_study.save(update_fields=["figures"])
    return {what: 1}


def finish(job: Job) -> None:
    """Add the size of the key to the figures; delete the texts."""
    matching_study = job.matching_study
    _, key = texts_and_key(matching_study)
    matching_study.figures["key"] = {"pairs": len(key.pairs), "rows": key.rows}
    matching_study.texts = None
    matching_study.save(update_fields=["figures", "texts"])


RUNNER = Runner(compute=compute, store=store, finish=finish)
