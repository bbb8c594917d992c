"""A page as a row of blocks of text: what is between the tags that separate paragraphs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree, html

from paragold.problems import FileProblem

BLOCKS = 20_000
# Pages of news have some 1,000 to 5,000 elements, and seldom a tag with more than 30 attributes.
PAGE_CHARACTERS = 5_000_000
ELEMENTS = 100_000
ATTRIBUTES = 400_000
ATTRIBUTES_OF_A_TAG = 1_000
TAGS_AROUND = 12

_START = re.compile(r"<(?:!--|([a-zA-Z][^\s/>]*+))")
_ATTRIBUTE = re.compile(r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+""")
_ENDS = {name: re.compile(rf"</{name}", re.IGNORECASE) for name in ("script", "style")}

_SEPARATING = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body button caption center dd details dialog div dl dt fieldset "
        "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre "
        "section select summary table tbody td tfoot th thead tr ul",
    )
)
_SILENT = frozenset(re.findall(r"\w+", "script style noscript template head iframe object svg math textarea"))
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text without a paragraph's end in it.

    `tag` is the nearest separating tag around it, `inside` the tags around that one, the outermost first.
    `linked` is the number of `text`'s characters, without spaces, that are in a link.
    """

    tag: str
    inside: tuple[str, ...]
    text: str
    linked: int

    @property
    def link_density(self) -> float:
        """The share of characters in links, 0 to 1."""
        return self.linked / max(1, len(self.text) - self.text.count(" "))


def check_bounds(page: str) -> None:
    """Raise FileProblem, naming the limit, for a page of too many characters, elements or attributes.

    libxml2 compares each attribute of a tag with all before it: 400,000 attributes take it hours. This counts
    in linear time.
    """
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


def parse_page(page: str) -> html.HtmlElement:
    """The page's tree. Raises FileProblem for what is beyond the bounds or has no text at all."""
    check_bounds(page)
    parser = html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True
    )
    try:
        # As bytes: a declaration inside the text would otherwise be taken for the text's own encoding.
        tree = html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise FileProblem("The page is empty.", "Leave it out, or save it again.") from error
    if any("depth" in entry.message for entry in parser.error_log):
        raise FileProblem("The page's tags are nested thousands deep; the limit is 2,048.", "Leave it out.")
    return tree


def separate_blocks(tree: html.HtmlElement) -> None:
    """Put a space before and after the text of every separating element, and after line breaks.

    Whoever merges elements of the tree afterwards then does not join their words.
    """
    for element in tree.iter("br", *_SEPARATING):
        if element.tag != "br":
            element.text = f" {element.text or ''}"
        if element.getparent() is not None:
            element.tail = f" {element.tail or ''}"


def blocks_of(page: str) -> list[Block]:
    """The blocks of an HTML page in their order; those without a letter or digit are left out.

    White space within a block is one space. Blank lines made of line breaks separate blocks, as pages without
    <p> have them. Raises FileProblem as `parse_page` does and for more than 20,000.
    """
    blocks: list[Block] = []
    around: list[str] = []
    # The texts of the block that is read, each with whether it is in a link.
    pieces: list[tuple[str, bool]] = []
    links = breaks = 0

    def end_block() -> None:
        text = _SPACE.sub(" ", "".join(text for text, _ in pieces)).strip()
        if any(character.isalnum() for character in text):
            if len(blocks) >= BLOCKS:
                raise FileProblem(f"The page has more than {BLOCKS:,} blocks of text.", "Leave it out.")
            linked = sum(len(_SPACE.sub("", piece)) for piece, in_link in pieces if in_link)
            tags = tuple(around[-TAGS_AROUND:])
            blocks.append(Block(tags[-1] if tags else "body", tags[:-1], text, linked))
        pieces.clear()

    # Without recursion: pages from elsewhere may be nested thousands deep.
    walk = etree.iterwalk(parse_page(page), events=("start", "end"))
    for event, element in walk:
        separates = element.tag in _SEPARATING
        if separates:
            end_block()
            breaks = 0
        if event == "end":
            if separates:
                around.pop()
            links -= element.tag == "a"
            text = element.tail
        else:
            if separates:
                around.append(element.tag)
            links += element.tag == "a"
            text = "\n" if element.tag == "br" else element.text
            if element.tag in _SILENT:
                walk.skip_subtree()
                text = None
        if text == "\n":
            breaks += 1
            if breaks == 2:
                end_block()
            pieces.append((" ", False))
        elif text:
            breaks = breaks if text.isspace() else 0
            pieces.append((text, links > 0))
    return blocks
