"""The throw-away servers of the gate, which other tests lean on."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from ops.launcher.installation import REPOSITORY
from scripts import services
from tests.processes import runs, within


@pytest.mark.skipif(services.find_postgresql() is None, reason="PostgreSQL is not installed")
def test_postgresql_answers_with_its_password_only_and_goes_away():
    with services.postgresql() as url:
        with psycopg.connect(url) as link:
            assert link.execute("SHOW fsync").fetchone() == ("off",)
            [(folder,)] = link.execute("SHOW data_directory").fetchall()
            pid = int((Path(folder) / "postmaster.pid").read_text().split("\n")[0])
        stranger = url.replace(url.split(":")[2].split("@")[0], "wrong")
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(stranger).close()
        assert runs(pid)
    assert not runs(pid)
    assert not Path(folder).exists()


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="Redis is not installed")
def test_killed_gate_leaves_no_server_behind():
    program = """
import redis as client, sys, time
from scripts.services import redis
with redis() as url:
    print(client.Redis.from_url(url).info()["process_id"], flush=True)
    time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", program], cwd=REPOSITORY, stdout=subprocess.PIPE) as gate:
        assert gate.stdout is not None
        pid = int(gate.stdout.readline())
        assert runs(pid)
        os.kill(gate.pid, signal.SIGKILL)
    assert within(lambda: not runs(pid))
