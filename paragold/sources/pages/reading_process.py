"""The process that parses pages for `page_reader`; its argument is how many megabytes a page may take.

It has no network: a namespace of its own without any, where the system allows that, and Python's own sockets
are refused everywhere.

It reads requests from its standard input and writes answers to its standard output, one line of JSON each;
the bytes of the page follow the line of a request. It ends when its input closes, so never outlives the
process that started it by more than a page, when no request comes for a minute, and after many pages.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from paragold.problems import FileProblem
from paragold.sources.pages.blocks import blocks_of
from paragold.sources.pages.main_text import extract_main_text
from paragold.sources.pages.main_text_model import MainTextModel, load_main_text_model
from paragold.sources.pages.marking import block_rows, suggested_marks

IDLE_SECONDS = 60.0
PAGES_AT_MOST = 2_000
# Of sched.h.
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


@lru_cache(maxsize=1)
def _model(numbers: str) -> MainTextModel:
    return load_main_text_model(numbers)


def _answer(request: dict[str, Any], page: str) -> dict[str, Any]:
    model = _model(request["model"]) if request["model"] else None
    if request["want"] == "main_text":
        text = extract_main_text(page, url=request["url"], model=model)
        return {"main_text": [text.title, text.published, text.source, text.paragraphs]}
    blocks = blocks_of(page)
    if request["want"] == "blocks":
        return {"blocks": block_rows(blocks), "marks": suggested_marks(page, blocks, model)}
    return {"blocks": len(blocks)}


def _used_memory() -> int:
    """Bytes of address space, 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def _limit(kind: int, amount: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (amount if hard == resource.RLIM_INFINITY else min(amount, hard), hard))


def _work(requests: BinaryIO, answers: BinaryIO) -> None:
    for _ in range(PAGES_AT_MOST):
        if not select.select([requests], [], [], IDLE_SECONDS)[0]:
            return
        line = requests.readline()
        if not line:
            return
        request = json.loads(line)
        page = requests.read(request["bytes"]).decode("utf-8", "surrogatepass")
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + request["seconds"]) + 1)
        over = False
        try:
            answer = _answer(request, page)
        except FileProblem as refusal:
            answer = {"refused": [refusal.message, refusal.remedy]}
        except MemoryError:
            answer, over = {"over": "memory"}, True
        except RecursionError:
            answer = {"refused": ["The page's tags are nested too deep.", "Leave it out."]}
        except Exception as error:
            answer = {"refused": [f"The page cannot be read ({type(error).__name__}).", "Leave it out."]}
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()
        if over:
            return


def _refuse_sockets(event: str, _: tuple[Any, ...]) -> None:
    if event.startswith("socket."):
        raise PermissionError("This process has no network.")


def _leave_network() -> None:
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    # As root, and as anybody else where users may have namespaces (user_namespaces(7)).
    if unshare is not None and unshare(CLONE_NEWNET) != 0:
        unshare(CLONE_NEWUSER | CLONE_NEWNET)
    sys.addaudithook(_refuse_sockets)


def main() -> None:
    _leave_network()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    import trafilatura  # noqa: F401 - before the first page, which is not to pay for it

    _limit(resource.RLIMIT_AS, _used_memory() + (int(sys.argv[1]) << 20))
    answers.write(b"ready\n")
    answers.flush()
    _work(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
