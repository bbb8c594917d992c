"""Lines of a text file for the readers of small formats, and the error they share."""

from collections.abc import Iterator
from pathlib import Path

from paragold.sources import limits
from paragold.sources.lines import prepared, raw_lines
from paragold.sources.records import Problem, Refusal

PROBLEMS_SHOWN = 20


class TextFileError(ValueError):
    """A file cannot be used. The message lists the first problems with file and line."""

    def __init__(self, path: Path, problems: list[Problem]) -> None:
        lines = [
            f"{path}{f', line {problem.line}' if problem.line else ''}: {problem.message} {problem.remedy}"
            for problem in problems[:PROBLEMS_SHOWN]
        ]
        if len(problems) > PROBLEMS_SHOWN:
            lines.append(f"... and {len(problems) - PROBLEMS_SHOWN} more problems.")
        super().__init__("\n".join(lines))
        self.problems = tuple(problems)


def decoded_lines(path: Path, encoding: str, problems: list[Problem]) -> Iterator[tuple[int, str]]:
    """Number from 1 and text of each line that is not blank; what cannot be read goes to `problems`.

    Reading ends when there are `limits.PROBLEMS` of them.
    """
    try:
        with path.open("rb") as opened, prepared(opened, encoding) as (stream, known_encoding):
            for line in raw_lines(stream):
                if len(problems) >= limits.PROBLEMS:
                    return
                if isinstance(line, tuple):
                    problems.append(line[1].on_line(line[0]))
                    continue
                try:
                    text = line.decode(known_encoding)
                except Refusal as refusal:
                    problems.append(refusal.on_line(line.number))
                    continue
                if "\0" in text:
                    problems.append(
                        Problem(line.number, text.index("\0") + 1, "A NUL character.", "Take it out.")
                    )
                elif text.strip():
                    yield line.number, text
    except Refusal as refusal:
        problems.append(refusal.on_line(0))
    except OSError as error:
        problems.append(Problem(0, None, f"It cannot be read ({error.strerror}).", "Check the path."))
