"""The terms of docs/glossary.md, for the page Glossary and for explanations beside a term."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.utils.text import slugify


class Term(NamedTuple):
    name: str
    meaning: str
    source: str

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
            terms.setdefault(heading, []).append(Term(*(cell.strip() for cell in line.split("|")[1:4])))
    return terms


@cache
def terms() -> dict[str, Term]:
    """Each term by its name."""
    return {term.name: term for group in glossary().values() for term in group}
