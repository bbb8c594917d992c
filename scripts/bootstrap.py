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
    """The virtual environment `.venv` in a folder; its stamps say which requirements it holds."""

    def __init__(self, folder: Path) -> None:
        self._venv = folder / ".venv"
        self._installer = folder / "requirements-uv.txt"
        runtime = folder / "requirements.txt"
        self._files = {"runtime": [runtime], "dev": [runtime, folder / "requirements-dev.txt"]}
        self.python = self._venv / "bin" / "python"

    def fits(self, kind: str) -> bool:
        stamp = self._stamp(kind)
        return self.python.exists() and stamp.is_file() and stamp.read_text() == self._wanted(kind)

    def make(self, kind: str) -> None:
        """Install in place; from nothing when it is broken, half made, or was made of other requirements."""
        check = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
        usable = self.fits("runtime") and failure(self.python, "-c", check) is None
        try:
            self._venv.mkdir(exist_ok=True)
            for stamped in self._files:
                self._stamp(stamped).unlink(missing_ok=True)
        except OSError as error:
            raise BootstrapError(
                f"Cannot write in {self._venv.parent} ({error.strerror}): "
                "copy Paragold to a folder of your own and start it there."
            ) from error
        if not usable:
            self._create()
        self._install(self._files[kind])
        for made in {"runtime", kind}:
            self._stamp(made).write_text(self._wanted(made))

    def write_program(self) -> None:
        """Write bin/paragold, unless it is there and fits: a clone may have been moved."""
        text = PROGRAM.format(python=shlex.quote(str(self.python)), repository=shlex.quote(str(REPOSITORY)))
        program = self.python.with_name("paragold")
        # An installation that its user cannot write to is used as it is.
        with suppress(OSError):
            if not os.access(program, os.X_OK) or program.read_text(encoding="utf-8") != text:
                program.write_text(text, encoding="utf-8")
                program.chmod(0o755)

    def _create(self) -> None:
        # Started from an activated .venv, this interpreter would be cleared away under itself.
        python = getattr(sys, "_base_executable", sys.executable)
        if (said := failure(python, "-m", "venv", "--clear", self._venv)) is not None:
            missing = "ensurepip" in said or "No module named venv" in said
            reason = said.strip().split("\n")[-1] or "no reason given"
            raise BootstrapError(NO_VENV if missing else f"Cannot make {self._venv}: {reason}")

    def _install(self, files: list[Path]) -> None:
        """By uv, which takes a tenth of pip's time; by pip where uv is not to be had or finds no packages."""
        print("Installing what Paragold needs into .venv/ (about 1 minute) ...", flush=True)
        lists = [word for file in files for word in ("--requirement", str(file))]
        pip = (self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
        failure(*pip, "--requirement", self._installer)
        uv = (self.python.with_name("uv"), "pip", "install", "--quiet", "--python", self.python)
        if failure(*uv, *lists) is None:
            return
        if (said := failure(*pip, "--progress-bar", "off", *lists)) is not None:
            sys.stderr.write(said[-3000:])
            raise BootstrapError("The packages could not be installed (no network?): pip's message is above.")

    def _stamp(self, kind: str) -> Path:
        return self._venv / f"paragold-{kind}.stamp"

    def _wanted(self, kind: str) -> str:
        return hashlib.sha256(b"\0".join(file.read_bytes() for file in self._files[kind])).hexdigest()


def failure(*command: str | Path) -> str | None:
    """Run a command; what it wrote when it failed."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return None if done.returncode == 0 else done.stdout + done.stderr


def is_running() -> bool:
    """Whether web server and worker run from this folder: their packages must not be taken away."""
    sys.path.insert(0, str(REPOSITORY))
    from ops.launcher.installation import Installation, holder

    return holder(Installation.from_environment().lock_file) is not None


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    kind = "dev" if "--dev" in arguments else "runtime"
    environment = Environment(REPOSITORY)
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
