"""The Celery application. A message is only a hint: the ledger in the database is the truth.

`celery -A config worker --queues short,long` starts PARAGOLD_WORKERS processes for jobs, and
`celery -A config worker --queues short --concurrency 1 --hostname short@%h` one for short jobs only.
"""

from __future__ import annotations

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import worker_before_create_process, worker_init

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
