"""The output and the errors of commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

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


def failure_of(error: Exception) -> str:
    """The message of an error that ends a command; "" for a fault of Paragold."""
    from paragold.registry import plugin_failure

    return plugin_failure(error) or (message_of(error) if isinstance(error, EXPECTED) else "")


def message_of(error: Exception) -> str:
    """The message of one of EXPECTED."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} cannot be written ({error.strerror})."
    return str(error)
