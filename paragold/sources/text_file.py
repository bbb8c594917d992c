"""Lines of a text file for the readers of small formats."""

from collections.abc import Iterator
from pathlib import Path

from paragold.problems import FileProblem
from paragold.sources import limits
from paragold.sources.lines import prepared, raw_lines


def decoded_lines(path: Path, encoding: str, problems: list[FileProblem]) -> Iterator[tuple[int, str]]:
    """Number from 1 and text of each line that is not blank; what cannot be read goes to `problems`.

    Reading ends when there are `limits.PROBLEMS` of them.
    """
    try:
        with path.open("rb") as opened, prepared(opened, encoding) as (stream, known_encoding):
            for line in raw_lines(stream):
                if len(problems) >= limits.PROBLEMS:
                    return
                if isinstance(line, tuple):
                    problems.append(line[1].at(line[0]))
                    continue
                try:
                    text = line.decode(known_encoding)
                except FileProblem as refusal:
                    problems.append(refusal.at(line.number))
                    continue
                if "\0" in text:
                    problems.append(
                        FileProblem(
                            "A NUL character.", "Take it out.", text.index("\0") + 1, line=line.number
                        )
                    )
                elif text.strip():
                    yield line.number, text
    except FileProblem as refusal:
        problems.append(refusal)
    except OSError as error:
        problems.append(FileProblem(f"It cannot be read ({error.strerror}).", "Check the path."))
