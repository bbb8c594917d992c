"""What an installation costs before anybody works with it: start, memory, size on disk."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.measuring import REPOSITORY, Row, spread
from benchmarks.server import memory_of
from scripts.services import launched_demo

STARTS = {
    "import paragold as pg": ("-c", "import paragold as pg"),
    "paragold --help": ("-m", "paragold", "--help"),
}
BEST = """
import paragold as pg
pairs = [(["a", "dam", "broke", str(n)], ["the", "dam", "burst", str(n)]) for n in range(200)]
pg.BestAligner().fit(pairs).align_all(pairs)
"""


def cold_start(*, rounds: int = 5) -> list[Row]:
    """Seconds of a whole process: import, help, and the first use of `best`, whose code is compiled again."""
    rows: list[Row] = []
    for name, command in STARTS.items():
        rows.append({"what": name, "times": rounds} | spread([_started(command) for _ in range(rounds)]))
    with tempfile.TemporaryDirectory(prefix="paragold-bench-") as cache:
        rows.append({"what": "first use of best"} | spread([_started(("-c", BEST), NUMBA_CACHE_DIR=cache)]))
        rows.append({"what": "second use of best"} | spread([_started(("-c", BEST), NUMBA_CACHE_DIR=cache)]))
    return rows


def _started(command: tuple[str, ...], **environment: str) -> float:
    """Milliseconds by the clock."""
    began = time.perf_counter()
    run = [sys.executable, *command]
    subprocess.run(run, cwd=REPOSITORY, env=os.environ | environment, check=True, capture_output=True)
    return 1000 * (time.perf_counter() - began)


def idle_memory(*, idle: float = 20) -> list[Row]:
    """First start of the demo, and the memory of all its processes `idle` seconds later.

    PSS: what processes share is divided among them, so that the sum is what the machine has given.
    """
    began = time.monotonic()
    with launched_demo() as (launcher, _, _):
        seconds = time.monotonic() - began
        time.sleep(idle)
        pids = _descendants(launcher.pid)
        pss = memory_of(pids, "smaps_rollup", "Pss")
        rss = memory_of(pids, "status", "VmRSS")
    return [{
        "ready_s": round(seconds, 1), "processes": len(pids), "pss_mb": round(sum(pss)),
        "rss_mb": round(sum(rss)), "largest_pss_mb": round(max(pss, default=0)),
    }]  # fmt: skip


def _descendants(leader: int) -> list[int]:
    """A process and those that it and its children started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [leader]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def size_on_disk(*, largest: int = 12) -> list[Row]:
    """The packages of this environment and Paragold itself on disk, the largest first."""
    packages = Path(sysconfig.get_paths()["purelib"])
    sizes: Counter[str] = Counter()
    for path in packages.rglob("*"):
        if path.is_file() and not path.is_symlink():
            sizes[path.relative_to(packages).parts[0]] += path.stat().st_size
    names = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True).stdout
    own = sum((REPOSITORY / name).stat().st_size for name in names.decode().split("\0") if name)
    rows = [("all packages", sizes.total()), ("the repository", own), *sizes.most_common(largest)]
    return [{"what": what, "mb": round(size / 2**20, 1)} for what, size in rows]
