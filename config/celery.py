"""The Celery application. A message is only a hint: the ledger in the database is the truth."""

import os

from celery import Celery

from config.broker import use_whole_messages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

use_whole_messages()
app = Celery("paragold")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jobs"])
