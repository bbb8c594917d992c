"""Pages of many hosts, fetched by one process: seconds, pages a second, and whether each host had its peace.

    python -m benchmarks.fetching [--pages 200] [--hosts 40] [--latency 0.3] [--delay 1.0]

A server on the loopback answers each request after `latency` seconds; the hosts are other spellings of its
address, each with a robots.txt. Prints JSON; exits with 1 when a page is missing or was asked for twice, or
when two requests to a host were under way at the same time.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import tempfile
import time
from collections import Counter


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--hosts", type=int, default=40)
    parser.add_argument("--latency", type=float, default=0.3, help="seconds until the server answers")
    parser.add_argument("--delay", type=float, default=1.0, help="seconds between two requests to a host")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="paragold-fetching-") as folder:
        os.environ["PARAGOLD_TEST_VAR"] = folder
        os.environ["DATABASE_URL"] = f"sqlite://{folder}/fetching.sqlite3"
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings_test"
        told = measured(asked)
    json.dump(told, sys.stdout, indent=2)
    print()
    return 0 if told["right"] else 1


def measured(asked: argparse.Namespace) -> dict[str, object]:
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    settings.FETCH_LOOPBACK_FOR_TESTS = True
    settings.FETCH_DELAY_SECONDS = asked.delay
    call_command("migrate", verbosity=0)

    from jobs.services.running import run_here
    from projects.models import Project
    from tests.factories.corpus import ProjectFactory
    from tests.factories.fetching import fetch_of
    from tests.misbehaving_server import loopback_name, page, serving

    answer, nothing = page(), page("", status="404 Not Found")

    def after(data: bytes) -> object:
        def late(connection: socket.socket) -> None:
            time.sleep(asked.latency)
            connection.sendall(data)

        return late

    project: Project = ProjectFactory(slug="fetching")  # type: ignore[assignment]  # it makes a row
    paths = [f"/{number}" for number in range(asked.pages)]
    with serving() as server:
        server.answers = {path: after(answer) for path in paths} | {"/robots.txt": after(nothing)}  # type: ignore[assignment]  # bytes, or a function
        addresses = [
            ("news", server.url(path, host=loopback_name(number % asked.hosts)))
            for number, path in enumerate(paths)
        ]
        fetch = fetch_of(project, *addresses)
        started = time.monotonic()
        run_here(job=fetch.job)
        seconds = time.monotonic() - started
    times = Counter(server.asked)
    kept = fetch.addresses.filter(state="kept").count()
    right = kept == asked.pages and {times[path] for path in paths} == {1}
    return {
        "pages": asked.pages,
        "hosts": asked.hosts,
        "seconds": round(seconds, 1),
        "pages_a_second": round(asked.pages / seconds, 2),
        "requests_at_once": server.most_at_once,
        "requests_at_once_to_a_host": max(server.most_at_once_of.values()),
        "requests_for_robots_txt": times["/robots.txt"],
        "right": right and max(server.most_at_once_of.values()) == 1,
    }


if __name__ == "__main__":
    sys.exit(main())
