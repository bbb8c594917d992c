from __future__ import annotations

import json
import lzma
import os
import re
import shutil
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from packaging.version import Version

from ops.launcher.installation import REPOSITORY
from paragold import __version__
from scripts import services

from .releases import FILES, migrations, observed, releases, run

LAST = releases()[-1]
DAY = re.compile(r"\d{4}-\d\d-\d\d")
WEIGHT = re.compile(r" placeholders: .*weighs %%money%%.* before, .*weighs %%number%% pounds.* now")
WHEN = "2026-11-23 12:00:00"
# Of features that are gone, as 0.2.0 stored them, and what is said of them before it is dropped.
SAID = {
    "projects_installationsettings: 1",
    *("corpus_extraction.external_id: 1", "corpus_externaldataset: 1", "corpus_fetch: 1"),
    "corpus_corpusimport.near: 1",
    *("corpus_fetchhost: 2", "some of alignment_experiment: 1", "alignment_experimentrow.size: 1"),
    "some of jobs_job: 2",
}
CHANGED = {"alignment_experiment": -1, "alignment_experimentrow": -1, "jobs_job": -2}


@dataclass(frozen=True)
class Upgraded:
    """`words`: what the start said. `before`, `now`: rows by table. `gives`: what observing.py finds."""

    var: Path
    words: str
    before: dict[str, int]
    now: dict[str, int]
    gives: dict[str, Any]
    draw: str


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The data folder of the last release, with what is gone; the tests have copies of it."""
    var = tmp_path_factory.mktemp("released") / "var"
    run(var, "-m", "ops.backup", LAST / FILES[0])
    with closing(sqlite3.connect(var / "paragold.sqlite3")) as database, database:
        add_what_is_gone(database)
    return var


@pytest.fixture(scope="module")
def sqlite(released, tmp_path_factory):
    """Upgraded by docs/deployment.md in a terminal, where somebody wants the backup."""
    var = shutil.copytree(released, tmp_path_factory.mktemp("upgraded") / "var")
    with closing(sqlite3.connect(var / "paragold.sqlite3")) as database:
        before = rows_by_table(database)
    keyboard, terminal = os.openpty()
    try:
        os.write(keyboard, b"y\n")
        words = run(var, "-m", "ops.launcher", "--prepare-only", stdin=terminal).stdout
    finally:
        os.close(keyboard)
        os.close(terminal)
    with closing(sqlite3.connect(var / "paragold.sqlite3")) as database:
        now, kind = rows_by_table(database), kind_of_draw(database)
    return Upgraded(var, words, before, now, observed(var), kind)


@pytest.fixture(scope="module")
def postgresql(released, tmp_path_factory):
    """Upgraded with nobody there to ask, as by a service manager."""
    var = shutil.copytree(released, tmp_path_factory.mktemp("postgresql") / "var")
    database = var / "paragold.sqlite3"
    with closing(sqlite3.connect(database)) as read:
        before = rows_by_table(read)
    with services.postgresql() as url:
        run(var, "-m", "tests.upgrade.on_postgresql", LAST, database, DATABASE_URL=url)
        words = run(var, "-m", "ops.launcher", "--prepare-only", DATABASE_URL=url).stdout
        with psycopg.connect(url) as read:
            now, kind = rows_by_table(read), kind_of_draw(read)
        yield Upgraded(var, words, before, now, observed(var, DATABASE_URL=url), kind)


@pytest.fixture(params=["sqlite", "postgresql"])
def upgraded(request):
    if request.param == "postgresql" and services.find_postgresql() is None:
        pytest.skip("PostgreSQL is not installed.")
    made: Upgraded = request.getfixturevalue(request.param)
    return made


def add_what_is_gone(database):
    """Two hosts and a fetch, an experiment with sample sizes, a draw from an external dataset."""

    def insert(table, **values):
        names, places = ", ".join(values), ", ".join("?" * len(values))
        statement = f"INSERT INTO {table} ({names}) VALUES ({places})"
        return database.execute(statement, [*values.values()]).lastrowid

    def job(kind):
        numbers = dict.fromkeys(("total", "done", "short", "seconds_before", "share_before"), 0)
        texts = {"parameters": "{}", "counts": "{}", "signature": "", "error": "", "request_id": ""}
        texts |= {"state": "done", "moved_at": WHEN, "requested_at": WHEN}
        return insert("jobs_job", kind=kind, title=kind, project_id=1, **numbers, **texts)

    for host in ("a.example", "b.example"):
        insert("corpus_fetchhost", host=host, free_at=WHEN)
    of_project = {"project_id": 1, "job_id": job("fetch")}
    insert("corpus_fetch", filename="list.tsv", repeated=0, requested_at=WHEN, **of_project)
    of_project = {"project_id": 1, "job_id": job("experiment")}
    size = insert(
        "alignment_experiment", name="n", test_sentences=0, comparisons="{}", created_at=WHEN, **of_project
    )
    row = {"number": 1, "extraction": "{}", "size": 10, "learns_from_gold": 0, "pairs": 0, "signature": ""}
    row |= {"aligner": "hmm", "parameters": "{}", "transfers": "[]", "dataset_id": 1, "experiment_id": size}
    insert("alignment_experimentrow", **row)
    of_project = {"project_id": 1, "job_id": job("attach"), "source_id": 1, "size": 1, "manifest_sha256": ""}
    external = insert(
        "corpus_externaldataset", name="x", address="/x", manifest="{}", distances="{}", **of_project
    )
    database.execute("UPDATE corpus_extraction SET external_id = ? WHERE job_id = 2", [external])
    database.execute("UPDATE jobs_job SET kind = 'draw-external' WHERE id = 2")
    limits = {"fetch_delay_seconds": 1, "fetch_seconds": 45, "fetch_megabytes": 5, "fetch_contact": ""}
    insert("projects_installationsettings", fetching=0, decided_at=WHEN, decided_by_id=1, **limits)


def rows_by_table(database):
    """Of our tables."""
    listed = (
        "SELECT name FROM sqlite_master WHERE type = 'table'"
        if isinstance(database, sqlite3.Connection)
        else "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    )
    ours = ("projects_", "jobs_", "corpus_", "annotation_", "alignment_", "ops_", "auth_user")
    names = [name for (name,) in database.execute(listed).fetchall() if name.startswith(ours)]
    return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


def kind_of_draw(database):
    return str(database.execute("SELECT kind FROM jobs_job WHERE id = 2").fetchone()[0])


def differences(before, now, place=""):
    """Where what was given before is missing or different now; what is new beside it does not count."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name, value in before.items():
            if name in now:
                yield from differences(value, now[name], f"{place} {name}")
            else:
                yield f"{place} {name}: missing"
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, pair in enumerate(zip(before, now, strict=True)):
            yield from differences(*pair, f"{place} {number}")
    elif before != now:
        yield f"{place}: {before!r:.80} before, {now!r:.80} now"


