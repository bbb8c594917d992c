"""What the documentation has from the program: commands, settings, states of jobs, the library, the API."""

from __future__ import annotations

import ast
import os
import re
from argparse import SUPPRESS, Action, ArgumentParser, HelpFormatter
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
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


class Described(HelpFormatter):
    """The help of a command as wide as a page, with the defaults that it does not say."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=88)

    def _get_help_string(self, action: Action) -> str:
        text = action.help or ""
        if (
            not action.option_strings
            or "default" in text
            or action.default in (None, False, "", SUPPRESS, [])
        ):
            return text
        return f"{text} (default: %(default)s)"


def described(name: str, parser: ArgumentParser, *, without: Collection[str] = ()) -> str:
    """A command: heading, and its help but for the arguments that others have too."""
    parser.formatter_class = Described
    for action in parser._actions:
        if action.dest in {*without, "help"}:
            action.help = SUPPRESS
    return f"## {name}\n\n```\n{parser.format_help().strip()}\n```\n"


def jobs_page() -> str:
    """The states of a job and the kinds of jobs, from their tables."""
    set_up_django()
    from jobs.kinds import job_kinds
    from jobs.models import TRANSITIONS, JobState

    states = [
        f"| `{state}` | {state.label} | {', '.join(f'`{after}`' for after in sorted(TRANSITIONS[state]))} |"
        for state in JobState
    ]
    kinds = []
    for kind in job_kinds().values():
        kept = f"{kind.retention.days} days after it is done" if kind.retention else "with its result"
        kinds.append(f"| `{kind.name}` | {kind.label} | {kept} | `{kind.run.rpartition('.')[0]}` |")
    return (
        f"# States and kinds of jobs\n\nA new job is `{JobState.QUEUED}`.\n\n"
        "| state | shown as | can become |\n| --- | --- | --- |\n" + "\n".join(states) + "\n\n"
        "| kind | what it is | its row is kept | code |\n| --- | --- | --- | --- |\n"
        + "\n".join(kinds)
        + "\n"
    )


def tables_page() -> str:
    """What a row of each table is, as its model says."""
    set_up_django()
    from django.apps import apps

    rows = []
    for name in ("projects", "jobs", "corpus", "annotation", "alignment"):
        for model in apps.get_app_config(name).get_models():
            meaning = " ".join((model.__doc__ or "").split("\n\n")[0].split())
            rows.append(f"| `{model.__name__}` | {name} | {_plain(meaning)} |")
    return "# Data model\n\n| table | app | one row is |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"


def _plain(text: str) -> str:
    """Text of the program in a table of Markdown: what is between backticks as code, no other marks."""
    code = re.compile(r"(`[^`]+`)")
    parts = (
        re.sub(r"[|]" if code.match(part) else r"[\\*_\[\]<>|]", r"\\\g<0>", part)
        for part in code.split(text)
    )
    return "".join(parts)


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
    imports = [line for line in door.body if isinstance(line, ast.ImportFrom)]
    used = {f"paragold.{line.module}.{name.name}" for line in imports for name in line.names}
    packages: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for item in public_items(tree):
        if item.path in used or SECTIONS.search(item.docstring.value if item.docstring else ""):
            packages[item.path.split(".")[1]][item.module.path].append(f"::: {item.path}")
    pages = {}
    for package, modules in packages.items():
        docstring = tree.members[package].docstring
        summary = docstring.value.split("\n\n")[0] if docstring else ""
        parts = [line for name in sorted(modules) for line in (f"## {name}", *sorted(modules[name]))]
        pages[package] = "\n\n".join((f"# paragold.{package}", summary, *parts))
    return pages


def public_items(module: griffe.Object | griffe.Alias) -> Iterator[griffe.Function | griffe.Class]:
    """Functions and classes of a module and of those in it."""
    for name, member in module.members.items():
        if isinstance(member, griffe.Module) and name != "cli":
            yield from public_items(member)
        elif isinstance(member, griffe.Function | griffe.Class) and not name.startswith("_"):
            yield member
