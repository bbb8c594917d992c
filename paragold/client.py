"""A client of Paragold's REST API, which needs the standard library only.

    from paragold.client import Client

    manager = Client.log_in("http://localhost:8000", "manager", "...")
    manager.create_project("dams", "Dams")
    manager.import_file("dams", "clusters.jsonl")
    extraction = manager.extract("dams")
    manager.wait(extraction["job"])

    annotator = Client.log_in("http://localhost:8000", "anna", "...")
    for item in annotator.queue(7):
        annotator.judge(item, "paraphrase" if item["a"]["text"] == item["b"]["text"] else "not_paraphrase")

Every other address of docs/api.md is reached by `get`, `pages`, `post`, `put`, `patch` and `delete`.
"""

from __future__ import annotations

import json
import os
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

PIECE = 1 << 20
QUEUE_LIMIT = 100
TRIES = 5
TEMPORARY = frozenset({429, 502, 503, 504})
ENDED = frozenset({"done", "failed", "cancelled"})
IMPORT_ENDED = frozenset({"imported", "unchanged", "refused", "checked"})


Answer = dict[str, Any]
"""What an address answers, as docs/api.md describes it."""
Job = Answer
"""Long work: `id`, `state`, `done` of `total` units, `seconds_left` (None before it is known), `error`."""
Item = Answer
"""A pair (`a`, `b`) or a cluster (`headlines`) that is assigned to the caller, and their own answer, such as
`label` or `links`. `tokens` of a sentence are its words: links name them by their indices, from 0."""


class ApiError(Exception):
    """What the server refused: `status` (HTTP), `detail` in words, `fields` at fault."""

    def __init__(self, status: int, detail: str, fields: Mapping[str, Any]) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status
        self.detail = detail
        self.fields = dict(fields)


class VersionConflict(ApiError):
    """Nothing was stored: the item was changed since it was read. `current` is what is stored now."""

    @property
    def current(self) -> Any:
        return self.fields.get("current")


