"""Two hosts share PostgreSQL, Redis and an S3 store, and no disk; one after the other is killed."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import boto3
import psycopg
import pytest

from ops.launcher.installation import REPOSITORY
from ops.migrating import LOCK, WAITING
from paragold.client import Client, Job
from scripts import services
from tests.processes import within

from .test_launcher import Launched, environment, wait_for_greeting

COPIES = 12
ACCOUNTS = """
from projects.services.people import create_account
for name in ("manager", "anna"):
    create_account(by=None, username=name, password="{password}", administrator=name == "manager")
"""

missing = services.find_postgresql() is None or not Path("/proc/self/environ").exists()
pytestmark = pytest.mark.skipif(missing, reason="needs PostgreSQL, and looks for processes in /proc")


class Host(Launched):
    """Web server and worker with a data folder of their own."""

    def __init__(self, folder, shared):
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder / "var", services.free_port(), folder / "output", **shared)

    def ready(self):
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=20) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return json.loads(error.read())

    def log(self, name):
        path = self.var / "log" / f"{name}.log"
        return path.read_text() if path.exists() else ""

    def kill(self):
        """All of its processes at once, as when the machine loses its power."""
        for pid in (self.process.pid, *self.family()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        assert within(lambda: not self.family())

    def files(self):
        """The folders of its data folder in which there are files, those of the host itself left out."""
        own = {"copies", "static", "log", "tmp", "metrics", "running.lock"}
        return {path.relative_to(self.var).parts[0] for path in self.var.rglob("*") if path.is_file()} - own


def corpus(path):
    """Copies of the demo's articles under other names; returns how many."""
    articles = 0
    with path.open("w") as file:
        for line in (REPOSITORY / "demo" / "corpus.jsonl").read_text().splitlines():
            for number in range(COPIES):
                cluster = json.loads(line)
                cluster["cluster_id"] += f"-{number}"
                for article in cluster["articles"]:
                    article["id"] += f"-{number}"
                articles += len(cluster["articles"])
                file.write(json.dumps(cluster) + "\n")
    return articles


def judge(host, anna, batch):
    for item in anna.get(f"batches/{batch}/queue/")["items"]:
        request = urllib.request.Request(
            f"{host.url}/api/v1/assignments/{item['assignment']}/judgement/",
            json.dumps({"label": "paraphrase", "version": item["version"]}).encode(),
            {
                "Authorization": f"Token {anna._token}",
                "Content-Type": "application/json",
                "Idempotency-Key": str(uuid4()),
            },
            method="PUT",
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == 200


@pytest.fixture
def shared():
    """What the hosts have in common, as environment variables."""
    with services.postgresql() as database, services.redis() as redis, services.s3() as store:
        yield {
            **store,
            "DATABASE_URL": database,
            "REDIS_URL": redis,
            "PARAGOLD_SECRET_KEY": secrets.token_hex(32),
            "PARAGOLD_WEB_WORKERS": "1",
            "PARAGOLD_WORKERS": "1",
            "PARAGOLD_LEASE_SECONDS": "4",
            "PARAGOLD_HEARTBEAT_SECONDS": "0.5",
        }


@pytest.fixture
def start(tmp_path, shared):
    """Starts a host by name; all are killed in the end."""
    hosts: list[Host] = []

    def start(name):
        hosts.append(Host(tmp_path / name, shared))
        return hosts[-1]

    yield start
    for host in hosts:
        host.kill()


def make_accounts(host, shared):
    """The password of both."""
    password = secrets.token_hex(12)
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", ACCOUNTS.format(password=password)],
        cwd=REPOSITORY,
        env={**environment(host.var, 1), **shared},
        check=True,
    )
    return password


