"""A server of a model, for `pg.HttpModel`, on a free port of this machine."""

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from tests.processes import served


@contextmanager
def model_server(answer, status=200, headers=()):
    """A server whose answer is made by a function of the request's pairs; its address, and the requests."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append(body["pairs"])
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer(body["pairs"]))

        def log_message(self, *args):
            pass

    with served(HTTPServer(("127.0.0.1", 0), Handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}/", requests


def same_words(pairs):
    """Links between equal words, as a server answers them."""
    answered = [
        {
            "id": pair["id"],
            "links": [
                [i, j] for i, a in enumerate(pair["source"]) for j, b in enumerate(pair["target"]) if a == b
            ],
        }
        for pair in pairs
    ]
    return json.dumps({"pairs": answered}).encode()
