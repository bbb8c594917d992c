"""Annotators appear to reviewers as letters, which stay one person's throughout a project."""

import re
from string import ascii_uppercase

PSEUDONYM = re.compile(r"annotator-[1-9][0-9]{0,8}", re.ASCII)


def letter(pseudonym: str) -> str:
    """`annotator-1` is A, `annotator-27` and those after it keep their number, others their name."""
    if not PSEUDONYM.fullmatch(pseudonym):
        return pseudonym
    place = number(pseudonym)
    return ascii_uppercase[place - 1] if place <= len(ascii_uppercase) else str(place)


def number(pseudonym: str) -> int:
    """The number of `annotator-1`, which stands for the person in addresses."""
    return int(pseudonym.rpartition("-")[2])
