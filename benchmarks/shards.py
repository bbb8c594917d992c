"""Extraction in shards beside one process over the same file, in one run. Prints JSON.

    python -m benchmarks.shards [--sentences 100000 1000000] [--workers 2] [--preset candidates-2005]

The file is made-up news (`benchmarks.news_like_clusters`): clusters of 287 sentences of which a tenth are
near-duplicates of others, with some sentences in many clusters. Each extraction is a program of its own with
as many working processes. For each size: seconds by the clock; CPU seconds of driver and workers together, by
which `overhead` compares, as other work on the machine disturbs them least; the maximum memory of the driver
and of any worker (`peak_mb`); whether the pairs are the same. `disk_mb` is the maximum that the output took
on the way. `slope_mb` is how much more memory the largest size takes than the smallest, by factor of ten.

`--by-stage` instead does all tasks in this process, which compiles and loads beforehand: CPU seconds by stage
for each size, and the microseconds in which a batch of 28 pairs is read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import platform
import shutil
import sys
import tempfile
import threading
import time
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from subprocess import Popen
from typing import Any

from benchmarks.news_like_clusters import SENTENCES_A_CLUSTER, NewsWriter
from paragold.shards.finished import finish
from paragold.shards.run import planned_extraction
from paragold.shards.steps import extract
from paragold.shards.steps.extract import Extract, ExtractSpec
from paragold.shards.tasks import run_task

SECONDS_BETWEEN = 0.1
SECONDS_BETWEEN_DISK = 10


def write_news(path: Path, sentences: int, seed: int) -> int:
    """Write clusters until there are so many sentences; returns how many there are."""
    writer, clusters = NewsWriter(seed), max(1, round(sentences / SENTENCES_A_CLUSTER))
    with path.open("w", encoding="utf-8") as file:
        for number in range(clusters):
            articles = [
                {"id": f"a{outlet}", "sentences": [" ".join(text) for text in texts]}
                for outlet, texts in enumerate(writer.articles(number))
            ]
            cluster = {"cluster_id": f"c{number}", "tokenised": True, "articles": articles}
            file.write(json.dumps(cluster) + "\n")
    return clusters * SENTENCES_A_CLUSTER


def descendants(process: int) -> list[int]:
    """A process and all that it started, as far as they still run."""
    processes = [process]
    for parent in processes:
        try:
            threads = list(Path(f"/proc/{parent}/task").iterdir())
            processes += [
                int(child) for thread in threads for child in (thread / "children").read_text().split()
            ]
        except OSError:
            continue
    return processes


def peak_megabytes(process: int) -> float:
    try:
        lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) / 1024
    except (OSError, KeyError, ValueError):
        return 0.0


def megabytes_below(path: Path) -> float:
    """The bytes of a file, or of all files below a folder, as far as they still exist."""
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            with suppress(OSError):
                total += Path(folder, name).stat().st_size
    if path.is_file():
        total = path.stat().st_size
    return total / 1e6


def measured(arguments: list[str], output: Path) -> dict[str, Any]:
    """Run `paragold extract-pairs`: seconds, CPU seconds of all its processes, memory by process, disk."""
    command = [sys.executable, "-m", "paragold", "extract-pairs", *arguments, "--output", str(output)]
    began, before = time.monotonic(), os.times()
    process = Popen(command, stdout=sys.stderr)
    peaks: dict[int, float] = {}
    disk = [0.0]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(SECONDS_BETWEEN):
            for one in descendants(process.pid):
                peaks[one] = max(peaks.get(one, 0.0), peak_megabytes(one))

    def watch_disk() -> None:
        while not ended.wait(SECONDS_BETWEEN_DISK):
            disk.append(megabytes_below(output))

    watchers = [threading.Thread(target=watch), threading.Thread(target=watch_disk)]
    for watcher in watchers:
        watcher.start()
    code = process.wait()
    ended.set()
    for watcher in watchers:
        watcher.join()
    if code:
        raise SystemExit(f"extract-pairs ended with {code}.")
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    driver = peaks.pop(process.pid, 0.0)
    return {
        "seconds": round(time.monotonic() - began, 1),
        "cpu_seconds": round(cpu, 1),
        "peak_mb": {"driver": round(driver), "worker": round(max(peaks.values(), default=0.0))},
        "disk_mb": round(max(*disk, megabytes_below(output))),
        "load_after": round(os.getloadavg()[0], 1),
    }


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def compare(folder: Path, sentences: int, arguments: argparse.Namespace) -> dict[str, Any]:
    source, tsv, parts = folder / "news.jsonl", folder / "pairs.tsv", folder / "parts"
    written = write_news(source, sentences, arguments.seed)
    common = ["--input", str(source), "--preset", arguments.preset]
    workers = str(arguments.workers)
    shards = ["--shards", str(arguments.shards)] if arguments.shards else []
    one = None
    if sentences <= arguments.one_process_up_to:
        one = measured([*common, "--processes", workers], tsv)
    in_shards = measured([*common, "--engine", "local", "--workers", workers, *shards], parts)
    manifest = json.loads((parts / "manifest.json").read_text(encoding="utf-8"))
    figures = {
        "sentences": written,
        "input_mb": round(source.stat().st_size / 1e6),
        "pairs": manifest["counts"]["pairs_kept"],
        "shards": manifest["details"]["shards"],
        "output_mb": round(sum(part["bytes"] for part in manifest["files"].values()) / 1e6),
        "one_process": one,
        "in_shards": in_shards,
        "cpu_us_per_sentence": round(1e6 * in_shards["cpu_seconds"] / written, 1),
    }
    if one:
        figures |= {
            "same_pairs": manifest["details"]["pairs_sha256"] == sha256_of(tsv),
            "overhead": round(in_shards["cpu_seconds"] / one["cpu_seconds"] - 1, 3),
            "overhead_by_the_clock": round(in_shards["seconds"] / one["seconds"] - 1, 3),
        }
    shutil.rmtree(parts)
    print(json.dumps(figures), file=sys.stderr, flush=True)
    return figures


def by_stage(folder: Path, sentences: int, arguments: argparse.Namespace) -> dict[str, float]:
    """CPU seconds of the tasks of each stage, one after the other in this process."""
    source, output = folder / "news.jsonl", folder / "parts"
    write_news(source, sentences, arguments.seed)
    values = ExtractSpec(preset=arguments.preset, shards=arguments.shards)
    seconds: dict[str, float] = {}
    with planned_extraction([str(source)], values, output) as (run, plan):
        for stage, about in Extract().stages(plan).items():
            if stage == "map":
                run_task(run, stage, 0)
            began = time.process_time()
            for number in range(stage == "map", about.tasks):
                run_task(run, stage, number)
            seconds[stage] = round(time.process_time() - began, 2)
        began = time.process_time()
        finish(run, plan)
        seconds["manifest"] = round(time.process_time() - began, 2)
    shutil.rmtree(output)
    return seconds


def microseconds_a_batch(path: Path, pairs: int = 28, batches: int = 20_000) -> float:
    texts = [" ".join(text) for article in NewsWriter(1).articles(1) for text in article]
    lines = [f"c1\ta1\t3\ta2\t4\t12\t{texts[pair]}\t{texts[pair + 1]}" for pair in range(pairs)]
    with extract._Batches(path, extract.PAIRS) as file:
        for _ in range(batches):
            file.add(range(pairs), range(pairs), lines)
    began = time.process_time()
    for number in range(batches):
        extract._batch(path, extract.PAIRS, number)
    return round((time.process_time() - began) / batches * 1e6, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--shards", type=int, help="default: as the command chooses")
    parser.add_argument("--preset", default="candidates-2005")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--one-process-up-to", type=int, default=1_000_000, metavar="N", help="larger sizes in shards only"
    )
    parser.add_argument("--by-stage", action="store_true", help="CPU seconds by stage, in this process")
    arguments = parser.parse_args()
    sizes = sorted(arguments.sentences)
    if arguments.by_stage:
        with tempfile.TemporaryDirectory(prefix="paragold-bench-") as folder:
            stages = {size: by_stage(Path(folder), size, arguments) for size in sizes}
            batch = microseconds_a_batch(Path(folder, "batches"))
        print(json.dumps({"cpu_seconds": stages, "microseconds_a_batch": batch}, indent=1))
        return
    with tempfile.TemporaryDirectory(prefix="paragold-bench-") as folder:
        load = os.getloadavg()[0]
        runs = [compare(Path(folder), size, arguments) for size in sizes]
    tens = math.log10(runs[-1]["sentences"] / runs[0]["sentences"])
    slope = (
        {
            who: round((runs[-1]["in_shards"]["peak_mb"][who] - runs[0]["in_shards"]["peak_mb"][who]) / tens)
            for who in ("driver", "worker")
        }
        if len(runs) > 1
        else None
    )
    figures = {
        "preset": arguments.preset,
        "workers": arguments.workers,
        "runs": runs,
        "slope_mb": slope,
        "load_before": round(load, 1),
        "python": platform.python_version(),
        "pyarrow": version("pyarrow"),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
