"""A page's blocks, and main text by a supervised hidden Markov model over them (DQB04, section 2, figure 1).

A block is what is between the tags that separate paragraphs. The model has two states, main text and other,
and is counted from pages whose blocks people have marked. A block has a handful of features, each with a few
values, independent of each other given the state. All counts are smoothed by adding one half. Viterbi's
algorithm gives the most likely sequence of states.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import TextLines
from paragold.packages import needed
from paragold.problems import FileProblem, located, quoted
from paragold.statistics import f_score

if TYPE_CHECKING:
    from lxml import html

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
    with needed("pages"):
        from lxml import etree, html
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
    tree = parse_page(page)
    from lxml import etree

    walk = etree.iterwalk(tree, events=("start", "end"))
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


# The model.

SMOOTHING = 0.5
PAGES_NEEDED = 3
FOLDS = 10

Marked = tuple[Sequence[Block], Sequence[bool]]
"""A page as people mark it: its blocks, and for each whether it is main text."""

_TAGS = (
    dict.fromkeys(("p", "blockquote"), "paragraph")
    | dict.fromkeys(
        ["h1", "h2", "h3", "h4", "h5", "h6", "caption", "figcaption", "legend", "summary"], "heading"
    )
    | dict.fromkeys(("li", "dt", "dd", "option", "td", "th"), "list or table")
)
_AROUND = dict.fromkeys(("article", "main"), "article") | dict.fromkeys(
    ["nav", "header", "footer", "aside", "form", "button", "dialog", "figure", "select"], "furniture"
)
_LENGTHS = ((4, "to 4"), (12, "to 12"), (25, "to 25"), (50, "to 50"))
_ENDINGS = ".!?…。！？"
_CLOSING = "\"'”’»)]"

FEATURES: dict[str, tuple[str, ...]] = {
    "tag": ("paragraph", "heading", "list or table", "other"),
    "around": ("article", "furniture", "neither"),
    "words": (*(name for _, name in _LENGTHS), "more"),
    "links": ("none", "few", "many"),
    "ending": ("sentence", "none"),
    "punctuation": ("none", "some", "much"),
    "capitals": ("few", "many"),
}


def features_of(block: Block) -> tuple[str, ...]:
    """The block's values of FEATURES, in their order."""
    words = block.text.split(" ")
    density = block.link_density
    marks = sum(character in ',;:.!?"“”' for character in block.text) / len(words)
    capitals = sum(word[:1].isupper() for word in words) / len(words)
    return (
        _TAGS.get(block.tag, "other"),
        # That of the innermost tag that has one.
        next((_AROUND[tag] for tag in reversed(block.inside) if tag in _AROUND), "neither"),
        next((name for limit, name in _LENGTHS if len(words) <= limit), "more"),
        "none" if not density else "few" if density < 0.34 else "many",
        "sentence" if block.text.rstrip(_CLOSING)[-1:] in tuple(_ENDINGS) else "none",
        "none" if not marks else "some" if marks < 0.25 else "much",
        "few" if capitals < 0.5 else "many",
    )


_Log = Annotated[float, Field(le=0, allow_inf_nan=False)]
_Logs = tuple[_Log, _Log]


@dataclass(frozen=True, slots=True)
class MainTextModel:
    """Natural logarithms of probabilities; index 0 is "other", 1 is "main text".

    start[s], transitions[s][t], emissions[feature][value][s]; `pages` and `blocks` say what it was
    counted from.
    """

    start: _Logs
    transitions: tuple[_Logs, _Logs]
    emissions: dict[str, dict[str, _Logs]]
    pages: int
    blocks: int
    format: Literal["paragold-story-hmm/1"] = "paragold-story-hmm/1"

    def label(self, blocks: Sequence[Block]) -> list[bool]:
        """Which blocks are main text: the most likely sequence of states (Viterbi)."""
        if not blocks:
            return []
        emissions = [self._emissions(block) for block in blocks]
        scores = [self.start[state] + emissions[0][state] for state in (0, 1)]
        came_from: list[list[bool]] = []
        for emission in emissions[1:]:
            ways = [
                [scores[before] + self.transitions[before][state] for before in (0, 1)] for state in (0, 1)
            ]
            came_from.append([main > other for other, main in ways])
            scores = [max(ways[state]) + emission[state] for state in (0, 1)]
        marks = [scores[1] > scores[0]]
        for best in reversed(came_from):
            marks.append(best[marks[-1]])
        return marks[::-1]

    def _emissions(self, block: Block) -> tuple[float, float]:
        values = zip(FEATURES, features_of(block), strict=True)
        other, main = zip(*(self.emissions[name][value] for name, value in values), strict=True)
        return math.fsum(other), math.fsum(main)

    def to_json(self) -> str:
        """The same model always gives the same text."""
        return json.dumps(asdict(self), sort_keys=True)


