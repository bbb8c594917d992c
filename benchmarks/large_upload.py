"""A large file of articles through the import page, while people go on working; prints JSON.

    python -m benchmarks.large_upload [--megabytes 1024] [--seed 1]

In a folder that is removed the web server and the worker run as the launcher starts them, on SQLite. A JSONL
file of made-up news is sent as the page's script sends it, with the form; then come the check by the worker
and "Import". The page's progress is asked for each second, as the page does.

Meanwhile one annotator judges, with a second to think, and somebody looks at the pages of the project and of
another one, five times a second. `ms` are the milliseconds of those, by phase: upload, check, store, and
before (idle). `web_above_idle_mb` is how far the resident memory of all processes of the web server together
rose above what it was when everything was idle (looked at ten times a second); `web_process_above_idle_mb`
how far the largest of them rose; the worker's likewise. Each phase is told on stderr as it ends.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import socket
import tempfile
import time
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.news_like_clusters import NewsWriter
from benchmarks.one_annotator import CSRF, Annotator, signed_in
from benchmarks.programs import answers, installation_in, running, worker_is_there
from benchmarks.watching import Watch
from ops.launcher.programs import web, worker

ASK_SECONDS, THINK_SECONDS = 1.0, 1.0
IDLE_SECONDS = 10.0
DIFFERENT_CLUSTERS = 100
DEADLINE = 3600.0
PIECE = 1 << 20
KIND = "multipart/form-data; boundary=edge"


def write_news(path: Path, size: int, seed: int) -> dict[str, int]:
    """A file of `size` bytes or a little more: clusters of nine articles with 287 sentences together.

    There are DIFFERENT_CLUSTERS of them; then the same come under other names.
    """
    writer, counts = NewsWriter(seed), {"clusters": 0, "articles": 0, "sentences": 0}
    made = [writer.articles(number) for number in range(DIFFERENT_CLUSTERS)]
    lines = [_articles(articles) for articles in made]
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < size:
            articles = made[counts["clusters"] % DIFFERENT_CLUSTERS]
            line = lines[counts["clusters"] % DIFFERENT_CLUSTERS]
            file.write(f'{{"cluster_id": "c{counts["clusters"]}", "articles": {line}}}\n')
            counts["clusters"] += 1
            counts["articles"] += len(articles)
            counts["sentences"] += sum(map(len, articles))
    return counts


def _articles(articles: list[list[list[str]]]) -> str:
    texts = [" ".join(f"{' '.join(words).capitalize()}." for words in one) for one in articles]
    return json.dumps(
        [
            {"id": f"a{outlet}", "source": f"outlet {outlet}", "published": "2004-03-17", "text": text}
            for outlet, text in enumerate(texts)
        ]
    )


class Browser:
    """Requests over one connection, with a session."""

    def __init__(self, port: int, cookies: str) -> None:
        self._headers = {"Cookie": cookies, "X-CSRFToken": CSRF}
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(
        self, method: str, path: str, body: bytes | None = None, kind: str = ""
    ) -> tuple[int, str, bytes]:
        """(status, address it leads to, body)."""
        headers = self._headers | ({"Content-Type": kind} if kind else {})
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        found = answer.status, answer.headers.get("Location", ""), answer.read()
        if found[0] >= 400:
            raise RuntimeError(f"{method} {path} was answered by {found[0]}: {found[2][:500]!r}")
        return found

    def send(self, path: str, file: Path) -> str:
        """Send the page's form with a file, as its script does; returns where it leads."""
        fields = {"csrfmiddlewaretoken": CSRF, "encoding": "utf-8"}
        head = "".join(_part(f'name="{name}"') + f"{value}\r\n" for name, value in fields.items())
        before = (head + _part(f'name="file"; filename="{file.name}"')).encode()
        after = b"\r\n--edge--\r\n"
        length = len(before) + file.stat().st_size + len(after)
        headers = self._headers | {
            "Accept": "application/json",
            "Content-Type": KIND,
            "Content-Length": str(length),
        }
        with file.open("rb") as content:
            body = chain([before], iter(lambda: content.read(PIECE), b""), [after])
            self._connection.request("POST", path, body, headers)
            answer = self._connection.getresponse()
        found = json.loads(answer.read())
        if "address" not in found:
            raise RuntimeError(f"{path} was answered by {answer.status}: {found}")
        return str(found["address"])


