"""What runs the parts of a job over many files: anything with `map`, as the executors of Python have it.

The packages of Ray, Dask and Slurm are extras (`ray`, `dask`, `slurm`), imported when they are used. All
machines need the same version of Paragold and see inputs and output under the same paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, TypeVar

from paragold.packages import needed
from paragold.parallel import cores, process_pool
from paragold.problems import FileProblem

Part = TypeVar("Part")
Result = TypeVar("Result")
# A part whose machine was lost is begun again so many times.
RETRIES = 20
SLURM_LIMITS = {"timeout_min": 24 * 60, "mem_gb": 2, "cpus_per_task": 1}


class Executor(Protocol):
    """Calls a function for each part, somewhere; the results come in the order of the parts."""

    def map(self, function: Callable[[Part], Result], parts: Iterable[Part], /) -> Iterable[Result]: ...


@contextmanager
def processes(workers: int | None = None) -> Iterator[Executor]:
    """Processes of this machine, by default one for each core that may be used; they end with the caller."""
    try:
        with process_pool(workers) as pool:
            yield pool
    except BrokenProcessPool as error:
        raise FileProblem(
            "A worker process was killed, usually because memory ran out.",
            "Start the same again, perhaps with fewer workers: what is done is kept.",
        ) from error


@dataclass(frozen=True, slots=True)
class _Adapter:
    call: Callable[[Callable[[Any], Any], list[Any]], Iterable[Any]]

    def map(self, function: Callable[[Part], Result], parts: Iterable[Part], /) -> Iterable[Result]:
        return self.call(function, list(parts))


@contextmanager
def ray(workers: int | None = None, address: str | None = None) -> Iterator[Executor]:
    """Tasks of a Ray cluster, by its address or `auto`; those of a machine that is lost begin again."""
    package = _imported("ray", "ray")
    if not package.is_initialized():
        package.init(address, num_cpus=None if address else workers, log_to_driver=False)
    task = package.remote(num_cpus=1, max_retries=RETRIES)(_called)
    yield _Adapter(lambda function, parts: package.get([task.remote(function, part) for part in parts]))


@contextmanager
def dask(workers: int | None = None, address: str | None = None) -> Iterator[Executor]:
    """Tasks of a Dask cluster at an address, or of processes of this machine."""
    own = {} if address else {"n_workers": workers or cores(), "threads_per_worker": 1}
    with _imported("dask", "distributed").Client(address, dashboard_address=None, **own) as client:
        options = {"pure": False, "retries": RETRIES}
        yield _Adapter(lambda function, parts: client.gather(client.map(function, parts, **options)))


@contextmanager
def slurm(workers: int | None = None, address: str | None = None) -> Iterator[Executor]:
    """Tasks of arrays of Slurm jobs in the partition `address`; processes where there is no Slurm."""
    jobs = _imported("slurm", "submitit").AutoExecutor(folder="slurm-logs")
    named = {"slurm_partition": address} if address else {}
    jobs.update_parameters(slurm_array_parallelism=workers or 64, **SLURM_LIMITS, **named)
    yield _Adapter(lambda function, parts: [job.result() for job in jobs.map_array(function, parts)])


def _called(function: Callable[[Part], Result], part: Part) -> Result:
    return function(part)


def _imported(extra: str, package: str) -> Any:
    with needed(extra):
        return import_module(package)


EXECUTORS: dict[str, Callable[[int | None, str | None], AbstractContextManager[Executor]]] = {
    "processes": lambda workers, address: processes(workers),
    "ray": ray,
    "dask": dask,
    "slurm": slurm,
}
"""By name; each is given the number of workers and the address of a cluster, or None."""
