import os
import shutil
import signal
import subprocess
import sys

import pytest

from ops.launcher.installation import REPOSITORY
from tests.processes import within


@pytest.fixture
def copy(tmp_path):
    """In a folder with a space in its name."""
    folder = tmp_path / "my paragold"
    (folder / "ops").mkdir(parents=True)
    shutil.copytree(REPOSITORY / "scripts", folder / "scripts")
    shutil.copytree(REPOSITORY / "ops" / "launcher", folder / "ops" / "launcher")
    shutil.copy(REPOSITORY / "ops" / "__init__.py", folder / "ops")
    shutil.copy(REPOSITORY / "Makefile", folder)
    for name in ("requirements.txt", "requirements-dev.txt", "requirements-uv.txt"):
        (folder / name).write_text("# nothing\n")
    return folder


def make(folder, *targets, **environment):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PARAGOLD_", "MAKE"))}
    return subprocess.run(
        ["make", *targets],
        cwd=folder,
        env={**kept, "PYTHON": sys.executable, **environment},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_setup_starts_over_when_killed_is_made_once_and_anew_for_other_pins(copy):
    command = [sys.executable, str(copy / "scripts" / "bootstrap.py")]
    with subprocess.Popen(command, cwd=copy, start_new_session=True, stdout=subprocess.DEVNULL) as setup:
        assert within((copy / ".venv" / "pyvenv.cfg").exists)
        os.killpg(setup.pid, signal.SIGKILL)
    assert not list((copy / ".venv").glob("*.stamp"))
    first = make(copy, "setup")
    assert first.returncode == 0, first.stderr
    assert first.stdout == "Installing what Paragold needs into .venv/ (about 1 minute) ...\n"
    assert (copy / ".venv" / "bin" / "pip").exists()
    marker = copy / ".venv" / "marker"
    marker.touch()

    again = make(copy, "setup")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    dev = make(copy, "setup-dev")
    assert (dev.returncode, dev.stdout.count("Installing")) == (0, 1)
    assert marker.exists(), "what the tests need comes on top"

    (copy / "requirements.txt").write_text("paragold-no-such-package==1\n")
    failed = make(copy, "setup", PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert failed.returncode != 0
    assert not marker.exists(), "other pins are installed from nothing"
    assert "The packages could not be installed" in failed.stderr
    assert not list((copy / ".venv").glob("*.stamp"))


def test_old_python_is_one_line(copy, tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    old = folder / "python3"
    old.write_text("#!/bin/sh\n[ \"$1\" = --version ] && echo 'Python 3.9.2' && exit 0\nexit 1\n")
    old.chmod(0o755)
    for tool in ("sh", "dirname", "make"):
        (folder / tool).symlink_to(shutil.which(tool))
    done = make(copy, "demo", PATH=str(folder), PYTHON="")
    assert done.returncode != 0
    told = [line for line in done.stderr.split("\n") if line and not line.startswith("make")]
    assert len(told) == 1
    assert told[0].startswith("Paragold needs Python 3.11 or newer (found: Python 3.9.2).")
