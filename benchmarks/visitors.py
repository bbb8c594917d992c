"""What goes to a server: annotators, and somebody who follows links."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import re
import select
import time
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

from scripts.installations import CSRF

SENT_TWICE = 0.1
REPLY_LOST = 0.1
ARRIVAL = 5
"""Within how many times the thinking all have begun: people do not come in the same second."""
BETWEEN_TRIES = 1.0
"""Seconds, as the outbox of the page waits before its second try."""


class Annotator:
    """Judges what the server hands out: a browser's requests, without the browser.

    `saves` and `queues` are (start by perf_counter, milliseconds) of each request that was answered,
    `acknowledged` the keys of the answers that the server said to have, `failed` how many requests were not
    answered, `reconnected` how often the server had closed the connection between two requests, `refused` how
    many were answered with each status that asks to come again.
    """

    def __init__(self, address: str, batch: int, cookies: str, think: float) -> None:
        self.connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
        self.batch = batch
        self.think = think
        self.headers = {
            "Cookie": cookies,
            "X-CSRFToken": CSRF,
            "Content-Type": "application/json",
            "Accept-Encoding": "gzip",
        }
        self.random = random.Random(cookies)
        self.saves: list[tuple[float, float]] = []
        self.queues: list[tuple[float, float]] = []
        self.acknowledged: list[str] = []
        self.failed = 0
        self.reconnected = 0
        self.refused: Counter[int] = Counter()

    def work(self, is_over: Callable[[], bool], tell: Callable[[float], None] = lambda took: None) -> None:
        """Until it is over or no item is left; `tell` gets the milliseconds of each save."""
        time.sleep(self.random.random() * ARRIVAL * self.think)
        while not is_over():
            queue = self.ask("GET", f"/batches/{self.batch}/queue/?limit=10", self.queues)
            if not queue["items"]:
                return
            for item in queue["items"]:
                time.sleep(self.random.uniform(0.5, 1.5) * self.think)
                if is_over():
                    return
                self.save(item)
                tell(self.saves[-1][1])

    def save(self, item: dict[str, Any]) -> None:
        """Until it is acknowledged, as the page's outbox does it."""
        key = str(uuid.uuid4())
        path = f"/assignments/{item['assignment']}/judgement/"
        body = {"label": "paraphrase", "version": item["version"], "milliseconds": 1000}
        chance = self.random.random()
        if chance < REPLY_LOST:
            self._send("PUT", path, body, key)
            self.connection.close()
        self.ask("PUT", path, self.saves, body, key)
        self.acknowledged.append(key)
        if chance > 1 - SENT_TWICE:
            self.ask("PUT", path, self.saves, body, key)

    def ask(
        self, method: str, path: str, times: list[tuple[float, float]], body: Any = None, key: str = ""
    ) -> Any:
        """The answer; asked again while there is none, and when the server says, as the page's outbox does.

        Raises ValueError for other statuses than 200, 429 and 503.
        """
        while True:
            started = time.perf_counter()
            try:
                if not self._send(method, path, body, key):
                    raise ConnectionError
                response = self.connection.getresponse()
                content = response.read()
            except (OSError, http.client.HTTPException):
                self.connection.close()
                self.failed += 1
                time.sleep(BETWEEN_TRIES * self.random.uniform(0.8, 1.2))
                continue
            if response.status in (429, 503):
                self.refused[response.status] += 1
                time.sleep(int(response.headers["Retry-After"]) * self.random.uniform(1, 1.2))
                continue
            times.append((started, 1000 * (time.perf_counter() - started)))
            if response.status != 200:
                raise ValueError(f"{method} {path}: {response.status} {content[:300]!r}")
            zipped = response.headers.get("Content-Encoding") == "gzip"
            return json.loads(gzip.decompress(content) if zipped else content)

    def _send(self, method: str, path: str, body: Any, key: str) -> bool:
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        data = None if body is None else json.dumps(body).encode()
        if self.connection.sock and select.select([self.connection.sock], [], [], 0)[0]:
            # Nothing was asked, so what can be read is the end: the server has closed it.
            self.connection.close()
            self.reconnected += 1
        try:
            self.connection.request(method, f"/api/v1{path}", data, headers)
        except OSError:
            self.connection.close()
            return False
        return True


LINK = re.compile(r'href="([^"#]*)')
ONE_OF_MANY = re.compile(r"\d+")
NOT_PAGES = ("download", "/file/", ".csv", "format=", "logout", "/static/")


def crawl(get: Callable[[str], str], start: str, limit: int) -> list[str]:
    """The pages below `start` that links lead to, breadth first, two of each shape; `limit` in all."""
    pages: list[str] = []
    waiting, seen = [start], {start}
    shapes: Counter[str] = Counter()
    while waiting and len(pages) < limit:
        path = waiting.pop(0)
        pages.append(path)
        for link in LINK.findall(get(path)):
            address = urljoin(path, link.replace("&amp;", "&"))
            shape = ONE_OF_MANY.sub("0", address)
            if address in seen or not address.startswith(start) or any(part in address for part in NOT_PAGES):
                continue
            seen.add(address)
            shapes[shape] += 1
            if shapes[shape] <= 2:
                waiting.append(address)
    return pages
