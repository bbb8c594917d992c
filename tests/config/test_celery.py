"""The queue in files: a worker sees whole messages only, in the order in which they were sent."""

import errno
import json
from pathlib import Path
from queue import Empty
from unittest.mock import Mock

import pytest
from kombu import Connection
from kombu.exceptions import ChannelError

from config.celery import Channel, Transport, app


@pytest.fixture
def channel(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    folders = {"data_folder_in": str(tmp_path), "data_folder_out": str(tmp_path)}
    options = folders | {"control_folder": str(tmp_path / "control")}
    channel = Connection("filesystem://", transport_options=options).channel()
    assert isinstance(channel, Channel)
    return channel


def test_the_application_uses_it():
    with app.connection_for_write() as connection:
        if connection.transport_cls == "filesystem":
            assert connection.get_transport_cls() is Transport


def test_a_message_that_is_being_written_is_not_there_yet(channel, tmp_path, monkeypatch):
    seen = []

    def write_slowly(path, data):
        for part in (b"", data):
            with path.open("ab") as file:
                file.write(part)
            with pytest.raises(Empty):
                seen.append(channel._get("celery"))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", write_slowly)
        channel._put("celery", {"number": 1})
    channel._put("celery", {"number": 2})
    channel._put("another", {"number": 3})
    assert [channel._get("celery")["number"] for _ in range(2)] == [1, 2]
    assert seen == [] and [json.loads(path.read_text()) for path in tmp_path.glob("*.another.msg")]


def test_a_full_disk_is_an_error_of_the_channel(channel, monkeypatch):
    monkeypatch.setattr(Path, "write_bytes", Mock(side_effect=OSError(errno.ENOSPC, "No space left")))
    with pytest.raises(ChannelError, match=r"Cannot add .* No space left"):
        channel._put("celery", {})
