"""Makes .venv fit requirements.txt (with --dev: requirements-dev.txt as well).

Stamps with the hash of what was installed are written last, so that an interrupted run starts over.
Only the standard library.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PROGRAM = """\
#!/bin/sh
# The program `paragold` of this clone, written by scripts/bootstrap.py.
exec {python} -P -c '
import sys
sys.path.insert(0, sys.argv.pop(1))
from paragold.cli.main import main
sys.exit(main())
' {repository} "$@"
"""
NO_VENV = (
    "This Python cannot make virtual environments. Install its venv module "
    "(Debian, Ubuntu: apt-get install python3-venv) and try again."
)


class BootstrapError(Exception):
    """What stands in the way, in one clear line."""


class Environment:
    """The virtual environment in `folder`. Its stamps say what it holds; `incomplete` marks one half made."""

    def __init__(self, folder: Path, requirements: Path, extra: Path, installer: Path) -> None:
        self._folder = folder
        self._installer = installer
        self._files = {"runtime": [requirements], "dev": [requirements, extra]}
        self._incomplete = folder / "paragold-incomplete"
        self.python = folder / "bin" / "python"

    def fits(self, kind: str) -> bool:
        return (
            not self._incomplete.exists()
            and self.python.exists()
            and self._stamped(kind) == self._wanted(kind)
        )

    def make(self, kind: str) -> None:
        """Install in place; from nothing when it is broken, half made, or was made of other requirements."""
        self._check_writable()
        if not self._is_usable():
            self._create()
        self._incomplete.touch()
        self._install(self._files[kind])
        for made in ("runtime", kind):
            self._stamp(made).write_text(self._wanted(made), encoding="ascii")
        self._incomplete.unlink()

    def write_program(self) -> None:
        """Write bin/paragold, unless it is there and fits: a clone may have been moved."""
        text = PROGRAM.format(python=shlex.quote(str(self.python)), repository=shlex.quote(str(REPOSITORY)))
        program = self.python.with_name("paragold")
        # An installation that its user cannot write to is used as it is.
        with suppress(OSError):
            if not os.access(program, os.X_OK) or program.read_text(encoding="utf-8") != text:
                program.write_text(text, encoding="utf-8")
                program.chmod(0o755)

    def _is_usable(self) -> bool:
        if self._incomplete.exists() or self._stamped("runtime") not in {"", self._wanted("runtime")}:
            return False
        check = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
        try:
            return (
                subprocess.run([self.python, "-c", check], capture_output=True, check=False).returncode == 0
            )
        except OSError:
            return False

    def _create(self) -> None:
        self._folder.mkdir(exist_ok=True)
        self._incomplete.touch()
        for kind in self._files:
            self._stamp(kind).unlink(missing_ok=True)
        # Started from an activated .venv, this interpreter would be cleared away under itself.
        python = getattr(sys, "_base_executable", sys.executable)
        done = subprocess.run(
            [python, "-m", "venv", "--clear", self._folder], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            missing = "ensurepip" in done.stdout + done.stderr or "No module named venv" in done.stderr
            raise BootstrapError(
                NO_VENV if missing else f"Cannot make {self._folder}: {last_line(done.stderr)}"
            )

    def _install(self, files: list[Path]) -> None:
        """By uv, which takes a tenth of pip's time; by pip where uv is not to be had or finds no packages."""
        print(f"Installing what Paragold needs into {self._folder.name}/ (about 1 minute) ...", flush=True)
        lists = [word for file in files for word in ("--requirement", str(file))]
        pip = (self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
        run(*pip, "--requirement", self._installer)
        uv = self.python.with_name("uv")
        if uv.exists() and run(uv, "pip", "install", "--quiet", "--python", self.python, *lists) is None:
            return
        if (message := run(*pip, "--progress-bar", "off", *lists)) is not None:
            sys.stderr.write(message[-3000:])
            raise BootstrapError("The packages could not be installed (no network?): pip's message is above.")

    def _check_writable(self) -> None:
        try:
            with tempfile.TemporaryFile(dir=self._folder.parent):
                pass
        except OSError as error:
            raise BootstrapError(
                f"Cannot write in {self._folder.parent} ({error.strerror}): "
                "copy Paragold to a folder of your own and start it there."
            ) from error

    def _stamp(self, kind: str) -> Path:
        return self._folder / f"paragold-{kind}.stamp"

    def _stamped(self, kind: str) -> str:
        stamp = self._stamp(kind)
        return stamp.read_text(encoding="ascii") if stamp.is_file() else ""

    def _wanted(self, kind: str) -> str:
        return hashlib.sha256(b"\0".join(file.read_bytes() for file in self._files[kind])).hexdigest()


def run(*command: str | Path) -> str | None:
    """Run a command; what it wrote to standard error when it failed."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stderr


def last_line(text: str) -> str:
    lines = text.strip().split("\n")
    return lines[-1] or "no reason given"


def is_running() -> bool:
    """Whether web server and worker run from this folder: their packages must not be taken away."""
    sys.path.insert(0, str(REPOSITORY))
    from ops.launcher.installation import Installation, holder

    return holder(Installation.from_environment().lock_file) is not None


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    kind = "dev" if "--dev" in arguments else "runtime"
    environment = Environment(
        REPOSITORY / ".venv",
        REPOSITORY / "requirements.txt",
        REPOSITORY / "requirements-dev.txt",
        REPOSITORY / "requirements-uv.txt",
    )
    try:
        if not environment.fits(kind):
            if not environment.fits("runtime") and is_running():
                raise BootstrapError(
                    "Paragold is running from this folder; stop it (Ctrl-C) before its packages change."
                )
            environment.make(kind)
        environment.write_program()
    except BootstrapError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted; the next run starts over.\n")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
