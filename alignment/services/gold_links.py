"""Gold alignments: the annotators' links merged by a named rule and frozen."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils.translation import gettext_noop

from alignment.models import Alignment, GoldAlignment, GoldAlignmentSet, Origin, Strength, WordLink
from annotation.models import AssignmentState, Batch, BatchKind, Decision, ModelAnnotator
from annotation.services.decisions import latest_decisions
from annotation.services.freezing import (
    ADJUDICATED,
    Forecast,
    begin_freeze,
    decisions_in,
    default_rule,
    forecast_of,
    given_version,
    kept_decision,
    noted,
    signed,
    stored_agreement,
    unless_unchanged,
)
from annotation.services.model_answers import MODEL, answered_by
from annotation.services.pseudonyms import pseudonyms
from corpus.models import CandidatePair, Sentence, in_held_out_cluster
from paragold.formats.gold_jsonl import GoldPair
from paragold.metrics.link_agreement import directional_error
from paragold.metrics.links import MERGE_RULES, LinkedPair, Links, merge
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import next_version

from .link_agreement import histories
from .submitted_links import conditions_of, links_from_rows, links_of, submitted_alignments


@dataclass(frozen=True, slots=True)
class PairLinks:
    """A pair with gold links, its cluster, and the links of each annotator as `GoldAlignment` keeps them.

    `annotators` are their pseudonyms, in the order of `versions`, and `conditions` the signatures of the
    suggestions that they were shown, NO_SUGGESTIONS for none; empty where that is not known.
    """

    pair: LinkedPair
    cluster: str
    versions: Sequence[Sequence[Sequence[Any]]]
    adjudicated: bool
    annotators: Sequence[str] = ()
    conditions: Sequence[str] = ()


def judgement_settled(pair: GoldPair) -> bool:
    labels = {judgement.label for judgement in pair.judgements if judgement.label is not None}
    return pair.adjudication is not None or len(labels) <= 1


def links_settled(pair: PairLinks) -> bool:
    """Links that differ in strength alone differ."""
    drawn = {tuple(sorted((a, b, strength) for a, b, strength, *_ in links)) for links in pair.versions}
    return pair.adjudicated or len(drawn) <= 1


NOT_KNOWN = "not known"
NO_SUGGESTIONS = "none"


def lineage_of(batch: Batch, items: Collection[int]) -> dict[str, Any]:
    """What the links that annotators submitted for items of a batch go back to, as JSON.

    `pairs` names the gold set or the file that the pairs are from; `origins` counts the annotators' links
    by origin, `suggested_by` those that were accepted, by the signature of the aligner; `conditions` counts
    the answers by that of the aligner whose suggestions were shown.
    """
    rows = (
        WordLink.objects.filter(
            alignment__assignment__item__in=list(items),
            alignment__assignment__state=AssignmentState.DONE,
        )
        .order_by()
        .values_list("origin", "suggested_by__signature")
        .annotate(Count("pk"))
    )
    origins: Counter[str] = Counter()
    suggested_by: Counter[str] = Counter()
    for origin, signature, links in rows:
        origins[origin] += links
        if origin == Origin.ACCEPTED:
            suggested_by[signature or NOT_KNOWN] += links
    return {
        "batch": batch.name,
        "pairs": pairs_of(batch),
        "origins": dict(sorted(origins.items())),
        "suggested_by": dict(sorted(suggested_by.items())),
        "conditions": {
            row.signature if row else NO_SUGGESTIONS: answers for row, answers in conditions_of(list(items))
        },
    }


def pairs_of(batch: Batch) -> dict[str, str]:
    """The gold set, or the imported file with its hash, that a linking batch has its pairs from."""
    if batch.corpus_import is not None:
        return {"file": batch.corpus_import.filename, "sha256": batch.corpus_import.sha256}
    if batch.gold_set is None:
        return {}
    return {"gold_set": str(batch.gold_set), "signature": batch.gold_set.signature}


VERSION = 1
BOOTSTRAP_SEED = 1
ROWS_AT_ONCE = 1_000
_PARTING = re.compile(r"[\s|%/#]")
IMPORTED = "imported"
"""The rule of links that a file settles."""
RULES = (*MERGE_RULES, ADJUDICATED)
"""The merge rules, and the adjudicator's word where people differ."""
STRENGTHS: Mapping[str, str] = MappingProxyType(
    {
        "as_drawn": gettext_noop("Sure and possible, as they are"),
        "all_sure": gettext_noop("All sure: possible links count as sure"),
    }
)
"""How the links of a set of gold links are taken when it is scored against or written out."""