def _part(disposition: str) -> str:
    return f"--edge\r\nContent-Disposition: form-data; {disposition}\r\n\r\n"


def follow(browser: Browser, source: Any) -> None:
    """Ask for the progress as the page does until the worker has done its job."""
    until = time.monotonic() + DEADLINE
    source.refresh_from_db()
    while source.state in ("checking", "storing") and time.monotonic() < until:
        slug = source.project.slug
        browser.ask("GET", f"/projects/{slug}/jobs/{source.job_id}/progress/")
        time.sleep(ASK_SECONDS)
        source.refresh_from_db()
        source.job.refresh_from_db()
        if not source.job.active and source.state in ("checking", "storing"):
            raise RuntimeError(f"The job is {source.job.state}: {source.job.error}")
    if source.state == "refused":
        raise RuntimeError(f"The file was refused: {source.problems[:3]}")


def post(browser: Browser, path: str, **fields: str) -> str:
    """Send a form; returns where it leads."""
    fields["csrfmiddlewaretoken"] = CSRF
    parts = "".join(_part(f'name="{name}"') + f"{value}\r\n" for name, value in fields.items())
    status, leads_to, body = browser.ask("POST", path, f"{parts}--edge--\r\n".encode(), KIND)
    if status != 302:
        raise RuntimeError(f"{path} was answered by {status}: {body[:500]!r}")
    return leads_to


def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    installation = installation_in(folder)
    file = folder / "news.jsonl"
    counts = write_news(file, options.megabytes << 20, options.seed)

    from django.db import connections

    from corpus.models import CorpusImport
    from projects.models import Role
    from tests.factories.annotation import judging_batch
    from tests.factories.corpus import ProjectFactory, member

    large, small = ProjectFactory(slug="large"), ProjectFactory(slug="small")
    manager, judge = member(large, Role.MANAGER, "manager"), member(small, Role.ANNOTATOR, "judge")
    batch = judging_batch(small, [judge], size=100)
    sessions = signed_in(manager), signed_in(judge)
    connections.close_all()
    load = os.getloadavg()[0]
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
        port = listener.getsockname()[1]
        address = f"http://127.0.0.1:{port}"
        with (
            running(web(installation, listener.fileno()), ready=lambda: answers(address)) as server,
            running(worker(installation), ready=worker_is_there) as working,
        ):
            watch = Watch({"web": server, "worker": working})
            browser = Browser(port, sessions[0])
            paths = {
                "projects": "/",
                "corpus of the project": "/projects/large/corpus/",
                "judging page": f"/projects/small/judge/{batch.pk}/answer/",
            }
            annotator = Annotator(address, batch.pk, sessions[1], THINK_SECONDS)
            lookers = [
                (Browser(port, sessions["judging" in name]), {name: path}) for name, path in paths.items()
            ]
            with watch.watching(
                lambda: watch.judge(annotator),
                *((lambda who=who, where=where: watch.look(who, where)) for who, where in lookers),
            ):
                time.sleep(IDLE_SECONDS)
                with watch.during("upload"):
                    leads_to = browser.send("/projects/large/corpus/import/", file)
                with watch.during("check"):
                    source = CorpusImport.objects.select_related("job", "project").get()
                    follow(browser, source)
                with watch.during("store"):
                    post(browser, leads_to, confirm="")
                    source = CorpusImport.objects.select_related("job", "project").get()
                    follow(browser, source)
    if source.state != "imported" or source.counts["articles_added"] != counts["articles"]:
        raise RuntimeError(f"{source.state}: {source.counts}")
    return {
        "megabytes": round(file.stat().st_size / 2**20),
        **counts,
        "seconds": watch.seconds,
        "total_s": round(sum(watch.seconds.values()), 1),
        **watch.figures(),
        "saves_failed": annotator.failed,
        "cores": os.cpu_count(),
        "load_before": round(load, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="paragold-benchmark-"))
    try:
        print(json.dumps(measure(options, folder), indent=2))
    finally:
        with suppress(OSError):
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
