"""Extraction from many files beside one process on the same articles: CPU, memory of a worker, equal hashes.

    python -m benchmarks.many [--sentences 1e5 1e6] [--files 4] [--workers 2] [--preset L12] [--seed 1]

The articles are those of benchmarks.news_like_clusters, an article a line, tokenised: nothing is cheaper to
read, so that what partition and order cost shows most. Both run at the same time, each in processes of its
own. CPU is that of all its processes; `rss_mb_worker` is the highest of any, `rss_mb_driver` of the end.
"""

import argparse
import hashlib
import json
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.news_like_clusters import SENTENCES_A_CLUSTER, NewsWriter
from paragold.executors import processes
from paragold.extraction.files import extract_file
from paragold.extraction.presets import get_preset
from paragold.many import MANIFEST, extract_many

Queue = Any


def write_articles(folder: Path, sentences: int, files: int, seed: int) -> list[Path]:
    """The clusters of a corpus of about so many sentences, one after the other, divided among files."""
    writer, clusters = NewsWriter(seed), max(files, sentences // SENTENCES_A_CLUSTER)
    paths = [folder / f"news-{number:03}.jsonl" for number in range(files)]
    for number, path in enumerate(paths):
        with path.open("w", encoding="utf-8") as file:
            for cluster in range(number * clusters // files, (number + 1) * clusters // files):
                for outlet, texts in enumerate(writer.articles(cluster)):
                    article = {"cluster_id": f"c{cluster}", "id": f"a{outlet}", "tokenised": True}
                    file.write(json.dumps(article | {"sentences": [" ".join(text) for text in texts]}) + "\n")
    return paths


def one_process(preset: str, paths: list[Path], folder: Path, figures: Queue) -> None:
    with (folder / "all.jsonl").open("wb") as file:
        for path in paths:
            file.write(path.read_bytes())
    before = _cpu(resource.RUSAGE_SELF)
    counts = extract_file(
        folder / "all.jsonl", get_preset(preset).criteria, folder / "pairs.tsv", processes=1
    )
    with (folder / "pairs.tsv").open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    cpu = _cpu(resource.RUSAGE_SELF) - before
    figures.put(
        {"sha256": digest, "cpu_s": cpu, "rss_mb": _rss(resource.RUSAGE_SELF), "pairs": counts.pairs_kept}
    )


def many_files(preset: str, paths: list[Path], folder: Path, workers: int, figures: Queue) -> None:
    before = _cpu(resource.RUSAGE_SELF)
    with processes(workers) as executor:
        extract_many(paths, folder / "many", get_preset(preset).criteria, executor=executor)
    manifest = json.loads((folder / "many" / MANIFEST).read_text(encoding="utf-8"))
    both = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    figures.put(
        {
            "sha256": manifest["pairs_sha256"],
            "shards": manifest["shards"],
            "cpu_s": sum(map(_cpu, both)) - before,
            "rss_mb_driver": _rss(both[0]),
            "rss_mb_worker": _rss(both[1]),
        }
    )


def _cpu(who: int) -> float:
    usage = resource.getrusage(who)
    return round(usage.ru_utime + usage.ru_stime, 2)


def _rss(who: int) -> int:
    return resource.getrusage(who).ru_maxrss // 1024


def measure(sentences: int, files: int, workers: int, preset: str, seed: int) -> dict[str, Any]:
    """The figures of both, at the same time."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="paragold-bench-") as name:
        folder = Path(name)
        paths = write_articles(folder, sentences, files, seed)
        started, queues = time.monotonic(), (context.Queue(), context.Queue())
        runs = [
            context.Process(target=one_process, args=(preset, paths, folder, queues[0])),
            context.Process(target=many_files, args=(preset, paths, folder, workers, queues[1])),
        ]
        for process in runs:
            process.start()
        one, many = (queue.get() for queue in queues)
        for process in runs:
            process.join()
    ratio = round(many["cpu_s"] / one["cpu_s"], 2)
    equal = one["sha256"] == many["sha256"]
    seconds = round(time.monotonic() - started, 1)
    return {
        "sentences": sentences,
        "equal": equal,
        "cpu_ratio": ratio,
        "seconds": seconds,
        "one": one,
        "many": many,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=float, nargs="+", default=[1e5, 1e6])
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--preset", default="L12")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for sentences in given.sentences:
        figures = measure(int(sentences), given.files, given.workers, given.preset, given.seed)
        print(json.dumps(figures, indent=2), flush=True)


if __name__ == "__main__":
    main()
