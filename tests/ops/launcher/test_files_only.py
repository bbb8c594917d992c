import json
import os
import subprocess
import sys

from ops.launcher.installation import REPOSITORY

PAIRS = "A dam broke near the old town .\tThe dam near the old town has broken .\n"
ARTICLES = [
    {"id": str(number), "published": f"2004-01-0{number}", "title": "A dam", "text": text}
    for number, text in enumerate(("A dam broke near the town.", "The dam near the town has broken."), 1)
]
CLUSTERS = {"cluster_id": "dam", "articles": ARTICLES}
LABELLED = "".join(
    f"{number % 2}\tA dam of {number} metres broke .\tThe dam of {number} metres {word} .\n"
    for number, word in enumerate(["stands", "has broken"] * 8)
)
FILES = {
    "clusters.jsonl": json.dumps(CLUSTERS) + "\n",
    "pairs.tsv": PAIRS,
    "labelled.tsv": LABELLED,
    "a.txt": "a dam broke\n",
    "b.txt": "the dam broke\n",
    "gold.naacl": "1 1 1 S\n1 2 2 S\n",
    "mine.naacl": "1 1 1 S\n1 3 3 S\n",
}
# What runs, and the file it writes or a part of what it prints; tests/paragold/cli/test_outputs.py has the
# others.
RUNS = {
    "extract-pairs --input clusters.jsonl --output out.tsv": "out.tsv",
    "train-classifier --pairs labelled.tsv --output model.npz": "model.npz",
    "align-words --input pairs.tsv --aligner identity --output out.pharaoh": "out.pharaoh",
    "score-links --gold gold.naacl --source a.txt --target b.txt --links mine.naacl": "AER",
}
# All in one process, which takes seconds to start; a line of JSON for each says what it printed and left.
ONE_AFTER_ANOTHER = """
import contextlib, io, json, os, sys
sys.path.insert(0, sys.argv[1])
from paragold.cli.main import main
for command in sys.argv[2:]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = main(command.split())
    print(json.dumps({"command": command, "status": status, "out": out.getvalue(), "files": os.listdir()}))
"""
HELP = """
import contextlib, io, os, sys
sys.path.insert(0, sys.argv[1])
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
from django.core.management import execute_from_command_line, get_commands
django.setup()
shown = io.StringIO()
for name, app in get_commands().items():
    if app in ("ops", "projects", "jobs", "corpus", "annotation", "alignment"):
        with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
            execute_from_command_line(["manage.py", name, "--help"])
        assert f"manage.py {name} " in shown.getvalue(), name
        print(name)
"""


def run(folder, *arguments):
    """Python in an empty folder, with a home and a data folder that do not exist."""
    return subprocess.run(
        [sys.executable, "-B", *arguments],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder / "home"),
            "PARAGOLD_VAR": str(folder / "var"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def manage(folder, command):
    return run(folder, str(REPOSITORY / "manage.py"), *command.split())


def test_they_run_and_create_nothing_else(tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    done = run(tmp_path, "-c", ONE_AFTER_ANOTHER, str(REPOSITORY), *RUNS)
    assert done.returncode == 0, done.stderr
    expected = set(FILES)
    told = {line["command"]: line for line in map(json.loads, done.stdout.splitlines())}
    for command, result in RUNS.items():
        assert told[command]["status"] == 0, command
        if "." in result:
            assert (tmp_path / result).stat().st_size > 0, command
            expected.add(result)
        else:
            assert result in told[command]["out"]
        assert set(told[command]["files"]) == expected, command


def test_every_help(tmp_path):
    done = run(tmp_path, "-c", HELP, str(REPOSITORY))
    assert done.returncode == 0, done.stderr
    assert {"launch", "import", "export_gold"} < set(done.stdout.split())
    assert not list(tmp_path.iterdir())


def test_what_needs_an_installation_says_so(tmp_path):
    done = manage(tmp_path, "launch extract --project dams")
    assert done.returncode == 1
    assert "make run" in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_web_server_refuses_to_start_without_a_secret_key(tmp_path):
    done = run(tmp_path, "-c", f"import sys; sys.path.insert(0, {str(REPOSITORY)!r}); import config.wsgi")
    assert done.returncode == 1
    assert "No secret key" in done.stderr
    assert not list(tmp_path.iterdir())
