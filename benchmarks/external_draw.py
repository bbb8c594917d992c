"""Draw pairs from a folder of made-up parts: seconds and memory by kind of draw, as JSON.

The parts are written once, into `--folder`, as `extract-pairs` writes them: row groups of 20,000 pairs, zstd.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from paragold.formats.manifest import build_manifest, dumps
from paragold.formats.tables import ROWS_A_GROUP
from paragold.sampling.rows import draw_rows
from paragold.sampling.strategy import DrawSpec
from paragold.shards.finished import MANIFEST
from paragold.shards.folder import open_folder

STEMS = ("news", "state", "court", "army", "bank", "city", "rain", "vote")
WORDS = [f"{stem}{ending}" for stem in STEMS for ending in range(500)]
DRAWS = {
    "random": DrawSpec(),
    "at most 1 a cluster": DrawSpec(per_cluster=1),
    "by edit distance": DrawSpec(by="edit_distance", allocation="equal"),
    "by score": DrawSpec(by="score", allocation="equal"),
    "score 0.45 to 0.55": DrawSpec(by="score", min_score=0.45, max_score=0.55),
}


def write_parts(folder: Path, rows: int, parts: int) -> None:
    folder.mkdir(parents=True)
    random = np.random.default_rng(1)
    files, every = {}, -(-rows // parts)
    for number in range(parts):
        path, count = folder / f"part-{number:05}.parquet", min(every, rows - number * every)
        writer = None
        for begin in range(0, count, ROWS_A_GROUP):
            table = made_up(random, number * every + begin, min(ROWS_A_GROUP, count - begin))
            writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table)
        assert writer is not None
        writer.close()
        files[path.name] = {"bytes": path.stat().st_size, "sha256": "0" * 64, "pairs": count}
    details = {"columns": table.column_names, "pairs_sha256": "0" * 64, "criteria": {}, "preset": "made up"}
    manifest = build_manifest(files, counts={"pairs_kept": rows}, signatures={}, details=details)
    (folder / MANIFEST).write_text(dumps(manifest), encoding="utf-8")


def made_up(random: np.random.Generator, first: int, count: int) -> pa.Table:
    """Pairs of about 15 words, of which each cluster has 50; scores rise within a cluster."""
    words = np.array(WORDS)
    texts = [" ".join(row) for row in words[random.integers(0, len(words), (count, 15))]]
    rows = np.arange(first, first + count)
    return pa.table(
        {
            "cluster_id": [f"cluster-{row // 50}" for row in rows.tolist()],
            "article_a": [f"a{row % 7}" for row in rows.tolist()],
            "sentence_a": pa.array(rows % 40, pa.int32()),
            "article_b": [f"b{row % 5}" for row in rows.tolist()],
            "sentence_b": pa.array(rows % 30, pa.int32()),
            "edit_distance": pa.array(random.binomial(24, 0.6, count), pa.int32()),
            "text_a": texts,
            "text_b": [f"{text.upper()} {row}" for text, row in zip(texts, rows.tolist(), strict=True)],
            "score": random.beta(1, 4, count),
        }
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="made if it is not there")
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--parts", type=int, default=64)
    parser.add_argument("--size", type=int, default=1_000)
    options = parser.parse_args()
    if not options.folder.exists():
        write_parts(options.folder, options.rows, options.parts)
    folder = open_folder(str(options.folder))
    figures: dict[str, Any] = {
        "rows": folder.pairs,
        "parts": len(folder.parts),
        "gigabytes": round(sum(part.size for part in folder.parts) / 1e9, 1),
        "drawn": options.size,
    }
    for name, spec in DRAWS.items():
        started, cpu = time.perf_counter(), time.process_time()
        drawn, _ = draw_rows(folder, options.size, seed=1, spec=spec)
        assert len({one.number for one in drawn}) == options.size
        figures[name] = {
            "seconds": round(time.perf_counter() - started, 1),
            "cpu_seconds": round(time.process_time() - cpu, 1),
        }
    figures["megabytes_at_most"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
