"""Figures of the installation, for Prometheus at /metrics.

Requests are counted in memory (ops/request_counts.py); everything else is read from the database when it is
asked for, so that it is the same whoever answers. docs/monitoring.md explains each figure.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from hmac import compare_digest

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, Min, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from annotation.models import Assignment, AssignmentState, BatchKind
from jobs.models import Job, JobChunk, JobState, WorkerHeartbeat
from ops.request_counts import REQUESTS
from projects.models import Project
from projects.request_ids import HEADER, number_of, page_of, working_for

logger = logging.getLogger("paragold.requests")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD")


class Requests:
    """Middleware: a number for each request, in its answer and log lines; one line at its end; and how long
    requests take, by the name of their page, method and status.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        number, started = number_of(request), time.perf_counter()
        with working_for(number, request):
            response = self._get_response(request)
            seconds, page, status = time.perf_counter() - started, page_of(request), response.status_code
            about = {"method": request.method, "page": page, "status": status}
            about["milliseconds"] = round(1000 * seconds)
            logger.info("%s %s: %s", request.method, page, status, extra=about)
        # Anybody may write another method into a request.
        method = request.method if request.method in METHODS else "other"
        REQUESTS.observe(page, method, status, seconds)
        response.headers[HEADER] = number
        return response


class Installation(Collector):
    """What the database and the disk say now."""

    def collect(self) -> Iterator[Metric]:
        jobs = Job.objects.values_list("state").annotate(Count("pk"))
        workers = WorkerHeartbeat.objects
        moving = workers.moving().count()
        working = [("at work or free", moving), ("stuck", workers.alive().count() - moving)]
        lost = JobChunk.objects.aggregate(losses=Sum("losses"), failures=Sum("failures"))
        done = Assignment.objects.filter(state=AssignmentState.DONE).values_list("item__batch__kind")
        answers = dict.fromkeys(BatchKind.values, 0) | dict(done.annotate(Count("pk")))
        people = dict(User.objects.values_list("is_active").annotate(Count("pk")))
        active = [("active", people.get(True, 0)), ("deactivated", people.get(False, 0))]
        disk = shutil.disk_usage(settings.VAR)
        by_state = (dict.fromkeys(JobState.values, 0) | dict(jobs)).items()
        by_label: tuple[tuple[str, str, str, Iterable[tuple[object, float]]], ...] = (
            ("jobs", "Jobs by state", "state", by_state),
            ("queue_age_seconds", "Seconds that the longest-waiting job has waited", "queue", _waits()),
            ("workers", "Worker processes that give signs of life", "state", working),
            ("answers", "Answers of annotators that are stored", "task", answers.items()),
            ("people", "Accounts", "state", active),
        )
        for name, words, label, rows in by_label:
            family = GaugeMetricFamily(f"paragold_{name}", words, labels=(label,))
            for value, number in rows:
                family.add_metric([str(value)], number)
            yield family
        for name, words, number in (
            ("lease_losses", "Pieces of work whose worker stopped responding", lost["losses"] or 0),
            ("chunk_failures", "Pieces of work that ended with an error", lost["failures"] or 0),
            ("projects", "Projects", Project.objects.count()),
            ("disk_free_bytes", "Bytes free on the disk of the data folder", disk.free),
            ("disk_bytes", "Bytes of the disk of the data folder", disk.total),
            ("database_bytes", "Bytes of the database", _database_bytes()),
        ):
            yield GaugeMetricFamily(f"paragold_{name}", words, value=number)


def _waits() -> list[tuple[str, float]]:
    """For each queue, how long its oldest job has waited without work on it."""
    waiting = Job.objects.filter(state=JobState.QUEUED).values_list("short").annotate(Min("moved_at"))
    since = dict(waiting)
    now = timezone.now()
    return [
        (name, (now - since[short]).total_seconds() if short in since else 0.0)
        for name, short in (("long", False), ("short", True))
    ]


def _database_bytes() -> int:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus' text format, for whoever has the installation's token."""
    if not settings.METRICS_TOKEN:
        raise Http404
    given = request.headers.get("Authorization", "")
    if not compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        return HttpResponse(
            "Send the token of PARAGOLD_METRICS_TOKEN in the header Authorization: Bearer TOKEN.",
            status=401,
            headers={"WWW-Authenticate": "Bearer"},
            content_type="text/plain; charset=utf-8",
        )
    registry = CollectorRegistry()
    registry.register(Installation())
    registry.register(REQUESTS)
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
