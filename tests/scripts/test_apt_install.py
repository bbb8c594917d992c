import os
import subprocess

import pytest

from ops.launcher.installation import REPOSITORY

LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"


def program(folder, name, *lines):
    (folder / name).write_text("\n".join(("#!/bin/sh", *lines, "")))
    (folder / name).chmod(0o755)


def install(folder, refusal, times):
    """Install the package redis-server while apt-get refuses `times` times."""
    program(folder, "sleep", f'echo "sleep $1" >> {folder}/calls')
    program(
        folder,
        "apt-get",
        f'echo "apt-get $*" >> {folder}/calls',
        f'[ $(grep -c ^apt-get {folder}/calls) -gt {times} ] || {{ echo "{refusal}" >&2; exit 100; }}',
    )
    command = [REPOSITORY / "scripts" / "apt-install.sh", "redis-server"]
    env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    return done, (folder / "calls").read_text().splitlines()


def test_it_waits_for_the_locks(tmp_path):
    done, calls = install(tmp_path, LOCKED, 2)
    assert (done.returncode, done.stderr) == (0, "")
    options = "-q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=600"
    update = f"apt-get {options} update"
    assert calls == [
        *(update, "sleep 10", update, "sleep 10", update),
        f"apt-get {options} install --no-install-recommends redis-server",
    ]


@pytest.mark.parametrize(("refusal", "calls"), [("E: Unable to locate package", 1), (LOCKED, 60)])
def test_it_does_not_wait_for_ever_nor_for_anything_else(tmp_path, refusal, calls):
    done, made = install(tmp_path, refusal, 99)
    assert (done.returncode, done.stderr) == (1, f"{refusal}\n")
    assert sum(call.startswith("apt-get") for call in made) == calls
