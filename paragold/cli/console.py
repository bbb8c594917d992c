"""The output and the errors of commands."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

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


EXPECTED = (CommandProblem, ValueError, OverflowError, OSError)
"""Errors that end a command with a message, not a traceback; FileProblem and SpecError are ValueErrors."""


class CommandParser(ArgumentParser):
    """A parser whose errors are bounded, however long the argument is that they quote."""

    def error(self, message: str) -> NoReturn:
        super().error(bounded(message, REPORT_BYTES))


def failure_of(error: Exception) -> str:
    """The message of an error that ends a command; "" for a fault of Paragold."""
    from paragold.registry import plugin_failure

    message = plugin_failure(error) or (message_of(error) if isinstance(error, EXPECTED) else "")
    return bounded(message, REPORT_BYTES)


def message_of(error: Exception) -> str:
    """The message of one of EXPECTED."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} cannot be written ({error.strerror})."
    return str(error)
