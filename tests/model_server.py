"""A model over HTTP on the loopback that answers as a test wants: late, wrongly, halfway, or not at all."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from pathlib import Path
from threading import Thread
from typing import Any, cast

import pytest

from paragold.aligners.over_http import HttpAlignerMethod
from paragold.aligners.registry import ALIGNERS
from paragold.http_models import cached_answers, client
from paragold.http_models.configuration import HttpModel, http_models
from paragold.http_models.network import parse_address

LOOPBACK = (ip_network("127.0.0.0/8"),)


@dataclass
class ModelServer:
    """What it answers can be changed at any time; `asked` are the paths and bodies that came."""

    port: int = 0
    version: str = "1"
    health: dict[str, Any] = field(default_factory=lambda: {"align": True, "score": True, "max_pairs": 4})
    links: Callable[[list[str], list[str]], Any] = lambda source, target: [
        [i, j] for i, a in enumerate(source) for j, b in enumerate(target) if a == b
    ]
    score: Callable[[list[str], list[str]], Any] = lambda source, target: (
        len({*source} & {*target}) / max(1, len({*source} | {*target}))
    )
    change: Callable[[dict[str, Any]], Any] = lambda answer: answer
    """What becomes of an answer to `align` and `score`; bytes are sent as they are."""
    delay: float = 0.0
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0
    """So many of the next answers are cut in the middle."""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def model(self, *, name: str = "toy", **fields: Any) -> HttpModel:
        address = parse_address(f"http://127.0.0.1:{self.port}/")
        return HttpModel(name, address, **{"networks": LOOPBACK, "seconds": 30.0} | fields)

    def answer(self, path: str, body: dict[str, Any]) -> Any:
        if path == "/health":
            return {"version": self.version, **self.health}
        key, work = {"/align": ("links", self.links), "/score": ("scores", self.score)}[path]
        found = [work(pair["source"], pair["target"]) for pair in body["pairs"]]
        return self.change({"version": self.version, key: found})


@contextmanager
def serving_model() -> Iterator[ModelServer]:
    """A server on a free port of the loopback, stopped at the end."""
    model = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.respond({})

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length", "0"))
            self.respond(json.loads(self.rfile.read(size)))

        def respond(self, body: dict[str, Any]) -> None:
            model.asked.append((self.path, body))
            model.tokens.append(self.headers.get("Authorization", ""))
            answer = model.answer(self.path, body)
            if self.path != "/health":
                time.sleep(model.delay)
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(model.status if self.path != "/health" else 200)
            for name, value in model.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.path != "/health" and model.cut:
                model.cut -= 1
                data = data[: len(data) // 2]
            with suppress(OSError):  # nobody waits for a late answer
                self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    model.port = server.server_port
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def configure(
    monkeypatch: pytest.MonkeyPatch, folder: Path, server: ModelServer, *, name: str = "toy", ask: bool = True
) -> HttpModel:
    """Have the server as a model that the environment names, asked once (unless not), until the test ends."""
    model = server.model(name=name)
    method = HttpAlignerMethod(model)
    monkeypatch.setattr(cached_answers, "_file", folder / "answers.sqlite3")
    monkeypatch.setitem(cast(dict[str, HttpModel], http_models()), name, model)
    monkeypatch.setitem(ALIGNERS._items, method.id, method)
    monkeypatch.setattr(client, "PAUSES", (0.01, 0.01))
    if ask:
        assert client.Session(model).health
    return model
