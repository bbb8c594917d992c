"""What the documentation has from the program: commands, settings, the library's reference, the API."""

from __future__ import annotations

import ast
import os
import re
from argparse import SUPPRESS, Action, ArgumentParser, HelpFormatter
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from io import StringIO
from pathlib import Path

import griffe

REPOSITORY = Path(__file__).resolve().parents[1]
PRODUCT = ("config", "ops", "alignment", "annotation", "corpus", "jobs", "projects", "paragold")
SECTIONS = re.compile(r"^ *(Parameters|Returns|Raises|References|Examples)\n *-+$", re.MULTILINE)


def command_page() -> str:
    """The commands of `paragold`."""
    from paragold.cli.main import APPLICATION, COMMANDS, parser_of

    starting = "\n".join(f"| `paragold {name}` | {summary} |" for name, (summary, _) in APPLICATION.items())
    parts = [
        "# Commands from file to file\n\nThey read and write files, without a database: `paragold COMMAND`, "
        "in a clone `.venv/bin/paragold COMMAND`. "
        "[The library](../library.md) has the same as functions.\n\nThe web application is started by\n\n"
        f"| command | what it does |\n| --- | --- |\n{starting}\n"
    ]
    for name in COMMANDS:
        parts.append(described(name, parser_of(name)))
    return "\n".join(parts)


def manage_page() -> str:
    """The commands of `manage.py`, without Django's own options."""
    set_up_django()
    from django.core.management import get_commands, load_command_class
    from django.core.management.base import BaseCommand

    general = {action.dest for action in BaseCommand().create_parser("manage.py", "")._actions}
    parts = [
        "# Commands of an installation\n\n`manage.py COMMAND`, or `paragold manage COMMAND` where the "
        "package is installed. They use the data folder of the [settings](settings.md); those "
        "[from file to file](commands.md) need none.\n"
    ]
    for name, app in sorted(get_commands().items()):
        if isinstance(app, str) and app in PRODUCT:
            parser = load_command_class(app, name).create_parser("manage.py", name)
            parts.append(described(name, parser, without=general))
    return "\n".join(parts)


@cache
def api_document() -> str:
    """The OpenAPI document. Fails where it is not valid, or says nothing of a part of the API."""
    set_up_django()
    from django.core.management import call_command

    document = StringIO()
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=document)
    return document.getvalue()


def set_up_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    import django

    django.setup()


def described(name: str, parser: ArgumentParser, *, without: set[str] | frozenset[str] = frozenset()) -> str:
    """A command: heading, description, usage, and a table of its arguments."""
    shown = [a for a in parser._actions if a.dest not in {*without, "help"} and a.help != SUPPRESS]
    usage = HelpFormatter(parser.prog, width=88)  # not that of the terminal
    usage.add_usage(None, shown, parser._mutually_exclusive_groups, prefix="")
    rows = "\n".join(_row(action, parser) for action in shown)
    table = f"| argument | meaning |\n| --- | --- |\n{rows}\n" if rows else ""
    description = _plain(parser.description or "")
    return f"## {name}\n\n{description}\n\n```\n{usage.format_help().strip()}\n```\n\n{table}"


def _row(action: Action, parser: ArgumentParser) -> str:
    usage = HelpFormatter(parser.prog)
    called = usage._format_action_invocation(action)
    if action.choices and action.metavar is None:  # they are in the meaning
        called = ", ".join(action.option_strings) or action.dest
    text = usage._expand_help(action) if action.help else ""
    choices = _choices(action, text)
    default = action.default
    if action.option_strings and default not in (None, False, "", SUPPRESS, []) and "default" not in text:
        text = f"{text} (default: {default})".strip()
    return f"| `{called.replace('|', chr(92) + '|')}` | {_plain(text)}{choices} |"


def _choices(action: Action, text: str) -> str:
    """The choices of an argument, unless its help names them all."""
    choices = [str(choice) for choice in action.choices or ()]
    return "" if all(choice in text for choice in choices) else f"; one of {', '.join(choices)}"


