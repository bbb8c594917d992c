import json

import pytest
from django.core.management import call_command

from config.celery import app
from ops import diagnosis
from ops.diagnosis import CHECKS, examine


@pytest.fixture
def var(tmp_path, monkeypatch):
    folder = tmp_path / "var"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("PARAGOLD_VAR", str(folder))
    return folder


def test_package_of_another_version_is_named(monkeypatch, tmp_path):
    (tmp_path / "requirements.txt").write_text(
        "# pins\ndjango==1.0 ; python_version > '3'\nno-such-package==1\n"
    )
    monkeypatch.setattr(diagnosis, "REPOSITORY", tmp_path)
    finding = examine("packages")
    assert not finding.ok
    assert "instead of ==1.0" in finding.found
    assert "no-such-package missing" in finding.found
    assert finding.remedy == "Run `make setup`."


def test_key_that_others_can_read_is_found(var):
    assert examine("data folder").ok
    key = var / "secret_key"
    key.write_text("x")
    key.chmod(0o644)
    finding = examine("data folder")
    assert not finding.ok
    assert finding.remedy == f"chmod go-rwx '{key}'"


def test_debugging_and_a_weak_key_are_found(settings):
    assert examine("debug").ok
    settings.DEBUG = True
    assert not examine("debug").ok
    settings.SECRET_KEY = "short"
    assert not examine("secret key").ok


def test_a_queue_that_does_not_answer_is_seen(monkeypatch, tmp_path):
    assert examine("broker").ok
    monkeypatch.setattr(app.conf, "broker_url", f"redis+socket://{tmp_path}/queue.sock")
    assert not examine("broker").ok


@pytest.mark.django_db
def test_command_exits_with_1_and_tells_the_same_as_json(capsys, var):
    (var / "log").mkdir()
    with pytest.raises(SystemExit) as caught:
        call_command("doctor", "--json")
    assert caught.value.code == 1
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    assert [finding["check"] for finding in report["findings"]] == list(CHECKS)
    assert all(finding["ok"] or finding["remedy"] for finding in report["findings"])


@pytest.mark.parametrize("there", [False, True])
def test_before_the_first_start_one_line_says_so(capsys, var, there):
    if not there:
        var.rmdir()
    for options in ((), ("--json",)):
        with pytest.raises(SystemExit) as caught:
            call_command("doctor", *options)
        assert caught.value.code == 1
    line, _, report = capsys.readouterr().out.partition("\n")
    assert line == (
        f"Paragold has never been started: it has no data in {var}. Run `make run`, or correct PARAGOLD_VAR."
    )
    assert [finding["check"] for finding in json.loads(report)["findings"]] == ["data folder"]
    assert var.exists() == there
