"""Gunicorn's settings, read by the launcher's web server and by compose.yaml alike."""

import os

from gunicorn.http.wsgi import Response

from config.variables import value

worker_class = "gthread"
workers = int(value("PARAGOLD_WEB_WORKERS"))
threads = int(value("PARAGOLD_WEB_THREADS"))
# Loaded once and then forked: the workers share most of their memory.
preload_app = True
timeout = 60
graceful_timeout = 6
# Longer than people think about a pair, and than proxies keep idle connections (60 s): one that is closed
# while a request is on its way costs a second try.
keepalive = 75
# Of each process; the usual limit of open files is 1,024.
worker_connections = 900
# projects.middleware: SpareThread keeps one of them free, LargeRequests gives files a share.
os.environ["PARAGOLD_WEB_THREADS"] = str(threads)
# A page that waits longer for a lock would hold a thread that others need; its browser gives up after 20 s.
os.environ.setdefault("PARAGOLD_LOCK_SECONDS", "10")
# The control socket would lie in the user's home folder, which need not exist.
control_socket_disable = True

# Gunicorn has no setting for its header Server, which tells attackers what to try.
_default_headers = Response.default_headers
Response.default_headers = lambda response: [
    line for line in _default_headers(response) if not line.startswith("Server:")
]


def pre_fork(server, worker):
    """Called by gunicorn before it starts a process."""
    # Only now: the application is loaded.
    from ops.request_counts import REQUESTS

    taken = {other.share for other in server.WORKERS.values()}
    worker.share = next((share for share in range(REQUESTS.shares) if share not in taken), None)


def post_fork(server, worker):
    """Called by gunicorn in a process that it has started."""
    from ops.request_counts import REQUESTS

    REQUESTS.use(worker.share)
