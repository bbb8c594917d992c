"""The package that `pip install` takes: built as it is published, and used outside the repository.

Its dependencies are those of this environment, so that nothing is downloaded.
"""

import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import venv
import zipfile

import pytest

from ops.launcher.installation import REPOSITORY
from scripts.services import free_port
from tests.migrated import copy_migrated
from tests.processes import PATIENCE

from .test_launcher import Launched, environment, wait_for_greeting

FOLDER = "paragold_application"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder)
    subprocess.run([*pip, *options, REPOSITORY], check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The program `paragold` in an environment of its own."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps")
    # What is used of the package is compiled when it is used.
    subprocess.run([*pip, "--disable-pip-version-check", "--no-compile", wheel], check=True)
    return folder / "bin" / "paragold"


def test_every_file_of_the_application_is_in_the_package(wheel):
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    parts = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    listed = subprocess.run(
        ["git", "ls-files", "-z", "paragold", *parts], cwd=REPOSITORY, capture_output=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a clone of the repository")
    wanted = {
        name if name.startswith("paragold/") else f"{FOLDER}/{name}"
        for name in listed.stdout.decode().strip("\0").split("\0")
        if (REPOSITORY / name).exists()
    }
    with zipfile.ZipFile(wheel) as archive:
        assert wanted - set(archive.namelist()) == set()
        assert {"LICENSE", "LICENSE-WordNet"} <= {name.rpartition("/")[2] for name in archive.namelist()}
        (described,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        assert "\nAuthor: The Paragold authors\n" in archive.read(described).decode()
    assert "paragold/py.typed" in wanted
    apps = {path.parent.name for path in REPOSITORY.glob("*/migrations")}
    assert apps | {"config", "ops", "templates", "static", "locale", "demo"} <= set(parts)
    image = (REPOSITORY / ".dockerignore").read_text(encoding="utf-8").split("\n")
    assert {f"!{part}" for part in (*parts, "paragold", "requirements.txt")} <= set(image)


def test_the_application_runs_outside_the_repository(installed, tmp_path):
    home, here = tmp_path / "home", tmp_path / "here"
    data = home / ".local/share/paragold"
    for folder in (here, data):
        folder.mkdir(mode=0o700, parents=True)
    (here / "config.py").write_text("raise AssertionError('of the folder that the user is in')")
    copy_migrated(data / "paragold.sqlite3")
    launched = Launched(
        data, free_port(), tmp_path / "output", command=(str(installed), "run"), cwd=here, HOME=str(home)
    )
    try:
        wait_for_greeting(launched)
        with urllib.request.urlopen(f"{launched.url}/accounts/login/", timeout=PATIENCE) as answer:
            page = answer.read().decode()
        assert "Log in" in page
        with urllib.request.urlopen(f"{launched.url}/static/css/base.css", timeout=PATIENCE) as answer:
            assert answer.status == 200
    finally:
        launched.process.terminate()
        launched.process.wait(timeout=PATIENCE)
    assert f"{launched.url}/first-administrator/" in launched.words


def test_doctor_and_commands_from_file_to_file(installed, tmp_path):
    env = {**environment(tmp_path, 1), "HOME": str(tmp_path), "PARAGOLD_SECRET_KEY": "doctor " * 12}
    del env["PARAGOLD_VAR"]
    done = subprocess.run(
        [installed, "doctor"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    data = tmp_path / ".local/share/paragold"
    assert done.stdout.count("\n") == 1, done.stdout + done.stderr
    assert f"never been started: it has no data in {data}. Run `paragold run`" in done.stdout
    assert (done.returncode, done.stderr, data.exists()) == (1, "", False)
    usage = subprocess.run([installed, "run", "--help"], env=env, capture_output=True, text=True, check=True)
    assert usage.stdout.startswith("usage: paragold run ")
    checks = [installed, "doctor", "--only", "packages"]
    done = subprocess.run(checks, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [project["optional-dependencies"][name] for name in ("web", "many", "pages", "tables")]
    number = len(project["dependencies"]) + sum(map(len, extras)) - 1  # `web` names the others in a line
    assert f" {number} as required" in done.stdout, done.stdout + done.stderr
    (tmp_path / "pairs.tsv").write_text("A dam broke .\tThe dam broke .\n")
    command = (installed, "align-words", "--input", "pairs.tsv", "--aligner", "identity", "--output", "links")
    subprocess.run([*command], cwd=tmp_path, env=env, check=True, capture_output=True)
    assert (tmp_path / "links").read_text().strip() == "1-1 2-2 3-3"
