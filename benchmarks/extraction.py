"""Extraction: the kernel beside loops and queries over its peers, and many files beside one process."""

from __future__ import annotations

import hashlib
import json
import resource
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from benchmarks.measuring import Row, apart, cost, ratio
from paragold.executors import processes
from paragold.extraction.cluster import get_kernel
from paragold.extraction.criteria import Criteria
from paragold.extraction.files import extract_file
from paragold.extraction.methods import DistinctSentences
from paragold.extraction.presets import get_preset
from paragold.extraction.rapidfuzz_blocks import encode_words, partner_ends
from paragold.many import MANIFEST, extract_many
from tests.factories.made_up import SENTENCES_A_CLUSTER, NewsWriter, write_tokenised

Hits = set[tuple[int, int, int]]
"""Numbers of two texts, the shorter one first, and their distance."""
QUERY = """
SELECT a.number AS a, b.number AS b, a.text AS first, b.text AS second
FROM texts a JOIN texts b ON b.number > a.number AND b.number < a.partners_end
"""


def extraction(*, clusters: int = 8, rounds: int = 5, seed: int = 1) -> list[Row]:
    """Word edit distances of all pairs in a cluster beside rapidfuzz in a loop and in DuckDB.

    All find their texts prepared and measure the same pairs within the length window, in turns, one core: so
    a busy moment of the machine meets all. `times_kernel` is the peer's CPU time to ours, the median of the
    rounds. `with encoding` includes turning words into numbers. Stops when they find different pairs.
    """
    criteria = get_preset("L12-2004-word").criteria
    writer = NewsWriter(seed)
    written = [writer.cluster(number) for number in range(clusters)]
    texts = [DistinctSentences(range(len(one)), one.tokens, criteria.shared_word_length) for one in written]
    windows = [list(_pairs_in_window(one, criteria)) for one in texts]
    compared = sum(map(len, windows))
    by_kernel(texts[:1], criteria)  # it is compiled, and duckdb is loaded
    by_duckdb(texts[:1], criteria)
    taken: dict[str, list[float]] = {
        name: [] for name in ("kernel", "with encoding", "rapidfuzz loop", "duckdb")
    }
    for _ in range(rounds):
        loop, expected = by_loop(texts, windows, criteria)
        query, queried = by_duckdb(texts, criteria)
        encoding, kernel, found = by_kernel(texts, criteria)
        if not found == expected == queried:
            raise SystemExit("Kernel, loop and query disagree: the figures would mean nothing.")
        for name, value in zip(taken, (kernel, encoding + kernel, loop, query), strict=True):
            taken[name].append(value)
    return [
        {
            "who": name,
            "pairs": compared,
            "within": sum(map(len, expected)),
            "pairs_per_s": round(compared / median(values)),
            "times_kernel": round(median(a / b for a, b in zip(values, taken["kernel"], strict=True)), 1),
        }
        for name, values in taken.items()
    ]


def _pairs_in_window(texts: DistinctSentences, criteria: Criteria) -> Iterator[tuple[int, int]]:
    lengths = texts.lengths.tolist()
    longest = [criteria.longest_partner(length) for length in lengths]
    return ((a, b) for a, b in combinations(range(len(texts)), 2) if lengths[b] <= longest[a])


def by_kernel(clusters: list[DistinctSentences], criteria: Criteria) -> tuple[float, float, list[Hits]]:
    """CPU seconds in which the kernel encodes words, and in which it finds the hits, and these."""
    kernel = get_kernel()
    started = process_time()
    prepared = [kernel(texts.compared) for texts in clusters]
    encoded = process_time()
    found = [
        list(one.hits(texts.lengths, criteria, [range(len(texts))]))
        for one, texts in zip(prepared, clusters, strict=True)
    ]
    ended = process_time()
    hits = [
        {hit for block in blocks for hit in zip(*(part.tolist() for part in block), strict=True)}
        for blocks in found
    ]
    return encoded - started, ended - encoded, hits


