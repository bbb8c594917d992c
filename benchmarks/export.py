"""Exports of datasets by a real worker: seconds and memory for each format; prints JSON.

    python -m benchmarks.export [--pairs 1000000] [--database sqlite | postgresql] [--seed 1]

An installation in a folder that is removed holds a dataset of so many pairs (sentences of 30 words in
clusters of 287; see benchmarks.export_corpus). A Celery worker as the launcher starts it, with two processes,
makes an export of each format and one of all: from the moment it is asked for until the job is done.
`cpu_s` is of the worker's processes (not of PostgreSQL's), `peak_mb` the largest resident memory that one of
them had in that time. The peer is a plain loop over the pairs as objects with their sentences, `json.dumps` a
row, without zip, on a share of the pairs in this process; `ratio_to_peer` is ours to its pairs a second, by
the clock, for JSONL.

By the clock figures mean something on an idle machine only (`load_before`).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import tempfile
import time
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.programs import Group, installation_in, running, worker_is_there
from ops.launcher.programs import worker
from scripts.services import postgresql

PEER_SHARE = 0.05
DEADLINE = 1200.0


def exported(dataset: Any, formats: list[str], group: Group, limits: str = "") -> dict[str, Any]:
    """Figures of one export by the worker."""
    from alignment.models import Export
    from alignment.services.dataset_exports import export_dataset
    from alignment.specs import DatasetExportSpec
    from jobs.models import JobState

    group.forget_peaks()
    cpu, began = group.cpu_seconds(), time.monotonic()
    job = export_dataset(
        dataset=dataset, by=None, spec=DatasetExportSpec(formats=frozenset(formats), limits=limits)
    )
    while job.active and time.monotonic() - began < DEADLINE:
        time.sleep(0.05)
        job.refresh_from_db()
    seconds = time.monotonic() - began
    peak = max(group.megabytes("VmHWM"))
    if job.state != JobState.DONE:
        raise RuntimeError(f"The export of {formats} is {job.state}: {job.error}")
    made = Export.objects.get(pk=job.parameters["export"])
    return {
        "s": round(seconds, 1),
        "cpu_s": round(group.cpu_seconds() - cpu, 1),
        "peak_mb": round(peak),
        "pairs_per_s": round(dataset.size / seconds),
        "zip_mb": round(made.bytes / 2**20),
        "files_mb": round(sum(file["bytes"] for file in made.manifest["files"].values()) / 2**20),
    }


def peer(dataset: Any, folder: Path) -> float:
    """Pairs a second of the plain loop."""
    pairs = max(1, int(PEER_SHARE * dataset.size))
    began = time.monotonic()
    with (folder / "peer.jsonl").open("w", encoding="utf-8") as file:
        for pair in dataset.pairs().with_sentences().order_by("pk")[:pairs].iterator():
            first, second = pair.sentence_a, pair.sentence_b
            row = {
                "id": f"{pair.cluster.key}/{first.article.key}#{first.number}|{second.number}",
                "cluster": pair.cluster.key,
                "article_a": first.article.key,
                "sentence_a": first.number,
                "article_b": second.article.key,
                "sentence_b": second.number,
                "edit_distance": pair.edit_distance,
                "length_a": pair.length_a,
                "length_b": pair.length_b,
                "shared_words": pair.shared_words,
                "text_a": first.text,
                "text_b": second.text,
                "tokens_a": first.tokens,
                "tokens_b": second.tokens,
            }
            file.write(json.dumps(row) + "\n")
    return pairs / (time.monotonic() - began)


def measure(options: argparse.Namespace, folder: Path, url: str) -> dict[str, Any]:
    installation = installation_in(folder, url)

    from benchmarks.export_corpus import load_dataset
    from corpus.models import Dataset
    from paragold.formats.pair_files import PAIR_FORMATS

    dataset = Dataset.objects.get(pk=load_dataset(options.pairs, options.seed))
    load = os.getloadavg()[0]
    naive = peer(dataset, folder)
    with running(worker(installation), ready=worker_is_there) as group:
        # Modules are loaded and the database's pages are read once. What is there already is not made again.
        exported(dataset, ["parallel"], group, limits="The first.")
        idle = max(group.megabytes())
        found = {name: exported(dataset, [name], group) for name in PAIR_FORMATS.ids()}
        found["all"] = exported(dataset, list(PAIR_FORMATS.ids()), group)
    return {
        "database": options.database,
        "pairs": options.pairs,
        "formats": found,
        "most_s": max(one["s"] for one in found.values()),
        "most_mb": max(one["peak_mb"] for one in found.values()),
        "worker_idle_mb": round(idle),
        "peer_pairs_per_s": round(naive),
        "ratio_to_peer": round(found["jsonl"]["pairs_per_s"] / naive, 1),
        "cores": os.cpu_count(),
        "load_before": round(load, 1),
        "load_after": round(os.getloadavg()[0], 1),
        "seed": options.seed,
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("Django", "pyarrow", "celery")},
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.pairs < 1:
        parser.error("--pairs takes a whole number from 1.")
    folder = Path(tempfile.mkdtemp(prefix="paragold-benchmark-"))
    try:
        with postgresql() if options.database == "postgresql" else nullcontext("") as url:
            print(json.dumps(measure(options, folder, url), indent=2))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
