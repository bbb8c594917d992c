"""How far a run is: `status.json`, and a page in the terminal or lines."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from paragold.shards.engines import Outcome
from paragold.shards.plan import Plan, write_whole
from paragold.shards.steps import STEPS

NAME = "status.json"
_SECONDS_BETWEEN = 1.0


class Progress:
    """Counts tasks, and shows them; use it as a context.

    write: takes a line where nothing can be drawn. On a terminal, and where rich is installed, bars are drawn
        instead, with the rate, the time left and the failures.
    """

    def __init__(
        self, folder: Path, plan: Plan, write: Callable[[str], object], *, dashboard: str = ""
    ) -> None:
        self._folder, self._write, self._dashboard = folder, write, dashboard
        self._step = STEPS.get(plan.step)
        self._totals = self._step.tasks(plan)
        self._done = dict.fromkeys(self._totals, 0)
        self._here = dict.fromkeys(self._totals, 0)
        self._sentences, self._pairs, self._peak = 0, 0, 0
        self._task_seconds = 0.0
        self._needs = {stage: self._step.needs(plan, stage) for stage in self._totals}
        self._bytes = dict.fromkeys(self._totals, 0)
        self._failures: dict[str, list[str]] = {}
        self._stage, self._state = "", "running"
        self._began = self._stage_began = time.monotonic()
        self._written = 0.0
        self._bars: Any = None
        self._bar_of: dict[str, Any] = {}
        self._exit = ExitStack()

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            try:
                from rich.console import Console
                from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
                from rich.progress import Progress as Bars
            except ImportError:
                return self
            columns = [
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[rate]}"),
            ]
            self._bars = self._exit.enter_context(Bars(*columns, console=Console(stderr=True)))
            self._bar_of = {
                stage: self._bars.add_task(
                    self._step.meaning(stage), total=self._totals[stage], rate="", start=False
                )
                for stage in self._totals
            }
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._state = "stopped" if kind else "finished"
        self._save()
        self._exit.close()

    def stage(self, stage: str, done: int) -> None:
        """A stage begins, of which so many tasks were done before."""
        self._stage, self._stage_began = stage, time.monotonic()
        self._done[stage] = done
        if self._bars is None:
            self._write(f"{self._step.meaning(stage)}: {done:,} of {self._totals[stage]:,} tasks are done.")
        else:
            self._bars.start_task(self._bar_of[stage])
            self._bars.update(self._bar_of[stage], completed=done)
        self._save()

    def attempted(self, stage: str, outcome: Outcome) -> None:
        """An attempt at a task ended."""
        if outcome.record is None:
            reason = outcome.failure or str(outcome.problem)
            self._failures.setdefault(f"{stage} {outcome.number}", []).append(reason)
            line = f"{stage} {outcome.number}: {reason}."
            (self._write if self._bars is None else self._bars.console.print)(line)
        else:
            self._done[stage] += 1
            self._here[stage] += 1
            self._sentences += outcome.record.get("counts", {}).get("sentences", 0)
            self._pairs += outcome.record.get("pairs", 0) if stage == list(self._totals)[-1] else 0
            self._peak = max(self._peak, outcome.record["peak_bytes"])
            self._task_seconds += outcome.record["seconds"]
            self._bytes[stage] += sum(file["bytes"] for file in outcome.record["files"].values())
        if self._bars is not None:
            self._bars.update(self._bar_of[stage], completed=self._done[stage], rate=self._rate_text())
        if time.monotonic() - self._written >= _SECONDS_BETWEEN:
            self._save()

    def _rate_text(self) -> str:
        rate = self._sentences / max(time.monotonic() - self._stage_began, 0.001)
        sentences = f"{rate:,.0f} sentences/s, " if self._stage == "map" else ""
        failures = sum(map(len, self._failures.values()))
        return f"{sentences}{self._peak / 1e6:,.0f} MB at most, {failures} failures"

    def status(self) -> dict[str, Any]:
        """What `status.json` holds: tasks by stage, rates a second, failures by task."""
        now = time.monotonic()
        elapsed = max(now - self._stage_began, 0.001)
        rate = self._here.get(self._stage, 0) / elapsed
        left = self._totals.get(self._stage, 0) - self._done.get(self._stage, 0)
        return {
            "state": self._state,
            "stage": self._stage,
            "tasks": {
                stage: {"done": self._done[stage], "of": self._totals[stage]} for stage in self._totals
            },
            "sentences": self._sentences,
            "pairs": self._pairs,
            "tasks_per_second": round(rate, 3),
            "seconds": round(now - self._began, 1),
            "seconds_left_in_stage": round(left / rate, 1) if rate else None,
            "seconds_of_tasks": round(self._task_seconds, 1),
            "peak_bytes_of_a_worker": self._peak,
            "bytes_on_disk": max(
                own + sum(self._bytes[one] for one in self._needs[stage])
                for stage, own in self._bytes.items()
            ),
            "failures": self._failures,
            "dashboard": self._dashboard,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }

    def _save(self) -> None:
        self._written = time.monotonic()
        try:
            write_whole(self._folder / NAME, json.dumps(self.status(), ensure_ascii=False, indent=1) + "\n")
        except OSError:
            # The disk may be full, which the tasks report; the status is not worth ending a run.
            return
