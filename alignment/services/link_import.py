"""Link sets from files, taken over as what an annotator submitted or as gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction

from alignment.models import GoldAlignmentSet
from annotation.models import Batch, Item
from annotation.services.batches import annotators_called
from paragold.formats.links import parallel_text
from paragold.formats.links.registry import format_of_text, read_links
from paragold.formats.manifest import sha256_of
from paragold.formats.text_files import read_text
from paragold.metrics.links import LinkedPair, TokenPair
from paragold.problems import FileProblem, located, shortened
from projects.errors import PublicError
from projects.models import Project

from .imported_links import create_batch, freeze_imported, items_by_key, submit_imported


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


LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class LinkImport:
    """What a file held and what became of it.

    `status` is "imported", "checked" (nothing was written) or "unchanged" (all of it was there already);
    `new_batch` says that the batch was made, or would be. `gold_set` is there for links taken as gold.
    """

    batch: Batch
    status: str
    pairs: Sequence[LinkedPair]
    new_batch: bool
    gold_set: GoldAlignmentSet | None = None

    @property
    def sure(self) -> int:
        return sum(len(pair.links.sure) for pair in self.pairs)

    @property
    def possible_only(self) -> int:
        return sum(len(pair.links.possible_only) for pair in self.pairs)


def import_links(
    *,
    project: Project,
    by: User | None,
    files: LinkFiles,
    batch_name: str,
    annotator: str | None,
    check: bool = False,
) -> LinkImport:
    """Import a file of links as what `annotator` (a username) submitted, or as gold (None): all or nothing.

    The first file makes a linking batch of its pairs, with their tokens as they are; further files add
    annotators to it, or gold. The same file again changes nothing. With `check` everything is done and
    rolled back.
    Raises FileProblem (a ValueError) for what the format does not allow and for pairs that the batch
    lacks or holds with other tokens; PublicError for a name that is taken, somebody who is no annotator,
    and links that differ from what the annotator has there already.
    """
    pairs = files.pairs()
    name = batch_name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise PublicError(f"A batch needs a name of at most {LONGEST_NAME} characters.", field="batch")
    with transaction.atomic():
        found = _import(project, by, files, name, annotator, pairs)
        if check:
            transaction.set_rollback(True)
    if check and found.status == "imported":
        return LinkImport(found.batch, "checked", pairs, found.new_batch, found.gold_set)
    return found


def _import(
    project: Project,
    by: User | None,
    files: LinkFiles,
    name: str,
    annotator: str | None,
    pairs: Sequence[LinkedPair],
) -> LinkImport:
    # Two imports into one project wait for each other: both look for what is there already.
    project = Project.objects.select_for_update().get(pk=project.pk)
    people = annotators_called(project, [annotator]) if annotator is not None else []
    sha256 = sha256_of(files.links)
    batch = project.batches.filter(name=name).first()
    new_batch = batch is None
    if batch is None:
        batch = create_batch(
            project=project,
            by=by,
            name=name,
            pairs=pairs,
            filename=files.filename,
            sha256=sha256,
            format_name=files.format,
        )
    elif batch.corpus_import is None:
        raise PublicError(
            f"The batch {batch.name} was not imported; give the links a batch name of their own.",
            field="batch",
        )
    items = _matched(batch, pairs, files.filename)
    gold_set, changed = None, False
    for user in people:
        changed = submit_imported(batch, user, pairs, items, filename=files.filename)
    if not people:
        gold_set, changed = freeze_imported(
            batch, pairs, items, by=by, filename=files.filename, sha256=sha256
        )
    return LinkImport(batch, "imported" if changed else "unchanged", pairs, new_batch, gold_set)


def _matched(batch: Batch, pairs: Sequence[LinkedPair], filename: str) -> list[Item]:
    """The item of each pair. Raises FileProblem for a pair that the batch lacks or holds otherwise."""
    known = items_by_key(batch)
    matched = []
    for number, pair in enumerate(pairs, start=1):
        item = known.get(pair.key)
        if item is None:
            raise FileProblem(
                f"pair {number} (id {shortened(pair.key)}) is not in the batch {batch.name}.",
                "Import it under another batch name, or leave the pair out.",
                line=pair.line,
                file=filename,
            )
        stored = TokenPair(tuple(item.pair.sentence_a.token_list), tuple(item.pair.sentence_b.token_list))
        if stored != pair.tokens:
            raise FileProblem(
                f"the tokens of pair {number} (id {shortened(pair.key)}) differ from those of the "
                f"batch {batch.name}.",
                "Annotators of one batch link the same tokens: correct the file or name another batch.",
                line=pair.line,
                file=filename,
            )
        matched.append(item)
    return matched
