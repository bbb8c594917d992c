"""What a chain would take: a sample of its input is worked on, and its figures are multiplied."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from paragold.shards.chain import folder_of, given_inputs, run_chain
from paragold.shards.engines import LocalEngine
from paragold.shards.inputs import read_lines
from paragold.shards.plan import text_bytes
from paragold.shards.plan_file import PlannedStep
from paragold.shards.progress import NAME as STATUS
from paragold.shards.steps.extract import shard_of

SAMPLE_BYTES = 8 << 20
"""About how much text is worked on: some 50,000 sentences."""


def project(
    steps: Sequence[PlannedStep], *, workers: int, write: Callable[[str], object] = lambda line: None
) -> Iterator[str]:
    """Run a sample of a chain in a temporary folder; the arithmetic of each step in a line.

    Whole clusters are drawn by a hash of their id, so that the inputs are read once from end to end; of pairs
    some of the parts are taken. Raises FileProblem as `run_chain` does.
    """
    factors: dict[str, float] = {}
    seconds = disk = largest = 0.0
    with TemporaryDirectory(prefix="paragold-") as temporary:
        folder, sampled = Path(temporary), list[PlannedStep]()
        for step in steps:
            names: tuple[str, ...] = ()
            if step.source:
                factors[step.name] = factors[step.source]
            else:
                names, factors[step.name] = _sample(step, folder)
            sampled.append(replace(step, input=names))
        manifests = run_chain(sampled, folder / "run", LocalEngine(workers), write=write)
        yield f"A sample of about {SAMPLE_BYTES >> 20} MB of text, multiplied; {workers} workers at once."
        for name, manifest in manifests.items():
            status = json.loads((folder_of(folder / "run", sampled, name) / STATUS).read_text())
            files, factor = manifest["files"].values(), factors[name]
            rows = [file["pairs"] for file in files if "pairs" in file]
            result, way = sum(file["bytes"] for file in files), factor * status["bytes_on_disk"]
            took = factor * status["seconds_of_tasks"] / workers
            pairs = f"{sum(rows):,} pairs x {factor:,.1f} = {factor * sum(rows):,.0f}; " if rows else ""
            yield (
                f"{name}: {pairs}{status['seconds_of_tasks']:,.1f} s x {factor:,.1f} / {workers} = "
                f"{took:,.0f} s; {_megabytes(result)} x {factor:,.1f} = {_megabytes(factor * result)}, "
                f"{_megabytes(way)} on the way; {_megabytes(status['peak_bytes_of_a_worker'])} a worker."
            )
            seconds, disk, largest = seconds + took, disk + factor * result, max(largest, way)
    way = _megabytes(disk + largest)
    yield f"Together: {seconds:,.0f} s; results of {_megabytes(disk)}, {way} on the way."


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.1f} MB"


def _sample(step: PlannedStep, folder: Path) -> tuple[tuple[str, ...], float]:
    """Files with a sample of the inputs of a step, and how many times as much the inputs are."""
    inputs, _ = given_inputs(step.input)
    size = text_bytes(inputs)
    every = max(1, size // SAMPLE_BYTES)
    if step.step.reads == "pairs" or every == 1:
        chosen = inputs[:: min(every, len(inputs))]
        return tuple(source.path for source in chosen), size / max(1, text_bytes(chosen))
    path = folder / f"{step.name}.jsonl"
    read = kept = 0
    with path.open("wb") as file:
        for line in (line.data for source in inputs for line in read_lines(source, 0, source.size)):
            read += len(line)
            if line.strip() and shard_of(line, every) == 0:
                kept += len(line)
                file.write(line + b"\n")
    return (str(path),), read / max(1, kept)