def train_main_text_model(pages: Sequence[Marked]) -> MainTextModel:
    """Count a model from pages: their blocks, and for each whether it is main text.

    Raises FileProblem for fewer than three pages, and for pages with nothing, or nothing but, main text.
    """
    if len(pages) < PAGES_NEEDED:
        message = f"{len(pages)} marked pages are too few; {PAGES_NEEDED} are needed."
        raise FileProblem(message, "Mark more, of several sites.")
    starts, transitions = Counter[int](), Counter[tuple[int, int]]()
    emissions, states_seen = Counter[tuple[str, str, int]](), Counter[int]()
    for blocks, marks in pages:
        states = [int(mark) for mark in marks]
        starts.update(states[:1])
        transitions.update(pairwise(states))
        states_seen.update(states)
        for block, state in zip(blocks, states, strict=True):
            values = zip(FEATURES, features_of(block), strict=True)
            emissions.update((name, value, state) for name, value in values)
    if not (states_seen[0] and states_seen[1]):
        message = "The marked pages hold only one kind of block."
        raise FileProblem(message, "Mark both main text and the rest.")
    return MainTextModel(
        start=_logs(starts[0], starts[1]),
        transitions=(
            _logs(transitions[0, 0], transitions[0, 1]),
            _logs(transitions[1, 0], transitions[1, 1]),
        ),
        emissions={
            name: {
                value: (
                    _log(emissions[name, value, 0], states_seen[0], len(values)),
                    _log(emissions[name, value, 1], states_seen[1], len(values)),
                )
                for value in values
            }
            for name, values in FEATURES.items()
        },
        pages=len(pages),
        blocks=states_seen.total(),
    )


def _logs(other: int, main: int) -> _Logs:
    return _log(other, other + main, 2), _log(main, other + main, 2)


def _log(count: int, total: int, values: int) -> float:
    return math.log((count + SMOOTHING) / (total + SMOOTHING * values))


def load_main_text_model(text: str) -> MainTextModel:
    """The model that `to_json` wrote. Raises FileProblem for anything else."""
    try:
        model = TypeAdapter(MainTextModel).validate_python(json.loads(text))
        if any(model.emissions[name].keys() != set(values) for name, values in FEATURES.items()):
            raise ValueError("values of the features are missing")
        return model
    except (KeyError, ValueError) as error:
        message = "This is not a main text model of this version."
        raise FileProblem(message, "Give the JSON that training wrote, or train it again.") from error


def read_main_text_model(path: Path) -> MainTextModel:
    """The model of a file. Raises FileProblem with the file's name, or OSError."""
    with located(file=str(path)):
        return load_main_text_model(path.read_text(encoding="utf-8", errors="replace"))


def read_marked_pages(paths: Sequence[Path]) -> list[Marked]:
    """The pages of JSON Lines files, an object a page: `html`, and `paragraphs`, those of the main text.

    A block is main text where it is one of the paragraphs; white space does not count. Raises FileProblem.
    """
    pages: list[Marked] = []
    for path in paths:
        problems: list[FileProblem] = []
        for number, line in TextLines(path, "utf-8", problems):
            try:
                pages.append(_marked(parse_object(line)))
            except FileProblem as problem:
                problems.append(problem.at(number))
        if problems:
            raise FileProblem.of(problems, file=str(path))
    return pages


def _marked(page: dict[str, Any]) -> Marked:
    text, paragraphs = page.get("html"), page.get("paragraphs")
    if not (isinstance(text, str) and isinstance(paragraphs, list)):
        raise FileProblem("It is not a marked page.", 'Write {"html": "...", "paragraphs": ["..."]}.')
    blocks = blocks_of(text)
    main = {" ".join(str(one).split()) for one in paragraphs}
    if left := main - {block.text for block in blocks}:
        raise FileProblem(f"The page has no block {quoted(min(left))}.", "Copy paragraphs as they are.")
    return blocks, [block.text in main for block in blocks]


def cross_validated(pages: Sequence[Marked]) -> dict[str, float] | None:
    """Cross-validation over marked pages, ten folds at most: how models find the main text of unseen pages.

    `precision`, `recall` and `f`, their harmonic mean, over the words of main text of all pages, in percent.
    None where the pages are too few, or too much alike, to leave some out.
    """
    folds = min(FOLDS, len(pages))
    if len(pages) - -(-len(pages) // max(1, folds)) < PAGES_NEEDED:
        return None
    common = predicted = expected = 0
    for fold in range(folds):
        rest = [page for number, page in enumerate(pages) if number % folds != fold]
        if len({mark for _, marks in rest for mark in marks}) < 2:
            return None
        model = train_main_text_model(rest)
        for blocks, marks in pages[fold::folds]:
            seen, known = _words(blocks, model.label(blocks)), _words(blocks, marks)
            common += (seen & known).total()
            predicted += seen.total()
            expected += known.total()
    precision, recall = 100 * common / max(1, predicted), 100 * common / max(1, expected)
    figures = {"precision": precision, "recall": recall, "f": f_score(precision, recall)}
    return {name: round(value, 1) for name, value in figures.items()}


def _words(blocks: Sequence[Block], marks: Sequence[bool]) -> Counter[str]:
    return Counter(
        word for block, mark in zip(blocks, marks, strict=True) if mark for word in block.text.split(" ")
    )
