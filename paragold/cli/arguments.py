"""The parameters of a Spec as the options of a command."""

import json
from argparse import ArgumentParser
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, TypeVar

from paragold.aligners.evidence_sources import SOURCES
from paragold.cli.console import CommandProblem, Options
from paragold.formats.tables import Columns
from paragold.spec import Parameter, Spec, SpecError, words_of

S = TypeVar("S", bound=Spec)
OTHER_GOLD_HELP = "other gold links, used if they help on those of --gold; may be repeated"
TYPES = {"whole number": int, "number": float, "text": str, "words": Path}


def add_arguments(parser: ArgumentParser, spec: type[Spec], leave_out: Collection[str] = ()) -> None:
    """An option for each parameter, `--stop-words` for `stop_words`; sets of words are read from a file."""
    for parameter in spec.parameters():
        if parameter.name not in leave_out:
            _add_argument(parser, parameter)


def _add_argument(parser: ArgumentParser, parameter: Parameter) -> None:
    option, about = "--" + parameter.name.replace("_", "-"), _about(parameter)
    if parameter.kind == "flag":
        parser.add_argument(option, action="store_true", help=about)
    elif parameter.kind == "choice":
        values = [value for value, _ in parameter.choices]
        parser.add_argument(option, choices=values, default=parameter.default, help=about)
    elif parameter.kind == "choices":
        values = [value for value, _ in parameter.choices]
        parser.add_argument(option, nargs="*", choices=values, metavar="NAME", help=about)
    elif parameter.kind == "words":
        parser.add_argument(option, type=Path, metavar="FILE", help=about)
    else:
        parser.add_argument(option, type=TYPES[parameter.kind], default=parameter.default, help=about)


def _about(parameter: Parameter) -> str:
    # A percent sign that is not argparse's own would be taken for one.
    about = f"{parameter.label}. {parameter.explained()}".strip().replace("%", "%%")
    has_default = parameter.kind in ("number", "whole number", "choice") and parameter.default is not None
    return f"{about} Default: %(default)s." if has_default else about


def add_columns(parser: ArgumentParser, *kinds: Columns) -> None:
    """`--map`, read by `choice_from_words`: the columns of a table."""
    fields = "; ".join(", ".join(columns.usual) for columns in kinds)
    parser.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FIELD=COLUMN",
        help="of a table or JSON Lines: which column holds what, a number where there is no header; may be "
        f"repeated: {fields} (default: by the usual names)",
    )


def spec_from(spec: type[S], options: Options, **others: Any) -> S:
    """The Spec that a command's options ask for; `others` are parameters that have no option.

    Raises SpecError for values that are not allowed and files of words that cannot be read.
    """
    values = dict(others)
    for parameter in spec.parameters():
        value = options.get(parameter.name)
        if value is not None and parameter.name not in others:
            values[parameter.name] = read_words(parameter.name, value) if parameter.kind == "words" else value
    return spec(**values)


def add_set(parser: ArgumentParser, help: str) -> None:
    """`--set KEY=VALUE`, which may be given again, for `parse_settings`."""
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=help)


def add_starting_point(parser: ArgumentParser, default: str) -> None:
    """`--starting-point`, for `starting_point`."""
    parser.add_argument(
        "--starting-point",
        choices=("english", "none"),
        help=f"english: begin with what was learned on public English word links; none: learn from nothing "
        f"but what is given here ({default})",
    )


def starting_point(options: Options) -> dict[str, str]:
    """The setting that `--starting-point` asks for; {} where it was not given."""
    chosen = options["starting_point"]
    return {"starting_point": chosen} if chosen else {}


def add_without(parser: ArgumentParser) -> None:
    """`--without`, for `left_out`."""
    parser.add_argument(
        "--without",
        choices=list(SOURCES),
        action="append",
        default=[],
        metavar="SOURCE",
        help=f"leave a source of evidence out of best; may be repeated: {', '.join(SOURCES)}",
    )


def left_out(options: Options) -> dict[str, list[str]]:
    """The setting that `--without` asks for; {} where it was not given."""
    return {"without": options["without"]} if options["without"] else {}


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


def read_words(name: str, path: Path) -> frozenset[str]:
    try:
        return words_of([path.read_text(encoding="utf-8")])
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError([(name, f"{path} is not readable UTF-8 text.")]) from error
