"""A text where words are expected is refused: without an error it would be taken by characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paragold.problems import quoted


def check_words(*sentences: Sequence[str]) -> None:
    """Raises TypeError for a text where a sequence of words is expected: it would be taken by characters."""
    for sentence in sentences:
        if isinstance(sentence, str | bytes):
            raise TypeError(
                f"A sentence must be a list of words here, not the text {quoted(sentence)}. "
                "Split it into words."
            )


def check_pairs(pairs: Iterable[Sequence[Sequence[str]]]) -> None:
    """Raises TypeError for a pair of which a sentence is a text; see `check_words`."""
    for pair in pairs:
        check_words(pair, *pair)  # type: ignore[arg-type]  # a text in place of a pair


def check_links(links: object) -> None:
    """Raises TypeError for a text where a collection of links is expected."""
    if isinstance(links, str | bytes):
        raise TypeError(f"Links must be pairs of numbers, not the text {quoted(links)}. Use links_of(text).")
