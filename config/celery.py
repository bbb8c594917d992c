"""The Celery application. A message is only a hint: the ledger in the database is the truth.

`celery -A config worker --queues short,long` starts PARAGOLD_WORKERS processes for jobs, and
`celery -A config worker --queues short --concurrency 1 --hostname short@%h` one for short jobs only.
"""

from __future__ import annotations

import gc
import logging
import os
import threading
import time
from typing import Any

from celery import Celery
from celery.signals import worker_before_create_process, worker_init, worker_ready
from redis import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
# Without an answer for so long, Redis is lost.
REDIS_SECONDS = 20

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# The preparation has made them; they load every page and form, which takes 20 MB.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
app = Celery("paragold")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jobs"], related_name="worker")


@worker_init.connect
def prepare(**_: Any) -> None:
    """Before the processes are forked, with what all of them would load: they share that memory."""
    from django.conf import settings  # Django must be set up first
    from django.utils.module_loading import import_string

    from jobs.kinds import job_kinds
    from ops import migrating

    migrating.wait()
    job_kinds()
    for path in settings.HOUSEKEEPING:
        import_string(path)


@worker_before_create_process.connect
def freeze(**_: Any) -> None:
    """What is loaded by now stays: the collector need not touch, and so copy, its memory in each process."""
    gc.freeze()


@worker_ready.connect
def watch_redis(**_: Any) -> None:
    """End this worker when Redis is lost or was started again; what started the worker starts it again.

    A worker of Celery 5.7 that loses Redis while it is at work may wait or turn in its loop for ever and take
    no more messages (`python -m benchmarks kills`). Its processes store what they are at before they end.
    """
    threading.Thread(target=_watch_redis, name="redis", daemon=True).start()


def _watch_redis() -> None:
    from django.conf import settings

    client = Redis.from_url(settings.REDIS_URL, socket_timeout=REDIS_SECONDS)
    known = None
    while True:
        try:
            now = client.info("server")["run_id"]
        except RedisError as error:
            now = str(error)
        if now != (known := known or now):
            logger.error("The connection to Redis is lost: this worker ends, to be started again.")
            logging.shutdown()
            os._exit(os.EX_UNAVAILABLE)
        time.sleep(1)
