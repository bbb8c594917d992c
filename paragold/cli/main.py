"""The program `paragold`: jobs from file to file, and the web application.

`paragold COMMAND --help` lists the options of a command.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from paragold import __version__
from paragold.cli.console import Command, CommandParser, run_command, unknown_name
from paragold.packages import MissingPackageError

COMMANDS: Mapping[str, tuple[str, str]] = {
    "fetch": ("fetch", "fetch the pages of a list of addresses as articles"),
    "train-main-text": ("articles", "train a model that finds the main text of pages"),
    "cluster-articles": ("articles", "group a stream of dated articles into events"),
    "extract-pairs": ("pairs", "extract candidate pairs from files of clusters"),
    "sample": ("pairs", "draw pairs from a folder of pairs, with their articles"),
    "match-texts": ("matching", "match the texts of one file, or of two, by the words they share"),
    "match-translations": ("matching", "match the texts of two languages by a lexicon of translations"),
    "match-headlines": ("matching", "pair the headlines of each cluster of a file"),
    "associate-words": ("classifier", "build a lexicon of word association from sentence pairs"),
    "train-classifier": ("classifier", "train a paraphrase classifier on a file of labelled pairs"),
    "classify-pairs": ("classifier", "classify a file of pairs with a trained classifier"),
    "align-words": ("links", "link the words of the sentence pairs of a file"),
    "score-links": ("links", "score word links against gold links"),
    "compare-links": ("links", "compare two files of word links against gold links, link by link"),
    "convert": ("exchange", "convert a file of word links or judged pairs to another format"),
    "phrase-pairs": ("links", "list phrase pairs from word links, with counts"),
    "link-agreement": ("links", "measure the agreement of annotators on word links"),
    "score-pairs": ("classifier", "score a file of pairs with a pair scorer"),
    "get-encoder": ("encoder", "fetch a small encoder: for best, classifiers, pairs by meaning"),
    "plugins": ("exchange", "list the plug-ins that are installed, and why one cannot be used"),
    "publish": ("exchange", "upload an export to a Hub of data sets"),
}
"""Each with the module of this package that has it, imported when it is used, and what it does."""


def command_named(name: str) -> Command:
    """The command of that name of COMMANDS."""
    module, _ = COMMANDS[name]
    commands: Mapping[str, Command] = import_module(f"paragold.cli.{module}").COMMANDS
    return commands[name]


def parser_of(name: str) -> CommandParser:
    """The parser of a command of COMMANDS."""
    return CommandParser(prog=f"paragold {name}").of(command_named(name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 1 when it cannot do its work, 2 for wrong options."""
    if "_ARGCOMPLETE" in os.environ:
        _complete_line(os.environ["COMP_LINE"].split())
    given = list(sys.argv[1:] if arguments is None else arguments)
    name = given[0] if given else "--help"
    if name in APPLICATION:
        try:
            run_application(name, given[1:])
        except FileNotFoundError as error:
            sys.stderr.write(f"{error}\n")
            return 1
    if name.startswith("-"):
        _overview().parse_args([name])
    if name not in COMMANDS:
        _overview().error(unknown_name("command", name, [*COMMANDS, *APPLICATION]))
    try:
        command = command_named(name)
    except MissingPackageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return run_command(command, f"paragold {name}", given[1:])


def _complete_line(words: Sequence[str]) -> NoReturn:
    """Tell a shell how its line may go on, and end; argcomplete asks so, and answers."""
    with suppress(ImportError):
        parser = _overview(next((word for word in words if word in COMMANDS), ""))
        import_module("argcomplete").autocomplete(parser)
    raise SystemExit(1)


def _overview(chosen: str = "") -> CommandParser:
    """The parser of `paragold --help`; no command's module is loaded for it but that of the chosen one."""
    parser = CommandParser(prog="paragold", description=__doc__)
    parser.add_argument("--version", action="version", version=f"paragold {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (summary, _) in APPLICATION.items():
        commands.add_parser(name, help=summary)
    for name, (_, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary)
        if name == chosen:
            command.of(command_named(name))
    return parser


APPLICATION: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "demo": ("start the web application with the demo project", ("-m", "ops.launcher", "--demo")),
    "run": ("start the web application: web server and worker", ("-m", "ops.launcher")),
    "backup": ("write database and files of the application to one file", ("manage.py", "backup")),
    "restore": ("restore a backup", ("-m", "ops.backup")),
    "doctor": ("check the installation and say what to repair", ("manage.py", "doctor")),
    "manage": ("any command of manage.py; `paragold manage help` lists them", ("manage.py",)),
}
"""Each command with its purpose and the arguments of Python."""


def application_folder() -> Path:
    """The folder of the web application: beside the library in the package, around it in a clone.

    Raises FileNotFoundError where only the library is installed.
    """
    if find_spec("django") is None:
        raise FileNotFoundError(
            "Only the library is installed. The web application needs the extra `web`: "
            "pip install 'paragold-...whl[web]'."
        )
    around = Path(__file__).resolve().parents[2]
    for folder in (around / "paragold_application", around):
        if (folder / "manage.py").is_file():
            return folder
    raise FileNotFoundError(f"The web application is not in {around}: install the whole package paragold.")


def run_application(name: str, arguments: Sequence[str]) -> None:
    """Become the command: the terminal, its signals and its exit status are the application's."""
    folder = application_folder()
    first, *more = APPLICATION[name][1]
    # A file is looked for in the application's folder; modules by PYTHONPATH and not, because of -P, in the
    # folder that the user is in.
    command = ["-P", first, *more] if first == "-m" else [str(folder / first), *more]
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    os.execve(sys.executable, [sys.executable, *command, *arguments], environment)  # noqa: S606 - no shell
