"""Writing gold sets out as files: the same gold and the same options give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from alignment.models import GoldAlignmentSet
from alignment.services.export_cards import texts_of, with_licence
from alignment.specs import GoldExportSpec
from annotation.models import GoldSet
from paragold.formats import publishing
from paragold.formats.gold_jsonl import Adjudication, GoldJudgement, GoldPair, GoldSentence
from paragold.formats.link_files import LINK_FORMATS
from paragold.formats.publishing import data_card, described_file
from paragold.formats.splits import SPLITS, Division, PairGroups, Shares, described
from paragold.problems import FileProblem
from projects.errors import PublicError

from .export_cards import described_held_out, gold_card, held_out_clusters
from .gold_files import Counted, GoldFiles, clusters_of, kinds_of, meanings
from .gold_links import PairLinks, batches_with_versions, judgement_settled, key_of, links_settled

ALL = GoldExportSpec()


def check_files(gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, spec: GoldExportSpec) -> None:
    """Raises PublicError for a format that has no file for this gold."""
    chosen = {kind for kind, gold in (("pairs", gold_set), ("links", gold_links)) if gold is not None}
    if not chosen & kinds_of(spec.format):
        raise _nothing(gold_set, gold_links, spec)


def _nothing(
    gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, spec: GoldExportSpec
) -> PublicError:
    sources = {"pairs": _("a gold set"), "links": _("a set of gold links")}
    needed = " or ".join(name for kind, name in sources.items() if kind in kinds_of(spec.format))
    return PublicError(
        "Nothing to export: %(gold)s has no %(format)s file. Choose %(needed)s.",
        gold=title_of(gold_set, gold_links),
        format=spec.format,
        needed=needed,
    )


def title_of(gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, between: str = " and ") -> str:
    chosen = [str(gold) for gold in (gold_set, gold_links) if gold is not None]
    return between.join(chosen) or _("no gold set was chosen")


def write_gold(
    folder: Path,
    *,
    gold_set: GoldSet | None = None,
    gold_links: GoldAlignmentSet | None = None,
    spec: GoldExportSpec = ALL,
    report: Callable[[int], None] = lambda pairs: None,
) -> publishing.Manifest:
    """Write the files of an export into a folder, and return its manifest, which is the last of them.

    Other files there are left alone. `report` is called often with the number of pairs read; it may raise to
    stop. Raises PublicError when nothing would be in it, and for links or tokens that the format cannot hold.
    """
    check_files(gold_set, gold_links, spec)
    if gold := gold_set or gold_links:
        spec = with_licence(spec, gold.project)
    shares = spec.shares
    chosen = gold_set or gold_links
    parts = {name: GoldFiles(folder / name, spec.format) for name in (SPLITS if shares else ("",))}

    def batches() -> Iterator[Chosen]:
        return chosen_pairs(gold_set, gold_links, strengths=spec.strengths, approved_only=spec.approved_only)

    for_testing = held_out_clusters(chosen.project) if chosen else frozenset()
    division = divide_gold(batches(), shares, spec.seed, for_testing) if shares else None
    try:
        left_out = _write_pairs(parts, division, batches(), report)
    except FileProblem as error:
        raise PublicError(
            "%(gold_links)s cannot be written as %(format)s. %(error)s",
            gold_links=gold_links,
            format=spec.format,
            error=error,
        ) from error
    finally:
        for part in parts.values():
            part.close()
    counted = Counted()
    for part in parts.values():
        counted.merge(part.counted)
    if left_out and not counted.pairs:
        raise PublicError(
            "Nothing to export: annotators disagree on all %(left_out)s pairs of %(gold)s, and an "
            "adjudicator has decided none. Review them, or include pairs that are not approved.",
            left_out=left_out,
            gold=title_of(gold_set, gold_links),
        )
    names = [f"{name}/{file}" if name else file for name, part in parts.items() for file in part.names]
    if not names or chosen is None:
        raise _nothing(gold_set, gold_links, spec)
    divided: dict[str, Any] = {}
    if division and shares:
        clusters = {name: len(part.counted.clusters) for name, part in parts.items()}
        pairs_of = {name: part.counted.pairs for name, part in parts.items()}
        divided = described(shares, division, pairs_of, clusters)
    of_held_out = {both: n for both, n in counted.by_clusters.items() if not for_testing.isdisjoint(both)}
    kept_apart = described_held_out(
        sum(of_held_out.values()),
        for_testing.intersection(chain.from_iterable(of_held_out)),
        in_splits=bool(divided),
    )
    card = gold_card(
        chosen.project,
        spec,
        gold_set=gold_set,
        gold_links=gold_links,
        counted=counted,
        divided=divided,
        held_out=kept_apart if for_testing else {},
        files={path: meanings()[path.rpartition("/")[2]] for path in sorted(names)},
    )
    texts = {"README.md": data_card(card)}
    texts |= texts_of(
        card, {name: described_file(folder / name) for name in names}, chosen.project.guidelines
    )
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    files = {name: described_file(folder / name) for name in sorted([*names, *texts])}
    description = _description(
        files, counted.as_counts(), gold_set, gold_links, spec, divided | {"held_out": kept_apart}
    )
    (folder / "manifest.json").write_text(
        publishing.manifest_text(description), encoding="utf-8", newline="\n"
    )
    return description


def _write_pairs(
    parts: Mapping[str, GoldFiles],
    division: Division | None,
    batches: Iterable[Chosen],
    report: Callable[[int], None],
) -> int:
    """Write all pairs, linked ones first; returns how many were left out as not approved."""
    read, left_out = 0, 0

    def part_of(key: str) -> str:
        return division[0][clusters_of(key)[0]] if division else ""

    for chosen in batches:
        for name, linked in _by_part(chosen.linked, lambda row: part_of(row.pair.key)).items():
            parts[name].add_linked(linked)
        for name, judged in _by_part(chosen.judged, lambda pair: part_of(pair.key)).items():
            parts[name].add_judged(judged)
        left_out += chosen.left_out
        read += chosen.read
        report(read)
    return left_out


def _by_part(pairs: Iterable[Any], part_of: Callable[[Any], str]) -> dict[str, list[Any]]:
    parts: dict[str, list[Any]] = {}
    for pair in pairs:
        parts.setdefault(part_of(pair), []).append(pair)
    return parts


def _description(
    files: Mapping[str, Mapping[str, Any]],
    counts: Mapping[str, int],
    gold_set: GoldSet | None,
    gold_links: GoldAlignmentSet | None,
    spec: GoldExportSpec,
    divided: Mapping[str, Any],
) -> publishing.Manifest:
    signatures: dict[str, str] = {}
    details: dict[str, Any] = {"export": spec.as_json(), **divided}
    if gold_set is not None:
        signatures["judgements"] = gold_set.signature
        details["judgements"] = {
            "gold_set": str(gold_set),
            "gold_set_counts": gold_set.counts,
            "agreement": gold_set.agreement,
            "datasets": sorted({b.dataset.signature for b in gold_set.batches.all() if b.dataset}),
        }
    if gold_links is not None:
        signatures["links"] = gold_links.signature
        details["links"] = {
            "gold_set": str(gold_links),
            "gold_set_counts": gold_links.counts,
            "agreement": gold_links.agreement,
        }
        if gold_links.lineage:
            details["links"]["lineage"] = gold_links.lineage
        if LINK_FORMATS.plugin(spec.format):
            signatures["format"] = LINK_FORMATS.signed(spec.format, spec.format)
    return publishing.build_manifest(files, counts=counts, signatures=signatures, details=details)


ROWS_AT_ONCE = 2_000
_ORDER = ("item__batch_id", "item__number", "pk")
_SENTENCE = ("article__cluster__key", "article__key", "number", "text", "tokens", "starts")
_SIDES = tuple(f"item__pair__sentence_{side}__{field}" for side in "ab" for field in _SENTENCE)
_FIELDS = ("item__pair__cluster__key", "label", "votes", "adjudication", *_SIDES)


def judged_batches(gold_set: GoldSet) -> Iterator[list[GoldPair]]:
    """Each batch is a query of its own: on SQLite none may be open while progress is written."""
    ids = list(gold_set.judgements.order_by(*_ORDER).values_list("pk", flat=True))
    rows = gold_set.judgements.order_by(*_ORDER).values_list(*_FIELDS)
    for start in range(0, len(ids), ROWS_AT_ONCE):
        some = rows.filter(pk__in=ids[start : start + ROWS_AT_ONCE])
        yield [_pair(*row) for row in some]


def _pair(
    cluster: str,
    label: str,
    votes: list[dict[str, Any]],
    adjudication: dict[str, Any] | None,
    *sides: Any,
) -> GoldPair:
    a, b = sides[: len(_SENTENCE)], sides[len(_SENTENCE) :]
    return GoldPair(
        key=f"{key_of(*a[:3])}|{key_of(*b[:3])}",
        cluster=cluster,
        label=label,
        a=_sentence(*a[1:]),
        b=_sentence(*b[1:]),
        judgements=tuple(
            GoldJudgement(
                annotator=vote["annotator"],
                label=vote["label"],
                time=vote["at"],
                comment=vote["comment"],
                flagged=vote["flagged"],
                skipped=vote["skipped"],
            )
            for vote in votes
            if vote["at"]
        ),
        adjudication=Adjudication(
            adjudicator=adjudication["adjudicator"],
            label=adjudication["label"],
            time=adjudication["at"],
            comment=adjudication["comment"],
        )
        if adjudication
        else None,
    )


def _sentence(article: str, number: int, text: str, tokens: str, starts: list[int]) -> GoldSentence:
    return GoldSentence(
        article=article, sentence=number, text=text, tokens=tuple(tokens.split(" ")), starts=tuple(starts)
    )


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some pairs, either linked or judged, of `read` that were looked at; the others are not approved."""

    linked: Sequence[PairLinks]
    judged: Sequence[GoldPair]
    read: int

    @property
    def left_out(self) -> int:
        return self.read - len(self.linked) - len(self.judged)