def test_differences():
    before = {"rows": [{"label": "yes", "n": 1}], "name": "x"}
    assert not list(differences(before, {"rows": [{"label": "yes", "n": 1, "new": 2}], "name": "x"}))
    now = {"rows": [{"label": "no", "n": 1}]}
    assert list(differences(before, now)) == [" rows 0 label: 'yes' before, 'no' now", " name: missing"]
    assert list(differences([1], [1, 2])) == [": [1] before, [1, 2] now"]


def without_days(pages):
    return {
        address: [number for number in numbers if not DAY.fullmatch(number)]
        for address, numbers in pages.items()
    }


def test_an_upgraded_installation_gives_what_the_release_gave(upgraded):
    before = json.loads(lzma.decompress((LAST / FILES[1]).read_bytes()))
    # Lists of the API then; now they are pages with their files, and the figures have no pages.
    for name in ("annotated-items", "lexicons"):
        del before["answers"][f"projects/demo/{name}/"]
    del before["answers"]["projects/demo/phenomena/"]["next"]
    for row in before["answers"]["projects/demo/imports/"]:
        del row["near_duplicates"]
    # Lists of clusters show days as well now.
    now = upgraded.gives | {"pages": without_days(upgraded.gives["pages"])}
    before["pages"] = without_days(before["pages"])
    assert len(before["answers"]) > 15 and len(before["pages"]) > 8 and len(before["files"]) > 9
    # Placeholders are computed when they are read: the release took pounds of weight for money.
    others = [line for line in differences(before, now) if not WEIGHT.search(line)]
    assert others == []


