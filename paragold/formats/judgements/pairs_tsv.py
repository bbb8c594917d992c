"""Labelled pairs as the Microsoft Research Paraphrase Corpus writes them.

Tab-separated, UTF-8, a header line, quotes are ordinary characters:
`Quality`, `#1 ID`, `#2 ID`, `#1 String`, `#2 String`; Quality is 1 for a paraphrase and 0 for none.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from paragold.problems import FileProblem
from paragold.sources.labelled_pairs import MSR_HEADER
from paragold.text.quoting import quoted

_WHITE_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """One line: whether the pair is a paraphrase, and key and text of its two sentences."""

    paraphrase: bool
    first_key: str
    second_key: str
    first_text: str
    second_text: str


def one_line(text: str) -> str:
    """The text with every run of white space as one space and none at its ends."""
    return _WHITE_SPACE.sub(" ", text).strip()


def dumps(pairs: Iterable[LabelledPair], *, first_line: int = 1) -> str:
    """The file's text. Each run of white space in a sentence, line breaks included, becomes one space.

    With a `first_line` above 1 it goes on from there, without the header.
    Raises FileProblem for a key that is blank or holds a tab or line break, and for a sentence without text.
    """
    lines = ["\t".join(MSR_HEADER)] if first_line == 1 else []
    for line, pair in enumerate(pairs, start=max(2, first_line)):
        for key in (pair.first_key, pair.second_key):
            if not key.strip() or any(separator in key for separator in "\t\n\r"):
                raise FileProblem(
                    f"the key {quoted(key)} is empty or holds a tab or line break.",
                    "Use a key without it.",
                    line=line,
                    file="pairs",
                )
        texts = one_line(pair.first_text), one_line(pair.second_text)
        if not all(texts):
            raise FileProblem("a sentence has no text.", "Leave the pair out.", line=line, file="pairs")
        lines.append("\t".join(("1" if pair.paraphrase else "0", pair.first_key, pair.second_key, *texts)))
    return "".join(line + "\n" for line in lines)
