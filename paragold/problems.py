"""The one error of files: what is wrong with a file, where, and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

PROBLEMS_SHOWN = 5
MESSAGE_BYTES = 1_500
"""How long one message may get, whatever of somebody's input it quotes."""
REPORT_BYTES = PROBLEMS_SHOWN * MESSAGE_BYTES
"""How long the messages of one answer, command or job may get together."""


@dataclass(unsafe_hash=True)
class FileProblem(ValueError):
    """A file, or a record on its way into one, that cannot be used as it is.

    It is raised, and it is collected by readers that go on to the next line. As text it names the place,
    what is wrong and what to do, a line for each of the first five problems, and the number of the others.

    Parameters
    ----------
    message, remedy : str
        What is wrong, and what to do about it.
    column : int, optional
        In characters, from 1; None where it is not known.
    line : int
        From 1; 0 is the whole file.
    file : str
        The name to show: the file's, or that of a file inside an archive or folder; "" where only the
        caller knows it.
    further : tuple of FileProblem
        The other problems of a file that has several.
    """

    message: str
    remedy: str
    column: int | None = None
    line: int = 0
    file: str = ""
    further: tuple[FileProblem, ...] = ()

    @classmethod
    def of(cls, problems: Sequence[FileProblem], *, file: str = "") -> FileProblem:
        """All problems of a file, of which there is at least one, to be raised together."""
        first, *further = (problem.at(file=file) for problem in problems)
        return replace(first, further=tuple(further))

    @property
    def problems(self) -> tuple[FileProblem, ...]:
        """This one and the further ones, each alone."""
        return (replace(self, further=()), *self.further)

    def at(self, line: int = 0, *, file: str = "") -> Self:
        """The same problem with its place, where it has none."""
        return replace(self, line=self.line or line, file=self.file or file)

    def as_json(self) -> dict[str, Any]:
        """This problem alone, as `FileProblem(**values)` takes it."""
        values = asdict(replace(self, further=()))
        del values["further"]
        return {name: bounded(value) if isinstance(value, str) else value for name, value in values.items()}

    def __str__(self) -> str:
        problems = self.problems
        shown = [_in_words(problem) for problem in problems[:PROBLEMS_SHOWN]]
        if len(problems) > PROBLEMS_SHOWN:
            shown.append(further(len(problems) - PROBLEMS_SHOWN))
        return "\n".join(shown)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.remedy, self.column, self.line, self.file, self.further)


def _in_words(problem: FileProblem) -> str:
    line = f"line {problem.line}" if problem.line else ""
    column = f"column {problem.column}" if problem.column is not None else ""
    where = ", ".join(part for part in (problem.file, line, column) if part)
    text = f"{problem.message} {problem.remedy}".strip()
    return bounded(f"{where}: {text}" if where else text)


@contextmanager
def located(line: int = 0, *, file: str = "") -> Iterator[None]:
    """Add the place to each FileProblem raised within the block that has none."""
    try:
        yield
    except FileProblem as problem:
        raise problem.at(line, file=file) from problem.__cause__


QUOTED_CHARACTERS = 60


def shortened(text: str, maximum: int = QUOTED_CHARACTERS) -> str:
    """The text, or its beginning and end with "..." between them if it has more than `maximum` characters."""
    if len(text) <= maximum:
        return text
    end = maximum // 4
    return f"{text[: maximum - end - 3]}...{text[-end:]}"


def bounded(text: str, maximum: int = MESSAGE_BYTES) -> str:
    """The text, shortened where it takes more than `maximum` bytes as a JSON string in UTF-8."""
    if 6 * len(text) <= maximum:  # no character takes more bytes
        return text
    text = shortened(text, maximum)
    if len(json.dumps(text, ensure_ascii=False).encode(errors="surrogatepass")) > maximum + 2:
        text = shortened(text, maximum // 6)
    return text


def further(number: int) -> str:
    """What follows the first problems: how many others there are."""
    return f"... and {number:,} more problem{'' if number == 1 else 's'}."


def quoted(value: object, maximum: int = QUOTED_CHARACTERS) -> str:
    """A value as Python writes it, shortened: `'text'`, `7`."""
    if isinstance(value, str):
        return repr(shortened(value, maximum))
    return shortened(repr(value), maximum)
