"""The plan of a step in shards: what is read, with which settings, cut into which tasks; it never changes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from math import isqrt
from pathlib import Path
from typing import Any, Self

from paragold.formats.whole_files import write_whole
from paragold.problems import FileProblem
from paragold.shards.inputs import Input, cuts

NAME = "plan.json"
VERSION = 5

MAX_SHARDS = 4096
# What a task reads of a file that can be cut.
SPLIT_BYTES = 8 << 20
# An extraction reads more at once for many shards, so that each gets about this much of it.
SHARE_BYTES = 16 << 10
# Of so much text there are as many shards as each has units of this size: enough for all workers where there
# is little, few enough files where there is much.
UNIT_BYTES = 64 << 10
# What of the text of a shard is behind the pairs that are held while a part is written.
SLICE_BYTES = 4 << 20
# How much longer the text is than its file.
COMPRESSED = {"jsonl": 1, "gzip": 4, "zstd": 4, "parquet": 3}


@dataclass(frozen=True)
class Plan:
    """What a step does.

    step: its name in `paragold.shards.steps`.
    reads: the stretches of the inputs that are read at once: the input by number, where it begins and ends.
    shards: how many parts the work is divided into: for an extraction, clusters by a hash of their key, the
        keys of pairs, and the files of pairs.
    slices: into how many slices each file of pairs is cut while it is written, so that few are in memory.
    settings: what decides the result; signature: the same as one line.
    options: what has no effect on the result.
    """

    step: str
    inputs: tuple[Input, ...]
    reads: tuple[tuple[int, int, int], ...]
    shards: int
    slices: int
    settings: dict[str, Any]
    signature: str
    options: dict[str, Any] = field(default_factory=dict)
    version: int = VERSION

    def save(self, folder: Path) -> None:
        write_whole(folder / NAME, json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, folder: Path) -> Self | None:
        """The plan of a folder, or None where there is none. Raises FileProblem for a damaged one."""
        path = folder / NAME
        if not path.exists():
            return None
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            if values["version"] != VERSION:
                raise ValueError(f"version {values['version']}")
            inputs = tuple(Input(**source) for source in values.pop("inputs"))
            reads = tuple((number, begin, end) for number, begin, end in values.pop("reads"))
            return cls(inputs=inputs, reads=reads, **values)
        except (ValueError, KeyError, TypeError) as error:
            raise FileProblem(
                f"It is not a plan of this version of Paragold ({error}).",
                "Begin again in another folder.",
                file=str(path),
            ) from error

    def changes(self, asked: Plan, *, shards: bool) -> list[str]:
        """In what `asked` differs from this plan, a sentence each; the number of shards only if it counts."""
        before = {source.path: source.sha256 for source in self.inputs}
        now = {source.path: source.sha256 for source in asked.inputs}
        if self.step != asked.step:
            return [f"It is of the step {self.step}, not {asked.step}."]
        differences = [
            f"{path} has other content." for path in now if before.get(path, now[path]) != now[path]
        ]
        differences += [f"{path} is new." for path in now if path not in before]
        differences += [f"{path} is left out." for path in before if path not in now]
        if not differences and list(before) != list(now):
            differences.append("The inputs are in another order.")
        if self.signature != asked.signature:
            old, new = self.settings, asked.settings
            names = [name for name in new if old.get(name) != new[name]]
            changed = ", ".join(f"{name} {new[name]} instead of {old.get(name)}" for name in names)
            noun = "criteria" if self.step == "extract" else "settings"
            differences.append(f"The {noun} differ: {changed or asked.signature}.")
        if shards and self.shards != asked.shards:
            differences.append(f"{asked.shards} shards instead of {self.shards}.")
        return differences


def text_bytes(inputs: tuple[Input, ...]) -> int:
    """About how long their text is."""
    return sum(source.size * COMPRESSED[source.kind] for source in inputs)


def shards_for(inputs: tuple[Input, ...]) -> int:
    """The usual number of shards, which grows with the square root of the size."""
    return min(MAX_SHARDS, 1 + isqrt(text_bytes(inputs) // UNIT_BYTES))


def slices_for(inputs: tuple[Input, ...], shards: int) -> int:
    return max(1, -(-text_bytes(inputs) // (SLICE_BYTES * shards)))


def read_bytes(shards: int) -> int:
    """How much a task that divides text among shards reads, and holds before it writes."""
    return max(SPLIT_BYTES, SHARE_BYTES * shards)


def reads_of(inputs: tuple[Input, ...], every: int | None = None) -> tuple[tuple[int, int, int], ...]:
    """The inputs in stretches of about `every` bytes (`SPLIT_BYTES`), where they can be cut."""
    return tuple(
        (number, begin, end)
        for number, source in enumerate(inputs)
        for begin, end in cuts(source, every or SPLIT_BYTES)
    )
