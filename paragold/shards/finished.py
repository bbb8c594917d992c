"""A finished run: the folder of parts with its manifest, made, checked, and read as one file of pairs."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

from paragold.formats.manifest import Manifest, build_manifest, dumps, verify
from paragold.formats.whole_files import whole_file, write_whole
from paragold.problems import FileProblem
from paragold.shards.commits import WORK, place, record
from paragold.shards.pair_lines import tsv_blocks
from paragold.shards.plan import Plan
from paragold.shards.steps import STEPS
from paragold.shards.tasks import save_memory

MANIFEST = "manifest.json"


def finish(folder: Path, plan: Plan) -> Manifest:
    """Move the parts to their places, write the manifest, and remove what was only needed on the way.

    Raises FileProblem where the results of all tasks cannot be used.
    """
    step = STEPS.get(plan.step)
    last, stage = list(step.stages(plan).items())[-1]
    files: dict[str, dict[str, Any]] = {}
    for number in range(stage.tasks):
        written = record(folder, last, number)
        for name, file in written["files"].items():
            inside = place(folder, last, number) / name
            if inside.exists():
                inside.replace(folder / name)
            files[name] = {**file, "pairs": written["pairs"]} if "pairs" in written else file
    # The parts are read through.
    save_memory()
    manifest = build_manifest(
        files,
        counts=step.counts(folder, plan, files),
        signatures={"extraction" if plan.step == "extract" else plan.step: plan.signature},
        details={
            **step.details(folder, plan, files),
            "step": plan.step,
            "inputs": [
                {"name": source.path.rsplit("/", 1)[-1], "bytes": source.size, "sha256": source.sha256}
                for source in plan.inputs
            ],
        },
    )
    write_whole(folder / MANIFEST, dumps(manifest))
    shutil.rmtree(folder / WORK, ignore_errors=True)
    return manifest


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a finished run. Raises FileProblem where there is none."""
    path = folder / MANIFEST
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        manifest["details"]["step"], manifest["files"]
    except FileNotFoundError as error:
        raise FileProblem(
            "It holds no finished result of shards.",
            "Name the folder of a finished step; run it again with --resume if it was interrupted.",
            file=str(folder),
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise FileProblem("It is not a manifest of work in shards.", "Restore it.", file=str(path)) from error
    return manifest


def damages(folder: Path) -> list[str]:
    """What of a finished run is not as its manifest says, a sentence each."""
    return verify(read_manifest(folder), folder)


def read_pairs(folder: Path, output: Path) -> int:
    """Write the pairs of a finished run as the tab-separated file that one process writes; how many they are.

    The output appears when it is complete. Raises FileProblem for a part that is missing or damaged.
    """
    manifest = read_manifest(folder)
    problems = [FileProblem(what, "Make it again with --resume.") for what in damages(folder)]
    if problems:
        raise FileProblem.of(problems, file=str(folder))
    details, digest = manifest["details"], sha256()
    if "pairs_sha256" not in details:
        raise FileProblem(
            f"It holds the result of the step {details['step']}, which is no pairs.",
            "Name a folder of pairs.",
            file=str(folder),
        )
    with whole_file(output) as file:
        for lines in tsv_blocks(folder, list(manifest["files"]), tuple(details["columns"])):
            digest.update(lines)
            file.write(lines)
        if digest.hexdigest() != details["pairs_sha256"]:
            raise FileProblem(
                "Its lines do not have the sha256 of the manifest.", "Restore it.", file=str(folder)
            )
    return sum(part["pairs"] for part in manifest["files"].values())
