"""The folder an installation keeps its state in: database, secret key, logins, logs, broker.

Only the standard library: this runs before Django can be configured.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ops.launcher.errors import LauncherError

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDERS = ("broker/queue", "broker/control", "exports", "uploads", "static", "log", "tmp")


@dataclass(frozen=True, slots=True)
class Login:
    role: str
    username: str
    password: str

    def __str__(self) -> str:
        return f"{self.role:<12} {self.username:<14} {self.password}"


@dataclass(frozen=True, slots=True)
class Installation:
    """`var` is absolute. Every folder and file made here is readable by its owner only."""

    var: Path

    @classmethod
    def from_environment(cls) -> Installation:
        return cls(Path(os.environ.get("PARAGOLD_VAR") or REPOSITORY / "var").resolve())

    @property
    def secret_key_file(self) -> Path:
        return self.var / "secret_key"

    @property
    def logins_file(self) -> Path:
        return self.var / "logins.txt"

    @property
    def lock_file(self) -> Path:
        return self.var / "running.lock"

    @property
    def logs(self) -> Path:
        return self.var / "log"

    def create(self, *, again: str) -> None:
        """Make the folders and the secret key where they are missing; change nothing that is there.

        `again` is the command an error tells to repeat.
        Raises LauncherError when the folder cannot be written.
        """
        try:
            for folder in (self.var, *(self.var / name for name in FOLDERS)):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.var):
                pass
            if not os.environ.get("PARAGOLD_SECRET_KEY"):
                self._create_secret_key()
        except OSError as error:
            raise LauncherError(
                f"Cannot write in {self.var} ({error.strerror}): make that folder writable, "
                f"or name another one: PARAGOLD_VAR=/some/folder {again}"
            ) from error

    def _create_secret_key(self) -> None:
        """Under another name first, so that a key is never there in part, and never replaced by another."""
        if self.secret_key_file.is_file() and self.secret_key_file.stat().st_size > 0:
            return
        self.secret_key_file.unlink(missing_ok=True)
        handle, name = tempfile.mkstemp(dir=self.var, prefix="secret_key.")  # mkstemp gives mode 0600
        draft = Path(name)
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(secrets.token_urlsafe(64) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(draft, self.secret_key_file)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            draft.replace(self.secret_key_file)
        draft.unlink(missing_ok=True)

    def keep_logins(self, logins: Iterable[Login]) -> None:
        """Append new logins to `logins.txt` (mode 0600): they are printed only once."""
        lines = "".join(f"{login}\n" for login in logins)
        if not lines:
            return
        handle = os.open(self.logins_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(lines)
            stream.flush()
            os.fsync(stream.fileno())
