"""Four hosts, two for the web and two for jobs, each with a network, a name and a disk of its own.

They share PostgreSQL, Redis and an S3 store. Hosts are network namespaces at a bridge; one that is lost is
cut off before its processes are killed, so that nobody hears of it.
"""

from __future__ import annotations

import ctypes
import hashlib
import http.client
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count, cycle
from uuid import uuid4

import boto3
import psycopg
import pytest

from ops.launcher.installation import REPOSITORY
from ops.migrating import LOCK, WAITING
from paragold.client import Client
from scripts import services
from tests.processes import PATIENCE, within

from .test_launcher import Launched, environment, wait_for_greeting

COPIES = 6
ANNOTATORS = ("anna", "berta", "clara")
ITEMS = 40
ACCOUNTS = """
from projects.services.people import create_account
for name in ("manager", "anna", "berta", "clara"):
    create_account(by=None, username=name, password="{password}", administrator=name == "manager")
"""
PORT = 8000
# As root, with a name of its own that processes of the host see.
ON_HOST = 'hostname "$0" && exec "$@"'


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def why_not():
    """What is missing for hosts with a network of their own."""
    if services.find_postgresql() is None or shutil.which("ip") is None or os.geteuid() != 0:
        return "needs PostgreSQL, and root and `ip` for network namespaces"
    trial = subprocess.run(["unshare", "--net", "--uts", "true"], check=False, capture_output=True)
    return "" if trial.returncode == 0 else "network namespaces are not allowed here"


reason = why_not()
pytestmark = [
    pytest.mark.skipif(bool(reason), reason=reason),
    pytest.mark.allow_hosts(["127.0.0.1", "::1", "10.0.0.0/8"]),
]


@contextmanager
def networks_unseen():
    """This thread and what it starts are in a network namespace of their own: browsers in the tests beside
    these give up their requests whenever they see a network of the machine come or go."""
    libc, of_network = ctypes.CDLL(None, use_errno=True), 0x40000000  # CLONE_NEWNET
    with open("/proc/thread-self/ns/net") as outside:  # noqa: PTH123 - its descriptor is what is needed
        if libc.unshare(of_network):
            raise OSError(ctypes.get_errno(), "unshare")
        try:
            ip("link", "set", "lo", "up")
            yield
        finally:
            if libc.setns(outside.fileno(), of_network):
                raise OSError(ctypes.get_errno(), "setns")


