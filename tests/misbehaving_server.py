"""A web server on the loopback that misbehaves as it is told, and remembers what it was asked."""

from __future__ import annotations

import gzip
import socket
import socketserver
import threading
import time
import zlib
from collections.abc import Callable

from tests.processes import served

STORY = (
    "<html><head><title>Dam mended</title></head><body><nav><a href=/>Home</a> <a href=/w>World</a></nav>"
    "<article><p>The council mended the dam on Wednesday, after it had leaked for a whole year.</p>"
    "<p>Nobody in the town below was hurt, the mayor said, and the road is open again.</p></article>"
    "</body></html>"
)
Answer = bytes | Callable[[socket.socket], None]


def page(body=STORY, *, status="200 OK", **headers):
    """An answer with a body; `content_type=...` and so on are its headers."""
    data = body.encode() if isinstance(body, str) else body
    told = {"content_type": "text/html; charset=utf-8", "content_length": str(len(data))} | headers
    lines = [f"HTTP/1.1 {status}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in told.items() if value]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + data


def moved(location, status="302 Found"):
    return page(b"", status=status, location=location)


def bomb(megabytes):
    """A page of zeros, packed a thousand to one."""
    packed = gzip.compress(b"\0" * (megabytes << 20))
    return page(packed, content_encoding="gzip")


def endless(connection):
    """A body without an end, as fast as it is taken."""
    connection.sendall(page(b"", content_length=""))
    while True:
        connection.sendall(b"word " * 10_000)


def dripping(connection):
    """A header, byte by byte, for ever: each byte in time, the whole never."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


def silent(connection):
    """Takes the request and says nothing until the other side goes."""
    connection.recv(1)


def broken(connection):
    connection.sendall(b"what?\r\n\r\n")


def endless_chunk_line(connection):
    """A chunk's length that is a line without an end."""
    connection.sendall(page(b"", content_length="", transfer_encoding="chunked"))
    while True:
        connection.sendall(b"0" * 10_000)


def deflated(text):
    return page(zlib.compress(text.encode()), content_encoding="deflate")


class MisbehavingServer(socketserver.ThreadingTCPServer):
    """`answers` says what a path is answered: one answer, or a list of which the last is repeated."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self):
        self.answers: dict[str, Answer | list[Answer]] = {"/robots.txt": page("", status="404 Not Found")}
        self.asked: list[str] = []
        self.heads: list[str] = []
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def port(self):
        return int(self.server_address[1])

    def url(self, path="/", host="127.0.0.1"):
        return f"http://{host}:{self.port}{path}"

    def answer_to(self, head):
        path = head.split(" ")[1]
        with self._lock:
            self.asked.append(path)
            self.heads.append(head)
            answer = self.answers.get(path, page("", status="404 Not Found"))
            if isinstance(answer, list):
                answer = answer.pop(0) if len(answer) > 1 else answer[0]
        return answer


class _Handler(socketserver.BaseRequestHandler):
    server: MisbehavingServer

    def handle(self):
        head = b""
        try:
            while b"\r\n\r\n" not in head:
                piece = self.request.recv(4096)
                if not piece:
                    return
                head += piece
            answer = self.server.answer_to(head.decode("latin-1"))
            if callable(answer):
                return answer(self.request)
            self.request.sendall(answer)
        except OSError:
            return  # the other side has gone


def serving():
    return served(MisbehavingServer())
