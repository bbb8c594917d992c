"""Running programs in a folder of their own; whatever happens, neither they nor the folder stay behind.

A small guardian process reads a pipe that only we hold open. It gets the process group of each program.
When the pipe closes, since the run has ended or since this process was killed, by kill -9 too, the guardian
kills what still runs and removes the folder.

Run as a script, this file is the guardian or, with `thot MODEL SEED COUNT`, trains a model of sil-thot: that
is native code, a fault in it ends that process alone. It imports only the standard library and thot, nothing
of ours.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

TIMEOUT_SECONDS = 24 * 3600
WATCHED_EVERY_SECONDS = 1.0
LONGEST_MESSAGE = 500
_PYTHON = sys.executable
_OUTPUT, _ERRORS = "output", "errors"

_watch: ContextVar[Callable[[], None] | None] = ContextVar("watch", default=None)


class ProgramError(ValueError):
    """A program that is missing or failed; the message says what to do."""


@contextlib.contextmanager
def watched(watch: Callable[[], None]) -> Iterator[None]:
    """Call `watch` about once a second while programs run in this block; what it raises stops them."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


class RunFolder:
    """A folder in which programs run, one after another; use it as a context."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="paragold-"))
        reader, self._writer = os.pipe()
        self._guardian = subprocess.Popen(  # noqa: S603 - our own script
            [_PYTHON, "-I", "-S", str(Path(__file__).resolve()), str(self.path)],
            stdin=reader,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(reader)

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._writer)
        self._guardian.wait()
        shutil.rmtree(self.path, ignore_errors=True)

    def run(self, command: Sequence[str], surroundings: Mapping[str, str], *, name: str = "") -> Path:
        """Run a program to its end; returns the file with what it wrote to standard output.

        `name` is what messages call it, by default that of its file. Temporary files of the program's own
        lie in the folder, too. Raises ProgramError where it cannot be run, fails or takes longer than
        TIMEOUT_SECONDS, and what `watched` raises.
        """
        name = name or Path(command[0]).name
        with (self.path / _OUTPUT).open("wb") as output, (self.path / _ERRORS).open("wb") as errors:
            try:
                process = subprocess.Popen(  # noqa: S603 - the path of a known program, no shell
                    list(command),
                    cwd=self.path,
                    env={**surroundings, "TMPDIR": str(self.path)},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=errors,
                    start_new_session=True,
                )
            except OSError as error:
                raise ProgramError(f"{command[0]} cannot be run: {error}.") from error
        self._report(process.pid)
        try:
            code = _waited(process, name)
        finally:
            if process.poll() is None:
                _kill(process.pid)
                process.wait()
            self._report(-process.pid)
        if code:
            with (self.path / _ERRORS).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - LONGEST_MESSAGE))
                last_line = file.read().decode("utf-8", "replace").strip().split("\n")[-1]
            raise ProgramError(f"{name} failed with {code}: {last_line}")
        return self.path / _OUTPUT

    def _report(self, group: int) -> None:
        with contextlib.suppress(OSError):
            os.write(self._writer, b"%d\n" % group)


def _waited(process: subprocess.Popen[bytes], name: str) -> int:
    """The return code of a process, which is waited for."""
    until = time.monotonic() + TIMEOUT_SECONDS
    watch = _watch.get()
    while True:
        try:
            return process.wait(timeout=WATCHED_EVERY_SECONDS)
        except subprocess.TimeoutExpired:
            if time.monotonic() > until:
                raise ProgramError(f"{name} took longer than {TIMEOUT_SECONDS:,} seconds.") from None
            if watch is not None:
                watch()


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def guard(folder: str) -> None:
    """Read process groups, one a line, a negative one when it is gone; then clear away."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin.buffer:
        group = int(line)
        groups.discard(-group) if group < 0 else groups.add(group)
    for group in groups:
        _kill(group)
    until = time.monotonic() + 10
    while Path(folder).exists() and time.monotonic() < until:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.05)


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


def _trained(name: str, seed: int, pairs: Sequence[Pair]) -> Any:
    """The model, trained on pairs of lists of words."""
    from thot import alignment as thot

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


def _thot_links(model: Any, pairs: Sequence[Pair]) -> Iterator[list[int]]:
    """For each pair, for each target word the number of its source word from 1, or 0 for the null word."""
    for start in range(0, len(pairs), AT_ONCE):
        sides = zip(*pairs[start : start + AT_ONCE], strict=True)
        yield from (matrix.to_list() for _, matrix in model.get_best_alignments(*map(list, sides)))


def align_by_thot(name: str, seed: str, count: str) -> None:
    """Train in both directions on `source` and `target` in the current folder, a sentence a line, words
    separated by spaces; write `forward` and `reverse`: `0-0 1-2` for each of the first `count` pairs.
    """
    sources, targets = (
        [line.split(" ") for line in Path(side).read_bytes().decode().split("\n")[:-1]]
        for side in ("source", "target")
    )
    pairs = list(zip(sources, targets, strict=True))
    turned = [(target, source) for source, target in pairs]
    for file, given, order in (("forward", pairs, "{0}-{1}"), ("reverse", turned, "{1}-{0}")):
        model = _trained(name, int(seed), given)
        with Path(file).open("w", encoding="ascii") as out:
            for drawn in _thot_links(model, given[: int(count)]):
                print(*(order.format(i - 1, j) for j, i in enumerate(drawn) if i), file=out)


if __name__ == "__main__":
    if sys.argv[1] == "thot":
        align_by_thot(*sys.argv[2:])
    else:
        guard(sys.argv[1])
