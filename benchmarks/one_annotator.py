"""One annotator of the load benchmark: a browser's requests, without the browser."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import select
import time
import uuid
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

CSRF = "c" * 32
SENT_TWICE = 0.1
REPLY_LOST = 0.1
ARRIVAL = 5
"""Within how many times the thinking all have begun: people do not come in the same second."""
BETWEEN_TRIES = 1.0
"""Seconds, as the outbox of the page waits before its second try."""


def signed_in(user: Any) -> str:
    """The cookies of a browser in which the user is logged in, as a header."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={CSRF}"


class Annotator:
    """Judges what the server hands out until told to stop.

    `saves` and `queues` are (start by perf_counter, milliseconds) of each request that was answered,
    `acknowledged` the keys of the answers that the server said to have, `failed` how many requests were not
    answered, `reconnected` how often the server had closed the connection between two requests, `refused` how
    many were answered with each status that asks to come again.
    """

    def __init__(self, address: str, batch: int, cookies: str, think: float) -> None:
        self.host = urlsplit(address).netloc
        self.connection = http.client.HTTPConnection(self.host, timeout=60)
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

    def work(self, until: float) -> None:
        time.sleep(self.random.random() * ARRIVAL * self.think)
        while time.monotonic() < until:
            queue = self.ask("GET", f"/batches/{self.batch}/queue/?limit=10", self.queues)
            if not queue["items"]:
                return
            for item in queue["items"]:
                time.sleep(self.random.uniform(0.5, 1.5) * self.think)
                if time.monotonic() >= until:
                    return
                self.save(item)

    def save(self, item: dict[str, Any]) -> None:
        """Until it is acknowledged, as the page's outbox does it."""
        key = str(uuid.uuid4())
        path = f"/assignments/{item['assignment']}/judgement/"
        body = {"label": "paraphrase", "version": item["version"], "milliseconds": 1000}
        chance = self.random.random()
        if chance < REPLY_LOST:
            self.send("PUT", path, body, key)
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
                if not self.send(method, path, body, key):
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
            return json.loads(unzipped(response, content))

    def send(self, method: str, path: str, body: Any, key: str) -> bool:
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


def unzipped(response: http.client.HTTPResponse, content: bytes) -> bytes:
    return gzip.decompress(content) if response.headers.get("Content-Encoding") == "gzip" else content
