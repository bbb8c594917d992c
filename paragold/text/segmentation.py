"""Sentence segmentation of news prose in plain text, by rules. They are listed in docs/text-processing.md."""

import re
from collections.abc import Iterator

SIGNATURE = "paragold-seg-2"


# Abbreviations of English news prose that end in a full stop, without it. Those of single letters (U.S.)
# need no list: their shape is enough.
def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# A name or a second party follows, so a sentence never ends here. In either case: "mr.", "Mr.".
TITLES = _words(
    "mr mrs ms messrs mmes dr drs prof rev gen lt col maj capt cmdr sgt cpl pvt brig gov supt insp vs v cf"
)
# The same, but ordinary words or names when they are not capitalised.
CAPITALISED_TITLES = _words("Sen Sens Rep Reps Pres Adm Det Hon Fr St Ste Mt Ft Amb Msgr Atty Const")

# A number follows ("No. 7", "Nov. 5"); before anything else the full stop may end the sentence.
NUMBERED = _words("No Nos Vol Art Sec Fig Figs pp")
MONTHS = _words("jan feb mar apr jun jul aug sep sept oct nov dec")

# These may end a sentence: only the next word decides.
COMPANIES = _words("inc corp co cos ltd bros assn intl jr sr esq etc al dept univ")
PLACES = _words(
    "Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Mont Neb Nev "
    "Okla Ore Pa Tenn Tex Va Vt Wash Wis Wyo Ave Blvd Rd Hwy Sq Pty Phila"
)

ANY_CASE = TITLES | MONTHS | COMPANIES
EXACT_CASE = CAPITALISED_TITLES | NUMBERED | PLACES

# Words that open sentences and rarely continue a name: after "Inc.", "U.S." or an initial they start one.
SENTENCE_STARTERS = _words(
    "A According After Again Although Among An And Another As At Because Before But By Despite During "
    "Each Earlier Even For From He Her Here His How However I If In Instead It Its Later Many Meanwhile "
    "Moreover Most My Nor On Once One Or Our Others Other She Since So Some Such That The Their Then "
    "There These They This Those Though Thus To Under Until We Were What When Where Whether Which While "
    "Who Why With Yet You"
)
# Capitalised words that may follow "a.m." or "p.m." within a sentence.
AFTER_CLOCK_TIMES = _words(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June "
    "July August September October November December Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec "
    "Eastern Central Mountain Pacific Greenwich ET CT MT PT EST EDT CST CDT MST MDT PST PDT GMT UTC BST "
    "CET IST AEST"
)


_LINE_END = r"(?>\r\n|\r|\n)"
_PARAGRAPH_END = re.compile(rf"{_LINE_END}(?:[^\S\r\n]*{_LINE_END})+|\u2029")

# Ends that need white space after them, and ends that do not (CJK stops, dandas); what may close or open a
# sentence around them. A run of ends is taken at its first mark only, which keeps hostile text linear.
_SPACED_ENDS = ".!?…‥؟۔։።။"
_FREE_ENDS = "。！？｡।॥"
_CLOSERS = r"\"'”’»›)\]}」』）】〉》"
_OPENERS = r"\"'“‘„«‹(\[{¿¡`*•—–-"
_END = re.compile(
    rf"[{_SPACED_ENDS}{_FREE_ENDS}](?:"
    rf"(?<=[{_SPACED_ENDS}])(?<![{_SPACED_ENDS}]{{2}})"
    rf"([{_SPACED_ENDS}]*+[{_CLOSERS}]*+)(?=\s+([\s{_OPENERS}]*+)(\S?))"
    rf"|(?<=[{_FREE_ENDS}])[{_FREE_ENDS}{_SPACED_ENDS}]*+[{_CLOSERS}]*+)"
)
# Marks that close even after a space, as in tokenised text; a straight quotation mark may open, too.
_APART = re.compile(r"\s+((?:''|[”’»)\]}])+|\")(?=\s|$)")
_WORD = re.compile(r"\w[\w'’]*")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]", re.ASCII)
# "Yahoo! Inc.": the mark is part of the name.
_COMPANY_ENDING = re.compile(r"(?:Inc|Corp|Ltd|Co|Cos|LLC|PLC)\b")
_CLOCK_TIMES = frozenset(("a.m", "p.m", "A.M", "P.M"))
_LONGEST_ABBREVIATION = 24
_ENDS_SELDOM = COMPANIES | MONTHS
_ABBREVIATIONS = ANY_CASE | {word.lower() for word in EXACT_CASE}


