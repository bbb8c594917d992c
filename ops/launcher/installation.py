"""The folder an installation keeps its state in (database, secret key, logins, logs, broker), and its lock.

Only the standard library: this runs before Django can be configured.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import secrets
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

REPOSITORY = Path(__file__).resolve().parents[2]
INSTALLED = REPOSITORY.name == "paragold_application"
"""Whether the application comes from the package, rather than from a clone of the repository."""
PROGRAM = "paragold" if INSTALLED else "make"
"""What starts it, before `run`, `demo`, `backup` and `restore`."""
FOLDERS = ("exports", "uploads", "static", "log", "tmp")
# A system takes no longer name of a socket (104 bytes on macOS, with the byte at its end).
SOCKET_BYTES = 103


class LauncherError(Exception):
    """What prevents the start, in one clear line that says what to do."""


@dataclass(frozen=True, slots=True)
class Login:
    """A user that was created, with the password that is shown only now."""

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
        """The folder of PARAGOLD_VAR; else `var` in the clone, or the user's data folder of the package."""
        named = os.environ.get("PARAGOLD_VAR")
        if not named and INSTALLED:
            from platformdirs import user_data_dir  # a clone prepares itself before it has any package

            named = user_data_dir("paragold")
        return cls(Path(named or REPOSITORY / "var").resolve())

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
    def queue_socket(self) -> Path:
        """Where the queue of an installation without a Redis of its own listens."""
        path = self.var / "queue.sock"
        if len(os.fsencode(path)) <= SOCKET_BYTES:
            return path
        name = hashlib.sha256(os.fsencode(self.var)).hexdigest()[:16]
        return Path("/tmp") / f"paragold-{os.getuid()}-{name}" / "queue.sock"  # noqa: S108 - checked by create

    @property
    def redis_url(self) -> str:
        return f"unix://{quote(str(self.queue_socket))}"

    @property
    def logs(self) -> Path:
        return self.var / "log"

    def create(self, *, again: str) -> None:
        """Make the folders and the secret key where they are missing; change nothing that is there.

        `again` is the command that an error says to repeat.
        Raises LauncherError when the folder cannot be written.
        """
        try:
            for folder in (self.var, *(self.var / name for name in FOLDERS)):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.var):
                pass
            self._create_folder_of_socket()
            if not any(os.environ.get(f"PARAGOLD_SECRET_KEY{end}") for end in ("", "_FILE")):
                self._create_secret_key()
        except OSError as error:
            raise LauncherError(
                f"Cannot write in {self.var} ({error.strerror}): make that folder writable, or choose "
                f"another one: PARAGOLD_VAR=/some/folder {again}"
            ) from error

    def _create_folder_of_socket(self) -> None:
        """In a folder of all users nobody else may own it, or look into it."""
        folder = self.queue_socket.parent
        folder.mkdir(mode=0o700, exist_ok=True)
        owned = folder.stat(follow_symlinks=False)
        if folder != self.var and (owned.st_uid != os.getuid() or owned.st_mode & 0o077):
            raise LauncherError(f"{folder} belongs to somebody else: remove it, or set REDIS_URL.")

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


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class InstanceLock:
    """One launcher per installation, held by flock: a lock that no crash can leave behind.

    The file names the holder. The tether's guardian shares the lock: it lasts as long as a child does.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.descriptor = -1

    def acquire(self, *, url: str, patience: float = 60.0) -> None:
        """Take the lock, waiting `patience` seconds for the children of a killed launcher to end.

        Raises LauncherError, naming the address and process, while another launcher runs.
        """
        self.descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = time.monotonic() + patience
        while not self._try():
            entry = _entry(self._path)
            pid, address = entry.get("pid", 0), entry.get("url", "its address is not known yet")
            if (pid and is_running(pid)) or time.monotonic() > deadline:
                os.close(self.descriptor)
                raise LauncherError(
                    f"Paragold is already running from this folder: {address} (process {pid}). "
                    "Stop it with Ctrl-C in its terminal."
                )
            time.sleep(0.2)
        self._write({"pid": os.getpid(), "url": url})

    def release(self) -> None:
        self._write({})
        os.close(self.descriptor)

    def _try(self) -> bool:
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise LauncherError(
                f"Cannot lock {self._path} ({error.strerror}): "
                f"put the data on a local disk, PARAGOLD_VAR=/some/folder {PROGRAM} demo"
            ) from error
        return True

    def _write(self, entry: dict[str, object]) -> None:
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, json.dumps(entry).encode(), 0)


def _entry(path: Path) -> dict[str, Any]:
    """`pid` and `url` of the holder of a lock; nothing when it has not written its line or has emptied it."""
    with contextlib.suppress(ValueError):
        entry = json.loads(path.read_text(encoding="utf-8"))
        return entry if isinstance(entry, dict) else {}
    return {}


def holder(path: Path) -> str | None:
    """The address a running launcher serves, or None; does not disturb it."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return str(_entry(path).get("url", "unknown address"))
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return None
