"""The Celery application. A message is only a hint: the ledger in the database is the truth.

Installations without Redis have a queue in files: a message is seen only when all of it is written. kombu's
own transport lets a worker find the file of a message that is still empty; the worker then ends. Nothing is
locked: a process that takes messages can be killed or stopped at any moment, and only the message that it had
taken is lost.
"""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from time import monotonic_ns
from typing import Any

from celery import Celery
from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # as kombu's own
        # Messages are taken in the order of their names.
        name = f"{monotonic_ns():020}_{uuid.uuid4()}.{queue}.msg"
        path = Path(self.data_folder_out) / name
        partial = path.with_name(f"{name}.partial")
        try:
            partial.write_bytes(str_to_bytes(dumps(payload)))
            partial.replace(path)
        except OSError as error:
            raise ChannelError(f"Cannot add {path} to the queue: {error.strerror}.") from error

    def _queue_bind(self, exchange: Any, routing_key: Any, pattern: Any, queue: Any) -> None:
        """Messages go to a queue by its name. kombu's file of bindings, under a lock, would serve nothing: a
        process that was killed or stopped while it wrote there held up everybody."""


class Transport(filesystem.Transport):
    Channel = Channel


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
TRANSPORT_ALIASES["filesystem"] = f"{__name__}:{Transport.__name__}"
app = Celery("paragold")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jobs"], related_name="worker")
