"""Word aligners: time and memory of training and linking."""

from __future__ import annotations

import resource

from benchmarks.measuring import Row, apart, cost, ratio
from paragold.aligners.registry import ALIGNERS, aligner_of
from tests.factories.made_up import pairs_to_align


def aligners(
    *, pairs: int = 12_000, names: tuple[str, ...] = ("best", "hmm", "eflomal", "thot")
) -> list[Row]:
    """Training on drawn pairs of 22 words and linking them, both directions: CPU seconds and memory.

    Each aligner in a process of its own, after its machine code was compiled. `program_mb` is the most that a
    program had which it ran, `times_first` its CPU time to that of the first aligner. `--pairs 250000` is a
    large dataset.
    """
    rows: list[Row] = [
        {"pairs": pairs} | apart(_trained, name, pairs)
        if ALIGNERS.get(name).is_available()
        else {"who": name, "left_out": "not installed"}
        for name in names
    ]
    for row in rows:
        row["times_first"] = ratio(row.get("cpu_s"), rows[0].get("cpu_s"))
    return rows


def _trained(name: str, count: int) -> Row:
    pairs = pairs_to_align(count)
    compile_aligner(name)
    with cost() as training:
        aligner = aligner_of({"aligner": name}).fit(pairs)
    with cost() as linking:
        aligner.align_all(pairs)
    program = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    row = {name: round(training[name] + linking[name], 2) for name in ("cpu_s", "wall_s")}
    return {"who": name} | row | {
        "training_cpu_s": training["cpu_s"], "peak_mb": linking["peak_mb"], "program_mb": program,
    }  # fmt: skip


def compile_aligner(name: str) -> None:
    """Machine code, before the time is measured."""
    few = pairs_to_align(50)
    aligner_of({"aligner": name}).fit(few).align_all(few)
