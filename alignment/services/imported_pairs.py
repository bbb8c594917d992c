"""Sentence pairs that came with their links: checked, then made a linking batch."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.contrib.auth.models import User

from annotation.models import Batch, BatchKind, Item
from annotation.services.imported_pairs import batch_of_given_pairs
from corpus.services.pairs import GivenPair, GivenSentence
from paragold.formats.links.link_format import check_tokens
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem, located
from paragold.text.quoting import quoted
from projects.errors import PublicError
from projects.models import Project

SIGNATURE = "imported-pairs|tokens:as given, parted by spaces|version:1"
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
LONGEST_KEY = 200


def create_batch(
    *,
    project: Project,
    by: User | None,
    name: str,
    pairs: Sequence[LinkedPair],
    filename: str,
    sha256: str,
    format_name: str,
) -> Batch:
    """A linking batch without assignments: each pair is a cluster `name/id` of two one-sentence articles.

    Raises FileProblem for a pair whose id is too long, that has an empty sentence, or tokens that cannot be
    kept; PublicError when the corpus has such clusters already.
    """
    if project.clusters.filter(key__startswith=f"{name}/").exists():
        raise PublicError(
            f"The corpus has clusters called {name}/... already; give the batch another name.", field="batch"
        )
    for pair in pairs:
        _check_text(pair, filename)
        if len(f"{name}/{pair.key}") > LONGEST_KEY:
            raise FileProblem(
                f"the id {pair.key[:40]}… is too long.",
                f"With the name of the batch, {LONGEST_KEY} characters are allowed.",
                line=pair.line,
                file=filename,
            )
        if not pair.tokens.source or not pair.tokens.target:
            raise FileProblem(
                f"a sentence of pair {pair.key} is empty.",
                "Leave the pair out.",
                line=pair.line,
                file=filename,
            )
    return batch_of_given_pairs(
        project=project,
        by=by,
        name=name,
        kind=BatchKind.LINK,
        scheme=project.scheme,
        pairs=[
            GivenPair(f"{name}/{pair.key}", _sentence(pair.tokens.source), _sentence(pair.tokens.target))
            for pair in pairs
        ],
        sides=("source", "target"),
        filename=filename,
        sha256=sha256,
        format_name=format_name,
        signature=SIGNATURE,
    )


def _check_text(pair: LinkedPair, filename: str) -> None:
    for text in (pair.key, *pair.tokens.source, *pair.tokens.target):
        if UNSTORABLE.search(text):
            raise FileProblem(
                f"{quoted(text)} holds a NUL or half of a surrogate pair.",
                "Remove the character.",
                line=pair.line,
                file=filename,
            )
    with located(pair.line, file=filename):
        check_tokens(pair.tokens.source)
        check_tokens(pair.tokens.target)


def items_by_key(batch: Batch) -> dict[str, Item]:
    """The items of an imported batch by the id that their pair has in the file."""
    items = batch.items.select_related("pair__cluster", "pair__sentence_a", "pair__sentence_b")
    return {item.pair.cluster.key.removeprefix(f"{batch.name}/"): item for item in items}


def starts(tokens: Sequence[str]) -> list[int]:
    """The offsets, in code points, of tokens that are joined by single spaces."""
    offsets, position = [], 0
    for token in tokens:
        offsets.append(position)
        position += len(token) + 1
    return offsets


def _sentence(tokens: Sequence[str]) -> GivenSentence:
    return GivenSentence(" ".join(tokens), tokens, starts(tokens))