class Network:
    """A bridge, whose first address is `address`, and hosts at it."""

    def __init__(self):
        self._name = f"pg{secrets.token_hex(3)}"
        self._prefix = f"10.{secrets.randbelow(200) + 50}.{secrets.randbelow(250)}"
        self._hosts: dict[str, str] = {}
        self._cables = count()
        self.address = f"{self._prefix}.1"
        ip("link", "add", self._name, "type", "bridge")
        ip("address", "add", f"{self.address}/24", "dev", self._name)
        ip("link", "set", self._name, "up")

    def host(self, name):
        """Its address, and what a command on it begins with."""
        space = f"{self._name}-{name}"
        cable = f"{self._name}{next(self._cables)}"
        address = self._hosts.setdefault(name, f"{self._prefix}.{len(self._hosts) + 2}")
        with suppress(subprocess.CalledProcessError):
            ip("netns", "delete", space)
        ip("netns", "add", space)
        ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
        ip("link", "set", cable, "master", self._name, "up")
        ip("-n", space, "address", "add", f"{address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            ip("-n", space, "link", "set", device, "up")
        return address, ["ip", "netns", "exec", space, "unshare", "--uts", "sh", "-c", ON_HOST, name]

    def cut(self, name):
        with suppress(subprocess.CalledProcessError):
            ip("-n", f"{self._name}-{name}", "link", "set", "eth0", "down")

    def close(self):
        for name in self._hosts:
            ip("netns", "delete", f"{self._name}-{name}")
        ip("link", "delete", self._name)


class Host(Launched):
    """Web server or workers with a data folder of their own."""

    def __init__(self, folder, network, name, shared):
        folder.mkdir(parents=True, exist_ok=True)
        self.name, self._network = name, network
        address, command = network.host(name)
        listens = {"PARAGOLD_BIND": address, "PARAGOLD_ALLOWED_HOSTS": address}
        command += [sys.executable, "-m", "ops.launcher", "--only", name.partition("-")[0]]
        super().__init__(folder / "var", PORT, folder / "output", command=command, **shared, **listens)
        self.url = f"http://{address}:{PORT}"

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

    def lose(self):
        """Nothing reaches it or comes from it any more, and then all of its processes end at once."""
        self._network.cut(self.name)
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


def judge(hosts, token, batch):
    """Judge all that is open, by the hosts in turn as behind a load balancer; the acknowledged keys.

    The host that gave no answer last is left out, or every second request would wait for a lost one.
    """
    addresses, acknowledged, failed = cycle(host.url for host in hosts), [], ""

    def ask(method, path, body=None, key=""):
        nonlocal failed
        headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if (address := next(addresses)) == failed:
                continue
            request = urllib.request.Request(f"{address}/api/v1/{path}", body, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=5) as answer:
                    return json.loads(answer.read())
            except (OSError, http.client.HTTPException):
                failed = address
        raise TimeoutError(path)

    while items := ask("GET", f"batches/{batch}/queue/?limit=10")["items"]:
        for item in items:
            key = str(uuid4())
            body = json.dumps({"label": "paraphrase", "version": item["version"]}).encode()
            ask("PUT", f"assignments/{item['assignment']}/judgement/", body, key)
            acknowledged.append(key)
            time.sleep(0.05)
    return acknowledged


@pytest.fixture
def network():
    with networks_unseen():
        made = Network()
        yield made
        made.close()


@pytest.fixture
def shared(network):
    """What the hosts have in common, as environment variables."""
    here = network.address
    with services.postgresql(here) as database, services.redis(here) as redis, services.s3(here) as store:
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
def start(tmp_path, network, shared):
    """Starts a host by name; all are lost in the end."""
    hosts: list[Host] = []

    def start(name):
        hosts.append(Host(tmp_path / name, network, name, shared))
        return hosts[-1]

    yield start
    for host in hosts:
        host.lose()


def make_accounts(host, shared):
    """The password of all."""
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


def holder(database, kind):
    """The name of the host that works on a job of this kind, once there is one."""
    names: list[str] = []

    def works():
        rows = database.execute(
            "SELECT worker FROM jobs_jobchunk JOIN jobs_job ON jobs_job.id = job_id"
            " WHERE jobs_jobchunk.state = 'leased' AND kind = %s",
            [kind],
        ).fetchall()
        names.extend(worker.rpartition(":")[0] for (worker,) in rows)
        return names

    assert within(works)
    return names[0]


def test_work_goes_on_when_a_host_is_killed(start, shared, tmp_path):
    names = ("web-one", "web-two", "workers-one", "workers-two")
    hosts = {name: start(name) for name in names}
    one, two = hosts["web-one"], hosts["web-two"]
    for host in hosts.values():
        wait_for_greeting(host)
    password = make_accounts(one, shared)
    by_one, by_two = (Client.log_in(host.url, "manager", password) for host in (one, two))
    by_one.create_project("dams", "Dams")
    for name in ANNOTATORS:
        by_two.post("projects/dams/members/", {"username": name, "role": "annotator"})

    with psycopg.connect(shared["DATABASE_URL"], autocommit=True) as database:
        # The host that stores the articles of an import is lost.
        file, imports = tmp_path / "corpus.jsonl", "projects/dams/imports/"
        articles = corpus(file)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(by_one._json, "POST", imports, {}, file=file)
            lost = hosts[holder(database, "import-store")]
            lost.lose()
            asked.result()
        # One that is not stored yet is not listed.
        assert within(lambda: by_two.get(imports)["items"])
        [imported] = by_two.get(imports)["items"]
        assert imported["state"] == "imported"
        assert imported["counts"]["articles_added"] == articles
        by_two.wait(by_two.extract("dams")["job"], every=0.2)
        [dataset] = by_two.datasets("dams")

        # It comes back with an empty disk while the database is brought up to date, and waits for that.
        shutil.rmtree(lost.var)
        database.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        database.execute("UPDATE django_migrations SET app = 'later' WHERE app = 'ops'")
        assert two.ready() == {"ready": False, "problem": WAITING}
        back = hosts[lost.name] = start(lost.name)
        assert within(lambda: WAITING in back.log("preparation"))
        assert not back.is_greeted()
        database.execute("UPDATE django_migrations SET app = 'ops' WHERE app = 'later'")
        database.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
        wait_for_greeting(back)
        assert two.ready()["ready"]

        # A web server is lost while three people judge by both.
        draw = {"name": "First", "dataset": dataset["id"], "size": ITEMS, "overlap": len(ANNOTATORS)}
        batch = by_one.launch("dams", "draw-judging-batch", annotators=list(ANNOTATORS), **draw)["id"]
        tokens = [Client.log_in(two.url, name, password)._token for name in ANNOTATORS]
        with ThreadPoolExecutor(len(tokens)) as pool:
            judging = [pool.submit(judge, (one, two), token, batch) for token in tokens]
            answers = "SELECT count(*) FROM annotation_answer"
            assert within(lambda: database.execute(answers).fetchone()[0] > ITEMS)
            one.lose()
            acknowledged = [key for work in judging for key in work.result()]
        rows = database.execute("SELECT key, assignment_id FROM annotation_answer").fetchall()
        assert set(acknowledged) == {str(key) for key, _ in rows}
        assert len(rows) == len({assignment for _, assignment in rows}) == ITEMS * len(ANNOTATORS)

        # The host that trains an aligner is lost.
        settings = {"aligner": "hmm", "ibm1_iterations": 5, "hmm_iterations": 5}
        asked = {"name": "HMM", "datasets": [dataset["id"]], "settings": settings}
        trained = by_two.launch("dams", "train-aligner", **asked)
        hosts[holder(database, "train-aligner")].lose()
    third = start("web-three")
    by_two.wait(trained["job"], every=0.2)
    frozen = by_two.launch("dams", "freeze-gold-set", name="Gold", batches=[batch])
    gold = by_two.get(f"gold-sets/{frozen['id']}/")
    assert gold["counts"]["pairs"] == ITEMS
    exports = [
        by_two.export_gold("dams", gold_set=gold["id"]),
        by_two.export_dataset("dams", dataset["id"], formats=["tsv"]),
    ]

    # What the others have written, a host that has never seen it gives.
    wait_for_greeting(third)
    by_third = Client(third.url, by_two._token)
    for export in exports:
        path = by_third.download(export, tmp_path / "export.zip")
        assert hashlib.sha256(path.read_bytes()).hexdigest() == export["sha256"]
    model = by_third.get(f"trained-aligners/{trained['id']}/")["sha256"]
    pair = next(by_third.pages("projects/dams/pairs/"))["id"]
    reasons = f"{third.url}/projects/dams/aligners/{trained['id']}/pair/?format=json&pair={pair}"
    token = {"Authorization": f"Token {by_two._token}"}
    with urllib.request.urlopen(urllib.request.Request(reasons, headers=token), timeout=60) as answer:
        assert json.loads(answer.read())["links"]
    prefix = "one/exports/dams"
    expected = [f"one/aligners/{model}.npz", *(f"{prefix}/{export['sha256']}.zip" for export in exports)]
    assert sorted(stored(shared)) == sorted(expected), "uploads and states of trainings are removed"
    assert [host.files() for host in (*hosts.values(), third)] == [set()] * 5
