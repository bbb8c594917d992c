"""What an installation is like for others while something large goes on: memory and times, by phase."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from benchmarks.one_annotator import Annotator
from benchmarks.programs import Group
from benchmarks.throwaway_server import percentile

SAMPLE_SECONDS, LOOK_SECONDS = 0.1, 0.2


class Asking(Protocol):
    def ask(self, method: str, path: str) -> Any: ...


class Watch:
    """Memory of the two programs and times of what others do, by phase."""

    def __init__(self, groups: dict[str, Group]) -> None:
        self.phase = "before"
        self.ms: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        self.memory: dict[str, dict[str, list[float]]] = {}
        self.seconds: dict[str, float] = {}
        self._groups = groups
        self._over = threading.Event()

    @contextmanager
    def during(self, phase: str) -> Iterator[None]:
        self.phase, began = phase, time.monotonic()
        yield
        self.seconds[phase] = round(time.monotonic() - began, 1)
        sys.stderr.write(f"{json.dumps({phase: self.seconds[phase]} | self.figures())}\n")

    def sample(self) -> None:
        while not self._over.wait(SAMPLE_SECONDS):
            for name, group in self._groups.items():
                now = group.megabytes()
                most = self.memory.setdefault(f"{name} {self.phase}", {"all": [0.0], "one": [0.0]})
                most["all"] = [max(most["all"][0], sum(now))]
                most["one"] = [max(most["one"][0], *now)] if now else most["one"]

    def look(self, browser: Asking, paths: dict[str, str]) -> None:
        while not self._over.wait(LOOK_SECONDS):
            for name, path in paths.items():
                began, phase = time.perf_counter(), self.phase
                browser.ask("GET", path)
                self.ms[phase][name].append(1000 * (time.perf_counter() - began))

    def judge(self, annotator: Annotator) -> None:
        while not self._over.is_set():
            queue = annotator.ask("GET", f"/batches/{annotator.batch}/queue/?limit=10", annotator.queues)
            for item in queue["items"]:
                if self._over.wait(annotator.think):
                    return
                phase, before = self.phase, len(annotator.saves)
                annotator.save(item)
                self.ms[phase]["a save"] += [took for _, took in annotator.saves[before:]]
            if not queue["items"]:
                return

    @contextmanager
    def watching(self, *works: Callable[[], None]) -> Iterator[None]:
        threads = [threading.Thread(target=work) for work in (self.sample, *works)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()

    def figures(self) -> dict[str, Any]:
        """Memory so far above what it was at first, and milliseconds so far."""
        rises = {
            f"{name}_{words}above_idle_mb": self.rise(name, which)
            for name in self._groups
            for which, words in (("all", ""), ("one", "process_"))
        }
        memory = {
            phase: {which: round(most[0]) for which, most in one.items()}
            for phase, one in list(self.memory.items())
        }
        ms = {
            phase: {
                name: {
                    "p50": percentile(times, 0.5),
                    "p95": percentile(times, 0.95),
                    "max": round(max(times), 1),
                    "requests": len(times),
                }
                for name, times in list(pages.items())
                if times
            }
            for phase, pages in list(self.ms.items())
        }
        return rises | {"memory_mb": memory, "ms": ms}

    def rise(self, name: str, which: str) -> int:
        idle = self.memory[f"{name} before"][which][0]
        return round(max(one[which][0] for key, one in self.memory.items() if key.startswith(name)) - idle)
