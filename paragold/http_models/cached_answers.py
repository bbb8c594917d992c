"""What models answered, kept in a file that all processes share, so that a repeat asks nothing.

Without a folder (`keep_in`) nothing is kept. A file that cannot be used costs time, never a result.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from paragold.http_models.configuration import HttpModel
from paragold.http_models.protocol import Health

logger = logging.getLogger(__name__)

MAX_ANSWERS = 2_000_000
KEYS_AT_ONCE = 500
_TABLES = """
PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY, key BLOB UNIQUE NOT NULL, answer TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS health (
    model TEXT PRIMARY KEY, answer TEXT NOT NULL, asked_at REAL NOT NULL, problem TEXT NOT NULL);
"""
Result = TypeVar("Result")
_file: Path | None = None


def keep_in(folder: Path | None) -> None:
    """Keep answers in a folder, which is made when it is needed; None: keep nothing."""
    global _file  # noqa: PLW0603 - one for the process, as its environment
    _file = folder and folder / "answers.sqlite3"


def is_kept() -> bool:
    return _file is not None


def _use(work: Callable[[sqlite3.Connection], Result], otherwise: Result) -> Result:
    """What `work` returns of the file; `otherwise` where nothing is kept or the file cannot be used."""
    if _file is None:
        return otherwise
    try:
        _file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(sqlite3.connect(_file, timeout=10)) as database, database:
            database.executescript(_TABLES)
            return work(database)
    except (sqlite3.Error, OSError) as error:
        logger.warning("%s cannot be used (%s); answers of models are not kept.", _file, error)
        return otherwise


def key_of(model: HttpModel, version: str, kind: str, pair: tuple[Sequence[str], Sequence[str]]) -> bytes:
    """What an answer is kept by: the model, its address and version, and the tokens of a pair."""
    whole = [model.signature(version), model.address.url, kind, *map(list, pair)]
    return blake2b(json.dumps(whole).encode(), digest_size=16).digest()


def known_answers(keys: Sequence[bytes]) -> dict[bytes, Any]:
    """Those of the answers that are kept, by key."""

    def read(database: sqlite3.Connection) -> dict[bytes, Any]:
        known: dict[bytes, Any] = {}
        for start in range(0, len(keys), KEYS_AT_ONCE):
            part = keys[start : start + KEYS_AT_ONCE]
            query = f"SELECT key, answer FROM answers WHERE key IN ({','.join('?' * len(part))})"  # noqa: S608 - question marks
            known |= {key: json.loads(answer) for key, answer in database.execute(query, part)}
        return known

    return _use(read, {})


def keep_answers(answers: Mapping[bytes, Any]) -> None:
    """Keep answers; of more than MAX_ANSWERS the oldest go."""
    rows = [(key, json.dumps(answer)) for key, answer in answers.items()]

    def write(database: sqlite3.Connection) -> None:
        database.executemany("INSERT OR IGNORE INTO answers (key, answer) VALUES (?, ?)", rows)
        last = "SELECT max(number) FROM answers"
        database.execute(f"DELETE FROM answers WHERE number <= ({last}) - ?", [MAX_ANSWERS])  # noqa: S608 - our own query

    _use(write, None)


@dataclass(frozen=True, slots=True)
class KnownHealth:
    """The last valid answer of a model to `health` (None: there was none), when it was asked last (seconds
    since 1970), and what was wrong then, "" for nothing."""

    health: Health | None
    asked_at: float
    problem: str


def known_health(model: HttpModel) -> KnownHealth | None:
    """What is known of a model without asking it; None where it was never asked at this address."""
    query = "SELECT answer, asked_at, problem FROM health WHERE model = ?"
    row = _use(lambda database: database.execute(query, [_id(model)]).fetchone(), None)
    if row is None:
        return None
    answer, asked_at, problem = row
    return KnownHealth(Health.model_validate_json(answer) if answer else None, asked_at, problem)


def keep_health(model: HttpModel, health: Health | None, problem: str = "") -> None:
    """Note what a model answered, or what was wrong; the last valid answer stays."""
    row = [_id(model), health.model_dump_json() if health else "", time.time(), problem]
    statement = (
        "INSERT INTO health VALUES (?, ?, ?, ?) ON CONFLICT (model) DO UPDATE SET "
        "answer = CASE excluded.answer WHEN '' THEN answer ELSE excluded.answer END, "
        "asked_at = excluded.asked_at, problem = excluded.problem"
    )
    _use(lambda database: database.execute(statement, row), None)


def _id(model: HttpModel) -> str:
    return f"{model.name} {model.address.url}"
