import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, get_commands, load_command_class
from rest_framework import serializers

from paragold import limits
from paragold.cli.main import main
from paragold.problems import PROBLEMS_SHOWN, FileProblem
from projects.api.serializers import ListField, type_refusal
from projects.management.bounded import BoundedCommand
from tests.permissions.people import fresh_cache, people

__all__ = ["fresh_cache", "people"]

APPS = ("alignment", "annotation", "corpus", "jobs", "ops", "projects")
LONG = "🦔" * 100_000
MOST_BYTES = 20_000


def test_every_command_is_bounded():
    own = {name: app for name, app in get_commands().items() if app in APPS}
    assert len(own) >= 20
    for name, app in own.items():
        assert isinstance(load_command_class(app, name), BoundedCommand), name


def test_the_error_of_a_command(capsys):
    class Command(BoundedCommand):
        def handle(self, *args, **options):
            raise CommandError(LONG, returncode=3)

    with pytest.raises(SystemExit) as ended:
        Command(stderr=io.StringIO()).run_from_argv(["manage.py", "anything", "--verbosity", "1" * 100_000])
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.encode()) < MOST_BYTES
    with pytest.raises(CommandError) as refused:
        Command().execute(no_color=True, force_color=False, skip_checks=True)
    assert len(str(refused.value).encode()) < MOST_BYTES
    assert refused.value.returncode == 3


@pytest.mark.parametrize("name", ["convert", "align-words", "x" * 100_000])
def test_wrong_options_of_the_program(name, capsys):
    with pytest.raises(SystemExit):
        main([name, "--format", "y" * 100_000, "--aligner", "y" * 100_000])
    assert len(capsys.readouterr().err.encode()) < MOST_BYTES


def test_many_problems_of_a_file():
    problems = [FileProblem(f"Bad: {LONG}", "Correct it.", line=number) for number in range(1, 1001)]
    text = str(FileProblem.of(problems, file=LONG))
    assert len(text.encode()) < MOST_BYTES
    assert text.count("\n") == PROBLEMS_SHOWN
    assert text.endswith("... and 995 more problems.")
    assert "Correct it." in text
    assert len(json.dumps(problems[0].as_json())) < MOST_BYTES


@pytest.mark.django_db
@pytest.mark.parametrize(
    "line",
    [
        json.dumps({"cluster_id": LONG[:4_000], "articles": [], "a": 1}),
        "{" + "x" * 50_000,
        '{"a": "' + "\\ud800" * 8_000 + '"}',
    ],
)
def test_reports_of_imports(people, line):
    body = f"{line}\n".encode() * 120
    answer = people.client("manager").generic(
        "POST", "/api/v1/projects/dams/imports/", body, content_type="application/x-ndjson"
    )
    assert answer.status_code == 422, answer.content[:300]
    assert len(answer.content) < MOST_BYTES
    report = answer.json()
    assert 1 <= len(report["problems"]) <= PROBLEMS_SHOWN
    assert len(report["problems"]) <= report["problem_count"] <= limits.PROBLEMS


def test_elements_of_a_list_that_is_too_long_are_not_looked_at():
    class Untouched(list[Any]):
        def __iter__(self):
            raise AssertionError("its elements were looked at")

    field = ListField(child=serializers.IntegerField(), max_length=2)
    assert type_refusal(field, Untouched([{}] * 3)) == ""
    assert type_refusal(field, ["1"]) == "A valid integer is required."
