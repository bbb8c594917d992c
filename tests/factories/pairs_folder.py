"""Folders of pairs in Parquet parts with a manifest, as a run in shards leaves them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from paragold.formats.manifest import build_manifest, described_file, dumps
from paragold.shards.finished import MANIFEST

COLUMNS = {
    "cluster_id": pa.string(),
    "article_a": pa.string(),
    "sentence_a": pa.int32(),
    "article_b": pa.string(),
    "sentence_b": pa.int32(),
    "edit_distance": pa.int32(),
    "text_a": pa.string(),
    "text_b": pa.string(),
}


def pair_row(number: int, **values):
    """A pair of a cluster of five, whose texts are those of no other number."""
    return {
        "cluster_id": f"c{number // 5}",
        "article_a": "first",
        "sentence_a": number % 5,
        "article_b": "second",
        "sentence_b": number % 5,
        "edit_distance": number % 25,
        "text_a": f"The army moved {number} tanks .",
        "text_b": f"{number} Tanks were moved by the army .",
    } | values


def write_pairs_folder(folder: Path, rows, *, parts: int = 3, rows_a_group: int = 4) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    columns = COLUMNS | {name: pa.float64() for row in rows[:1] for name in row if name not in COLUMNS}
    files, every = {}, -(-len(rows) // parts)
    for number in range(parts):
        path = folder / f"part-{number:05}.parquet"
        part = rows[number * every : (number + 1) * every]
        table = pa.Table.from_pylist(part, schema=pa.schema(list(columns.items())))
        pq.write_table(table, path, row_group_size=rows_a_group, compression="zstd")
        files[path.name] = {**described_file(path), "pairs": len(part)}
    manifest = build_manifest(
        files,
        counts={"clusters": len({row["cluster_id"] for row in rows}), "pairs_kept": len(rows)},
        signatures={"extraction": "method:tests"},
        details={
            "step": "extract",
            "preset": "L12-2004",
            "criteria": {"max_edit_distance": 12},
            "columns": list(columns),
            "pairs_sha256": "0" * 64,
        },
    )
    (folder / MANIFEST).write_text(dumps(manifest), encoding="utf-8")
    return folder
