"""The options of commands: those that the parameters of a Spec make, and those that several commands have."""

from __future__ import annotations

import json
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from paragold.cli.console import OptionProblem, Options
from paragold.executors import EXECUTORS, Executor
from paragold.spec import Parameter, Spec, SpecError, words_of

if TYPE_CHECKING:
    from paragold.formats.tables import Columns

S = TypeVar("S", bound=Spec)


def add_arguments(
    parser: ArgumentParser,
    parameters: type[Spec] | Iterable[Parameter],
    leave_out: Collection[str] = (),
    also: Mapping[str, str] | None = None,
) -> None:
    """An option for each parameter, `--stop-words` for `stop_words`; sets of words are read from a file.

    A flag is turned off by `--no-...`. `also` has other names of options, by parameter. An option that is not
    given is None, and the Spec has the default: see `spec_from`.
    """
    for parameter in parameters.parameters() if isinstance(parameters, type) else parameters:
        if parameter.name not in leave_out:
            names = [f"--{parameter.name.replace('_', '-')}", (also or {}).get(parameter.name, "")]
            about = {"dest": parameter.name, "help": _about(parameter), **_kind(parameter)}
            parser.add_argument(*filter(None, names), **about)


def _kind(parameter: Parameter) -> dict[str, Any]:
    choices = [value for value, _ in parameter.choices]
    if parameter.kind == "flag":
        return {"action": BooleanOptionalAction}
    if parameter.kind == "choice":
        return {"choices": choices}
    if parameter.kind == "choices":
        return {"choices": choices, "nargs": "*", "action": "extend", "metavar": "NAME"}
    return {"type": Path, "metavar": "FILE"} if parameter.kind == "words" else {}


def _about(parameter: Parameter) -> str:
    about = f"{parameter.label}. {parameter.explained()}".strip()
    if parameter.default not in (None, "") and parameter.kind not in ("words", "choices"):
        default = parameter.in_words(parameter.default) if parameter.kind == "flag" else parameter.default
        about += f" Default: {default}."
    # A percent sign that is not argparse's own would be taken for one.
    return about.replace("%", "%%")


def spec_from(spec: type[S], options: Options, **others: Any) -> S:
    """The Spec that a command's options ask for; `others` are parameters that have no option.

    Raises SpecError for values that are not allowed and files of words that cannot be read.
    """
    return spec(**given(spec.parameters(), options) | others)


def given(parameters: Iterable[Parameter], options: Options) -> dict[str, Any]:
    """The values of the parameters whose options were given. Raises SpecError as `spec_from` does."""
    return {
        one.name: _read_words(one.name, value) if one.kind == "words" else value
        for one in parameters
        if (value := options.get(one.name)) is not None
    }


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


def add_seed(parser: ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1, help="seed of all random draws (default 1)")


def add_executor(parser: ArgumentParser, **about: Any) -> None:
    """What runs the parts of a job over many files, for `executor_of`."""
    parser.add_argument("--executor", choices=EXECUTORS, help="of many files", **about)
    parser.add_argument("--processes", "--workers", type=int, help="how many (default: one per core)")
    parser.add_argument("--address", help="of a Ray or Dask cluster, or the partition of Slurm")


def executor_of(options: Options) -> AbstractContextManager[Executor]:
    return EXECUTORS[options["executor"]](options["processes"], options["address"])


def parse_settings(pairs: Iterable[str]) -> dict[str, str]:
    """The parameters to change, from `KEY=VALUE`. Raises OptionProblem."""
    settings = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator:
            raise OptionProblem(f"--set takes KEY=VALUE, not {pair!r}.")
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
