"""Gunicorn's settings, read by the launcher's web server and by compose.yaml alike."""

import os

from config.variables import value

worker_class = "gthread"
workers = int(value("PARAGOLD_WEB_WORKERS"))
threads = int(value("PARAGOLD_WEB_THREADS"))
# Loaded once and then forked: the workers share most of their memory.
preload_app = True
timeout = 60
graceful_timeout = 6
keepalive = 5
# projects.middleware.SpareThread keeps one of them free.
os.environ["PARAGOLD_WEB_THREADS"] = str(threads)
# A page that waits longer for a lock would hold a thread that others need; its browser gives up after 20 s.
os.environ.setdefault("PARAGOLD_LOCK_SECONDS", "10")
# The control socket would lie in the user's home folder, which need not exist.
control_socket_disable = True
