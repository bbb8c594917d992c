"""JSON Lines: one JSON value a line."""

import json
from collections.abc import Iterator

from paragold.formats.judgements.text_file import split_lines
from paragold.problems import FileProblem


def values(text: str, *, name: str) -> Iterator[tuple[int, object]]:
    """The value of every line with its number, from 1; blank lines are passed over.

    Raises FileProblem, with `name` as the file, for a line that is not JSON.
    """
    for line, content in enumerate(split_lines(text), start=1):
        if not content.strip():
            continue
        try:
            value: object = json.loads(content)
        except (json.JSONDecodeError, RecursionError) as error:
            raise FileProblem(
                f"is not JSON ({error}).",
                "Write one JSON object a line, complete on its line.",
                line=line,
                file=name,
            ) from error
        yield line, value