class Client:
    """One installation, as one account. Waits and tries again while the server is busy or away.

    A request is sent again with the Idempotency-Key that it had, so that the server carries it out once.
    Logins and PATCH have no key, and are not sent again after a lost connection.
    """

    def __init__(
        self, address: str, token: str = "", *, timeout: float = 60, sleep: Any = time.sleep
    ) -> None:
        self._address, self._token = address.rstrip("/") + "/api/v1/", token
        self._timeout, self._sleep = timeout, sleep

    @classmethod
    def log_in(cls, address: str, username: str, password: str, **options: Any) -> Client:
        """With a new token, which lasts 30 days and may do all you may; give it up by `log_out`."""
        answer = cls(address, **options).post("auth/login/", {"username": username, "password": password})
        return cls(address, answer["token"], **options)

    def log_out(self) -> None:
        self.post("auth/logout/")

    def make_token(self, name: str, *, scope: str = "read", days: int = 30) -> str:
        """A token for another program: `Client(address, token)`. scope: read, annotate or manage."""
        made = self.post("auth/tokens/", {"name": name, "scope": scope, "days": days})
        return str(made["token"])

    def get(self, path: str, **filters: Any) -> Any:
        return self._json("GET", path, filters)

    def post(self, path: str, body: Any = None, **filters: Any) -> Any:
        return self._json("POST", path, filters, body)

    def put(self, path: str, body: Any = None, **filters: Any) -> Any:
        return self._json("PUT", path, filters, body)

    def patch(self, path: str, body: Any = None) -> Any:
        return self._json("PATCH", path, {}, body)

    def delete(self, path: str) -> None:
        self._json("DELETE", path, {})

    def pages(self, path: str, **filters: Any) -> Iterator[Any]:
        """Every item of a list, asked for page by page."""
        cursor = None
        while True:
            page = self.get(path, **filters, **({"cursor": cursor} if cursor else {}))
            yield from page["items"]
            cursor = page["next"]
            if not cursor:
                return

    def queue(self, batch: int) -> Iterator[Item]:
        """Every open item of a batch that is assigned to the caller, once, in order.

        It is asked for again after the last one: batches that assign items on demand have more once these are
        answered.
        """
        seen: set[int] = set()
        while True:
            items = self.pages(f"batches/{batch}/queue/", limit=QUEUE_LIMIT)
            following = [item for item in items if item["assignment"] not in seen]
            if not following:
                return
            seen.update(item["assignment"] for item in following)
            yield from following

    def judge(self, item: Item, label: str | None, **answer: Any) -> Answer:
        """Store a judgement; None takes it back, and with `skipped=True` skips the pair.

        `answer` may be `comment`, `flagged`, `milliseconds` and `phenomena`. Raises VersionConflict when the
        item was answered elsewhere since it was read.
        """
        return self._answer(item, "judgement", label=label, **answer)

    def link(self, item: Item, links: Sequence[tuple[int, int, str]], **answer: Any) -> Answer:
        """Store all links of a pair: (index in `a`, index in `b`, "sure" or "possible"), from 0.

        `answer` may be `null_a` and `null_b` (indices of words without a counterpart), and what `judge`
        takes; `submitted=False` stores a draft. Raises VersionConflict as `judge` does.
        """
        drawn = [[a, b, strength, "drawn"] for a, b, strength in links]
        return self._answer(item, "alignment", **{"links": drawn, "submitted": True, **answer})

    def place(self, item: Item, placements: Sequence[tuple[int, int | None]], **answer: Any) -> Answer:
        """Store the sub-clusters of a cluster: (headline, group) from 1, the group None for none.

        `answer` is as for `link`, `submitted` among it.
        """
        return self._answer(item, "placements", **{"placements": placements, "submitted": True, **answer})

    def _answer(self, item: Item, kind: str, **answer: Any) -> Answer:
        address = f"assignments/{item['assignment']}/{kind}/"
        return dict(self.put(address, {"version": item["version"], **answer}))

    def create_project(self, slug: str, name: str, **settings: Any) -> Answer:
        """Settings are those of `projects/` in docs/api.md, such as `language` and `held_out_share`."""
        return dict(self.post("projects/", {"slug": slug, "name": name, **settings}))

    def import_file(self, project: str, path: str | os.PathLike[str], **options: Any) -> Answer:
        """Send a file of articles, of up to 4 GB, and wait until it is imported.

        `options` are those of `imports/`, such as `check=1` or `map="text=body"`. The answer has the
        `state` (imported, checked, or unchanged: all was there), `counts` and `notes`. Raises ApiError, with
        `problems` among its fields, when the file is refused; then nothing was stored.
        """
        answer = self._json("POST", f"projects/{project}/imports/", options, file=Path(path))
        while (state := answer["state"]) not in IMPORT_ENDED:
            self._sleep(1)
            answer = self.get(f"projects/{project}/imports/{answer['id']}/")
        if state == "refused":
            raise ApiError(422, f"{path} was refused.", answer)
        return dict(answer)

    def extract(self, project: str, preset: str = "L12", **fields: Any) -> Answer:
        """Ask for an extraction; `fields` may be `name` and `settings`. Its `job` reports progress."""
        return self.launch(project, "extract", preset=preset, **fields)

    def launch(self, project: str, operation: str, **fields: Any) -> Answer:
        """Launch an operation, such as "train-aligner": `id` and `name` of what it makes, and its `job`.

        `get(f"projects/{project}/operations/{operation}/")` is a JSON Schema of the fields.
        """
        return dict(self.post(f"projects/{project}/operations/{operation}/", fields))

    def wait(
        self, job: Job | int, *, every: float = 1.0, report_progress: Callable[[Job], None] | None = None
    ) -> Job:
        """Ask until the job has ended. `report_progress` gets each answer.

        Raises ApiError when the job failed.
        """
        number = job if isinstance(job, int) else job["id"]
        while True:
            answer: Answer = self.get(f"jobs/{number}/")
            if report_progress:
                report_progress(answer)
            if answer["state"] == "done":
                return answer
            if answer["state"] in ENDED:
                raise ApiError(200, f"job {number} {answer['state']}: {answer['error']}", {})
            self._sleep(every)

    def datasets(self, project: str) -> list[Answer]:
        return list(self.pages(f"projects/{project}/datasets/"))

    def export_dataset(self, project: str, dataset: int, **fields: Any) -> Answer:
        """Have all pairs of a dataset written, and wait; `fields` may be `formats`, `publish`, ..."""
        return self._exported(project, "export-dataset", {"dataset": dataset, **fields})

    def _exported(self, project: str, operation: str, fields: Mapping[str, Any]) -> Answer:
        job = self.wait(self.launch(project, operation, **fields)["job"])
        exports = self.pages(f"projects/{project}/exports/")
        return next(dict(export) for export in exports if export["id"] == job["parameters"]["export"])

    def export_gold(self, project: str, **fields: Any) -> Answer:
        """Have gold written, and wait.

        `fields` name a `gold_set`, `gold_links` or both, and may have `format`, `splits` ("80/10/10"), ...
        """
        return self._exported(project, "export-gold", fields)

    def download(self, export: Answer, path: str | os.PathLike[str]) -> Path:
        """Save an export's zip file, whole or not at all."""
        target = Path(path)
        partial = target.with_name(f"{target.name}.partial")
        with self._send("GET", f"exports/{export['id']}/download/") as answer, partial.open("wb") as file:
            shutil.copyfileobj(answer, file, PIECE)
        partial.replace(target)
        return target

    def _json(self, method: str, path: str, filters: Any, body: Any = None, file: Path | None = None) -> Any:
        with self._send(method, path, filters, body, file) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def _send(
        self, method: str, path: str, filters: Any = None, body: Any = None, file: Path | None = None
    ) -> Any:
        query = f"?{urllib.parse.urlencode(filters, doseq=True)}" if filters else ""
        headers = {"Accept": "application/json"}
        data: Any = None
        edge = uuid.uuid4().hex
        if file is not None:
            before, after = _around(file, edge, body or {})
            headers["Content-Type"] = f"multipart/form-data; boundary={edge}"
            headers["Content-Length"] = str(len(before) + file.stat().st_size + len(after))
        elif body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        keyed = method in ("POST", "PUT") and not path.startswith("auth/")
        if keyed:
            headers["Idempotency-Key"] = str(uuid.uuid4())
        if self._token:
            headers["Authorization"] = f"Token {self._token}"
        address = self._address + path + query
        for left in reversed(range(TRIES)):
            if file is not None:
                data = _pieces(before, file, after)
            request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310 - http(s) alone
            try:
                return urllib.request.urlopen(request, timeout=self._timeout)  # noqa: S310 - as above
            except urllib.error.HTTPError as error:
                with error:
                    refusal = _refusal(error)
                    wait = error.headers.get("Retry-After", "")
                if error.code not in TEMPORARY or not left:
                    raise refusal from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if not left or not (keyed or method in ("GET", "DELETE")):
                    raise
                wait = ""
            self._sleep(float(wait) if wait.isdecimal() else 2 ** (TRIES - 1 - left))
        raise AssertionError("the last try returns or raises")


def _around(file: Path, edge: str, fields: Mapping[str, str]) -> tuple[bytes, bytes]:
    """What comes before and after a file in the body of a form."""
    name = file.name.replace('"', "%22").replace("\r", " ").replace("\n", " ")
    parts = [
        *(f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{fields[key]}' for key in fields),
        f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n',
    ]
    return "\r\n".join(parts).encode(), f"\r\n--{edge}--\r\n".encode()


def _pieces(before: bytes, file: Path, after: bytes) -> Iterator[bytes]:
    yield before
    with file.open("rb") as source:
        while piece := source.read(PIECE):
            yield piece
    yield after


def _refusal(error: urllib.error.HTTPError) -> ApiError:
    try:
        fields = dict(json.loads(error.read()))
    except (ValueError, TypeError):
        fields = {}
    kind = VersionConflict if error.code == 409 and "current" in fields else ApiError
    return kind(error.code, str(fields.pop("detail", error.reason)), fields)
