"""The files that links are imported from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paragold.formats.links import parallel_text
from paragold.formats.links.registry import format_of_text, read_links
from paragold.formats.text_files import read_text
from paragold.metrics.links import LinkedPair, TokenPair
from paragold.problems import FileProblem, located
from projects.errors import PublicError


@dataclass(frozen=True, slots=True)
class LinkFiles:
    """A file of links and, for formats without text, one with the sentences of each side.

    `format_name` None: what the file holds says it. All are in one `encoding`. The names are what
    errors and the project call the files, by default those of the paths.
    """

    links: Path
    source: Path | None = None
    target: Path | None = None
    format_name: str | None = None
    name: str = ""
    source_name: str = ""
    target_name: str = ""
    encoding: str = "utf-8"

    @property
    def filename(self) -> str:
        return self.name or self.links.name

    @property
    def format(self) -> str:
        """The id of the format that the links are read as; empty where it is not known."""
        text = read_text(self.links, name=self.filename, encoding=self.encoding)
        found = None if self.format_name else format_of_text(text, self.filename)
        return self.format_name or (found.id if found else "")

    def pairs(self) -> list[LinkedPair]:
        """The pairs in order; where the format has no ids, they are numbered from 1.

        Raises FileProblem for anything in a file that its format does not allow, PublicError when the
        sentences of one side are missing.
        """
        pairs = read_links(
            self.links, self.format_name, tokens=self._text(), name=self.filename, encoding=self.encoding
        )
        if not pairs:
            raise FileProblem("The file holds no pair.", "Give a file with linked pairs.", file=self.filename)
        return pairs

    def _text(self) -> list[TokenPair] | None:
        if self.source is None and self.target is None:
            return None
        if self.source is None or self.target is None:
            raise PublicError("Give the sentences of both sides, source and target.", field="source")
        source, target = self.source_name or self.source.name, self.target_name or self.target.name
        texts = (
            read_text(self.source, name=source, encoding=self.encoding),
            read_text(self.target, name=target, encoding=self.encoding),
        )
        with located(file=f"{source} and {target}"):
            return parallel_text.loads(*texts)
