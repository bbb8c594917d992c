"""A finished run: the folder of parts with its manifest, made, checked, and read as one file of pairs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from paragold.extraction.records import ExtractionCounts
from paragold.formats.manifest import Manifest, build_manifest, dumps, verify
from paragold.problems import FileProblem
from paragold.shards.commits import WORK, part_name, place, record
from paragold.shards.plan import Plan, whole_file, write_whole
from paragold.sources.articles_jsonl import NO_SENTENCES

MANIFEST = "manifest.json"
_ROWS_AT_ONCE = 8_000


def finish(folder: Path, plan: Plan) -> Manifest:
    """Move the parts to their places, write the manifest, and remove what was only needed on the way.

    Raises FileProblem where no cluster of any input has a sentence.
    """
    counts = counts_of(folder, plan)
    if not counts.clusters:
        raise NO_SENTENCES.at(file=", ".join(source.path for source in plan.inputs))
    files: dict[str, dict[str, Any]] = {}
    for number in range(plan.shards):
        written, name = record(folder, "write", number), part_name(number)
        inside = place(folder, "write", number) / name
        if inside.exists():
            inside.replace(folder / name)
        files[name] = {**written["files"][name], "pairs": written["pairs"]}
    manifest = build_manifest(
        files,
        counts={name: count for name, count in _fields(counts).items() if name != "seconds"},
        signatures={"extraction": plan.signature},
        details={
            "preset": plan.preset,
            "criteria": plan.settings,
            "columns": list(plan.columns),
            "inputs": [
                {"name": source.path.rsplit("/", 1)[-1], "bytes": source.size, "sha256": source.sha256}
                for source in plan.inputs
            ],
            "shards": plan.shards,
            "pairs_sha256": pairs_sha256(folder, list(files), plan.columns),
        },
    )
    write_whole(folder / MANIFEST, dumps(manifest))
    shutil.rmtree(folder / WORK, ignore_errors=True)
    return manifest


def _fields(counts: ExtractionCounts) -> dict[str, Any]:
    return {name: getattr(counts, name) for name in ExtractionCounts.__slots__}


def counts_of(folder: Path, plan: Plan) -> ExtractionCounts:
    """The counts of all shards, a pair that several found kept once. All tasks have to be done."""
    total, seconds = ExtractionCounts(), 0.0
    for number in range(plan.shards):
        values = dict(record(folder, "map", number)["counts"])
        seconds += values.pop("cluster_seconds")
        total += ExtractionCounts(**values)
    repeated = sum(record(folder, "reduce", number)["repeated"] for number in range(plan.shards))
    return replace(
        total,
        pairs_kept=total.pairs_kept - repeated,
        rejected_seen_before=total.rejected_seen_before + repeated,
        seconds=seconds,
    )


def pairs_sha256(folder: Path, parts: list[str], columns: tuple[str, ...]) -> str:
    """The sha256 of the tab-separated lines of all parts below their header."""
    digest = sha256()
    for lines in tsv_blocks(folder, parts, columns):
        digest.update(lines)
    return digest.hexdigest()


def tsv_blocks(folder: Path, parts: list[str], columns: tuple[str, ...]) -> Iterator[bytes]:
    """The header, and the lines of the parts in blocks, as the extraction in one process writes them."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    yield ("\t".join(columns) + "\n").encode()
    for part in parts:
        with pq.ParquetFile(folder / part) as file:
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=list(columns)):
                texts = [batch[name].cast(pa.large_string()) for name in columns]
                empty, tab, end = (pa.scalar(text, pa.large_string()) for text in ("", "\t", "\n"))
                texts[-1] = pc.binary_join_element_wise(texts[-1], empty, end)
                lines = pc.binary_join_element_wise(*texts, tab)
                # The lines follow each other without a gap.
                yield lines.buffers()[2].to_pybytes()


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a finished run. Raises FileProblem where there is none."""
    path = folder / MANIFEST
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        manifest["details"]["pairs_sha256"], manifest["details"]["columns"], manifest["files"]
    except FileNotFoundError as error:
        raise FileProblem(
            "It holds no finished extraction.",
            "Name the folder of extract-pairs; run that again with --resume if it was interrupted.",
            file=str(folder),
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise FileProblem(
            "It is not a manifest of an extraction in shards.", "Restore it.", file=str(path)
        ) from error
    return manifest


def damages(folder: Path) -> list[str]:
    """What of a finished run is not as its manifest says, a sentence each."""
    return verify(read_manifest(folder), folder)


def read_pairs(folder: Path, output: Path) -> int:
    """Write the pairs of a finished run as the tab-separated file that one process writes; how many they are.

    The output appears when it is complete. Raises FileProblem for a part that is missing or damaged.
    """
    manifest = read_manifest(folder)
    problems = [FileProblem(what, "Run extract-pairs again with --resume.") for what in damages(folder)]
    if problems:
        raise FileProblem.of(problems, file=str(folder))
    details, digest = manifest["details"], sha256()
    with whole_file(output) as file:
        for lines in tsv_blocks(folder, list(manifest["files"]), tuple(details["columns"])):
            digest.update(lines)
            file.write(lines)
        if digest.hexdigest() != details["pairs_sha256"]:
            raise FileProblem(
                "Its lines do not have the sha256 of the manifest.", "Restore it.", file=str(folder)
            )
    return sum(part["pairs"] for part in manifest["files"].values())
