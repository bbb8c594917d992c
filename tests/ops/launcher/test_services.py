"""The throw-away servers of the gate, which other tests lean on."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import boto3
import psycopg
import pytest
import redis as redis_client
from botocore.exceptions import EndpointConnectionError

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
def test_redis_answers_with_its_password_only_and_goes_away():
    with services.redis() as url:
        with redis_client.Redis.from_url(url) as link:
            link.set("key", "value")
            pid = link.info()["process_id"]
        address, port = url.split("@")[1].split("/")[0].split(":")
        with redis_client.Redis(address, int(port)) as link, pytest.raises(redis_client.AuthenticationError):
            link.ping()
    assert not runs(pid)


def test_a_store_has_an_empty_bucket_and_goes_away():
    with services.s3() as variables:
        client = boto3.client(
            "s3",
            endpoint_url=variables["AWS_ENDPOINT_URL"],
            aws_access_key_id=variables["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=variables["AWS_SECRET_ACCESS_KEY"],
            region_name=variables["AWS_DEFAULT_REGION"],
        )
        assert client.list_objects_v2(Bucket="paragold")["KeyCount"] == 0
    with pytest.raises(EndpointConnectionError):
        client.list_objects_v2(Bucket="paragold")


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


def test_missing_server_is_said_so(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(services.ServiceError, match="Redis is missing"), services.redis():
        pass
