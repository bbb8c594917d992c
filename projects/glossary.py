"""The terms of docs/glossary.md, for the page Glossary and for explanations beside a term."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.utils.text import slugify


class Term(NamedTuple):
    """recognised: the word that is linked by itself in forms and heads of columns; "" for none."""

    name: str
    meaning: str
    source: str
    recognised: str = ""

    @property
    def anchor(self) -> str:
        """Where the term is on the page: "log-likelihood-ratio"."""
        return slugify(self.name)


@cache
def glossary() -> dict[str, list[Term]]:
    """The terms below each heading of docs/glossary.md, in its order."""
    terms: dict[str, list[Term]] = {}
    heading = ""
    for line in (settings.BASE_DIR / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith(("| term ", "| ---")):
            name, meaning, source = (cell.strip() for cell in line.split("|")[1:4])
            bold = re.search(r"\*\*(.+?)\*\*", name)
            name = name.replace("**", "")
            meaning = re.sub(r"\[(.+?)\]\(.+?\)", r"\1", meaning.replace("*", ""))
            terms.setdefault(heading, []).append(Term(name, meaning, source, bold[1] if bold else ""))
    return terms


@cache
def terms() -> dict[str, Term]:
    """Each term by its name."""
    return {term.name: term for group in glossary().values() for term in group}


@cache
def _recognised() -> tuple[re.Pattern[str], dict[str, Term]]:
    """A pattern of the words that are recognised, the longest first, and the term of each, plurals too."""
    by_word = {term.recognised: term for term in terms().values() if term.recognised}
    ways = [_way(word) for word in sorted(by_word, key=len, reverse=True)]
    return re.compile(rf"(?<![\w-])((?:{'|'.join(ways)})s?)(?![\w-])"), {
        plain: term for word, term in by_word.items() for plain in (_plain(word), f"{_plain(word)}s")
    }


def _way(word: str) -> str:
    """SURE and AER are not sure and aer; in other words a hyphen may be a space."""
    return re.escape(word) if word.isupper() else "(?i:" + "[- ]".join(re.split("[- ]", word)) + ")"


def _plain(word: str) -> str:
    return word.lower().replace("-", " ")


def split_by_terms(text: str) -> list[tuple[str, Term | None]]:
    """The text in parts: words that are recognised, with their terms, and what lies between them."""
    pattern, by_word = _recognised()
    parts = enumerate(pattern.split(text))
    return [(part, by_word[_plain(part)] if number % 2 else None) for number, part in parts if part]