def split_paragraphs(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) in code points of the paragraphs of a text, separated by blank lines or U+2029.

    Lines end with LF, CRLF or CR. Spans may have white space at their ends; none is only white space.
    """
    if "\n" not in text and "\r" not in text and "\u2029" not in text:
        return [(0, len(text))] if text and not text.isspace() else []
    spans = []
    start = 0
    for end in _PARAGRAPH_END.finditer(text):
        spans.append((start, end.start()))
        start = end.end()
    spans.append((start, len(text)))
    return [(start, end) for start, end in spans if start < end and not text[start:end].isspace()]


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text: start and end in code points, in order, without surrounding white space.

    A sentence never crosses a paragraph end; a single line end is ordinary white space. Every code point
    outside of sentences is white space.
    """
    return [
        span for start, end in split_paragraphs(text) for span in sentences_of_paragraph(text, start, end)
    ]


def sentences_of_paragraph(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of the sentences of ``text[start:end]``, one paragraph, as `split_sentences` gives them."""
    spans = []
    while end > start and text[end - 1].isspace():
        end -= 1
    for cut in [*_cuts(text, start, end), end]:
        while start < cut and text[start].isspace():
            start += 1
        if start < cut:
            spans.append((start, cut))
        start = cut
    return spans


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Positions just after the end of a sentence, within the paragraph ``text[start:end]``."""
    quotation_open = False
    counted = start
    for match in _END.finditer(text, start, end):
        cut = match.end()
        following = match[3]
        if following is None:
            # A quotation goes on in its sentence when a Japanese particle follows the closing bracket.
            if not (text[cut - 1] in "」』" and "\u3041" <= text[cut : cut + 1] <= "\u309f"):
                yield cut
                start = cut
            continue
        if not following or following in _SPACED_ENDS:
            continue
        if following.islower() and not _is_camel(text, match.end(3)):
            continue
        stop = match.start()
        if text[stop] in "!?" and match.end() == stop + 1 and _COMPANY_ENDING.match(text, match.start(3)):
            continue
        if following == "&" and text[match.end(3) : match.end(3) + 1].isspace():
            continue
        if text[stop] == "." and match[1][:1] != "." and _goes_on(text, start, stop, match):
            continue
        apart = _APART.match(text, cut, end)
        if apart and apart[1] == '"':
            quotation_open ^= text.count('"', counted, cut) % 2 == 1
            counted = cut
        if apart and (apart[1] != '"' or quotation_open):
            cut = apart.end()
        yield cut
        start = cut


def _is_camel(text: str, position: int) -> bool:
    """Whether a name such as iPhone or eBay begins before the position: it may open a sentence."""
    return text[position : position + 1].isupper()


def _goes_on(text: str, start: int, stop: int, match: re.Match[str]) -> bool:
    """Whether the full stop at `stop` is of an abbreviation, initial or list number within a sentence."""
    words = text[max(start, stop - _LONGEST_ABBREVIATION) : stop].split()
    if not words:
        return False
    word = words[-1].lstrip("\"'“‘„«([{`-—–")
    lowered = word.lower()
    if lowered not in _ABBREVIATIONS and len(word) > 1 and "." not in word and not word.isdigit():
        return False
    following = text[match.start(3) : match.start(3) + 1]
    if lowered in TITLES or word in CAPITALISED_TITLES:
        return True
    if following.isdigit() and (word in NUMBERED or lowered in _ENDS_SELDOM):
        return True
    if word.isdigit():
        return not text[start : stop - len(word)].strip()
    if word in _CLOCK_TIMES:
        return _next_word(text, match) in AFTER_CLOCK_TIMES
    initial = len(word) == 1 and word.isupper() and word != "I"
    if initial or lowered in _ENDS_SELDOM or word in PLACES or _DOTTED.fullmatch(word):
        return not match[2].strip() and _next_word(text, match) not in SENTENCE_STARTERS
    return False


def _next_word(text: str, match: re.Match[str]) -> str:
    word = _WORD.match(text, match.start(3))
    return word[0] if word else ""
