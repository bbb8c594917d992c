"""What a chain would take: a sample of its input is worked on, and its figures are multiplied."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from paragold.shards.chain import folder_of, given_inputs, run_chain
from paragold.shards.engines import LocalEngine
from paragold.shards.finished import read_manifest
from paragold.shards.inputs import Input, read_lines
from paragold.shards.plan import text_bytes
from paragold.shards.plan_file import PlannedStep
from paragold.shards.progress import NAME as STATUS
from paragold.shards.steps.extract import shard_of

SAMPLE_BYTES = 8 << 20
"""About how much text is worked on: some 50,000 sentences."""


@dataclass(frozen=True, slots=True)
class Projection:
    """What the sample of a step took. factor: how many times as much the whole input is.

    rows: pairs of the result, None of a step without. result, way: bytes of the result, and on disk while the
    step runs. seconds: of all tasks together, by the clock. memory: bytes of the largest worker.
    """

    name: str
    factor: float
    rows: int | None
    result: int
    way: int
    seconds: float
    memory: int


def project(
    steps: Sequence[PlannedStep], *, workers: int, write: Callable[[str], object] = lambda line: None
) -> Iterator[str]:
    """Run a sample of a chain in a temporary folder; the arithmetic of each step in a line.

    Whole clusters are drawn by a hash of their id, so that the inputs are read once from end to end; of pairs
    some of the parts are taken. Raises FileProblem as `run_chain` does.
    """
    with TemporaryDirectory(prefix="paragold-") as temporary:
        folder = Path(temporary)
        factors: dict[str, float] = {}
        sampled = []
        for step in steps:
            if step.source:
                factors[step.name] = factors[step.source]
                sampled.append(step)
            else:
                names, factors[step.name] = _sample(step, folder)
                sampled.append(replace(step, input=names))
        run_chain(sampled, folder / "run", LocalEngine(workers), write=write)
        projections = [
            _projection(folder_of(folder / "run", sampled, step.name), step.name, factors[step.name])
            for step in sampled
        ]
    yield f"A sample of about {SAMPLE_BYTES >> 20} MB of text, multiplied; {workers} workers at once."
    yield from (in_words(one, workers) for one in projections)
    seconds = sum(one.factor * one.seconds for one in projections) / workers
    disk = sum(one.factor * one.result for one in projections)
    most = disk + max(one.factor * one.way for one in projections)
    yield f"Together: {seconds:,.0f} s; results of {_megabytes(disk)}, {_megabytes(most)} on the way."


def in_words(one: Projection, workers: int) -> str:
    """The arithmetic of a step."""
    factor = f"{one.factor:,.1f}"
    pairs = f"{one.rows:,} pairs x {factor} = {one.factor * one.rows:,.0f}; " if one.rows is not None else ""
    return (
        f"{one.name}: {pairs}{one.seconds:,.1f} s x {factor} / {workers} = "
        f"{one.factor * one.seconds / workers:,.0f} s; "
        f"{_megabytes(one.result)} x {factor} = {_megabytes(one.factor * one.result)}, "
        f"{_megabytes(one.factor * one.way)} on the way; {_megabytes(one.memory)} a worker."
    )


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
        for source in inputs:
            for line in _lines(source):
                read += len(line)
                if line.strip() and shard_of(line, every) == 0:
                    kept += len(line)
                    file.write(line + b"\n")
    return (str(path),), read / max(1, kept)


def _lines(source: Input) -> Iterator[bytes]:
    return (line.data for line in read_lines(source, 0, source.size))


def _projection(own: Path, name: str, factor: float) -> Projection:
    status = json.loads((own / STATUS).read_text(encoding="utf-8"))
    files = read_manifest(own)["files"].values()
    rows = [file["pairs"] for file in files if "pairs" in file]
    return Projection(
        name,
        factor,
        sum(rows) if rows else None,
        sum(file["bytes"] for file in files),
        status["bytes_on_disk"],
        status["seconds_of_tasks"],
        status["peak_bytes_of_a_worker"],
    )
