"""Fixtures of the web application."""

from tests.django_fixtures import django_db_keepdb, worker_at_once  # noqa: F401 - pytest finds fixtures here
