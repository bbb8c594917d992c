"""Cached answers of models, in a file that all processes share: no request is sent twice, pages send none.

Without a folder (`keep_in`) nothing is cached. A file that cannot be used costs time, never a result.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from paragold.http_models.configuration import HttpModel

logger = logging.getLogger(__name__)

MAX_ANSWERS = 2_000_000
_TABLE = """
PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
CREATE TABLE IF NOT EXISTS answers (number INTEGER PRIMARY KEY, key BLOB UNIQUE, answer TEXT);
"""
Result = TypeVar("Result")
_file: Path | None = None


def keep_in(folder: Path) -> None:
    """Keep answers in a folder, which is made when it is needed."""
    global _file  # noqa: PLW0603 - one for the process, as its environment
    _file = folder / "answers.sqlite3"


def _use(work: Callable[[sqlite3.Connection], Result], otherwise: Result) -> Result:
    if _file is None:
        return otherwise
    try:
        _file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(sqlite3.connect(_file, timeout=10)) as database, database:
            database.executescript(_TABLE)
            return work(database)
    except (sqlite3.Error, OSError) as error:
        logger.warning("%s cannot be used (%s); answers of models are not kept.", _file, error)
        return otherwise


def known_answers(keys: Sequence[bytes]) -> dict[bytes, Any]:
    """The cached answers among these, by key."""

    def read(database: sqlite3.Connection) -> dict[bytes, Any]:
        query = "SELECT answer FROM answers WHERE key = ?"
        rows = ((key, database.execute(query, [key]).fetchone()) for key in keys)
        return {key: json.loads(row[0]) for key, row in rows if row}

    return _use(read, {})


def keep_answers(answers: Mapping[bytes, Any]) -> None:
    """Cache answers; of more than MAX_ANSWERS the oldest are deleted."""
    rows = [(key, json.dumps(answer)) for key, answer in answers.items()]

    def write(database: sqlite3.Connection) -> None:
        database.executemany("INSERT OR REPLACE INTO answers (key, answer) VALUES (?, ?)", rows)
        oldest = "DELETE FROM answers WHERE number <= (SELECT max(number) FROM answers) - ?"
        database.execute(oldest, [MAX_ANSWERS])

    _use(write, None)


@dataclass(frozen=True, slots=True)
class ModelState:
    """The last answer of a model to `GET health`; the version is "" before the first.

    asked_at: the time of the last request, as people read it, "" for never. problem: its error, or "".
    """

    name: str
    host: str
    asked_at: str = ""
    problem: str = ""
    version: str = ""
    aligns: bool = False
    scores: bool = False


def model_state(model: HttpModel) -> ModelState:
    """The cached state of a model; no request is sent."""
    known = known_answers([_key(model)]).get(_key(model), {})
    return ModelState(**{"name": model.name, "host": model.host} | known)


def keep_state(model: HttpModel, **known: Any) -> None:
    """Store fields of the state of a model after a request."""
    asked_at = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    keep_answers({_key(model): asdict(replace(model_state(model), asked_at=asked_at, **known))})


def _key(model: HttpModel) -> bytes:
    return f"{model.name} {model.address.url}".encode()
