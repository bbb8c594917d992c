"""Ids that may occur once in a file."""

from paragold.problems import FileProblem
from paragold.text.quoting import quoted


class UniqueIds:
    """The ids of a file up to here, with the line of each."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._lines: dict[str, int] = {}

    def add(self, key: str, line: int) -> None:
        """Take an id. Raises FileProblem when it is empty, or, naming both lines, was there before."""
        if not key:
            raise FileProblem("id is empty.", "Give every pair its own id.", line=line, file=self.file)
        if key in self._lines:
            raise FileProblem(
                f"id {quoted(key)} was used on line {self._lines[key]}.",
                "Give every pair its own id.",
                line=line,
                file=self.file,
            )
        self._lines[key] = line
