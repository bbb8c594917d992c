"""How far a run is: `status.json` of each step and of a chain, and one page in the terminal, or lines."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from paragold.formats.whole_files import write_whole
from paragold.shards.engines import Outcome
from paragold.shards.plan import Plan
from paragold.shards.steps import STEPS

NAME = "status.json"
_SECONDS_BETWEEN = 1.0
_FAILED_TASKS_SHOWN = 8


class StepProgress:
    """The tasks of one step, counted."""

    def __init__(self, plan: Plan, dashboard: str) -> None:
        step = STEPS.get(plan.step)
        self.label, self.stages, self.stage = step.label, step.stages(plan), ""
        self._dashboard = dashboard
        self._done, self._bytes, self._totals = Counter[str](), Counter[str](), Counter[str]()
        self._in_stage = Counter[str]()
        self._peak, self._task_seconds = 0, 0.0
        self._failures: dict[str, list[str]] = {}
        self._began = self._stage_began = time.monotonic()

    def begin(self, stage: str, done: int) -> None:
        self.stage, self._stage_began = stage, time.monotonic()
        self._done[stage] = done
        self._in_stage.clear()

    def attempted(self, outcome: Outcome) -> None:
        if outcome.record is None:
            reason = outcome.failure or str(outcome.problem)
            self._failures.setdefault(f"{self.stage} {outcome.number}", []).append(reason)
            return
        sentences = outcome.record.get("counts", {}).get("sentences", 0)
        self._done[self.stage] += 1
        self._in_stage.update(tasks=1, sentences=sentences)
        self._totals["sentences"] += sentences
        self._totals["pairs"] += outcome.record.get("pairs", 0) if self.stage == list(self.stages)[-1] else 0
        self._peak = max(self._peak, outcome.record["peak_bytes"])
        self._task_seconds += outcome.record["seconds"]
        self._bytes[self.stage] += sum(file["bytes"] for file in outcome.record["files"].values())

    def status(self, state: str) -> dict[str, Any]:
        """What `status.json` of the step holds: tasks by stage, rates a second, failures by task."""
        now = time.monotonic()
        elapsed = max(now - self._stage_began, 0.001)
        rate = self._in_stage["tasks"] / elapsed
        left = self.stages[self.stage].tasks - self._done[self.stage] if self.stage else 0
        return {
            "state": state,
            "stage": self.stage,
            "doing": self.stages[self.stage].meaning if self.stage else "",
            "tasks": {name: {"done": self._done[name], "of": one.tasks} for name, one in self.stages.items()},
            "sentences": self._totals["sentences"],
            "pairs": self._totals["pairs"],
            "tasks_per_second": round(rate, 3),
            "sentences_per_second": round(self._in_stage["sentences"] / elapsed, 1),
            "seconds": round(now - self._began, 1),
            "seconds_left_in_stage": round(left / rate, 1) if rate else None,
            "seconds_of_tasks": round(self._task_seconds, 1),
            "peak_bytes_of_a_worker": self._peak,
            "bytes_on_disk": max(
                self._bytes[name] + sum(self._bytes[needed] for needed in one.needs)
                for name, one in self.stages.items()
            ),
            "failures": {task: list(reasons) for task, reasons in self._failures.items()},
            "dashboard": self._dashboard,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }


class Progress:
    """The steps of a run, which are done one after the other; use it as a context.

    names: that of each step by its folder, in their order.
    write: takes a line. On a terminal, and where rich is installed, a page with all steps is drawn instead.
    overview: a file for the status of all steps, which a chain has.
    """

    def __init__(
        self, names: Mapping[Path, str], write: Callable[[str], object], *, overview: Path | None = None
    ) -> None:
        self._names, self._write, self._overview = names, write, overview
        self._statuses: dict[Path, dict[str, Any]] = {folder: _saved(folder) for folder in names}
        self._folder: Path | None = None
        self._step: StepProgress
        self._began, self._saved_at = time.monotonic(), 0.0
        self._page: Any = None
        self._exit = ExitStack()

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            with suppress(ImportError):
                from rich.console import Console
                from rich.live import Live

                page = Live(get_renderable=self._drawn, console=Console(stderr=True), refresh_per_second=2)
                self._page = self._exit.enter_context(page)
        self._save("running")
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._save("stopped" if kind else "finished")
        self._exit.close()

    def line(self, text: str) -> None:
        """Show a line, above the page where there is one."""
        (self._page.console.print if self._page else self._write)(text)

    def step(self, folder: Path, plan: Plan, dashboard: str) -> None:
        """A step begins."""
        self._folder, self._step = folder, StepProgress(plan, dashboard)
        if self._page is None and self._overview:
            self._write(f"{self._names[folder]}: {self._step.label}")

    def stage(self, stage: str, done: int) -> None:
        """A stage of the step begins, of which so many tasks were done before."""
        self._step.begin(stage, done)
        if self._page is None:
            about = self._step.stages[stage]
            self._write(f"{about.meaning}: {done:,} of {about.tasks:,} tasks are done.")
        self._save("running")

    def attempted(self, outcome: Outcome) -> None:
        """An attempt at a task of the stage ended."""
        self._step.attempted(outcome)
        if outcome.record is None and self._page is None:
            self._write(f"{self._step.stage} {outcome.number}: {outcome.failure or outcome.problem}.")
        if time.monotonic() - self._saved_at >= _SECONDS_BETWEEN:
            self._save("running")

    def finished(self) -> None:
        """The step is finished."""
        self._save("running", of_step="finished")
        self._folder = None

    def _save(self, state: str, of_step: str = "") -> None:
        self._saved_at = time.monotonic()
        saved: dict[Path, dict[str, Any]] = {}
        if self._folder:
            self._statuses[self._folder] = saved[self._folder / NAME] = self._step.status(of_step or state)
        if self._overview:
            saved[self._overview] = {
                "state": state,
                "seconds": round(self._saved_at - self._began, 1),
                "steps": {
                    name: {"folder": folder.name, **self._statuses[folder]}
                    for folder, name in self._names.items()
                },
            }
        # The disk may be full, which the tasks report; the status is not worth ending a run.
        with suppress(OSError):
            for path, status in saved.items():
                write_whole(path, json.dumps(status, ensure_ascii=False, indent=1) + "\n")

    def _drawn(self) -> Any:
        """The page: a row for each step, the tasks that failed, the time."""
        from rich.console import Group
        from rich.table import Table

        table = Table("Step", "Stage", "Tasks", "Rate", "Time", "Left", "Memory", "Failures", box=None)
        lines: list[str] = []
        for folder, name in self._names.items():
            status = self._statuses[folder]
            failures = status.get("failures", {})
            failed = sum(map(len, failures.values()))
            table.add_row(name, *_cells(status), f"{failed:,}" if status.get("stage") else "")
            lines += [f"{name}, {task}: {'; '.join(reasons)}" for task, reasons in failures.items()]
            lines += [f"Ray's dashboard: {address}" for address in [status.get("dashboard")] if address]
        elapsed = _duration(time.monotonic() - self._began)
        return Group(table, *lines[-_FAILED_TASKS_SHOWN:], f"{elapsed} in all; logs of tasks: logs/")


def _saved(folder: Path) -> dict[str, Any]:
    """The status of a step that was worked on before."""
    try:
        status: dict[str, Any] = json.loads((folder / NAME).read_text(encoding="utf-8"))
        return status if status["tasks"] else {"state": "waiting"}
    except (OSError, ValueError, KeyError, TypeError):
        return {"state": "waiting"}


def _cells(status: Mapping[str, Any]) -> list[str]:
    """Stage, tasks, rate, time, time left and memory of a step."""
    if not status.get("stage"):
        return [status["state"], "", "", "", "", ""]
    running = status["state"] == "running"
    counts = [status["tasks"][status["stage"]]] if running else list(status["tasks"].values())
    stages = list(status["tasks"])
    number = f" ({stages.index(status['stage']) + 1} of {len(stages)})"
    rate = f"{status['tasks_per_second']:,.1f} tasks/s"
    if status["sentences_per_second"]:
        rate = f"{status['sentences_per_second']:,.0f} sentences/s"
    left = status["seconds_left_in_stage"]
    return [
        status["doing"] + number if running else status["state"],
        f"{sum(one['done'] for one in counts):,} of {sum(one['of'] for one in counts):,}",
        rate if running else "",
        _duration(status["seconds"]),
        _duration(left) if running and left is not None else "",
        f"{status['peak_bytes_of_a_worker'] / 1e6:,.0f} MB",
    ]


def _duration(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
