"""An S3 store for tests, and hosts that take turns in one process."""

import pytest

from config import environment
from scripts import services


@pytest.fixture(scope="module")
def store():
    """The environment variables of a store."""
    with services.s3() as variables:
        yield variables


def share(monkeypatch, settings, variables):
    """Settings as an installation with these environment variables has them."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    settings.SHARED_STORAGE = environment.shared_storage()
    settings.STORAGES = {**settings.STORAGES, "shared": settings.SHARED_STORAGE}


def go_to(settings, folder):
    """Work on as the host with this data folder."""
    folder.mkdir(exist_ok=True)
    settings.VAR = folder
    settings.EXPORTS_DIR, settings.UPLOADS_DIR = folder / "exports", folder / "uploads"
