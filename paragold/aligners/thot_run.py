"""Trains a model of sil-thot in both directions and links sentence pairs: a program that programs.py runs.

    python -I thot_run.py MODEL SEED COUNT

Reads `source` and `target` in the current folder, a sentence a line, words separated by spaces, and writes
`forward` and `reverse`: `0-0 1-2` for each of the first COUNT pairs. The library is native code: a fault in
it ends this process alone. Imports only the standard library and thot, nothing of ours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from thot import alignment as thot

# Iterations as GIZA++ has them in programs.py; a model starts from the one before it.
IBM1, HMM = ("Ibm1AlignmentModel", 5), ("HmmAlignmentModel", 5)
IBM3, IBM4 = ("Ibm3AlignmentModel", 3), ("Ibm4AlignmentModel", 3)
STAGES = {
    "ibm1": [IBM1],
    "ibm2": [IBM1, ("Ibm2AlignmentModel", 5)],
    "hmm": [IBM1, HMM],
    "ibm3": [IBM1, HMM, IBM3],
    "ibm4": [IBM1, HMM, IBM3, IBM4],
    "fast_align": [("FastAlignModel", 5)],
}
AT_ONCE = 1000
Pair = tuple[list[str], list[str]]


def trained(name: str, seed: int, pairs: Sequence[Pair]) -> Any:
    """The model, trained on pairs of lists of words."""
    stages: list[tuple[Any, int]] = []
    if name == "eflomal":
        sampler = thot.EflomalAlignmentModel()
        sampler.seed, sampler.deterministic = seed, True
        stages.append((sampler, 0))
    else:
        for kind, iterations in STAGES[name]:
            before = [stages[-1][0]] if stages else []
            stages.append((getattr(thot, kind)(*before), iterations))
    for pair in pairs:
        stages[0][0].add_sentence_pair(*pair, 1)
    for model, iterations in stages:
        model.start_training()
        # eflomal's model makes more sweeps the less text it has, and says how many.
        for _ in range(iterations or model.scheduled_iterations):
            model.train()
        model.end_training()
    return stages[-1][0]


def links(model: Any, pairs: Sequence[Pair]) -> Iterator[list[int]]:
    """For each pair, for each target word the number of its source word from 1, or 0 for the null word."""
    for start in range(0, len(pairs), AT_ONCE):
        sides = zip(*pairs[start : start + AT_ONCE], strict=True)
        yield from (matrix.to_list() for _, matrix in model.get_best_alignments(*map(list, sides)))


def main(name: str, seed: str, count: str) -> None:
    sources, targets = (
        [line.split(" ") for line in Path(side).read_bytes().decode().split("\n")[:-1]]
        for side in ("source", "target")
    )
    pairs = list(zip(sources, targets, strict=True))
    turned = [(target, source) for source, target in pairs]
    for file, given, order in (("forward", pairs, "{0}-{1}"), ("reverse", turned, "{1}-{0}")):
        model = trained(name, int(seed), given)
        with Path(file).open("w", encoding="ascii") as out:
            for drawn in links(model, given[: int(count)]):
                print(*(order.format(i - 1, j) for j, i in enumerate(drawn) if i), file=out)


if __name__ == "__main__":
    main(*sys.argv[1:])
