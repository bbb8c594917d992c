"""One launcher per installation, held by flock: a lock that no crash can leave behind."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from pathlib import Path

from ops.launcher.errors import LauncherError


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class InstanceLock:
    """The file names the holder. The tether's guardian shares the lock: it lasts as long as a child does."""

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
            pid, address = self._holder() or (0, "its address is not known yet")
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
                "put the data on a local disk, PARAGOLD_VAR=/some/folder make demo"
            ) from error
        return True

    def _holder(self) -> tuple[int, str] | None:
        """Process and address of the holder, or None when it has not written its line or has emptied it."""
        with contextlib.suppress(ValueError, KeyError, TypeError):
            entry = json.loads(self._path.read_text(encoding="utf-8"))
            return int(entry["pid"]), str(entry["url"])
        return None

    def _write(self, entry: dict[str, object]) -> None:
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, json.dumps(entry).encode(), 0)


def holder(path: Path) -> str | None:
    """The address a running launcher serves, or None; does not disturb it."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        with contextlib.suppress(ValueError, AttributeError):
            return str(json.loads(path.read_text(encoding="utf-8")).get("url", "unknown address"))
        return "unknown address"
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return None
