"""A model over HTTP for Paragold: aligns equal words and scores pairs by the words they share.

    python http_model.py 8400
    PARAGOLD_HTTP_MODELS=overlap=http://127.0.0.1:8400/ PARAGOLD_HTTP_MODEL_NETWORKS=127.0.0.1 make run

With MODEL_TOKEN set, requests need that token. Replace `align` and `score` by your own model.
"""

import hmac
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HEALTH = {"version": "1", "align": True, "score": True, "max_pairs": 64}
TOKEN = os.environ.get("MODEL_TOKEN", "")
MAX_BYTES = 8 << 20


def align(source: list[str], target: list[str]) -> list[list[int]]:
    """Indices of equal words."""
    return [[i, j] for i, one in enumerate(source) for j, other in enumerate(target) if one == other]


def score(source: list[str], target: list[str]) -> float:
    """The Jaccard index of the words, 0 to 1."""
    one, other = {word.lower() for word in source}, {word.lower() for word in target}
    return len(one & other) / max(1, len(one | other))


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.answer(HEALTH if self.path == "/health" else None)

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        pairs = json.loads(self.rfile.read(size))["pairs"] if 0 < size <= MAX_BYTES else []
        work = {"/align": ("links", align), "/score": ("scores", score)}.get(self.path)
        found = [work[1](pair["source"], pair["target"]) for pair in pairs] if work else []
        self.answer({"version": HEALTH["version"], work[0]: found} if work else None)

    def answer(self, found: dict | None) -> None:
        given = self.headers.get("Authorization", "").removeprefix("Bearer ")
        allowed = hmac.compare_digest(given.encode(), TOKEN.encode())
        body = json.dumps(found if found and allowed else {}).encode()
        self.send_response(401 if not allowed else 200 if found else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
