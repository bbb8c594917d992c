"""A page that would take a parser very long is refused before one sees it, by a count in linear time.

libxml2 compares each attribute of a tag with all before it: 400,000 attributes take it hours. Pages that get
past this count all the same meet the bounds of the process that parses them (`page_reader`).
"""

from __future__ import annotations

import re

from paragold.problems import FileProblem

# Pages of news have some 1,000 to 5,000 elements, and seldom a tag with more than 30 attributes.
PAGE_CHARACTERS = 5_000_000
ELEMENTS = 100_000
ATTRIBUTES = 400_000
ATTRIBUTES_OF_A_TAG = 1_000

_START = re.compile(r"<(?:!--|([a-zA-Z][^\s/>]*+))")
_ATTRIBUTE = re.compile(r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+""")
_ENDS = {name: re.compile(rf"</{name}", re.IGNORECASE) for name in ("script", "style")}


def check_bounds(page: str) -> None:
    """Raise FileProblem, naming the limit, for a page of too many characters, elements or attributes."""
    if len(page) > PAGE_CHARACTERS:
        raise _beyond(f"{len(page):,} characters", PAGE_CHARACTERS)
    elements = attributes = at = 0
    while start := _START.search(page, at):
        at = start.end()
        if start[1] is None:
            at = page.find("-->", at)
            if at < 0:
                return
            continue
        elements += 1
        of_tag = 0
        while attribute := _ATTRIBUTE.match(page, at):
            at = attribute.end()
            of_tag += 1
            if of_tag > ATTRIBUTES_OF_A_TAG:
                raise _beyond("a tag with too many attributes", ATTRIBUTES_OF_A_TAG)
        attributes += of_tag
        if elements > ELEMENTS:
            raise _beyond("too many elements", ELEMENTS)
        if attributes > ATTRIBUTES:
            raise _beyond("too many attributes", ATTRIBUTES)
        if end := _ENDS.get(start[1].lower()):
            closing = end.search(page, at)
            if closing is None:
                return
            at = closing.end()


def _beyond(what: str, limit: int) -> FileProblem:
    return FileProblem(f"The page has {what}; the limit is {limit:,}.", "Leave it out.")
