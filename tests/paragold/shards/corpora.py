"""Small corpora with near-duplicates within and across clusters, and ways to extract them in this process."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from paragold.extraction.criteria import Criteria
from paragold.extraction.files import extract_file
from paragold.extraction.records import ExtractionCounts
from paragold.shards.engines import Engine, Outcome, attempt
from paragold.shards.run import extract_in_shards
from paragold.shards.steps.extract import ExtractSpec

WORDS = [f"word{number}" for number in range(60)]


class InThisProcess(Engine):
    """Does the tasks here, in an order of its own."""

    def __init__(self, seed: int = 1) -> None:
        self._order = Random(seed)
        self.done: list[tuple[str, int]] = []

    def run(self, folder: Path, stage: str, numbers: Sequence[int]) -> Iterator[Outcome]:
        for number in self._order.sample(list(numbers), len(numbers)):
            outcome = attempt(folder, stage, number)
            assert outcome.problem or not outcome.failure, outcome.failure
            self.done.append((stage, number))
            yield outcome

    def __exit__(self, *error: object) -> None:
        pass


def news(seed: int, clusters: int = 12) -> list[dict[str, Any]]:
    """Clusters with rewritten sentences; some sentences are in many clusters."""
    random = Random(seed)
    stock = [random.choices(WORDS, k=random.randint(6, 14)) for _ in range(8)]
    corpus = []
    for number in range(clusters):
        texts: list[list[str]] = []
        for _ in range(random.randint(4, 14)):
            kind = random.random()
            text = random.choice(texts if texts and kind < 0.4 else stock)
            if kind < 0.6:
                text = [word if random.random() < 0.8 else random.choice(WORDS) for word in text]
            texts.append([word.title() if random.random() < 0.1 else word for word in text])
        articles = [
            {"id": f"a{article}", "sentences": [" ".join(text) for text in texts[article::3]]}
            for article in range(3)
        ]
        corpus.append({"cluster_id": f"c{number}-é", "tokenised": True, "articles": articles})
    return corpus


def as_lines(corpus: Sequence[dict[str, Any]], seed: int = 0) -> list[str]:
    """A cluster a line, or with a seed an article a line, those of all clusters in disorder."""
    if not seed:
        return [json.dumps(cluster, ensure_ascii=False) for cluster in corpus]
    lines = [
        json.dumps({"cluster_id": cluster["cluster_id"], "tokenised": True, **article})
        for cluster in corpus
        for article in cluster["articles"]
    ]
    return Random(seed).sample(lines, len(lines))


def written(path: Path, lines: Sequence[str]) -> Path:
    """The lines as a file of the kind that the name says."""
    data = "".join(f"{line}\n" for line in lines).encode()
    if path.suffix == ".gz":
        data = gzip.compress(data)
    elif path.suffix == ".zst":
        data = _zstd(data)
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist([json.loads(line) for line in lines]), path)
        return path
    path.write_bytes(data)
    return path


def _zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def by_one_process(folder: Path, lines: Sequence[str], criteria: Criteria) -> tuple[bytes, ExtractionCounts]:
    """The file that one process writes for these lines, and its counts."""
    source = written(folder / "all.jsonl", lines)
    counts = extract_file(source, criteria, folder / "all.tsv", processes=1)
    return (folder / "all.tsv").read_bytes(), counts


def in_shards(inputs: Sequence[Path], criteria: Criteria, folder: Path, **options: Any) -> dict[str, Any]:
    """The manifest of an extraction in shards, here unless `engine` says where."""
    engine = options.pop("engine", None) or InThisProcess()
    names = [str(path) for path in inputs]
    values = ExtractSpec(shards=options.pop("shards", None))
    return extract_in_shards(names, values, folder, engine, changes=criteria.settings(), **options)