def stored(shared):
    """The keys of all files in the store."""
    client = boto3.client(
        "s3",
        endpoint_url=shared["AWS_ENDPOINT_URL"],
        aws_access_key_id=shared["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=shared["AWS_SECRET_ACCESS_KEY"],
        region_name=shared["AWS_DEFAULT_REGION"],
    )
    return [one["Key"] for one in client.list_objects_v2(Bucket="paragold").get("Contents", ())]


def begun(client, kind):
    """Whether a job of this kind runs or has ended."""
    jobs: list[Job] = client.get("projects/dams/jobs/", kind=kind)["items"]
    return any(job["state"] != "queued" for job in jobs)


def test_work_goes_on_when_a_host_is_killed(start, shared, tmp_path):
    one, other = start("one"), start("other")
    wait_for_greeting(one)
    wait_for_greeting(other)
    password = make_accounts(one, shared)
    by_one, by_other = (Client.log_in(host.url, "manager", password) for host in (one, other))
    by_one.create_project("dams", "Dams")
    by_other.post("projects/dams/members/", {"username": "anna", "role": "annotator"})

    # One is asked to import a file, and killed while its articles are stored.
    file, imports = tmp_path / "corpus.jsonl", "projects/dams/imports/"
    articles = corpus(file)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(by_one._json, "POST", imports, {}, file=file)
        assert within(lambda: begun(by_other, "import-store"))
        one.kill()
        with suppress(OSError, http.client.HTTPException):
            asked.result()
    assert within(lambda: by_other.get(imports)["items"])
    [imported] = by_other.get(imports)["items"]
    assert imported["counts"]["articles_added"] == articles
    by_other.wait(by_other.extract("dams")["job"], every=0.2)
    [dataset] = by_other.datasets("dams")

    # The other draws a batch, which is judged, frozen and written to files.
    anna = Client.log_in(other.url, "anna", password)
    draw = {"name": "First", "dataset": dataset["id"], "size": 8, "annotators": ["anna"], "overlap": 1}
    batch = by_other.launch("dams", "draw-judging-batch", **draw)["id"]
    judge(other, anna, batch)
    frozen = by_other.launch("dams", "freeze-gold-set", name="Gold", batches=[batch])
    gold = by_other.get(f"gold-sets/{frozen['id']}/")
    assert gold["counts"]["pairs"] == 8
    exports = [
        by_other.export_gold("dams", gold_set=gold["id"]),
        by_other.export_dataset("dams", dataset["id"], formats=["tsv"]),
    ]

    # The one comes back with an empty disk while the database is brought up to date, and waits for that.
    shutil.rmtree(one.var)
    with psycopg.connect(shared["DATABASE_URL"], autocommit=True) as link:
        link.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        link.execute("UPDATE django_migrations SET app = 'later' WHERE app = 'ops'")
        assert other.ready() == {"ready": False, "problem": WAITING}
        one = start("one")
        assert within(lambda: WAITING in one.log("preparation"))
        assert not one.is_greeted()
        link.execute("UPDATE django_migrations SET app = 'ops' WHERE app = 'later'")
    wait_for_greeting(one)
    assert other.ready()["ready"]

    # The other is killed during a training, which the one ends; it gives what the other has written.
    by_one = Client(one.url, by_one._token)
    settings = {"aligner": "hmm", "ibm1_iterations": 5, "hmm_iterations": 5}
    asked = {"name": "HMM", "datasets": [dataset["id"]], "settings": settings}
    trained = by_other.launch("dams", "train-aligner", **asked)
    assert within(lambda: begun(by_one, "train-aligner"))
    other.kill()
    for export in exports:
        path = by_one.download(export, tmp_path / "export.zip")
        assert hashlib.sha256(path.read_bytes()).hexdigest() == export["sha256"]
    by_one.wait(trained["job"], every=0.2)
    model = by_one.get(f"trained-aligners/{trained['id']}/")["sha256"]
    pair = next(by_one.pages("projects/dams/pairs/"))["id"]
    reasons = f"{one.url}/projects/dams/aligners/{trained['id']}/pair/?format=json&pair={pair}"
    token = {"Authorization": f"Token {by_one._token}"}
    with urllib.request.urlopen(urllib.request.Request(reasons, headers=token), timeout=60) as answer:
        assert json.loads(answer.read())["links"]
    prefix = "one/exports/dams"
    expected = [f"one/aligners/{model}.npz", *(f"{prefix}/{export['sha256']}.zip" for export in exports)]
    assert sorted(stored(shared)) == sorted(expected), "uploads and states of trainings are removed"
    assert [host.files() for host in (one, other)] == [set()] * 2
