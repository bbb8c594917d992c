"""Data cards of exports, written from what the project knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from alignment.models import GoldAlignmentSet
from annotation.models import Batch, GoldSet, SecondPass
from corpus.models import Dataset
from corpus.services.characteristics import characteristics
from paragold.formats.pairs.card import WHOLE, Card, Section, splits
from paragold.formats.pairs.files import PAIR_FORMATS
from projects.models import Project

from .card_facts import estimate, in_order, judging, linking, people
from .card_sources import articles_with_ids, articles_with_keys, sources_of
from .gold_counts import Counted
from .gold_tables import JUDGED_MEANINGS, LINKED_MEANINGS

UNJUDGED = (
    "Candidate pairs of sentences, proposed by the methods below. "
    "Nothing here says which of them are paraphrases: many are none."
)
PAIR_MEANINGS = {
    "id": "cluster/article#sentence of both, separated by |",
    "cluster": "key of the cluster, of the first sentence where there are two",
    "article_a, article_b": "keys of the articles; cluster/article in another cluster",
    "sentence_a, sentence_b": "index of the sentence in its article, from 0",
    "edit_distance": "word Levenshtein distance, lower-cased",
    "length_a, length_b": "tokens",
    "shared_words": "distinct shared words of 4 or more characters",
    "text_a, text_b": "the sentences, as they came",
    "tokens_a, tokens_b": "their tokens, separated by spaces",
}


def dataset_card(
    dataset: Dataset,
    *,
    formats: Sequence[str],
    pairs: Mapping[str, int],
    articles: Iterable[int],
    divided: Mapping[str, Any],
    written: Sequence[str],
    licence: str,
    limits: str,
) -> Card:
    """`pairs` were written by split, the only one called "pairs", from `articles` (ids);
    `divided` is empty without splits, else as `Division.described` has it; `written` names of files."""
    numbers = characteristics(dataset)
    figures = [
        ("pairs", f"{sum(pairs.values()):,}"),
        ("mean edit distance, words", f"{numbers.distance_mean:.2f}"),
        ("mean length, tokens", f"{numbers.length_mean:.2f}"),
        ("mean shared words", f"{numbers.shared_mean:.2f}"),
    ]
    chosen = [one for one in PAIR_FORMATS if one.id in formats]
    kinds = {ending: one.label for one in chosen for ending in one.endings}
    parquet = {name: f"{name}.parquet" for name, count in pairs.items() if count and "parquet" in formats}
    return Card(
        title=f"{dataset.project.name}: {dataset.name}",
        language=dataset.project.language,
        about=UNJUDGED,
        sections=[
            *sources_of(articles_with_ids(articles)),
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
    counted: Counted,
    divided: Mapping[str, Any],
    files: Mapping[str, str],
    approved_only: bool,
    licence: str,
    limits: str,
) -> Card:
    """`counted` is what the files hold; `divided` is empty without splits; `files` says what each file is."""
    chosen = [gold for gold in (gold_set, gold_links) if gold is not None]
    what = [*(["judgements"] if gold_set else []), *(["word links"] if gold_links else [])]
    about = f"A gold standard of {' and '.join(what)} for {counted.pairs:,} pairs of sentences."
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
            *sources_of(articles_with_keys(project, counted.articles)),
            *([_methods(list(datasets.values()))] if datasets else []),
            *(judging(gold_set, counted) if gold_set and counted.judged else []),
            *([_second_passes(gold_set)] if _passes(gold_set) else []),
            *([linking(gold_links, counted)] if gold_links and counted.linked else []),
            *people(counted),
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


def _methods(datasets: Sequence[Dataset]) -> Section:
    rows = []
    for dataset in datasets:
        rows += [(dataset.name, one.name, one.signature) for one in dataset.extractions.order_by("pk")]
        if dataset.refined_from_id:
            chosen = ", ".join(f"{name} {value}" for name, value in sorted(dataset.refinement.items()))
            rows.append((dataset.name, "classifier", chosen))
    return Section("Methods", head=("dataset", "method", "parameters"), rows=rows)


def _passes(gold_set: GoldSet | None) -> QuerySet[SecondPass]:
    batches = gold_set.batches.all() if gold_set else Batch.objects.none()
    return SecondPass.objects.filter(batch__in=batches, ended_at__isnull=False).order_by("batch")


def _second_passes(gold_set: GoldSet | None) -> Section:
    rows = [
        (one.batch.name, title, estimate(before)[0], estimate(after)[0])
        for one in _passes(gold_set).select_related("batch")
        for (title, before), (_, after) in zip(in_order(one.before), in_order(one.after or {}), strict=False)
    ]
    return Section(
        "Second pass",
        "Annotators looked again at the pairs on which they differed.",
        ("batch", "agreement", "before", "after"),
        rows,
    )
