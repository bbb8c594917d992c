import ast
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import get_resolver
from django.utils import timezone
from django.utils.module_loading import import_string

from jobs.kinds import Runner, job_kind, job_kinds
from jobs.models import Job, JobState
from jobs.services import ledger
from tests.factories.corpus import ProjectFactory

ROOT = Path(__file__).resolve().parents[2]
APPS = ("jobs", "corpus", "annotation", "alignment", "ops")


@pytest.mark.parametrize("kind", job_kinds().values(), ids=list(job_kinds()))
def test_names_lead_to_code(kind):
    assert isinstance(kind.runner, Runner)
    if "." in kind.page:
        assert callable(import_string(kind.page))
    else:
        assert {kind.page, kind.in_list} <= set(get_resolver().reverse_dict)
        assert not kind.made or hasattr(Job, kind.made)


def test_every_runner_is_in_the_table():
    runners = {
        f"{path.relative_to(ROOT).with_suffix('').as_posix().replace('/', '.')}.{target.id}"
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        and getattr(node.value.func, "id", "") == "Runner"
        for target in node.targets
        if isinstance(target, ast.Name)
    }  # fmt: skip
    assert runners == {kind.run for kind in job_kinds().values()}


@pytest.mark.django_db
def test_old_jobs_are_removed_where_the_table_says_so():
    project = ProjectFactory()
    long_ago = timezone.now() - timedelta(days=91)

    def job(kind, state, finished_at):
        return Job.objects.create(
            project=project, kind=kind, title=kind, state=state, finished_at=finished_at, signature=kind
        )

    old = job("remove", JobState.DONE, long_ago)
    kept = [
        job("remove", JobState.DONE, timezone.now()),
        job("remove", JobState.FAILED, long_ago),
        job("extract", JobState.DONE, long_ago),
    ]
    ledger.remove_old_jobs()
    assert not Job.objects.filter(pk=old.pk).exists()
    assert Job.objects.filter(pk__in=[one.pk for one in kept]).count() == len(kept)


def test_an_unknown_kind_is_named_with_those_there_are():
    with pytest.raises(LookupError, match=r"'nonsense'.*extract"):
        job_kind("nonsense")


def without_numeric_libraries(code):
    """What a process says that runs the code and then exits with the numeric libraries that it has loaded."""
    names = "{'scipy', 'sklearn', 'nltk', 'numba', 'pandas', 'pyarrow'}"
    code += f"; import sys; sys.exit(', '.join({names} & sys.modules.keys()) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    return done.returncode, done.stderr


def test_the_web_server_starts_without_a_numeric_library():
    assert without_numeric_libraries("import config.wsgi") == (0, "")


def test_the_number_of_groups_is_estimated_without_a_numeric_library():
    """The page of a launch does so, and each process of the web server would load 80 MB."""
    code = (
        "from paragold.matching.headlines import HeadlineCosines, WITHIN_CLUSTER; "
        "from paragold.matching.specs import HeadlineSpec; "
        "cosines = HeadlineCosines([(['dam'], []), (['dam'], []), (['fire'], [])], WITHIN_CLUSTER); "
        "assert cosines.number_of_groups(HeadlineSpec(method='kmeans')) > 1"
    )
    assert without_numeric_libraries(code) == (0, "")
