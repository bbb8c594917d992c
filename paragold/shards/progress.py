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
_COLUMNS = ("Step", "Stage", "Tasks", "Rate", "Time", "Left", "Memory", "Failures")


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
        self._statuses = {folder: _saved(folder) for folder in names}
        self._current: Path | None = None
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
        if self._page:
            self._page.console.print(text, markup=False, highlight=False)
        else:
            self._write(text)

    def step(self, folder: Path, plan: Plan, dashboard: str) -> None:
        """A step begins."""
        step = STEPS.get(plan.step)
        self._current, self._stages, self._bytes = folder, step.stages(plan), Counter[str]()
        self._step_began = time.monotonic()
        self._statuses[folder] = {
            "state": "running",
            "stage": "",
            "doing": "",
            "tasks": {name: {"done": 0, "of": stage.tasks} for name, stage in self._stages.items()},
            **dict.fromkeys(("sentences", "pairs", "seconds_of_tasks", "peak_bytes_of_a_worker"), 0),
            "failures": {},
            "dashboard": dashboard,
        }
        if self._page is None and self._overview:
            self._write(f"{self._names[folder]}: {step.label}")

    def stage(self, stage: str, done: int) -> None:
        """A stage of the step begins, of which so many tasks were done before."""
        about, status = self._stages[stage], self._statuses[self._current or Path()]
        status |= {"stage": stage, "doing": about.meaning}
        status["tasks"][stage]["done"] = done
        self._at_first = time.monotonic(), done, status["sentences"]
        if self._page is None:
            before = f", {done:,} of them done before" if done else ""
            self._write(f"{about.meaning}: {about.tasks:,} {_noun(about.tasks)}{before}.")
        self._save("running")

    def attempted(self, outcome: Outcome) -> None:
        """An attempt at a task of the stage ended."""
        status = self._statuses[self._current or Path()]
        stage = status["stage"]
        if outcome.record is None:
            reason = outcome.failure or str(outcome.problem)
            status["failures"].setdefault(f"{stage} {outcome.number}", []).append(reason)
            if self._page is None:
                self._write(f"{stage} {outcome.number}: {reason}.")
        else:
            record = outcome.record
            status["tasks"][stage]["done"] += 1
            status["sentences"] += record.get("counts", {}).get("sentences", 0)
            status["pairs"] += record.get("pairs", 0) if stage == list(self._stages)[-1] else 0
            status["seconds_of_tasks"] = round(status["seconds_of_tasks"] + record["seconds"], 3)
            status["peak_bytes_of_a_worker"] = max(status["peak_bytes_of_a_worker"], record["peak_bytes"])
            self._bytes[stage] += sum(file["bytes"] for file in record["files"].values())
        if time.monotonic() - self._saved_at >= _SECONDS_BETWEEN:
            self._save("running")

    def finished(self) -> None:
        """The step is finished."""
        self._save("running", of_step="finished")
        self._current = None

    def _save(self, state: str, of_step: str = "") -> None:
        self._saved_at = now = time.monotonic()
        saved: dict[Path, dict[str, Any]] = {}
        if self._current:
            status = saved[self._current / NAME] = self._statuses[self._current]
            status |= {
                "state": of_step or state,
                "seconds": round(now - self._step_began, 1),
                "bytes_on_disk": max(
                    self._bytes[name] + sum(self._bytes[needed] for needed in stage.needs)
                    for name, stage in self._stages.items()
                ),
                "at": datetime.now(UTC).isoformat(timespec="seconds"),
            }
            if status["stage"]:
                began, done, sentences = self._at_first
                elapsed, tasks = max(now - began, 0.001), status["tasks"][status["stage"]]
                rate = (tasks["done"] - done) / elapsed
                status |= {
                    "tasks_per_second": round(rate, 3),
                    "sentences_per_second": round((status["sentences"] - sentences) / elapsed, 1),
                    "seconds_left_in_stage": round((tasks["of"] - tasks["done"]) / rate, 1) if rate else None,
                }
        if self._overview:
            steps = {
                name: {"folder": folder.name, **self._statuses[folder]}
                for folder, name in self._names.items()
            }
            saved[self._overview] = {"state": state, "seconds": round(now - self._began, 1), "steps": steps}
        # The disk may be full, which the tasks report; the status is not worth ending a run.
        with suppress(OSError):
            for path, content in saved.items():
                write_whole(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    def _drawn(self) -> Any:
        """The page: a row for each step, the tasks that failed, the time."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table, lines = Table(*_COLUMNS, box=None), list[str]()
        for folder, name in self._names.items():
            status = self._statuses[folder]
            table.add_row(name, *_cells(status))
            lines += [f"{name}, {task}: {'; '.join(why)}" for task, why in list(status["failures"].items())]
            lines += [f"Ray's dashboard: {address}" for address in [status.get("dashboard")] if address]
        shown = lines[-_FAILED_TASKS_SHOWN:]
        elapsed = _duration(time.monotonic() - self._began)
        return Group(table, *map(Text, [*shown, f"Time of all steps: {elapsed}."]))


def _saved(folder: Path) -> dict[str, Any]:
    """The status of a step that was worked on before."""
    try:
        status: dict[str, Any] = json.loads((folder / NAME).read_text(encoding="utf-8"))
        return {"failures": {}, **status}
    except (OSError, ValueError, TypeError):
        return {"state": "waiting", "failures": {}}


def _cells(status: Mapping[str, Any]) -> list[str]:
    """Stage, tasks, rate, time, time left, memory and failures of a step."""
    if not status.get("stage") or "tasks_per_second" not in status:
        return [status["state"]]
    running, stages = status["state"] == "running", list(status["tasks"])
    counts = [status["tasks"][status["stage"]]] if running else list(status["tasks"].values())
    stage = f"{status['doing']} ({stages.index(status['stage']) + 1} of {len(stages)})"
    rate = f"{status['tasks_per_second']:,.1f} tasks/s"
    if status["sentences_per_second"]:
        rate = f"{status['sentences_per_second']:,.0f} sentences/s"
    left = status["seconds_left_in_stage"]
    return [
        stage if running else status["state"],
        f"{sum(one['done'] for one in counts):,} of {sum(one['of'] for one in counts):,}",
        rate if running else "",
        _duration(status["seconds"]),
        _duration(left) if running and left is not None else "",
        f"{status['peak_bytes_of_a_worker'] / 1e6:,.0f} MB",
        f"{sum(map(len, list(status['failures'].values()))):,}",
    ]


def _noun(tasks: int) -> str:
    return "task" if tasks == 1 else "tasks"


def _duration(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
