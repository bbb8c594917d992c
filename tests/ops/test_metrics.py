import re
import subprocess
import sys
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from config import environment, observing
from jobs.models import Job, JobChunk, JobState
from jobs.services import running
from jobs.services.ledger import ChunkPlan, request_job
from ops.request_counts import ROWS, RequestCounts
from projects import request_ids
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db
REPOSITORY = Path(__file__).resolve().parents[2]
TOKEN = {"HTTP_AUTHORIZATION": "Bearer open sesame"}


@pytest.fixture
def scraped(settings):
    """Reads /metrics: (name, labels) -> value."""
    settings.METRICS_TOKEN = "open sesame"

    def read():
        response = Client().get("/metrics", **TOKEN)
        assert response.status_code == 200, response.content
        families = text_string_to_metric_families(response.content.decode())
        samples = [sample for family in families for sample in family.samples]
        return {(sample.name, ",".join(sample.labels.values())): sample.value for sample in samples}

    return read


def job(**fields):
    made = request_job(
        project=ProjectFactory(), by=None, kind="extract", title="Extract", parameters={}, signature="",
        chunks=[ChunkPlan(units=1, payload={})],
    )  # fmt: skip
    Job.objects.filter(pk=made.pk).update(**fields)
    return made


def test_metrics_need_the_token(settings):
    assert Client().get("/metrics", **TOKEN).status_code == 404
    settings.METRICS_TOKEN = "open sesame"
    for headers in ({}, {"HTTP_AUTHORIZATION": "Bearer guess"}, {"HTTP_AUTHORIZATION": "open sesame"}):
        refused = Client().get("/metrics", **headers)
        assert refused.status_code == 401 and b"PARAGOLD_METRICS_TOKEN" in refused.content
        assert b"paragold_jobs" not in refused.content


def test_metrics_say_what_waits_what_is_lost_and_what_is_stored(scraped):
    assert scraped()["paragold_jobs", "failed"] == 0
    job(moved_at=timezone.now() - timedelta(seconds=90))
    job(state=JobState.FAILED)
    JobChunk.objects.update(losses=2, failures=1)
    project = ProjectFactory()
    ada = member(project, "annotator", "ada")
    judge_all(judging_batch(project, [ada], size=3), ada)
    after = scraped()
    assert after["paragold_jobs", "failed"] == 1
    assert 90 <= after["paragold_queue_age_seconds", "long"] < 120
    assert after["paragold_queue_age_seconds", "short"] == 0
    assert after["paragold_lease_losses", ""] == 4 and after["paragold_chunk_failures", ""] == 2
    assert after["paragold_answers", "judge"] == 3
    assert after["paragold_disk_bytes", ""] > after["paragold_disk_free_bytes", ""] > 0
    assert after["paragold_database_bytes", ""] > 10_000


def test_requests_are_counted_by_page_method_and_status(scraped):
    def count(page, method, status):
        return scraped().get(("paragold_request_seconds_count", f"{method},{page},{status}"), 0)

    alive, missing, odd = (
        count(*one) for one in (("livez", "GET", 200), ("none", "GET", 404), ("livez", "other", 405))
    )
    Client().get("/livez")
    Client().get("/nowhere/17/")
    Client().generic("BREW", "/livez")
    assert count("livez", "GET", 200) == alive + 1
    assert count("none", "GET", 404) == missing + 1
    assert count("livez", "other", 405) == odd + 1


def test_a_process_goes_on_where_the_one_before_stopped_and_leaves_out_what_has_no_room():
    counts = RequestCounts(2)

    def figures():
        [family] = counts.collect()
        return {
            f"{sample.name.rpartition('_')[2]} {' '.join(sample.labels.values())}": sample.value
            for sample in family.samples
        }

    counts.observe("livez", "GET", 200, 0.02)
    counts.use(1)
    counts.observe("livez", "GET", 200, 0.5)
    counts.use(0)
    counts.observe("livez", "GET", 200, 20)
    counts.use(None)
    counts.observe("livez", "GET", 200, 1)
    now = figures()
    assert now["count livez GET 200"] == 3 and now["sum livez GET 200"] == 20.52
    by_end = {end: now[f"bucket livez GET 200 {end}"] for end in ("0.01", "0.03", "1.0", "10.0", "+Inf")}
    assert by_end == {"0.01": 0, "0.03": 1, "1.0": 2, "10.0": 2, "+Inf": 3}
    counts.use(1)
    for number in range(ROWS + 5):
        counts.observe(f"page{number}", "GET", 200, 0.1)
    counts.observe("page1", "GET", 200, 0.1)
    now = figures()
    assert sum(value for name, value in now.items() if name.startswith("count page")) == ROWS
    assert now["count page1 GET 200"] == 2


