"""How long requests take, counted by all processes of the web server in memory that they share.

The memory belongs to no file: a full disk neither ends a process nor stops the counting. It is made before
the server forks; each process writes into a share of its own and reads all of them.
"""

from __future__ import annotations

import mmap
from bisect import bisect_left
from collections.abc import Iterator
from threading import Lock

import numpy as np
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from config.variables import value

SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Upper ends of the histogram's buckets; one more has no upper end."""
LABELS = ("page", "method", "status")
ROWS = 4_096
"""Combinations of page, method and status that one process counts; further ones are left out."""
ROW = np.dtype([("labels", "S128"), ("requests", "i8", len(SECONDS) + 1), ("seconds", "f8")])


class RequestCounts(Collector):
    """A histogram by page, method and status; `shares` is the number of processes that count at a time."""

    def __init__(self, shares: int) -> None:
        self._table: np.ndarray = np.ndarray(
            (shares, ROWS), dtype=ROW, buffer=mmap.mmap(-1, shares * ROWS * ROW.itemsize)
        )
        self._lock = Lock()
        self.use(0)

    @property
    def shares(self) -> int:
        return len(self._table)

    def use(self, share: int | None) -> None:
        """Count in this share from now on, on top of what an ended process counted there; None: nowhere."""
        self._share = share
        rows = self._table[:0] if share is None else _rows(self._table[share])
        self._places = {bytes(row["labels"]): place for place, row in enumerate(rows)}

    def observe(self, page: str, method: str, status: int, seconds: float) -> None:
        labels = f"{page} {method} {status}".encode()
        if self._share is None or len(labels) > ROW["labels"].itemsize:
            return
        with self._lock:
            place = self._places.get(labels, len(self._places))
            if place == ROWS:
                return
            row = self._table[self._share, place]
            row["requests"][bisect_left(SECONDS, seconds)] += 1
            row["seconds"] += seconds
            if labels not in self._places:
                # Last: other processes read the rows that have labels.
                row["labels"] = labels
                self._places[labels] = place

    def collect(self) -> Iterator[HistogramMetricFamily]:
        totals: dict[bytes, tuple[np.ndarray, float]] = {}
        for share in self._table:
            for row in _rows(share):
                requests, seconds = totals.get(row["labels"], (0, 0.0))
                totals[row["labels"]] = requests + row["requests"], seconds + float(row["seconds"])
        family = HistogramMetricFamily(
            "paragold_request_seconds", "Seconds from a request to its answer", labels=LABELS
        )
        ends = [floatToGoString(end) for end in (*SECONDS, float("inf"))]
        for labels, (requests, seconds) in totals.items():
            buckets = list(zip(ends, np.cumsum(requests).tolist(), strict=True))
            family.add_metric(labels.decode().split(" "), buckets, seconds)
        yield family


def _rows(share: np.ndarray) -> np.ndarray:
    """The rows of a share that are in use: those before the first without labels."""
    used = share["labels"] != b""
    return share[: ROWS if used.all() else int(used.argmin())]


REQUESTS = RequestCounts(2 * int(value("PARAGOLD_WEB_WORKERS")))
"""Twice as many shares as processes: those that end and those that follow them overlap for a while."""