def test_what_is_gone_is_said_and_dropped_and_the_rest_stays(upgraded):
    assert "This upgrade drops" in upgraded.words
    assert {*re.findall(r"^  (.+: \d+)$", upgraded.words, re.MULTILINE)} == SAID
    gone = upgraded.before.keys() - upgraded.now.keys()
    assert {"corpus_fetchhost", "corpus_externaldataset", "ops_archiveimport"} <= gone
    assert all(name in upgraded.words for name in gone)
    kept = {name: upgraded.now[name] - rows for name, rows in upgraded.before.items() if name not in gone}
    assert {name: change for name, change in kept.items() if change} == CHANGED
    assert upgraded.draw == "extract"


def test_a_backup_of_before_is_there(upgraded, tmp_path):
    [path] = (upgraded.var / "backups").iterdir()
    assert f"Backup: {path}" in upgraded.words
    with zipfile.ZipFile(path) as backup:
        database = json.loads(backup.read("manifest.json"))["database"]
        assert [name for name in database["migrations"] if name.startswith("corpus.")] == [
            "corpus.0001_initial"
        ]
        if database["vendor"] == "sqlite":
            with closing(sqlite3.connect(backup.extract(database["file"], tmp_path))) as before:
                assert rows_by_table(before) == upgraded.before


@pytest.mark.parametrize("release", releases(), ids=lambda release: release.name)
def test_the_migrations_of_a_release_are_never_edited(release):
    released = json.loads((release / FILES[2]).read_text(encoding="utf-8"))
    assert list(differences(released, migrations())) == []


def squashed():
    return {key: one.replaces for key, one in MigrationLoader(None).disk_migrations.items() if one.replaces}


def test_the_steps_from_a_release_lead_to_the_tables_of_a_new_installation():
    old = MigrationLoader(None, replace_migrations=False)
    new = MigrationLoader(None)
    ends = [squashed().get(key, [key])[-1] for key in new.graph.leaf_nodes()]
    steps = MigrationAutodetector(old.project_state(ends), new.project_state()).changes(new.graph)
    assert [str(step) for of_app in steps.values() for step in of_app] == []


@pytest.mark.django_db
def test_nothing_is_left_to_do_after_the_steps_of_unreleased_versions():
    """They had the last of these steps and others before it, and no squashed migration."""
    recorder = MigrationRecorder(connection)
    for key in squashed():
        recorder.record_unapplied(*key)
    recorder.record_applied("alignment", "0005_held_out_pairs")
    recorder.record_applied("jobs", "0002_kinds_that_went")
    assert plan() == []


@pytest.mark.django_db
def test_an_interrupted_upgrade_goes_on():
    """Steps are taken from the lowest app upwards, as the squashed migrations build on each other."""
    recorder = MigrationRecorder(connection)
    since = {step for _, *later in squashed().values() for step in later}
    for key in {*squashed()} | since:
        recorder.record_unapplied(*key)
    steps = plan()
    assert {*steps} == since
    while steps:
        recorder.record_applied(*steps.pop(0))
        MigrationLoader(connection).check_consistent_history(connection)
        assert plan() == steps


def plan():
    executor = MigrationExecutor(connection)
    steps = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [(step.app_label, step.name) for step, _ in steps]


def test_a_failed_upgrade_is_taken_back_by_the_backup(sqlite, tmp_path):
    var = sqlite.var
    backup = tmp_path / "before.zip"
    run(var, "manage.py", "backup", "--output", backup)
    with zipfile.ZipFile(backup) as packed:
        saved = statements(packed.extract("database.sqlite3", tmp_path))
    failing = {"DJANGO_SETTINGS_MODULE": "tests.upgrade.failing_settings"}
    failed = run(var, "-m", "ops.launcher", "--prepare-only", check=False, **failing)
    assert failed.returncode != 0 and "this migration fails" in failed.stdout + failed.stderr
    assert labels(var) == {"not_paraphrase"}, "what is taken back below was never changed"
    run(var, "-m", "ops.backup", "--replace", backup)
    assert len(labels(var)) == 2 and statements(var / "paragold.sqlite3") == saved


def statements(path):
    """What makes the database again, every row and constraint."""
    with closing(sqlite3.connect(path)) as database:
        return [*database.iterdump()]


def labels(var):
    with closing(sqlite3.connect(var / "paragold.sqlite3")) as database:
        return {label for (label,) in database.execute("SELECT label FROM annotation_judgement")}


def test_the_data_of_a_release_are_small_and_its_version_has_notes():
    changes = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    for release in releases():
        assert sum(path.stat().st_size for path in release.iterdir()) < 1_000_000
        assert Version(release.name) <= Version(__version__)
        assert f"\n## {release.name}" in changes
