"""The fixed data of releases, which later versions must be able to upgrade: a folder each, named by version.

    python -m tests.upgrade.releases

makes the folder of this version, once, when it is released:

- `backup.zip`, a backup of an installation with the demo project;
- `observed.json.xz`, what that installation gave (tests/upgrade/observing.py);
- `migrations.json`, the SHA-256 of each migration. Nobody may edit one of them any more.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from paragold import __version__
from scripts.gate import clean_environment

FOLDER = Path(__file__).parent
REPOSITORY = FOLDER.parents[1]
FILES = ("backup.zip", "observed.json.xz", "migrations.json")


def releases():
    """The folders of all releases, the last one at the end."""
    versions = [path.parent for path in FOLDER.glob(f"*/{FILES[-1]}")]
    return sorted(versions, key=lambda folder: [int(part) for part in folder.name.split(".")])


def run(var, *arguments, check=True, stdin=subprocess.DEVNULL, **extra):
    """A program of this version for the installation in `var`, whatever the caller's own one is."""
    environment = clean_environment(var) | {"DJANGO_SETTINGS_MODULE": "config.settings"} | extra
    del environment["PARAGOLD_SECRET_KEY"]
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(
        command, cwd=REPOSITORY, env=environment, stdin=stdin, capture_output=True, text=True, check=False
    )
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(map(str, arguments))} failed:\n{done.stdout}\n{done.stderr}")
    return done


def observed(var, **extra):
    found: dict[str, Any] = json.loads(run(var, "-m", "tests.upgrade.observing", **extra).stdout)
    return found


def migrations():
    """The SHA-256 of each migration of this version, by path."""
    files = sorted(REPOSITORY.glob("*/migrations/[0-9]*.py"))
    return {
        path.relative_to(REPOSITORY).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def main():
    folder = FOLDER / __version__
    if folder.exists():
        sys.exit(f"{folder} exists: the data of a release are made once.")
    with tempfile.TemporaryDirectory() as name:
        var, backup = Path(name) / "var", Path(name) / "backup.zip"
        run(var, "-m", "ops.launcher", "--demo", "--prepare-only")
        run(var, "manage.py", "backup", "--output", backup)
        given = json.dumps(observed(var), ensure_ascii=False, sort_keys=True).encode()
        folder.mkdir()
        with (
            zipfile.ZipFile(backup) as loose,
            zipfile.ZipFile(folder / FILES[0], "w", zipfile.ZIP_LZMA) as tight,
        ):
            for entry in loose.infolist():
                tight.writestr(entry.filename, loose.read(entry))
    (folder / FILES[1]).write_bytes(lzma.compress(given, preset=9))
    (folder / FILES[2]).write_text(json.dumps(migrations(), indent=1) + "\n", encoding="utf-8")
    size = sum(path.stat().st_size for path in folder.iterdir())
    sys.stdout.write(f"{folder.relative_to(REPOSITORY)}: {size:,} bytes. Commit it with the release.\n")


if __name__ == "__main__":
    main()
