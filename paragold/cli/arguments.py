"""The options of commands: those that the parameters of a Spec make, and those that several commands have."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from paragold.cli.console import CommandProblem, Options
from paragold.executors import EXECUTORS, Executor
from paragold.spec import Parameter, Spec, SpecError, words_of

if TYPE_CHECKING:
    from paragold.formats.tables import Columns

S = TypeVar("S", bound=Spec)
TYPES = {"whole number": int, "number": float, "text": str, "words": Path}


def add_arguments(parser: ArgumentParser, spec: type[Spec], leave_out: Collection[str] = ()) -> None:
    """An option for each parameter, `--stop-words` for `stop_words`; sets of words are read from a file.

    A flag that is on by default is turned off by `--no-...`.
    """
    for parameter in spec.parameters():
        if parameter.name not in leave_out:
            is_on = parameter.kind == "flag" and parameter.default
            option = f"--{'no-' if is_on else ''}{parameter.name.replace('_', '-')}"
            parser.add_argument(option, dest=parameter.name, help=_about(parameter), **_kind(parameter))


def _kind(parameter: Parameter) -> dict[str, Any]:
    choices = [value for value, _ in parameter.choices]
    if parameter.kind == "flag":
        return {"action": "store_false" if parameter.default else "store_true"}
    if parameter.kind == "choice":
        return {"choices": choices, "default": parameter.default}
    if parameter.kind == "choices":
        return {"choices": choices, "nargs": "*", "metavar": "NAME"}
    if parameter.kind == "words":
        return {"type": Path, "metavar": "FILE"}
    return {"type": TYPES[parameter.kind], "default": parameter.default}


def _about(parameter: Parameter) -> str:
    # A percent sign that is not argparse's own would be taken for one.
    about = f"{parameter.label}. {parameter.explained()}".strip().replace("%", "%%")
    has_default = parameter.kind in ("number", "whole number", "choice") and parameter.default is not None
    return f"{about} Default: %(default)s." if has_default else about


def spec_from(spec: type[S], options: Options, **others: Any) -> S:
    """The Spec that a command's options ask for; `others` are parameters that have no option.

    Raises SpecError for values that are not allowed and files of words that cannot be read.
    """
    values = dict(others)
    for parameter in spec.parameters():
        value = options.get(parameter.name)
        if value is not None and parameter.name not in others:
            values[parameter.name] = (
                _read_words(parameter.name, value) if parameter.kind == "words" else value
            )
    return spec(**values)


def _read_words(name: str, path: Path) -> frozenset[str]:
    try:
        return words_of([path.read_text(encoding="utf-8")])
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError([(name, f"{path} is not readable UTF-8 text.")]) from error


def add_file(parser: ArgumentParser, name: str, help: str = "", **about: Any) -> None:
    """An argument that names a file to read; `-` is standard input."""
    parser.add_argument(name, type=Path, help=help or None, **about)


def add_flag(parser: ArgumentParser, option: str, help: str) -> None:
    parser.add_argument(option, action="store_true", help=help)


def add_repeated(parser: ArgumentParser, option: str, metavar: str, help: str, **about: Any) -> None:
    """An option that may be given again: a list of its values, empty by default."""
    parser.add_argument(option, action="append", default=[], metavar=metavar, help=help, **about)


def add_set(parser: ArgumentParser, help: str, option: str = "--set") -> None:
    """`--set KEY=VALUE`, which may be given again, for `parse_settings`."""
    add_repeated(parser, option, "KEY=VALUE", help)


def add_executor(parser: ArgumentParser, **about: Any) -> None:
    """What runs the parts of a job over many files, for `executor_of`."""
    parser.add_argument("--executor", choices=EXECUTORS, help="of many files", **about)
    parser.add_argument("--workers", type=int, help="of many files (default: one per core)")
    parser.add_argument("--address", help="of a Ray or Dask cluster, or the partition of Slurm")


def executor_of(options: Options) -> AbstractContextManager[Executor]:
    return EXECUTORS[options["executor"]](options["workers"], options["address"])


def parse_settings(pairs: Iterable[str]) -> dict[str, str]:
    """The parameters to change, from `KEY=VALUE`. Raises CommandProblem."""
    settings = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator:
            raise CommandProblem(f"--set takes KEY=VALUE, not {pair!r}.")
        settings[key.strip()] = value.strip()
    return settings


def parse_values(pairs: Iterable[str]) -> dict[str, Any]:
    """The same; values that are JSON are read as that, so that `hmm_iterations=8` is a number."""
    values: dict[str, Any] = {}
    for name, text in parse_settings(pairs).items():
        try:
            values[name] = json.loads(text)
        except ValueError:
            values[name] = text
    return values


def add_columns(parser: ArgumentParser, *kinds: Columns) -> None:
    """`--map`, read by `choice_from_words`: the columns of a table."""
    fields = "; ".join(", ".join(columns.usual) for columns in kinds)
    add_repeated(
        parser,
        "--map",
        "FIELD=COLUMN",
        "of a table or JSON Lines: which column holds what, a number where there is no header; may be "
        f"repeated: {fields} (default: by the usual names)",
    )
