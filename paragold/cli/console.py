"""The output and the errors of commands."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
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
class Console:
    """Writes a line of a result, or of warning."""

    write: Callable[[str], object]
    warn: Callable[[str], object]


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
