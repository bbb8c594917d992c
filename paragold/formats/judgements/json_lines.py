"""JSON Lines: one JSON value a line."""

import json
from collections.abc import Iterator

from paragold.formats.judgements.errors import FormatError
from paragold.formats.judgements.text_file import split_lines


def values(text: str, *, name: str) -> Iterator[tuple[int, object]]:
    """The value of every line with its number, from 1; blank lines are passed over.

    Raises FormatError, with `name` as the file, for a line that is not JSON.
    """
    for line, content in enumerate(split_lines(text), start=1):
        if not content.strip():
            continue
        try:
            value: object = json.loads(content)
        except (json.JSONDecodeError, RecursionError) as error:
            raise FormatError(
                name, line, f"is not JSON ({error}).", "Write one JSON object a line, complete on its line."
            ) from error
        yield line, value
