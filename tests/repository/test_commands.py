import re
import shlex
from functools import cache
from importlib.util import find_spec

import pytest
from django.core.management import get_commands, load_command_class

from paragold import __version__
from paragold.cli import main
from paragold.cli.main import APPLICATION, COMMANDS

from .test_docs import PAGES, ROOT

CHECKED = [page for page in PAGES if page.name != "CHANGELOG.md"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
COMMAND = re.compile(r"(?:^|(?<!import)[\s(])(?:\S*/)?(paragold|manage\.py|make) ([a-z].*|--help|--version)")
ENDS = {"|", "&&", ";", "||", ">", "<", "&"}
NAMED_PATH = re.compile(
    r"(?<![\w./~-])(?:docs|demo|scripts|tests|benchmarks|replication|config|ops|projects|corpus|annotation|alignment|jobs|"
    r"paragold|static|templates)/[\w./-]*\w"
)
# What a page has its reader add, and what its commands write.
PLUGINS = {"dice", "character-ngrams"}
MADE = {"docs/examples/classifier.npz", "tests/upgrade/VERSION"}


class Refused(Exception):
    """What a parser says of a command line."""


def code(text):
    """Every piece of code of a page: blocks with their continued lines joined, and spans within lines."""
    blocks = re.findall(r"^( *)```.*?\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for block in [block for _, block in blocks] + re.findall(r"(?<=\n\n)((?: {4}.*\n)+)", rest):
        yield from re.sub(r" *\\\n\s*", " ", block).split("\n")
    for span in re.findall(r"`([^`]+)`", rest):
        yield span.replace("\n", " ")


def command_lines(page):
    """Program and words of every command that a page names, placeholders and optional parts among them."""
    for line in code(page.read_text(encoding="utf-8")):
        for found in COMMAND.finditer(line):
            text = re.sub(r"(?<!\S)\[|\](?!\w)(?:\.\.\.)?", " ", found[2].split(" #")[0])
            words = shlex.split(text.replace("…", "..."))
            end = next((place for place, word in enumerate(words) if word in ENDS), len(words))
            yield found[1], words[:end]


@cache
def parser_of(program, name):
    if program == "manage.py":
        known = get_commands()
        if name not in known:
            raise Refused(f"There is no command {name}.")
        return load_command_class(known[name], name).create_parser("manage.py", name)
    if name not in COMMANDS:
        raise Refused(f"There is no command {name}.")
    return main.parser_of(name)


def check_command(program, words):
    """Raises Refused for a command that there is not, and for arguments that it does not take.

    A command without arguments is only named. `...` among them stands for those that are left out.
    """
    name, *arguments = words
    if program == "paragold" and name in APPLICATION:
        target = APPLICATION[name][1]
        if target[0] == "manage.py":
            inner = [*target[1:], *arguments]
            if inner and not inner[0].isupper():
                check_command("manage.py", inner)
        elif arguments and not (name == "restore" or (name == "run" and arguments[0] == "--only")):
            raise Refused(f"{name} takes no arguments.")
        return
    if name in ("--help", "--version"):
        return
    parser = parser_of(program, name)
    if arguments:
        parse(parser, arguments)


def parse(parser, arguments):
    get, check = parser._get_value, parser._check_value

    def refuse(message):
        raise Refused(message)

    def is_placeholder(value):
        return isinstance(value, str) and ((value.isupper() and value.isalpha()) or value in PLUGINS)

    def check_unless_placeholder(action, value):
        if not is_placeholder(value):
            check(action, value)

    saved, required = vars(parser).copy(), [action for action in parser._actions if action.required]
    if any("..." in word for word in arguments):
        for action in required:
            action.required = False
    parser.error = refuse
    parser._get_value = lambda action, value: value if is_placeholder(value) else get(action, value)
    parser._check_value = check_unless_placeholder
    parser.allow_abbrev = False
    try:
        parser.parse_args([word.split("|")[0] for word in arguments if "..." not in word])
    except SystemExit as error:  # of a command within the command
        raise Refused("These arguments are not valid.") from error
    finally:
        for action in required:
            action.required = True
        vars(parser).clear()
        vars(parser).update(saved)


def check_make(words):
    """Raises Refused for a target that the Makefile does not have, and variables that it does not use."""
    target, *variables = words
    recipe = re.search(rf"^{re.escape(target)}:.*\n((?:\t.*\n)*)", MAKEFILE, re.MULTILINE)
    if recipe is None:
        raise Refused(f"There is no target {target}.")
    for variable in variables:
        name = variable.partition("=")[0]
        if "=" not in variable or f"({name})" not in recipe[1]:
            raise Refused(f"{target} has no variable {variable}.")


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_exist_with_their_options(page):
    problems = []
    for program, words in command_lines(page):
        try:
            check_make(words) if program == "make" else check_command(program, words)
        except Refused as refused:
            problems.append(f"{program} {shlex.join(words)}: {refused}")
    assert problems == []


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_modules_and_versions_exist(page):
    text = page.read_text(encoding="utf-8")
    pieces = list(code(text))
    paths = {path for piece in pieces for path in NAMED_PATH.findall(piece)}
    around = (ROOT, ROOT / "tests", ROOT / "templates", page.parent)
    missing = [path for path in paths if not any((folder / path).exists() for folder in around)]
    assert set(missing) - MADE == set()
    modules = {name for piece in pieces for name in re.findall(r"python\S* -m ([\w.]+)", piece)}
    assert [name for name in sorted(modules) if find_spec(name) is None] == []
    assert set(re.findall(r"paragold-(\d+\.\d+\.\d+)-py3", text)) <= {__version__}
    # Neither is there: an index that has Paragold, and tags.
    assert re.findall(r"pip install (?:-\S+ )*['\"]?paragold(?![-\w.])", text) == []
    assert re.findall(r"git (?:checkout|switch) v\d\S*", text) == []


def test_messages_name_no_package_index_that_has_paragold():
    product = [path for folder in ("paragold", "config", "ops") for path in (ROOT / folder).rglob("*.py")]
    assert len(product) > 200
    named = [str(path) for path in product if "install 'paragold[" in path.read_text(encoding="utf-8")]
    assert named == []