def by_loop(
    clusters: list[DistinctSentences], windows: list[list[tuple[int, int]]], criteria: Criteria
) -> tuple[float, list[Hits]]:
    """CPU seconds of one call for each pair on lists of tokens; finding the window is not timed."""
    cutoff = criteria.max_edit_distance
    assert cutoff is not None
    spent, hits = 0.0, []
    for texts, pairs in zip(clusters, windows, strict=True):
        tokens = [list(text) for text in texts.tokens]
        found = set()
        started = process_time()
        for a, b in pairs:
            apart = Levenshtein.distance(tokens[a], tokens[b], score_cutoff=cutoff)
            if apart <= cutoff:
                found.add((a, b, apart))
        spent += process_time() - started
        hits.append(found)
    return spent, hits


def by_duckdb(clusters: list[DistinctSentences], criteria: Criteria) -> tuple[float, list[Hits]]:
    """CPU seconds of a join within the length window, whose columns rapidfuzz compares at once."""
    import duckdb  # not above: what the processes of many_files have in memory is measured
    import pandas as pd

    spent, hits = 0.0, []
    with duckdb.connect(config={"threads": 1}) as database:
        for one in clusters:
            columns = {
                "number": np.arange(len(one)),
                "text": encode_words(one.compared),
                "partners_end": partner_ends(criteria, one.lengths),
            }
            database.register("texts", pd.DataFrame(columns))
            cutoff = criteria.max_edit_distance
            started = process_time()
            pairs = database.sql(QUERY).fetchnumpy()
            apart = cpdist(
                pairs["first"],
                pairs["second"],
                scorer=Levenshtein.distance,
                score_cutoff=cutoff,
                dtype=np.uint32,
            )
            near = apart <= cutoff
            found = [pairs["a"][near], pairs["b"][near], apart[near]]
            spent += process_time() - started
            hits.append(set(zip(*(column.tolist() for column in found), strict=True)))
    return spent, hits


def many_files(
    *, sentences: float = 1e5, files: int = 4, workers: int = 2, preset: str = "L12", seed: int = 1
) -> list[Row]:
    """Extraction from many files by processes beside one process on the same articles: CPU, memory, hashes.

    An article a line, tokenised: nothing is cheaper to read, so that what partition and order cost shows
    most. 1e5 to 1e7 sentences. CPU is that of all processes, `worker_mb` the most that one of them had.
    """
    with tempfile.TemporaryDirectory(prefix="paragold-bench-") as name:
        folder = Path(name)
        paths = write_tokenised(folder, max(files, int(sentences) // SENTENCES_A_CLUSTER), files, seed)
        one = apart(_one_process, preset, paths, folder)
        many = apart(_many_files, preset, paths, folder, workers)
    many["cpu_ratio"] = ratio(many["cpu_s"], one["cpu_s"])
    if one["sha256"] != many["sha256"]:
        many["problem"] = "The pairs differ from those of one process."
    return [{"sentences": int(sentences)} | row for row in (one, many)]


def _one_process(preset: str, paths: list[Path], folder: Path) -> Row:
    with (folder / "all.jsonl").open("wb") as file:
        for path in paths:
            file.write(path.read_bytes())
    output = folder / "pairs.tsv"
    with cost() as row:
        counts = extract_file(folder / "all.jsonl", get_preset(preset).criteria, output, processes=1)
        with output.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"who": "one process", "pairs": counts["pairs_kept"], "sha256": digest} | row


def _many_files(preset: str, paths: list[Path], folder: Path, workers: int) -> Row:
    with cost() as row, processes(workers) as executor:
        extract_many(paths, folder / "many", get_preset(preset).criteria, executor=executor)
    manifest = json.loads((folder / "many" / MANIFEST).read_text(encoding="utf-8"))
    row["worker_mb"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    return {"who": f"{workers} processes", "sha256": manifest["pairs_sha256"]} | row
