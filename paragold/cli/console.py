"""What a command is; its output and its errors."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from paragold.formats.text_files import ClosedPipe, is_closed, is_standard_output
from paragold.problems import REPORT_BYTES, bounded

Options = Mapping[str, Any]
"""The options of a command by name, as argparse gives them."""


class CommandProblem(Exception):
    """A command cannot do its work; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Command:
    """What declares the options of a command, and what does it; the docstring of `run` says what that is."""

    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Options, Console], None]

    @property
    def help(self) -> str:
        return " ".join((self.run.__doc__ or "").split())

    def parser(self, program: str) -> CommandParser:
        """The parser of its options; `program` is what somebody types before them."""
        parser = CommandParser(prog=program, description=self.help)
        self.add_arguments(parser)
        return parser


@dataclass(frozen=True, slots=True)
class Console:
    """Writes a line of a result, or of warning."""

    write: Callable[[str], object]
    warn: Callable[[str], object]


def figures(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: bool = True) -> str:
    """A table for people: columns as wide as need be, all but the first to the right, or none."""
    cells = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    signs = ["<", *(">" if right else "<") * (len(head) - 1)]
    form = "  ".join(f"{{:{sign}{width}}}" for sign, width in zip(signs, widths, strict=True))
    return "\n".join(form.format(*row).rstrip() for row in cells)


def percent(share: float | None, digits: int = 2) -> str:
    """A share in percent; `-` where it is undefined."""
    return "-" if share is None else f"{100 * share:.{digits}f}"


def interval(bounds: tuple[float, float] | None) -> str:
    return "-" if bounds is None else f"{percent(bounds[0])} to {percent(bounds[1])}"


CLOSED_PIPE_STATUS = 141
"""The exit status of a program whose reader has gone, as shells report it."""


def add_output(parser: ArgumentParser, name: str, **about: Any) -> None:
    """An argument that names a file to write; `-` is standard output."""
    argument = parser.add_argument(name, type=Path, **about)
    parser.set_defaults(outputs=(*(parser.get_default("outputs") or ()), argument.dest))


def writes_to_standard_output(options: Options) -> bool:
    """Whether a result is written there, so that lines about it must not be.

    Raises CommandProblem where two results would be.
    """
    names = [name for name in options.get("outputs") or () if options[name] is not None]
    there = [name for name in names if is_standard_output(options[name])]
    if len(there) > 1:
        listed = " and ".join(f"--{name.replace('_', '-')}" for name in there)
        raise CommandProblem(f"{listed} are both standard output. Name a file for one of them.")
    return bool(there)


@contextmanager
def quiet_at_closed_pipe() -> Iterator[None]:
    """Ends the program without a message where the reader of its output has stopped reading."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError as error:
        if not isinstance(error, ClosedPipe) and not is_closed(1):
            raise
        # What is left in the buffers has no reader; Python would try to write it once more at the end.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
        raise SystemExit(CLOSED_PIPE_STATUS) from None


EXPECTED = (CommandProblem, ValueError, OverflowError, OSError)
"""Errors that end a command with a message, not a traceback; FileProblem and SpecError are ValueErrors."""


class CommandParser(ArgumentParser):
    """A parser whose errors are bounded, however long the argument is that they quote."""

    def error(self, message: str) -> NoReturn:
        super().error(bounded(message, REPORT_BYTES))


def failure_of(error: Exception) -> str:
    """The message of an error that ends a command; "" for a fault of Paragold and for a closed pipe."""
    from paragold.registry import plugin_failure

    if isinstance(error, BrokenPipeError):
        return ""
    message = plugin_failure(error) or (message_of(error) if isinstance(error, EXPECTED) else "")
    return bounded(message, REPORT_BYTES)


def message_of(error: Exception) -> str:
    """The message of one of EXPECTED."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} cannot be written ({error.strerror})."
    return str(error)


def run_command(command: Command, program: str, arguments: Sequence[str]) -> int:
    """Run a command; the exit status is 1 when it cannot do its work. Ends the program for wrong options."""
    with quiet_at_closed_pipe():
        try:
            options = vars(command.parser(program).parse_args(arguments))
            console = Console(warn if writes_to_standard_output(options) else _write, warn)
            command.run(options, console)
        except Exception as error:
            message = failure_of(error)
            if not message:
                raise
            warn(message)
            return 1
    return 0


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def warn(line: str) -> None:
    sys.stderr.write(f"{line}\n")
