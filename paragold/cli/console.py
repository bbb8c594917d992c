"""What a command is; its report, its progress and its errors."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, NoReturn

from paragold.formats.text_files import ClosedPipe, is_closed, is_standard_output
from paragold.problems import REPORT_BYTES, bounded, quoted

Options = Mapping[str, Any]
"""The options of a command by name, as argparse gives them."""
CLOSED_PIPE_STATUS = 141
"""The exit status of a program whose reader has gone, as shells report it."""
SILENT_SECONDS = 2.0
"""Progress is shown of work that takes longer."""
CLEAR_LINE = "\r\x1b[K"


class CommandProblem(ValueError):
    """A command cannot do its work; the message says why and what to do."""


class OptionProblem(CommandProblem):
    """Options are missing, or do not go together; the exit status is 2, as for unknown ones."""


Report = tuple[Mapping[str, Any], str]
"""What a command did: what `--json` prints, and the text for people."""


class Console:
    """Warnings of a command, and on a terminal its progress, both on standard error.

    A command that has done only a part of its work says why in `problem`; its exit status is 1.
    """

    def __init__(self) -> None:
        self._doing = "working"
        self.problem = ""

    def warn(self, line: str) -> None:
        sys.stderr.write(f"{CLEAR_LINE if sys.stderr.isatty() else ''}{line}\n")

    def progress(self, doing: str) -> None:
        """What is being done, or how much is done: shown with the seconds since the beginning."""
        self._doing = doing

    @contextmanager
    def showing_progress(self) -> Iterator[None]:
        """Shows the progress of what is done in the block, from its SILENT_SECONDS on."""
        if not sys.stderr.isatty():
            yield
            return
        ended = Event()
        thread = Thread(target=self._show, args=[ended], daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _show(self, ended: Event) -> None:
        began, shown = monotonic(), ""
        while not ended.wait(0.5 if shown else SILENT_SECONDS):
            shown = f"{CLEAR_LINE}{self._doing}, {monotonic() - began:.0f} s"
            sys.stderr.write(shown)
            sys.stderr.flush()
        sys.stderr.write(shown and CLEAR_LINE)


def figures(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: bool = True) -> str:
    """A table for people: columns as wide as need be, all but the first to the right, or none."""
    cells = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    signs = ["<", *(">" if right else "<") * (len(head) - 1)]
    form = "  ".join(f"{{:{sign}{width}}}" for sign, width in zip(signs, widths, strict=True))
    return "\n".join(form.format(*row).rstrip() for row in cells)


def counts_text(counts: Mapping[str, Any]) -> str:
    """A line for each count."""
    return "\n".join(
        f"{f'{count:,.2f}' if isinstance(count, float) else f'{count:,}':>14}  {name.replace('_', ' ')}"
        for name, count in counts.items()
    )


def percent(share: float | None, digits: int = 2) -> str:
    """A share in percent; `-` where it is undefined."""
    return "-" if share is None else f"{100 * share:.{digits}f}"


def interval(bounds: tuple[float, float] | None) -> str:
    return "-" if bounds is None else f"{percent(bounds[0])} to {percent(bounds[1])}"


def add_output(parser: ArgumentParser, *names: str, **about: Any) -> None:
    """An argument that names a file to write; `-` is standard output."""
    argument = parser.add_argument(*names, type=Path, **about)
    parser.set_defaults(outputs=(*(parser.get_default("outputs") or ()), argument.dest))


def writes_to_standard_output(options: Options) -> bool:
    """Whether a result is written there, so that lines about it must not be.

    Raises OptionProblem where two results would be.
    """
    names = [name for name in options.get("outputs") or () if options[name] is not None]
    there = [name for name in names if is_standard_output(options[name])]
    if len(there) > 1:
        listed = " and ".join(f"--{name.replace('_', '-')}" for name in there)
        raise OptionProblem(f"{listed} are both standard output. Name a file for one of them.")
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


Command = tuple[Callable[[ArgumentParser], None], Callable[[Options, Console], Report]]
"""What declares the options of a command, and what does it; the docstring of the latter says what that is."""


class CommandParser(ArgumentParser):
    """The parser of a command; its errors are bounded, however long the argument is that they quote."""

    def of(self, command: Command) -> CommandParser:
        """This parser with the description and the options of a command."""
        add_arguments, run = command
        self.description = " ".join((run.__doc__ or "").split())
        add_arguments(self)
        self.add_argument("--json", action="store_true", help="print the report as a JSON object")
        return self

    def error(self, message: str) -> NoReturn:
        super().error(bounded(message, REPORT_BYTES))

    def options(self, arguments: Sequence[str]) -> dict[str, Any]:
        """The options by name. Ends the program for wrong ones, with the nearest name of an unknown one."""
        known = [name for action in self._actions for name in action.option_strings]
        before_dashes = arguments[: arguments.index("--")] if "--" in arguments else arguments
        for name in (word.partition("=")[0] for word in before_dashes if word.startswith("--")):
            if not any(option.startswith(name) for option in known):
                self.error(unknown_name("option", name, known))
        return vars(self.parse_args(arguments))


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """That there is no command or option of that name, and the nearest that there is."""
    from paragold.spec import suggestion

    return f"there is no {kind} {quoted(name)}. {suggestion(name, known)}"


def failure_of(error: Exception) -> str:
    """The message of an error that ends a command; "" for a fault of Paragold and for a closed pipe."""
    from paragold.registry import plugin_failure

    message = plugin_failure(error)
    if isinstance(error, BrokenPipeError):
        return ""
    if not message and isinstance(error, OSError) and error.filename:
        message = f"{error.filename} cannot be opened ({error.strerror})."
    elif not message and isinstance(error, ValueError | OverflowError | OSError):
        message = str(error)
    return bounded(message, REPORT_BYTES)


def run_command(command: Command, program: str, arguments: Sequence[str]) -> int:
    """Run a command; the exit status is 1 when it cannot do its work, 2 for options that are not allowed."""
    console = Console()
    with quiet_at_closed_pipe():
        try:
            options = CommandParser(prog=program).of(command).options(arguments)
            output = sys.stderr if writes_to_standard_output(options) else sys.stdout
            with console.showing_progress():
                value, text = command[1](options, console)
            as_json = options["json"] and json.dumps(value, ensure_ascii=False, indent=2)
            output.write(f"{as_json or text}\n")
        except Exception as error:
            message = failure_of(error)
            if not message:
                raise
            console.warn(message)
            from paragold.spec import SpecError

            return 2 if isinstance(error, OptionProblem | SpecError) else 1
    if console.problem:
        console.warn(bounded(console.problem, REPORT_BYTES))
    return int(bool(console.problem))
