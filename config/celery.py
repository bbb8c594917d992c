"""The Celery application. A message is only a hint: the ledger in the database is the truth."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

from config.broker import use_whole_messages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

use_whole_messages()
app = Celery("paragold")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["corpus"])


@worker_process_init.connect
def begin_heartbeat(**_: Any) -> None:
    # In each pool process, which never forks again: a thread with a database connection must not be forked.
    from corpus import heartbeat

    heartbeat.start()
