"""What an installation costs that nobody works with: its first start, and memory before and after pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import requests

from benchmarks.measuring import Row
from benchmarks.visitors import crawl
from scripts.installations import START_SECONDS, cpu_seconds_of, processes, signed_in
from scripts.services import free_port

PSS = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)


def idle(*, pages: int = 300, rounds: int = 3, rest: float = 20) -> list[Row]:
    """The first start of the demo, and the memory of all its processes, at rest and after rounds of pages.

    `pss_mb` is the sum of proportional set sizes (2**20 bytes): what processes share is counted once. A round
    asks for the same pages of the demo project, as its manager; `rest` seconds later memory is read.
    """
    with tempfile.TemporaryDirectory(prefix="paragold-bench-", ignore_cleanup_errors=True) as var:
        port = free_port()
        own = {"PARAGOLD_VAR": var, "PORT": str(port), "REDIS_URL": "", "DATABASE_URL": ""}
        os.environ |= own | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        began = time.monotonic()
        command = [sys.executable, "-m", "ops.launcher", "--demo"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
            try:
                while "Ctrl-C stops" not in (line := launcher.stdout.readline() if launcher.stdout else ""):
                    if not line or time.monotonic() - began > START_SECONDS:
                        raise TimeoutError("The demo did not start.")
                took = round(time.monotonic() - began, 1)
                used = sum(cpu_seconds_of(fields, children=True) for _, fields in family(launcher.pid))
                time.sleep(rest)
                rows: list[Row] = [{"when": "first start", "s": took, "cpu_s": round(used, 1)}]
                rows += [{"when": "at rest"} | memory(launcher.pid)]
                session = logged_in()
                for number in range(rounds):
                    asked = crawl(
                        lambda path: session.get(f"http://127.0.0.1:{port}{path}", timeout=60).text,
                        "/projects/demo/",
                        pages,
                    )
                    time.sleep(rest)
                    rows.append({"when": f"after {(number + 1) * len(asked)} pages"} | memory(launcher.pid))
            finally:
                launcher.terminate()
    return rows


def logged_in() -> requests.Session:
    import django

    django.setup()
    from django.contrib.auth.models import User

    session = requests.Session()
    session.headers["Cookie"] = signed_in(User.objects.get(username="manager"))
    return session


def family(root: int) -> list[tuple[int, list[str]]]:
    """The process and all that it has started, by id, with the fields of their stat."""
    known = {pid: fields for pid, _, fields in processes()}

    def descends(pid: int) -> bool:
        while pid in known and pid != root:
            pid = int(known[pid][1])
        return pid == root

    return [(pid, fields) for pid, fields in known.items() if descends(pid)]


def memory(root: int) -> Row:
    sizes: list[int] = []
    for pid, _ in family(root):
        with suppress(OSError):
            sizes += map(int, PSS.findall(Path(f"/proc/{pid}/smaps_rollup").read_text()))
    return {"processes": len(sizes), "pss_mb": round(sum(sizes) / 1024)}