def test_a_request_keeps_its_number_and_gives_it_to_its_jobs(monkeypatch):
    """Given by a proxy or drawn here; in the answer, in the job, and in what the worker logs about it."""
    given = Client().get("/livez", HTTP_X_REQUEST_ID="proxy-0123456789").headers["X-Request-ID"]
    assert given == "proxy-0123456789"
    for odd in ("short", "two\nlines and more", "x" * 65):
        drawn = Client().get("/livez", HTTP_X_REQUEST_ID=odd).headers["X-Request-ID"]
        assert re.fullmatch("[0-9a-f]{32}", drawn)
    assert request_ids.current() == ""
    with request_ids.working_for("request-of-ada"):
        asked = job()
    assert Job.objects.get(pk=asked.pk).request_id == "request-of-ada"
    seen = []

    class Runner:
        lanes = 1

        def compute(self, job, chunk):
            seen.append(request_ids.current())
            raise ValueError("broken")

    monkeypatch.setattr(running, "job_kind", lambda kind: type("Kind", (), {"runner": Runner()}))
    ledger_job = Job.objects.get(pk=asked.pk)
    with pytest.raises(ValueError, match="broken"):
        running.run_next_chunk(job=ledger_job, worker="here:1", hold=lambda chunk: nullcontext())
    assert seen == ["request-of-ada"] and request_ids.current() == ""


def test_sentry_gets_the_error_and_no_text(monkeypatch):
    """In a process of its own: Sentry's hooks stay for good."""
    program = """
import os, sys
os.environ["PARAGOLD_SENTRY_DSN"] = "http://key@127.0.0.1:9/1"
import sentry_sdk
sent = []
init = sentry_sdk.init
sentry_sdk.init = lambda *given, **more: init(*given, transport=sent.append, **more)
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings_test"
django.setup()
secret = "the sentence of an annotator"
try:
    raise ValueError("broken")
except ValueError as error:
    sentry_sdk.capture_exception(error)
text = str(sent)
assert "broken" in text and "request_id" in text and "paragold@" in text, text
assert secret not in text.replace("secret = ", ""), text
print("sent", len(sent))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "sent 1\n", done.stderr


@pytest.mark.parametrize(
    ("address", "sentence"),
    [("nonsense", "is not an address of Sentry"), ("http://key@host/1", "pip install sentry-sdk")],
)
def test_a_wrong_address_of_sentry_and_a_missing_package_are_said(monkeypatch, address, sentence):
    monkeypatch.setenv("PARAGOLD_SENTRY_DSN", address)
    if "host" in address:
        monkeypatch.setattr(observing, "find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match=sentence):
        observing.report_errors("1")


def test_secrets_are_read_from_files(monkeypatch, tmp_path):
    file = tmp_path / "token"
    file.write_text("open sesame\n")
    monkeypatch.setenv("PARAGOLD_METRICS_TOKEN_FILE", str(file))
    assert environment.secret("PARAGOLD_METRICS_TOKEN") == "open sesame"
    monkeypatch.setenv("PARAGOLD_METRICS_TOKEN", "other")
    with pytest.raises(ImproperlyConfigured, match="PARAGOLD_METRICS_TOKEN or PARAGOLD_METRICS_TOKEN_FILE"):
        environment.secret("PARAGOLD_METRICS_TOKEN")
    monkeypatch.delenv("PARAGOLD_METRICS_TOKEN")
    file.unlink()
    with pytest.raises(ImproperlyConfigured, match="cannot be read"):
        environment.secret("PARAGOLD_METRICS_TOKEN")
