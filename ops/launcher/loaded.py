"""What web server and workers have in common; the launcher loads it before it forks them."""

from __future__ import annotations

import gc
import os
from importlib import import_module

# What their first work would load, in each process again; the first ones are of Celery and gunicorn.
MODULES = (
    *("celery.apps.worker", "celery.concurrency.prefork", "celery.worker.consumer", "kombu.transport.redis"),
    *("gunicorn.app.wsgiapp", "gunicorn.workers.gthread"),
    *("jobs.worker", "config.job_kinds", "projects.middleware", "django.core.handlers.wsgi"),
)


def load() -> None:
    """Set up Django and load pages, tasks and migrations; nothing of it opens a connection or a thread."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # The collector would leave gaps, which each process would fill by pages of its own.
    gc.disable()
    import django

    django.setup()
    from django.conf import settings
    from django.db.migrations.loader import MigrationLoader
    from django.urls import get_resolver

    for name in MODULES:
        import_module(name)
    _ = get_resolver().url_patterns
    MigrationLoader(None)
    for path in settings.HOUSEKEEPING:
        import_module(path.rpartition(".")[0])
    gc.collect()
    gc.freeze()
    gc.enable()
