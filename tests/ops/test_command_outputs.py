import io
import os
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command, get_commands, load_command_class

from annotation.services.gold import freeze_gold_subclusters
from tests.factories.corpus import ProjectFactory, dataset_of, member
from tests.factories.subclusters import headline_cluster, split, splitting_batch

pytestmark = pytest.mark.django_db(transaction=True)
REPOSITORY = Path(__file__).resolve().parents[2]


def own_outputs():
    """The outputs of the commands, from their parsers."""
    apps_here = {app.name for app in apps.get_app_configs() if Path(app.path).parent == REPOSITORY}
    known = set()
    for name, app in get_commands().items():
        if app in apps_here:
            command = load_command_class(app, name)
            outputs = command.create_parser("manage.py", name).get_default("outputs") or ()
            known |= {(name, output) for output in outputs}
    return known


def test_these_are_all():
    assert own_outputs() == {(name, "output") for name in COMMANDS}


COMMANDS = ("backup", "export_dataset", "export_project", "export_subclusters")


@pytest.fixture
def prepared(tmp_path, settings, monkeypatch):
    """What each command needs beside its output."""
    monkeypatch.chdir(tmp_path)
    settings.VAR = tmp_path / "var"
    settings.EXPORTS_DIR, settings.UPLOADS_DIR = settings.VAR / "exports", settings.VAR / "uploads"
    for folder in ("exports", "uploads"):
        (settings.VAR / folder).mkdir(parents=True)
    project = ProjectFactory()
    dataset = dataset_of(project)
    headline_cluster(project, key="storm")
    people = [member(project, "annotator", name) for name in ("ada", "bob")]
    batch = splitting_batch(project, people)
    for person in people:
        for item in batch.items.all():
            split(item, person, [[1, 2]])
    freeze_gold_subclusters(project=project, by=None, name="heads", batch=batch)
    named = {"project": project.slug}
    return {
        "backup": {},
        "export_dataset": named | {"dataset": dataset.name},
        "export_project": named,
        "export_subclusters": named | {"gold": "heads"},
    }


def content(data):
    """What is the same in each run: archives have times in them."""
    if not data.startswith(b"PK"):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return sorted(archive.namelist())


@pytest.mark.parametrize("name", COMMANDS)
def test_it_may_be_a_link_a_pipe_or_standard_output(name, prepared, capsysbinary):
    def run(place):
        call_command(name, output=Path(place), **prepared[name])

    run("plain")
    expected = content(Path("plain").read_bytes())
    assert capsysbinary.readouterr().out

    Path("folder").mkdir()
    Path("link").symlink_to("folder/new")
    run("link")
    assert Path("link").is_symlink() and content(Path("folder/new").read_bytes()) == expected
    assert [path.name for path in Path("folder").iterdir()] == ["new"]

    os.mkfifo("pipe")
    with ThreadPoolExecutor() as pool:
        read = pool.submit(Path("pipe").read_bytes)
        run("pipe")
        assert content(read.result(60)) == expected
    assert Path("pipe").is_fifo()
    capsysbinary.readouterr()

    run("-")
    written = capsysbinary.readouterr()
    assert content(written.out) == expected and written.err
    assert not Path("-").exists()


def test_a_closed_pipe_ends_a_command_quietly():
    output, end = os.pipe()
    os.close(output)
    command = [sys.executable, str(REPOSITORY / "manage.py"), "check"]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings_test"}
    done = subprocess.run(command, stdout=end, stderr=subprocess.PIPE, check=False, env=environment)
    os.close(end)
    assert done.returncode == 141 and b"Traceback" not in done.stderr and b"pipe" not in done.stderr
