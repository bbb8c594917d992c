"""Links from files, taken over as what an annotator submitted, as gold or as suggestions, and their pairs as
a batch."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from alignment.models import Alignment, GoldAlignment, GoldAlignmentSet, Origin, WordLink
from annotation.models import Answer, Assignment, AssignmentState, Batch, BatchKind, Item
from annotation.services.answers import keep_imported_answers
from annotation.services.batches import batch_of_given_pairs, hand_to_all
from corpus.models import CorpusImport
from corpus.services.pair_storage import refresh_statistics
from corpus.services.pairs import GivenPair, GivenSentence
from paragold.formats.answers import PairsRead
from paragold.formats.link_files import LINK_FORMATS
from paragold.formats.link_formats import spaced
from paragold.metrics.links import LinkedPair, TokenPair
from paragold.problems import FileProblem, located, quoted, shortened
from projects.errors import PublicError
from projects.services.projects import next_version

from .batches import FROM_FILE, Suggestions, items_and_pairs, keep_suggestions, set_suggester
from .gold_links import IMPORTED, counts_of, pairs_of, rows_from_links

SIGNATURE = "imported-pairs|tokens:as given, parted by spaces|version:1"
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
MAX_KEY_LENGTH = 200
SHORT_HASH = 16
ROWS_AT_ONCE = 1_000


def matched(batch: Batch, pairs: Sequence[LinkedPair], filename: str) -> list[Item]:
    """The item of each pair. Raises FileProblem for a pair that the batch lacks or holds otherwise."""
    known = items_by_key(batch)
    matched = []
    for number, pair in enumerate(pairs, start=1):
        item = known.get(pair.key)
        with located(pair.line, file=filename):
            if item is None:
                raise FileProblem(
                    f"pair {number} (id {shortened(pair.key)}) is not in the batch {batch.name}.",
                    "Import it under another batch name, or leave the pair out.",
                )
            stored = (tuple(item.pair.sentence_a.token_list), tuple(item.pair.sentence_b.token_list))
            if stored != pair.tokens:
                raise FileProblem(
                    f"the tokens of pair {number} (id {shortened(pair.key)}) differ from those of the "
                    f"batch {batch.name}.",
                    "Annotators of one batch link the same tokens: correct the file or name another batch.",
                )
        matched.append(item)
    return matched


def create_batch(*, source: CorpusImport, name: str, contents: PairsRead[LinkedPair]) -> Batch:
    """A linking batch without assignments: each pair is a cluster `name/id` of two one-sentence articles.

    Raises FileProblem for a pair whose id is too long, that has an empty sentence, or tokens that cannot be
    kept; PublicError when the corpus has such clusters already.
    """
    if source.project.clusters.filter(key__startswith=f"{name}/").exists():
        raise PublicError(
            "The corpus already has clusters called %(name)s/...; choose another name for the batch.",
            field="batch",
            name=name,
        )
    for pair in contents.pairs:
        with located(pair.line, file=source.filename):
            _check_pair(pair, name)
    return batch_of_given_pairs(
        source=source,
        name=name,
        kind=BatchKind.LINK,
        scheme=source.project.scheme,
        pairs=[
            GivenPair(f"{name}/{pair.key}", _sentence(pair.source), _sentence(pair.target))
            for pair in contents.pairs
        ],
        sides=("source", "target"),
        format_name=contents.format,
        signature=LINK_FORMATS.signed(contents.format, SIGNATURE),
    )


def _check_pair(pair: LinkedPair, name: str) -> None:
    for text in (pair.key, *pair.source, *pair.target):
        if UNSTORABLE.search(text):
            raise FileProblem(
                f"{quoted(text)} holds a NUL or half of a surrogate pair.", "Remove the character."
            )
    spaced(pair.source)
    spaced(pair.target)
    if len(f"{name}/{pair.key}") > MAX_KEY_LENGTH:
        raise FileProblem(
            f"the id {pair.key[:40]}… is too long.",
            f"With the name of the batch, {MAX_KEY_LENGTH} characters are allowed.",
        )
    if not pair.source or not pair.target:
        raise FileProblem(f"a sentence of pair {pair.key} is empty.", "Leave the pair out.")


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


def submit_imported(
    batch: Batch, user: User, pairs: Sequence[LinkedPair], items: Sequence[Item], *, filename: str
) -> bool:
    """Store the links of `pairs` as submitted for `items` by the user; whether anything was new.

    Raises PublicError, naming the line, where the user has other links already.
    """
    linked = {item.pk: rows_from_links(pair.links) for item, pair in zip(items, pairs, strict=True)}
    lines = {item.pk: pair.line for item, pair in zip(items, pairs, strict=True)}
    known = {assignment.item_id: assignment for assignment in _assignments(batch, user)}
    for pk, assignment in known.items():
        first = assignment.answers.first()
        if pk in linked and (first is None or [link[:3] for link in first.body["links"]] != linked[pk]):
            raise PublicError(
                "%(filename)s, line %(line)s: %(person)s has other links for pair %(number)s of "
                "%(batch)s already; links of annotators are never replaced. Leave the pair out, or "
                "name another batch.",
                field="annotator",
                filename=filename,
                line=lines[pk],
                person=user.username,
                number=assignment.item.number,
                batch=batch.name,
            )
    new = [item for item in items if item.pk not in known]
    if not new:
        return False
    now = timezone.now()
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                item=item,
                annotator=user,
                position=position,
                state=AssignmentState.DONE,
                version=1,
                answered_at=now,
            )
            for position, item in enumerate(new, start=len(known) + 1)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    alignments = Alignment.objects.bulk_create(
        [Alignment(assignment=assignment) for assignment in assignments], batch_size=ROWS_AT_ONCE
    )
    WordLink.objects.bulk_create(
        [
            WordLink(alignment=alignment, a=a, b=b, strength=strength, origin=Origin.IMPORTED)
            for alignment in alignments
            for a, b, strength in linked[alignment.assignment.item_id]
        ],
        batch_size=ROWS_AT_ONCE,
    )
    keep_imported_answers([(place, _body(linked[place.item_id])) for place in assignments])
    refresh_statistics(Assignment, Alignment, WordLink, Answer)
    people = Assignment.objects.filter(item__batch=batch).values("annotator").distinct()
    batch.overlap = people.count()
    batch.save(update_fields=["overlap"])
    return True


def _assignments(batch: Batch, user: User) -> Any:
    mine = Assignment.objects.of(user).filter(item__batch=batch)
    return mine.select_related("item").prefetch_related("answers")


def _body(links: Sequence[Sequence[Any]]) -> dict[str, Any]:
    return {
        "links": [[*link, Origin.IMPORTED.value] for link in links],
        "null_a": [],
        "null_b": [],
        "submitted": True,
        "skipped": False,
        "flagged": False,
        "comment": "",
    }


def suggest_imported(
    batch: Batch,
    contents: PairsRead[LinkedPair],
    suggest_to: Sequence[str],
    *,
    by: User | None,
    filename: str,
) -> bool:
    """Suggest the links of a file in a batch from now on; whether they were not suggested before.

    Pairs are those with the same tokens. Pairs that the batch lacks are left out, counted in
    `contents.unknown`. Every pair of the batch must be in the file: without suggestions it would be linked
    under another condition. Raises FileProblem for one that is not, and for one with different links.
    """
    changed = bool(suggest_to)
    if suggest_to:
        hand_to_all(batch=batch, annotators=suggest_to)
    elif not Assignment.objects.filter(item__batch=batch).exists():
        raise PublicError(
            "Nobody links the pairs of %(batch)s: name the annotators who accept or correct the links.",
            field="annotators",
            batch=batch,
        )
    given: dict[TokenPair, LinkedPair] = {}
    for pair in contents.pairs:
        if given.setdefault(pair.tokens, pair).links != pair.links:
            raise FileProblem(
                f"the sentences of pair {shortened(pair.key)} are in the file with other links already.",
                "Keep the pair once.",
                line=pair.line,
                file=filename,
            )
    items, tokens = items_and_pairs(batch)
    wanted = [(tuple(a), tuple(b)) for a, b in tokens]
    if lacking := [number for number, pair in enumerate(wanted, start=1) if pair not in given]:
        words = quoted(" ".join(wanted[lacking[0] - 1][0]))
        raise FileProblem(
            f"{len(lacking):,} of the {len(items):,} pairs of {batch} are not in the file with the same "
            f"words, the first of them pair {lacking[0]}, {words}.",
            "Give the links of every pair of the batch, with its words as they are; a pair may have no link.",
            file=filename,
        )
    if others := len(given.keys() - set(wanted)):
        contents.unknown["pair that is not in the batch"] += others
    suggested = _suggested([given[pair] for pair in wanted], contents.origins, filename)
    setting = f"{FROM_FILE}{suggested.signature[-SHORT_HASH:]}"
    keep_suggestions(items, setting, suggested)
    if batch.suggester != setting:
        set_suggester(batch=batch, by=by, setting=setting)
        changed = True
    return changed


def _suggested(pairs: Sequence[LinkedPair], origins: Mapping[str, str], filename: str) -> Suggestions:
    """The links in order, sure and possible, and where they come from: the file and the model."""
    links = [sorted(pair.links.possible) for pair in pairs]
    reasons = [
        [
            ", ".join(filter(None, (filename, origins.get(pair.key), "possible" * (link in weak))))
            for link in own
        ]
        for pair, own in zip(pairs, links, strict=True)
        for weak in [pair.links.possible_only]
    ]
    models = sorted({origin.partition(", score ")[0] for pair in pairs if (origin := origins.get(pair.key))})
    content = hashlib.sha256(json.dumps([links, reasons]).encode()).hexdigest()
    name = ", ".join([filename.replace("|", "/"), *models])
    return Suggestions(links, f"{name}|imported links:{content[:SHORT_HASH]}", reasons)


def freeze_imported(
    batch: Batch,
    pairs: Sequence[LinkedPair],
    items: Sequence[Item],
    *,
    source: CorpusImport,
) -> tuple[GoldAlignmentSet, bool]:
    """The set of gold links of these links, named as the batch, and whether it is new.

    Links that are gold of the batch already stay as they are; other ones become the next version.
    """
    linked = {item.pk: rows_from_links(pair.links) for item, pair in zip(items, pairs, strict=True)}
    for known in batch.gold_alignment_sets.filter(rule=IMPORTED):
        if dict(known.alignments.values_list("item", "links")) == linked:
            return known, False
    gold_set = GoldAlignmentSet.objects.create(
        project=batch.project,
        name=batch.name,
        version=next_version(batch.project.gold_alignment_sets, batch.name),
        batch=batch,
        rule=IMPORTED,
        agreement={"measure": "1 - average directional AER", "value": None, "pairs": 0},
        counts=counts_of(
            batch,
            IMPORTED,
            linked,
            {item.pk: pair.links for item, pair in zip(items, pairs, strict=True)},
        ),
        lineage={
            "batch": batch.name,
            "pairs": pairs_of(batch),
            "links": {"file": source.filename, "sha256": source.sha256},
        },
        signature=f"gold-links|rule:{IMPORTED}|batch:{batch.name}|pairs:{len(linked)}|file:{source.sha256[:16]}",
        created_by=source.imported_by,
    )
    GoldAlignment.objects.bulk_create(
        [GoldAlignment(gold_set=gold_set, item=item, links=linked[item.pk], versions=[]) for item in items],
        batch_size=ROWS_AT_ONCE,
    )
    return gold_set, True
