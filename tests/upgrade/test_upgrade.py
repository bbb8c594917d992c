"""The installation of the last release, upgraded to this version; and a failed upgrade taken back."""

from __future__ import annotations

import json
import lzma
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

from ops.launcher.installation import REPOSITORY
from paragold import __version__

from .releases import FILES, migrations, observed, releases, run

LAST = releases()[-1]
WEIGHT = re.compile(r" placeholders: .*weighs %%money%%.* before, .*weighs %%number%% pounds.* now")


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The last release's installation, upgraded by docs/deployment.md: data folder, and what it gives."""
    var = tmp_path_factory.mktemp("upgraded") / "var"
    run(var, "-m", "ops.backup", LAST / FILES[0])
    run(var, "-m", "ops.launcher", "--prepare-only")
    return var, observed(var)


def differences(before: Any, now: Any, place: str = "") -> Iterator[str]:
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


def test_differences() -> None:
    before = {"rows": [{"label": "yes", "n": 1}], "name": "x"}
    assert not list(differences(before, {"rows": [{"label": "yes", "n": 1, "new": 2}], "name": "x"}))
    now = {"rows": [{"label": "no", "n": 1}]}
    assert list(differences(before, now)) == [" rows 0 label: 'yes' before, 'no' now", " name: missing"]
    assert list(differences([1], [1, 2])) == [": [1] before, [1, 2] now"]


def test_an_upgraded_installation_gives_what_the_release_gave(upgraded: tuple[Path, dict[str, Any]]) -> None:
    _, now = upgraded
    before = json.loads(lzma.decompress((LAST / FILES[1]).read_bytes()))
    # A list of the API then; now these items are a page with its CSV file, and the figures have no pages.
    del before["answers"]["projects/demo/annotated-items/"]
    del before["answers"]["projects/demo/phenomena/"]["next"]
    assert len(before["answers"]) > 15 and len(before["pages"]) > 8 and len(before["files"]) > 9
    # Placeholders are computed when they are read: the release took pounds of weight for money.
    others = [line for line in differences(before, now) if not WEIGHT.search(line)]
    assert others == []


@pytest.mark.parametrize("release", releases(), ids=lambda release: release.name)
def test_the_migrations_of_a_release_are_never_edited(release: Path) -> None:
    released = json.loads((release / FILES[2]).read_text(encoding="utf-8"))
    assert list(differences(released, migrations())) == []


def test_a_failed_upgrade_is_taken_back_by_the_backup(
    upgraded: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    var, before = upgraded
    backup = tmp_path / "before.zip"
    run(var, "manage.py", "backup", "--output", backup)
    failing = {"DJANGO_SETTINGS_MODULE": "tests.upgrade.failing_settings"}
    failed = run(var, "-m", "ops.launcher", "--prepare-only", check=False, **failing)
    assert failed.returncode != 0 and "this migration fails" in failed.stdout + failed.stderr
    assert labels(var) == {"not_paraphrase"}, "what is taken back below was never changed"
    run(var, "-m", "ops.backup", "--replace", backup)
    assert len(labels(var)) == 2 and observed(var) == before


def labels(var: Path) -> set[str]:
    with closing(sqlite3.connect(var / "paragold.sqlite3")) as database:
        return {label for (label,) in database.execute("SELECT label FROM annotation_judgement")}


def test_the_data_of_a_release_are_small_and_its_version_has_notes() -> None:
    changes = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    for release in releases():
        assert sum(path.stat().st_size for path in release.iterdir()) < 1_000_000
        assert Version(release.name) <= Version(__version__)
        assert f"\n## {release.name}" in changes