def rows_from_links(links: Links) -> list[list[Any]]:
    """[[a, b, strength], ...] in ascending order."""
    return [
        [a, b, Strength.SURE.value if (a, b) in links.sure else Strength.POSSIBLE.value]
        for a, b in sorted(links.possible)
    ]


def agreement_of(alignments: Iterable[Sequence[Alignment]]) -> dict[str, Any]:
    """Agreement of every two annotators as 1 - mean directional AER (DQB04, footnote 5), and their mean.

    Values are shares from 0 to 1; None where two annotators share no linked pair.
    """
    return _agreement(
        {version.assignment.person: links_of(version) for version in versions} for versions in alignments
    )


def agreement_by_pass(
    batch: Batch, submitted: Mapping[int, Sequence[Alignment]]
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The agreement of the first pass, before anybody saw where others differ, and that of the present links.

    `submitted` are the present alignments by item. Without a second pass the other one is None.
    """
    by_item = histories(batch, submitted)
    present = {
        item: {drawn.assignment.person: links_of(drawn) for drawn in of} for item, of in submitted.items()
    }
    first = [
        {
            person: by_item[item].first.get(person, own) if item in by_item else own
            for person, own in of.items()
        }
        for item, of in present.items()
    ]
    revised = any(history.revised for history in by_item.values())
    return _agreement(first), _agreement(present.values()) if revised else None


def _agreement(links_by_person: Iterable[Mapping[int, Links]]) -> dict[str, Any]:
    shared: dict[tuple[int, int], list[tuple[Links, Links]]] = defaultdict(list)
    for links in links_by_person:
        for (first, links_a), (second, other) in combinations(links.items(), 2):
            shared[first, second].append((links_a, other))
    values = []
    for both in shared.values():
        agreement = directional_error([a for a, _ in both], [b for _, b in both])["agreement"]
        if agreement is not None:
            values.append(agreement)
    return {
        "measure": "1 - average directional AER",
        "value": sum(values) / len(values) if values else None,
        "pairs": sum(len(both) for both in shared.values()),
    }


ByModels = Mapping[int, Sequence[dict[str, Any]]]
"""By item, the links of models that count as those of further annotators, as `GoldAlignment.versions`."""


def merged_links(
    *, project: Project, batch: Batch, rule: str, by_models: ByModels = MappingProxyType({})
) -> tuple[dict[int, list[Alignment]], dict[int, Decision], dict[int, Links]]:
    """By item: what people submitted where all have linked it, the decisions on it, and the gold links.

    Pairs that fewer annotators than the batch asks for have linked are left out; of the gold links also
    those, under the rule "adjudicated", on which annotators differ and nobody has decided.
    """
    if batch.project_id != project.pk or batch.kind != BatchKind.LINK:
        raise PublicError("%(batch)s is not a linking batch of this project.", batch=batch.name)
    if rule not in RULES:
        raise PublicError(
            "%(rule)r is not a merge rule; choose one of: %(choices)s.", rule=rule, choices=", ".join(RULES)
        )
    submitted = submitted_alignments(batch)
    drawn = {
        item: [
            *map(links_of, submitted.get(item, ())),
            *(links_from_rows(version["links"]) for version in by_models.get(item, ())),
        ]
        for item in sorted({*submitted, *by_models})
    }
    complete = {item: submitted.get(item, []) for item, of in drawn.items() if len(of) >= batch.overlap}
    decisions = latest_decisions(complete) if rule == ADJUDICATED else {}
    merged = {item: _merged(drawn[item], rule, decisions.get(item)) for item in complete}
    return complete, decisions, {item: links for item, links in merged.items() if links is not None}


def counts_of(
    batch: Batch, rule: str, complete: Collection[int], gold: Mapping[int, Links], *, decisions_used: int = 0
) -> dict[str, int]:
    """The counts of a set of gold links with the items that are left out."""
    total = batch.items.count()
    held_out = set(batch.items.filter(in_held_out_cluster("pair__")).values_list("pk", flat=True))
    return {
        "items": total,
        "not_linked_by_all": total - len(complete),
        **({"undecided": len(complete) - len(gold)} if rule == ADJUDICATED else {}),
        "pairs": len(gold),
        "sure": sum(len(links.sure) for links in gold.values()),
        "possible_only": sum(len(links.possible_only) for links in gold.values()),
        **noted(
            held_out=len(held_out & gold.keys()), decisions_unused=decisions_in([batch]) - decisions_used
        ),
    }


PAPERS = "papers"
"""The rule where no adjudicator has decided anything."""


def links_forecast(
    *, project: Project, batch: Batch, rule: str | None = None, models: Sequence[ModelAnnotator] = ()
) -> Forecast:
    """How many pairs a freeze would leave out, and why. The caller has checked that the reader may know."""
    rule = rule or default_rule([batch], PAPERS)
    complete, decisions, gold = merged_links(
        project=project, batch=batch, rule=rule, by_models=_by_models(models, batch)
    )
    used = len(decisions.keys() & gold.keys())
    counts = counts_of(batch, rule, complete, gold, decisions_used=used)
    return forecast_of(counts, frozen=counts["pairs"], rule=rule)


@transaction.atomic
def freeze_gold_alignments(
    *,
    project: Project,
    by: User | None,
    name: str,
    batch: Batch,
    rule: str | None = None,
    models: Sequence[ModelAnnotator] = (),
) -> GoldAlignmentSet:
    """Merge the submitted links of a batch and freeze them as the next version of a set of gold links.

    Without a rule it is the adjudicated one if an adjudicator has decided anything in the batch, else that of
    the papers. See `merged_links` for what is left out; the links of `models` count as those of further
    annotators, agreement is that of people. Where nothing has changed since the latest version of that name,
    that one is returned and says `already_frozen`. Raises PublicError when no pair is left, saying why, and
    for a model that has not answered the batch.
    """
    name = begin_freeze(project, name, batch, *models, noun="A set of gold links")
    rule = rule or default_rule([batch], PAPERS)
    by_models = _by_models(models, batch)
    complete, decisions, gold = merged_links(project=project, batch=batch, rule=rule, by_models=by_models)
    used = len(decisions.keys() & gold.keys())
    counts = counts_of(batch, rule, complete, gold, decisions_used=used)
    if models:
        *_, alone = merged_links(project=project, batch=batch, rule=rule)
        counts["model_decided"] = sum(alone.get(item) != links for item, links in gold.items())
    if counts["not_linked_by_all"] == counts["items"]:
        total = counts["items"]
        raise PublicError(
            "None of the %(total)s pairs has been linked by %(overlap)s annotators yet.",
            field="batch",
            total=total,
            overlap=batch.overlap,
        )
    if not gold:
        undecided = counts["undecided"]
        raise PublicError(
            "Annotators differ on all %(undecided)s pairs, and an adjudicator has decided none of them.",
            field="rule",
            undecided=undecided,
        )
    first, second = agreement_by_pass(batch, complete)
    people = {v.assignment.person for item in gold for v in complete[item]}
    names = pseudonyms(project, people | {decision.adjudicator_id for decision in decisions.values()})
    gold_set = GoldAlignmentSet.objects.create(
        project=project,
        name=name,
        version=next_version(project.gold_alignment_sets, name),
        batch=batch,
        rule=rule,
        # Over all pairs that were linked by all: people differ on the ones that a rule leaves out.
        agreement=stored_agreement(first, second),
        counts=counts,
        lineage=lineage_of(batch, gold),
        signature=f"gold-links|rule:{rule}|batch:{batch.name}|pairs:{len(gold)}"
        f"{signed(counts)}{'|agreement:by-pass' if second else ''}"
        f"{''.join(f'|model:{model.signature}' for model in models)}|version:{VERSION}",
        created_by=by,
    )
    gold_set.model_annotators.set(models)
    GoldAlignment.objects.bulk_create(
        [
            GoldAlignment(
                gold_set=gold_set,
                item_id=item,
                links=rows_from_links(links),
                versions=[
                    *(_version(v, names[v.assignment.person]) for v in complete[item]),
                    *by_models.get(item, ()),
                ],
                adjudication=kept_decision(decisions.get(item), names),
            )
            for item, links in gold.items()
        ],
        batch_size=500,
    )
    return unless_unchanged(gold_set, rows="alignments")


def _by_models(models: Sequence[ModelAnnotator], batch: Batch) -> ByModels:
    by_models = defaultdict(list)
    for name, at, answers in answered_by(models, [batch]):
        about = {"comment": "", "flagged": False, "at": at, "suggestions": "", "null_a": [], "null_b": []}
        for item, links in answers.values_list("item", "links"):
            rows = [[a, b, Strength.SURE.value, MODEL.strip()] for a, b in links or ()]
            by_models[item].append({"annotator": name, "links": rows, **about})
    return by_models


def _merged(versions: Sequence[Links], rule: str, decision: Decision | None) -> Links | None:
    """The gold links of a pair; None where the rule leaves it to an adjudicator who has not decided."""
    if rule != ADJUDICATED:
        return merge(versions, rule)
    if decision is not None:
        return links_from_rows(decision.content or [])
    return versions[0] if len(set(versions)) == 1 else None


def _version(alignment: Alignment, annotator: str) -> dict[str, Any]:
    links = [[link.a, link.b, link.strength, link.origin] for link in alignment.links.all()]
    null = {"null_a": alignment.null_a, "null_b": alignment.null_b}
    shown = alignment.offered.signature if alignment.offered else NO_SUGGESTIONS
    if any(origin == Origin.IMPORTED for *_, origin in links):
        shown = ""
    return given_version(alignment.assignment, annotator, links=links, suggestions=shown, **null)


def pair_key(pair: CandidatePair) -> str:
    """The key under which exports name a pair: both its sentences, separated by `|`."""
    return f"{sentence_key(pair.sentence_a)}|{sentence_key(pair.sentence_b)}"


def sentence_key(sentence: Sentence) -> str:
    return key_of(sentence.article.cluster.key, sentence.article.key, sentence.number)


def key_of(cluster: str, article: str, number: int) -> str:
    """`cluster/article#number`, ids percent-encoded where they hold a separator or white space."""
    return f"{_escaped(cluster)}/{_escaped(article)}#{number}"


def _escaped(key: str) -> str:
    return _PARTING.sub(lambda separator: quote(separator[0], safe=""), key)


def linked_pairs(gold_set: GoldAlignmentSet, strengths: str = "as_drawn") -> list[LinkedPair]:
    """The pairs of a set of gold links with tokens and merged links, in the order of the batch.

    `strengths` is one of STRENGTHS. Raises PublicError for another.
    """
    return [links.pair for batch in batches_with_versions(gold_set, strengths) for links in batch]


def training_links(gold_set: GoldAlignmentSet) -> list[LinkedPair]:
    """The pairs of a set of gold links that may be learned from, in the order of the batch."""
    rows = links_for_training(gold_set)
    return [links.pair for batch in _some_at_once(rows, "as_drawn") for links in batch]


def links_for_training(gold_set: GoldAlignmentSet) -> QuerySet[GoldAlignment]:
    """The gold links that may be learned from: none of held-out clusters, or of pairs with their texts."""
    of_held_out = gold_set.alignments.filter(in_held_out_cluster("item__pair__")).order_by()
    return gold_set.alignments.exclude(
        item__pair__content_key__in=of_held_out.values("item__pair__content_key")
    )


def batches_with_versions(gold_set: GoldAlignmentSet, strengths: str) -> Iterator[list[PairLinks]]:
    """The pairs with what their links were merged from, some at once; no query stays open between them."""
    if strengths not in STRENGTHS:
        raise PublicError(
            "The strengths are %(choices)s, not %(strengths)r.",
            choices=" or ".join(STRENGTHS),
            strengths=strengths,
        )
    yield from _some_at_once(gold_set.alignments.all(), strengths)


def _some_at_once(alignments: QuerySet[GoldAlignment], strengths: str) -> Iterator[list[PairLinks]]:
    ids = list(alignments.order_by("item__number", "pk").values_list("pk", flat=True))
    rows = GoldAlignment.objects.order_by("item__number", "pk").select_related(
        "item__pair__cluster",
        "item__pair__sentence_a__article__cluster",
        "item__pair__sentence_b__article__cluster",
    )
    for start in range(0, len(ids), ROWS_AT_ONCE):
        some = rows.filter(pk__in=ids[start : start + ROWS_AT_ONCE])
        yield [_with_versions(alignment, strengths) for alignment in some]


def _with_versions(alignment: GoldAlignment, strengths: str) -> PairLinks:
    pair = alignment.item.pair
    source, target = tuple(pair.sentence_a.token_list), tuple(pair.sentence_b.token_list)
    links = links_from_rows(alignment.links)
    if strengths == "all_sure":
        links = Links.of(links.possible)
    return PairLinks(
        pair=LinkedPair(pair_key(pair), source, target, links),
        cluster=pair.cluster.key,
        versions=[version["links"] for version in alignment.versions],
        adjudicated=alignment.adjudication is not None,
        annotators=[version["annotator"] for version in alignment.versions],
        conditions=[name for version in alignment.versions if (name := version.get("suggestions"))],
    )
