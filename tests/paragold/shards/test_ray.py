"""Shards on a Ray cluster of three nodes, one of which leaves while workers are killed."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from paragold.extraction.presets import PRESETS
from paragold.problems import FileProblem
from paragold.shards import engines, packages
from paragold.shards.engines import Outcome, RayEngine
from tests.paragold.shards.corpora import as_lines, by_one_process, in_shards, news, written

CRITERIA = PRESETS["L12-2004"].criteria


def test_ray_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(packages, "import_module", missing)
    with pytest.raises(FileProblem, match=r"ray is not installed.*pip install ray"):
        RayEngine().__enter__()


class StandIn:
    """What the engine uses of Ray, in this process: a worker dies at each task, some with their node."""

    class exceptions:
        RayError = RuntimeError
        NodeDiedError = type("NodeDiedError", (RuntimeError,), {})
        LocalRayletDiedError = NodeDiedError

    def __init__(self) -> None:
        self.died: set[tuple[str, int]] = set()

    def is_initialized(self) -> bool:
        return True

    def remote(self, task: Any) -> Any:
        def start(folder: Path, stage: str, number: int) -> Any:
            return lambda: self._outcome(task, folder, stage, number)

        return SimpleNamespace(options=lambda **options: SimpleNamespace(remote=start))

    def _outcome(self, task: Any, folder: Path, stage: str, number: int) -> Outcome:
        if (stage, number) not in self.died:
            self.died.add((stage, number))
            raise self.exceptions.NodeDiedError("a node left") if number == 1 else RuntimeError("it died")
        return task(folder, stage, number)

    def wait(self, references: list[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        return references[:1], references[1:]

    def get(self, reference: Any) -> Outcome:
        return reference()


def test_tasks_of_workers_and_nodes_that_die_are_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = StandIn()
    monkeypatch.setattr(engines, "package", lambda name: ray)
    monkeypatch.setattr(engines, "_NODE_SECONDS", 0.0)
    lines = as_lines(news(31, clusters=12), seed=4)
    expected, _ = by_one_process(tmp_path, lines, CRITERIA)
    source = written(tmp_path / "a.jsonl", lines)
    manifest = in_shards([source], CRITERIA, tmp_path / "out", shards=3, engine=RayEngine(workers=2))
    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()
    assert {("map", number) for number in range(3)} <= ray.died


class TroubledEngine(RayEngine):
    """After the first extracted shard, removes a node and kills workers until two are killed."""

    cluster = node = None
    killed = 0

    def run(self, folder: Path, stage: str, numbers: Sequence[int]) -> Iterator[Outcome]:
        for outcome in super().run(folder, stage, numbers):
            yield outcome
            if stage != "map":
                continue
            if self.node is not None:
                self.cluster.remove_node(self.node, allow_graceful=False)
                self.node = None
            for process in ray_workers()[: 2 - self.killed]:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                    self.killed += 1


def ray_workers() -> list[int]:
    """The processes of Ray that do the tasks, which name themselves so; only those started by this one."""
    workers, parents = [], {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            text = stat.read_text()
            process = int(stat.parent.name)
            parents[process] = int(text.rpartition(")")[2].split()[1])
            # Not the agents of a node, without which it ends.
            if (stat.parent / "cmdline").read_bytes().startswith((b"ray::attempt", b"ray::IDLE")):
                workers.append(process)

    def is_ours(process: int) -> bool:
        while process > 1:
            if process == os.getpid():
                return True
            process = parents.get(process, 0)
        return False

    return [process for process in workers if is_ours(process)]


@pytest.mark.filterwarnings("ignore")
def test_a_node_leaves_and_workers_are_killed(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed")
    from ray.cluster_utils import Cluster

    lines = as_lines(news(31, clusters=40), seed=4)
    expected, _ = by_one_process(tmp_path, lines, CRITERIA)
    source = written(tmp_path / "a.jsonl", lines)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 1, "include_dashboard": False, "object_store_memory": 100 << 20},
        )
        engine = TroubledEngine(address=cluster.address)
        engine.cluster = cluster
        try:
            nodes = [cluster.add_node(num_cpus=1, object_store_memory=100 << 20) for _ in range(2)]
            engine.node = nodes[-1]
            cluster.wait_for_nodes()
            manifest = in_shards([source], CRITERIA, tmp_path / "out", shards=9, engine=engine)
        finally:
            ray.shutdown()
            cluster.shutdown()
    assert engine.node is None
    assert engine.killed == 2
    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()