def chosen_pairs(
    gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, *, strengths: str, approved_only: bool
) -> Iterator[Chosen]:
    """Raises PublicError for unknown strengths."""
    if gold_links is not None:
        for links in batches_with_versions(gold_links, strengths):
            linked = [link for link in links if links_settled(link)] if approved_only else links
            yield Chosen(linked, [], len(links))
    if gold_set is not None:
        for pairs in judged_batches(gold_set):
            judged = [pair for pair in pairs if judgement_settled(pair)] if approved_only else pairs
            yield Chosen([], judged, len(pairs))


def divide_gold(
    batches: Iterable[Chosen], shares: Shares, seed: int, for_testing: Collection[str] = ()
) -> Division:
    """Each pair counts once, whether it is judged, linked or both. Pairs of the clusters `for_testing`, by
    their keys, are in the test split."""
    groups = PairGroups()
    seen: set[str] = set()
    for chosen in batches:
        for linked in chosen.linked:
            _add_once(groups, seen, linked.pair.key, linked.pair.tokens)
        for judged in chosen.judged:
            _add_once(groups, seen, judged.key, (judged.a.tokens, judged.b.tokens))
    return groups.divide(shares, seed=seed, for_testing=for_testing)


def _add_once(groups: PairGroups, seen: set[str], key: str, sides: Sequence[Sequence[str]]) -> None:
    if key in seen:
        return
    seen.add(key)
    clusters = clusters_of(key)
    for cluster, tokens in zip(clusters, sides, strict=True):
        groups.add_sentence(cluster, " ".join(tokens))
    groups.add_pair(*clusters)
