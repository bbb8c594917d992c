"""Data cards of exports, written from what the project knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Max, Min, QuerySet

from alignment.models import GoldAlignmentSet
from annotation.models import Batch, GoldSet, SecondPass
from corpus.models import Article, Cluster, Dataset, Project
from corpus.services.characteristics import characteristics
from corpus.writers.card import WHOLE, Card, Section, sources, splits
from corpus.writers.files import FORMATS

from .gold_tables import JUDGED_MEANINGS, LINKED_MEANINGS

OUTLETS_SHOWN = 20
UNJUDGED = (
    "Candidate pairs of sentences from news articles on the same events, proposed by the methods below. "
    "Nothing here says which of them are paraphrases: many are none."
)
PAIR_MEANINGS = {
    "id": "cluster/article#sentence of both, parted by |",
    "cluster": "key of the cluster, of the first sentence where there are two",
    "article_a, article_b": "keys of the articles; cluster/article in another cluster",
    "sentence_a, sentence_b": "index of the sentence in its article, from 0",
    "edit_distance": "word Levenshtein distance, lower-cased",
    "length_a, length_b": "tokens",
    "shared_words": "distinct shared words of 4 or more characters",
    "text_a, text_b": "the sentences, as they came",
    "tokens_a, tokens_b": "their tokens, parted by spaces",
}
FIGURES = {
    "observed": "observed agreement",
    "krippendorff_alpha": "Krippendorff's alpha",
    "cohen_kappa": "Cohen's kappa",
}


def dataset_card(
    dataset: Dataset,
    *,
    formats: Sequence[str],
    pairs: Mapping[str, int],
    divided: Mapping[str, Any],
    written: Sequence[str],
    licence: str,
    limits: str,
) -> Card:
    """`pairs` were written by split, the only one called "pairs"; `divided` is empty without splits, else as
    `Division.described` has it; `written` names of files."""
    numbers = characteristics(dataset)
    figures = [
        ("pairs", f"{sum(pairs.values()):,}"),
        ("mean edit distance, words", f"{numbers.distance_mean:.2f}"),
        ("mean length, tokens", f"{numbers.length_mean:.2f}"),
        ("mean shared words", f"{numbers.shared_mean:.2f}"),
    ]
    endings = {"parallel": ("src", "tgt")}
    kinds = {ending: FORMATS[one] for one in formats for ending in endings.get(one, (one,))}
    parquet = {name: f"{name}.parquet" for name, count in pairs.items() if count and "parquet" in formats}
    return Card(
        title=f"{dataset.project.name}: {dataset.name}",
        language=dataset.project.language,
        about=UNJUDGED,
        sections=[
            _sources(Cluster.objects.filter(pk__in=dataset.pairs().order_by().values("cluster"))),
            _methods([dataset]),
            Section("Figures", head=("of a pair", "value"), rows=figures),
            *([splits(divided)] if divided else []),
        ],
        files={name: kinds[name.rpartition(".")[2]] for name in written},
        columns=PAIR_MEANINGS,
        licence=licence,
        limits=limits,
        parquet={"default": _splits_of(parquet)} if parquet else {},
    )


def gold_card(
    project: Project,
    *,
    gold_set: GoldSet | None,
    gold_links: GoldAlignmentSet | None,
    clusters: QuerySet[Cluster],
    divided: Mapping[str, Any],
    files: Mapping[str, str],
    approved_only: bool,
    licence: str,
    limits: str,
) -> Card:
    """`divided` is empty without splits; `files` what each file holds."""
    chosen = [gold for gold in (gold_set, gold_links) if gold is not None]
    what = [*(["judgements"] if gold_set else []), *(["word links"] if gold_links else [])]
    about = (
        f"A gold standard of {' and '.join(what)} for pairs of sentences from news articles. "
        "Annotators worked blindly and appear under pseudonyms."
    )
    if approved_only:
        about += " Only pairs on which nobody differed, or which an adjudicator decided, are included."
    batches = [
        *(gold_set.batches.order_by("pk") if gold_set else []),
        *([gold_links.batch] if gold_links else []),
    ]
    datasets = {batch.dataset_id: batch.dataset for batch in batches if batch.dataset is not None}
    parquet: dict[str, dict[str, str]] = {}
    for path in files:
        folder, _, name = path.rpartition("/")
        if name.endswith(".parquet"):
            parquet.setdefault(name.split(".")[0], {})[folder or WHOLE] = path
    return Card(
        title=f"{project.name}: {' + '.join(map(str, chosen))}",
        language=project.language,
        about=about,
        sections=[
            _sources(clusters),
            *([_methods(list(datasets.values()))] if datasets else []),
            *([_judging(gold_set)] if gold_set else []),
            *([_second_passes(gold_set)] if _passes(gold_set) else []),
            *([_linking(gold_links)] if gold_links else []),
            _people(gold_set, gold_links),
            *([splits(divided)] if divided else []),
        ],
        files=files,
        columns=(JUDGED_MEANINGS if gold_set else {}) | (LINKED_MEANINGS if gold_links else {}),
        licence=licence,
        limits=limits,
        parquet=parquet,
    )


def _splits_of(files: Mapping[str, str]) -> dict[str, str]:
    return {WHOLE if name == "pairs" else name: path for name, path in files.items()}


def _sources(clusters: QuerySet[Cluster]) -> Section:
    articles = Article.objects.filter(cluster__in=clusters).order_by()
    outlets = (
        articles.exclude(source="").values_list("source").annotate(n=Count("pk")).order_by("-n", "source")
    )
    dated = articles.exclude(published="").aggregate(first=Min("published"), last=Max("published"))
    return sources(
        clusters=clusters.count(),
        articles=articles.count(),
        outlets=list(outlets[:OUTLETS_SHOWN]),
        dates=((dated["first"] or "")[:10], (dated["last"] or "")[:10]),
    )


def _methods(datasets: Sequence[Dataset]) -> Section:
    rows = []
    for dataset in datasets:
        rows += [(dataset.name, one.name, one.signature) for one in dataset.extractions.order_by("pk")]
        if dataset.refined_from_id:
            chosen = ", ".join(f"{name} {value}" for name, value in sorted(dataset.refinement.items()))
            rows.append((dataset.name, "classifier", chosen))
    return Section("Methods", head=("dataset", "method", "parameters"), rows=rows)


def _judging(gold_set: GoldSet) -> Section:
    rows = [(title, *_estimate(value)) for title, value in _in_order(gold_set.agreement)]
    counts = gold_set.counts
    text = (
        f"{gold_set}: {counts['pairs']:,} pairs, {counts.get('disputed', 0):,} of them disputed. "
        f"Rule for labels: {gold_set.get_rule_display().lower()}. "
        "Agreement is that of the annotators' own labels, before an adjudicator decided."
    )
    return Section("Judgements", text, ("agreement", "value", "pairs"), rows)


def _in_order(agreement: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """(what it is, value) of each figure; the database need not keep their order."""
    return [(title, agreement[name]) for name, title in FIGURES.items() if name in agreement]


def _estimate(value: Mapping[str, Any]) -> tuple[str, str]:
    number = value.get("value")
    return ("undefined" if number is None else f"{number:.3f}", f"{value.get('items', 0):,}")


def _passes(gold_set: GoldSet | None) -> QuerySet[SecondPass]:
    batches = gold_set.batches.all() if gold_set else Batch.objects.none()
    return SecondPass.objects.filter(batch__in=batches, ended_at__isnull=False).order_by("batch")


def _second_passes(gold_set: GoldSet | None) -> Section:
    rows = [
        (one.batch.name, title, _estimate(before)[0], _estimate(after)[0])
        for one in _passes(gold_set).select_related("batch")
        for (title, before), (_, after) in zip(
            _in_order(one.before), _in_order(one.after or {}), strict=False
        )
    ]
    return Section(
        "Second pass",
        "Annotators looked again at the pairs on which they differed.",
        ("batch", "agreement", "before", "after"),
        rows,
    )


def _linking(gold_links: GoldAlignmentSet) -> Section:
    counts, agreement = gold_links.counts, gold_links.agreement
    value = agreement.get("value")
    text = (
        f"{gold_links}: {counts['pairs']:,} pairs, {counts['sure']:,} SURE links and "
        f"{counts['possible_only']:,} POSSIBLE ones. Rule for links: {gold_links.rule}."
    )
    if value is not None:
        text += f" Agreement of annotators ({agreement.get('measure', 'agreement')}): {value:.3f}."
    origins = gold_links.lineage.get("origins", {})
    return Section(
        "Word links",
        text,
        ("origin of annotators' links", "links"),
        [(k, f"{v:,}") for k, v in origins.items()],
    )


def _people(gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None) -> Section:
    labels: Counter[str] = Counter()
    links: Counter[str] = Counter()
    if gold_set is not None:
        for votes in gold_set.judgements.values_list("votes", flat=True).iterator():
            labels.update(vote["annotator"] for vote in votes if vote.get("label"))
    if gold_links is not None:
        for versions in gold_links.alignments.values_list("versions", flat=True).iterator():
            links.update(version["annotator"] for version in versions)
    rows = [(name, f"{labels[name]:,}", f"{links[name]:,}") for name in sorted({*labels, *links})]
    text = "" if rows else "The labels and links were imported without their annotators."
    return Section("Annotators", text, ("pseudonym", "judgements", "linked pairs"), rows)