def _plain(text: str) -> str:
    """Text of the program as Markdown: options and what is between backticks as code, no other marks."""
    parts = re.compile(r"`[^`]+`|(?P<option>(?<![\w-])--[a-z][\w=-]*)|(?P<mark>[\\`*_\[\]<>|])")

    def written(match: re.Match[str]) -> str:
        if match["mark"]:
            return f"\\{match['mark']}"
        return f"`{match['option']}`" if match["option"] else match[0].replace("|", "\\|")

    return parts.sub(written, " ".join(text.split()))


def settings_page() -> str:
    """Every environment variable: default, meaning, and the modules that read it."""
    from config.variables import VARIABLES

    readers = variables_read()
    rows = []
    for name, variable in VARIABLES.items():
        default = f"`{variable.default}`" if variable.default else _plain(variable.unset) or "none"
        modules = ", ".join(f"`{module}`" for module in sorted(readers[name]))
        file = f"; or `{name}_FILE`, a file with it" if variable.secret else ""
        rows.append(f"| `{name}` | {default} | {_plain(variable.meaning)}{file}; read in {modules} |")
    return (
        "# Settings\n\nEverything that differs between installations comes from environment variables, which "
        "`manage.py doctor --variables` lists too. [Deployment](../deployment.md) shows where they are set. "
        "Administrators decide more on the page *Installation*, managers in the settings of their project."
        "\n\n| variable | default | meaning |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"
    )


def variables_read() -> Mapping[str, set[str]]:
    """Modules of the product by the environment variable that they give to a function, or a name to."""
    named = re.compile(r"""(?:\(|= |, )["']((?:PARAGOLD|AWS)_[A-Z_]+|PORT|DATABASE_URL|REDIS_URL)["']""")
    readers = defaultdict(set)
    for path in (path for folder in PRODUCT for path in (REPOSITORY / folder).rglob("*.py")):
        module = ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)
        if module not in {"config.variables", "config.settings_test"}:
            for name in named.findall(path.read_text(encoding="utf-8")):
                readers[name].add(module)
    return readers


def library_pages() -> dict[str, str]:
    """A page of mkdocstrings' instructions for each package of the library, by name.

    It has the functions and classes with numpydoc sections, and those that `import paragold` shows.
    Nothing is imported: griffe reads the source.
    """
    tree = griffe.load("paragold", search_paths=[REPOSITORY])
    door = ast.parse((REPOSITORY / "paragold" / "__init__.pyi").read_text(encoding="utf-8"))
    used = {
        f"paragold.{line.module}.{name.name}"
        for line in door.body
        if isinstance(line, ast.ImportFrom)
        for name in line.names
    }
    packages: dict[str, list[str]] = defaultdict(list)
    for item in public_items(tree):
        if item.path in used or SECTIONS.search(item.docstring.value if item.docstring else ""):
            packages[item.path.split(".")[1]].append(item.path)
    return {
        package: f"# paragold.{package}\n\n{_summary(tree, package)}\n\n" + "\n\n".join(_by_module(paths))
        for package, paths in sorted(packages.items())
    }


def _by_module(paths: list[str]) -> Iterator[str]:
    """Each path, under a heading for its module."""
    before = ""
    for path in sorted(paths):
        module = path.rpartition(".")[0]
        if module != before:
            yield f"## {module}"
        yield f"::: {path}"
        before = module


def public_items(module: griffe.Object | griffe.Alias) -> Iterator[griffe.Function | griffe.Class]:
    """Functions and classes of a module and of those in it."""
    for name, member in module.members.items():
        if isinstance(member, griffe.Module) and name != "cli":
            yield from public_items(member)
        elif isinstance(member, griffe.Function | griffe.Class) and not name.startswith("_"):
            yield member


def _summary(tree: griffe.Object | griffe.Alias, package: str) -> str:
    docstring = tree.members[package].docstring
    return docstring.value.split("\n\n")[0] if docstring else ""
