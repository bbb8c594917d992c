"""Data cards of exports, written from what the project knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import F, QuerySet

from alignment.models import GoldAlignmentSet, Origin
from alignment.services.gold_files import JUDGED, JUDGED_MEANINGS, LINKED, LINKED_MEANINGS, Counted
from alignment.services.gold_links import IMPORTED as IMPORTED_LINKS
from alignment.specs import CardSpec, DatasetExportSpec, GoldExportSpec
from annotation.models import IMPORTED, Answer, Batch, GoldSet, SecondPass
from annotation.services.dataset_figures import extraction_precision
from annotation.services.freezing import FIRST_PASS, SECOND_PASS
from annotation.services.model_answers import MODEL
from corpus.models import Article, CorpusImport, Dataset
from corpus.services.characteristics import characteristics
from corpus.services.method_settings import settings_in_words
from paragold.formats.pair_files import COLUMNS, NUMBERS, PAIR_FORMATS
from paragold.formats.publishing import (
    Card,
    held_out_section,
    publication_files,
    section,
    splits_section,
    whole_split,
)
from projects.errors import PublicError
from projects.models import Project

OUTLETS_SHOWN = 20
NO_DATES = "event. The articles' dates are not known."
AT_ONCE = 500
_FIELDS = (
    *("cluster__key", "key", "source", "published"),
    *("cluster__pair_import", "cluster__pair_import__filename", "cluster__pair_import__options"),
)


def articles_with_keys(project: Project, keys: Collection[tuple[str, str]]) -> Iterator[Any]:
    """The _FIELDS of the articles of a project, by the keys of cluster and article."""
    clusters = sorted({cluster for cluster, _ in keys})
    for start in range(0, len(clusters), AT_ONCE):
        some = Article.objects.filter(
            cluster__project=project, cluster__key__in=clusters[start : start + AT_ONCE]
        )
        yield from (row for row in _rows(some) if (row.cluster__key, row.key) in keys)


def articles_with_ids(ids: Iterable[int]) -> Iterator[Any]:
    ordered = sorted(ids)
    for start in range(0, len(ordered), AT_ONCE):
        yield from _rows(Article.objects.filter(pk__in=ordered[start : start + AT_ONCE]))


def _rows(articles: QuerySet[Article]) -> list[Any]:
    return list(articles.order_by("pk").values_list(*_FIELDS, named=True))


def sources_of(rows: Iterable[Any]) -> list[str]:
    """A section for articles of the corpus and one for imported pairs, each only where there are such.

    `rows` have _FIELDS; `cluster__pair_import` is None for articles of the corpus.
    """
    outlets: Counter[str] = Counter()
    days: set[str] = set()
    clusters: set[str] = set()
    articles = 0
    imported: dict[int, tuple[str, str, set[str]]] = {}
    for row in rows:
        if row.cluster__pair_import is not None:
            how = row.cluster__pair_import__options.get("format", "")
            entry = (row.cluster__pair_import__filename, how, set[str]())
            imported.setdefault(row.cluster__pair_import, entry)[2].add(row.cluster__key)
            continue
        articles += 1
        clusters.add(row.cluster__key)
        outlets.update([row.source] if row.source else [])
        days.update([row.published[:10]] if row.published else [])
    sections = []
    if articles:
        shown = sorted(outlets.items(), key=lambda row: (-row[1], row[0]))[:OUTLETS_SHOWN]
        text = f"{len(clusters):,} clusters with {articles:,} articles; a cluster holds articles on one "
        text += f"event. Articles are dated {min(days)} to {max(days)}." if days else NO_DATES
        text += "" if shown else " Outlets are not known."
        rows_shown = [(name, f"{number:,}") for name, number in shown]
        sections.append(section("Sources", text, ("outlet", "articles"), rows_shown))
    if imported:
        lines = [(name, how, f"{len(keys):,}") for _, (name, how, keys) in sorted(imported.items())]
        text = "These pairs were imported from files, with no article around them."
        sections.append(section("Imported pairs", text, ("file", "format", "pairs"), lines))
    return sections


FIGURES = {
    "observed": "observed agreement",
    "krippendorff_alpha": "Krippendorff's alpha",
    "cohen_kappa": "Cohen's kappa",
}
BLIND = "Annotators of this project {verb} without seeing each other's answers. Their names are pseudonyms."


def judging(gold_set: GoldSet, counted: Counted) -> list[str]:
    """How the labels came about, how many pairs have which, and agreement where two people judged."""
    text = f"{gold_set}: {counted.judged:,} judged pairs, scheme {gold_set.get_scheme_display()}. "
    text += (
        _labels_external(gold_set, counted) if gold_set.rule == IMPORTED else _labels_own(gold_set, counted)
    )
    labels = [(label, f"{count:,}") for label, count in sorted(counted.labels.items())]
    sections = [section("Judgements", text, ("label", "pairs"), labels)]
    if shares := _projected(gold_set):
        why = (
            "Shares in random samples of a dataset, and numbers projected to all of it, with 95 % intervals."
        )
        sections.append(section("Shares of the labels", why, ("dataset", "label", "share", "pairs"), shares))
    if len(counted.label_votes) > 1:
        sections += _agreement(gold_set)
    return sections


OWN_LABELS = "Of the annotators' own labels over the whole gold set, before an adjudicator decided."
LOOKED_AGAIN = "annotators looked again at the pairs on which they differed."


def _agreement(gold_set: GoldSet) -> list[str]:
    """The agreement of the first pass, then that of the second one, where annotators looked again."""
    agreement = gold_set.agreement
    if SECOND_PASS in agreement:
        passes = [
            ("Agreement, first pass", f"{OWN_LABELS} These are the labels before {LOOKED_AGAIN}"),
            ("Agreement, second pass", f"{OWN_LABELS} These are the labels after {LOOKED_AGAIN}"),
        ]
        figures = [agreement[FIRST_PASS], agreement[SECOND_PASS]]
    elif gold_set.rule == IMPORTED:
        passes = [("Agreement", "Of the annotators' labels in the file. It does not say of which pass.")]
        figures = [agreement]
    elif _passes(gold_set).filter(started_at__lte=gold_set.frozen_at).exists():
        why = f"{OWN_LABELS} These are the labels after {LOOKED_AGAIN} Freeze again to see the first pass."
        passes, figures = [("Agreement, second pass", why)], [agreement]
    else:
        passes, figures = [("Agreement", OWN_LABELS)], [agreement]
    head = ("agreement", "value", "95 % interval", "pairs compared")
    sections = []
    for (title, why), of_pass in zip(passes, figures, strict=True):
        rows = [(name, *estimate(value)) for name, value in in_order(of_pass) if value["value"] is not None]
        sections += [section(title, why, head, rows)] if rows else []
    return sections


def _projected(gold_set: GoldSet) -> list[tuple[str, str, str, str]]:
    """By dataset and label, the share and the number of the dataset's pairs that it is projected to."""
    rows = []
    for dataset in extraction_precision(gold_set)["datasets"]:
        for share in dataset["shares"]:
            if share["projected"] is not None:
                value, low, high = (100 * share[name] for name in ("value", "low", "high"))
                low_pairs, high_pairs = share["projected_low"], share["projected_high"]
                in_all = (
                    f"about {share['projected']:,} of {share['pool']:,} ({low_pairs:,} to {high_pairs:,})"
                )
                percent = f"{value:.1f} % ({low:.1f} to {high:.1f})"
                rows.append((dataset["name"], share["label"], percent, in_all))
    return rows


def _labels_external(gold_set: GoldSet, counted: Counted) -> str:
    text = f"The labels are external: imported from {_files(gold_set)}, not decided here. "
    if counted.label_votes:
        return text + "The file names its annotators; whether they saw each other's answers is not known."
    return text + "The file does not say who gave them."


def _labels_own(gold_set: GoldSet, counted: Counted) -> str:
    text = f"Rule for labels: {gold_set.get_rule_display().lower()}. "
    if len(counted.label_votes) > 1:
        twice = SECOND_PASS in gold_set.agreement or _passes(gold_set).exists()
        after = "After the second pass annotators" if twice else "Annotators"
        text += f"{after} disagreed on {counted.disputed:,} pairs. "
    answers = Answer.objects.filter(
        assignment__item__batch__in=gold_set.batches.all(),
        version=F("assignment__version"),
        at__lte=gold_set.frozen_at,
    )
    imported = answers.filter(body__imported=True)
    here = answers.exclude(pk__in=imported.values("pk"))
    sentences = []
    if here.exists():
        sentences.append(BLIND.format(verb="judged"))
    if imported.exists():
        sentences.append(
            f"{'Some' if sentences else 'All'} judgements were imported from files, as what an annotator "
            "said; whether annotators saw each other's answers is not known."
        )
    if gold_set.batches.filter(third_judgement=True).exists():
        sentences.append("A third annotator judged where two differed, which raises the agreement.")
    sentences += _models(gold_set, "labelled", "answers", "labels")
    return text + " ".join(sentences)


def _models(gold_set: GoldSet | GoldAlignmentSet, did: str, answers: str, things: str) -> list[str]:
    """The sentences on models that count as annotators; none without such."""
    names = ", ".join(map(str, gold_set.model_annotators.order_by("pk")))
    if not names:
        return []
    decided = gold_set.counts["model_decided"]
    return [
        f"Not only people {did}: {answers} of {names} count as those of further annotators, whose names "
        f"begin with “{MODEL.strip()}”. {decided:,} {things} are decided by them: without them these would "
        "be others, or none. Agreement is of people alone."
    ]


def _files(gold_set: GoldSet) -> str:
    sources = CorpusImport.objects.filter(batches__in=gold_set.batches.all()).order_by("pk")
    return ", ".join(
        f"{source.filename} (format {source.options['format']})"
        if source.options.get("format")
        else source.filename
        for source in sources
    )


def linking(gold_links: GoldAlignmentSet, counted: Counted) -> str:
    text = (
        f"{gold_links}: {counted.linked:,} linked pairs, {counted.sure:,} SURE links and "
        f"{counted.possible_only:,} POSSIBLE ones. "
    )
    if gold_links.rule == IMPORTED_LINKS:
        source = gold_links.lineage.get("links", {}).get("file", "a file")
        return section("Word links", text + f"The links are external: they were imported from {source}.")
    text += f"Rule for links: {gold_links.rule}."
    if set(counted.origins) - {Origin.IMPORTED.value}:
        text += f" {BLIND.format(verb='linked')}"
    if counted.origins[Origin.IMPORTED.value]:
        text += " Imported links came from a file; whether annotators saw each other's links is not known."
    text += "".join(f" {words}" for words in _models(gold_links, "linked", "links", "pairs"))
    if conditions := gold_links.lineage.get("conditions"):
        shown = "; ".join(f"{name}: {count:,}" for name, count in sorted(conditions.items()))
        text += f" Answers by the suggestions that annotators were shown: {shown}."
    if len(counted.link_votes) > 1:
        text += _link_agreement(gold_links.agreement)
    return section(
        "Word links",
        text,
        ("origin of annotators' links", "links"),
        [(origin, f"{count:,}") for origin, count in sorted(counted.origins.items())],
    )


def _link_agreement(agreement: Mapping[str, Any]) -> str:
    """A sentence on the agreement of the first pass, and one on that of the second, if there was one."""
    if agreement.get("value") is None:
        return ""
    measure = agreement.get("measure", "agreement")
    text = f" Agreement of annotators over the whole set ({measure})"
    if SECOND_PASS not in agreement:
        return f"{text}: {agreement['value']:.3f}."
    first, second = agreement[FIRST_PASS]["value"], agreement[SECOND_PASS]["value"]
    return (
        f"{text}: first pass {first:.3f}, before anybody saw where others differ; second pass {second:.3f}."
    )


def people(counted: Counted) -> list[str]:
    """How much each annotator did of what was written; nothing where none is known."""
    labels, links = counted.label_votes, counted.link_votes
    rows = [(name, f"{labels[name]:,}", f"{links[name]:,}") for name in sorted({*labels, *links})]
    models = sum(name.startswith(MODEL) for name, *_ in rows)
    text = f"{len(rows):,} annotator{'s' if len(rows) > 1 else ''}, under pseudonyms."
    text += f" {models:,} of them {'is a model' if models == 1 else 'are models'}." if models else ""
    return [section("Annotators", text, ("pseudonym", "judgements", "linked pairs"), rows)] if rows else []


def in_order(agreement: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """(what it is, value) of each figure; the database need not keep their order."""
    return [(title, agreement[name]) for name, title in FIGURES.items() if name in agreement]


def estimate(value: Mapping[str, Any]) -> tuple[str, str, str]:
    """A figure, its interval and the items that it is over, as text."""
    number, low, high = (value.get(name) for name in ("value", "low", "high"))
    interval = "" if low is None or high is None else f"{low:.3f} to {high:.3f}"
    return ("undefined" if number is None else f"{number:.3f}", interval, f"{value.get('items', 0):,}")


UNJUDGED = (
    "Candidate pairs of sentences, proposed by the methods below. They are not labelled: many are not "
    "paraphrases."
)
PAIR_MEANINGS = {
    "id": "cluster/article#sentence of both, separated by |",
    "cluster": "key of the cluster, of the first sentence where there are two",
    "article_a, article_b": "keys of the articles; cluster/article in another cluster",
    "sentence_a, sentence_b": "index of the sentence in its article, from 0",
    "edit_distance": "word Levenshtein distance, lower-cased",
    "length_a, length_b": "tokens",
    "shared_words": "distinct shared words of 4 or more characters",
    "text_a, text_b": "the sentences, as imported",
    "tokens_a, tokens_b": "their tokens, separated by spaces",
}


def held_out_clusters(project: Project) -> frozenset[str]:
    """The keys of a project's held-out clusters: their pairs are in no train and no dev split."""
    return frozenset(project.clusters.filter(held_out=True).values_list("key", flat=True))


def described_held_out(pairs: int, clusters: Collection[str], *, in_splits: bool) -> dict[str, Any]:
    """For manifest and card: how many of the pairs are held out, the keys of their clusters, and the split
    that holds them."""
    split = "test" if in_splits and pairs else None
    return {"pairs": pairs, "clusters": sorted(clusters), "split": split}


def dataset_card(
    dataset: Dataset,
    spec: DatasetExportSpec,
    *,
    pairs: Mapping[str, int],
    articles: Iterable[int],
    divided: Mapping[str, Any],
    held_out: Mapping[str, Any],
    written: Sequence[str],
) -> Card:
    """`pairs` were written by split, the only one called "pairs", from `articles` (ids);
    `divided` is empty without splits, else as `splits.described` has it; `held_out` is as
    `described_held_out` has it, empty where the project holds nothing out; `written` names of files."""
    whole = whole_split(sum(pairs.values()), held_out.get("pairs", 0))
    numbers = characteristics(dataset)
    figures = [
        ("pairs", f"{sum(pairs.values()):,}"),
        ("mean edit distance, words", f"{numbers.get('distance_mean', 0.0):.2f}"),
        ("mean length, tokens", f"{numbers.get('length_mean', 0.0):.2f}"),
        ("mean shared words", f"{numbers.get('shared_mean', 0.0):.2f}"),
    ]
    kinds = {
        ending: form.label for form in PAIR_FORMATS if form.id in spec.formats for ending in form.endings
    }
    parquet = {
        name: f"{name}.parquet" for name, count in pairs.items() if count and "parquet" in spec.formats
    }
    return Card(
        title=f"{dataset.project.name}: {dataset.name}",
        language=dataset.project.language,
        about=UNJUDGED + _in_languages(dataset.project),
        sections=[
            *sources_of(articles_with_ids(articles)),
            *_methods([dataset]),
            section("Figures", head=("of a pair", "value"), rows=figures),
            *([splits_section(divided)] if divided else []),
            *([held_out_section(held_out, sum(pairs.values()))] if held_out else []),
        ],
        files={name: kinds[name.partition(".")[2]] for name in written} | meanings_of(spec),
        columns=PAIR_MEANINGS,
        pairs=sum(pairs.values()),
        date=dataset.created_at.date().isoformat(),
        parquet={"default": {whole if name == "pairs" else name: path for name, path in parquet.items()}}
        if parquet
        else {},
        types={"default": {name: int if name in NUMBERS else str for name in COLUMNS}},
        tasks=["sentence-similarity"],
        **_agreed(dataset.project, spec),
    )


def _in_languages(project: Project) -> str:
    if not project.second_language:
        return ""
    return (
        f" The first sentence of each pair is in {project.language}, the second in {project.second_language}."
    )


def _agreed(project: Project, spec: CardSpec) -> dict[str, Any]:
    """The fields of a card that people wrote, for the export or the project."""
    translations = {"second_language": project.second_language, "tags": ["translation"]}
    return {
        **(translations if project.second_language else {}),
        **{"licence": spec.licence, "limits": spec.limits},
        **{"authors": project.authors, "contact": project.contact},
    }


def gold_card(
    project: Project,
    spec: GoldExportSpec,
    *,
    gold_set: GoldSet | None,
    gold_links: GoldAlignmentSet | None,
    counted: Counted,
    divided: Mapping[str, Any],
    held_out: Mapping[str, Any],
    files: Mapping[str, str],
) -> Card:
    """`counted` is what the files hold; `divided` is empty without splits; `held_out` is as for
    `dataset_card`; `files` says what each file is."""
    whole = whole_split(counted.pairs, held_out.get("pairs", 0))
    chosen = [gold for gold in (gold_set, gold_links) if gold is not None]
    what = [*(["judgements"] if gold_set else []), *(["word links"] if gold_links else [])]
    about = f"A gold standard of {' and '.join(what)} for {counted.pairs:,} pairs of sentences."
    if spec.approved_only:
        about += " Only pairs without disagreement, or decided by an adjudicator, are included."
    batches = [
        *(gold_set.batches.order_by("pk") if gold_set else []),
        *([gold_links.batch] if gold_links else []),
    ]
    datasets = {batch.dataset_id: batch.dataset for batch in batches if batch.dataset is not None}
    parquet: dict[str, dict[str, str]] = {}
    for path in sorted(files, reverse=True):  # pairs before links, train before test
        folder, _, name = path.rpartition("/")
        if name.endswith(".parquet"):
            parquet.setdefault(name.split(".")[0], {})[folder or whole] = path
    return Card(
        title=f"{project.name}: {' + '.join(map(str, chosen))}",
        language=project.language,
        about=about + _in_languages(project),
        sections=[
            *sources_of(articles_with_keys(project, counted.articles)),
            *_methods(list(datasets.values())),
            *(judging(gold_set, counted) if gold_set and counted.judged else []),
            *([_second_passes(gold_set)] if _passes(gold_set) else []),
            *([linking(gold_links, counted)] if gold_links and counted.linked else []),
            *people(counted),
            *([splits_section(divided)] if divided else []),
            *([held_out_section(held_out, counted.pairs)] if held_out else []),
        ],
        files={**files, **meanings_of(spec, project.guidelines)},
        columns=(JUDGED_MEANINGS if gold_set else {}) | (LINKED_MEANINGS if gold_links else {}),
        pairs=counted.pairs,
        version=f"{max(gold.version for gold in chosen)}.0.0",
        date=max(gold.frozen_at for gold in chosen).date().isoformat(),
        parquet=parquet,
        types={"pairs": JUDGED, "links": LINKED},
        tasks=["text-classification"] if gold_set else [],
        tags=["paraphrase", *(["word-alignment"] if gold_links else [])],
        **_agreed(project, spec),
    )


def _methods(datasets: Sequence[Dataset]) -> list[str]:
    """Methods by dataset with their signatures, then the parameters of each method in words."""
    rows = []
    extractions = {}
    for dataset in datasets:
        for extraction in dataset.extractions.select_related("job").order_by("pk"):
            rows.append((dataset.name, extraction.name, extraction.signature))
            extractions[extraction.pk] = extraction
        if dataset.refined_from_id:
            chosen = ", ".join(f"{name} {value}" for name, value in sorted(dataset.refinement.items()))
            rows.append((dataset.name, "classifier", chosen))
    return [
        *([section("Methods", head=("dataset", "method", "signature"), rows=rows)] if rows else []),
        *(
            section(f"Parameters of {extraction.name}", head=("parameter", "value"), rows=settings)
            for extraction in extractions.values()
            if (settings := settings_in_words(extraction))
        ),
    ]


def _passes(gold_set: GoldSet | None) -> QuerySet[SecondPass]:
    batches = gold_set.batches.all() if gold_set else Batch.objects.none()
    return SecondPass.objects.filter(batch__in=batches, ended_at__isnull=False).order_by("batch")


def _second_passes(gold_set: GoldSet | None) -> str:
    rows = [
        (second_pass.batch.name, title, estimate(before)[0], estimate(after)[0])
        for second_pass in _passes(gold_set).select_related("batch")
        for (title, before), (_, after) in zip(
            in_order(second_pass.before), in_order(second_pass.after or {}), strict=False
        )
    ]
    return section(
        "Second pass",
        "Annotators reviewed their disagreements once.",
        ("batch", "agreement", "first pass", "second pass"),
        rows,
    )


GUIDELINES = "GUIDELINES.md"
MEANINGS: Mapping[str, str] = {
    "LICENSE": "the licence",
    "CITATION.cff": "how to cite the data set",
    "croissant.json": "files, columns and types, in Croissant 1.0",
    GUIDELINES: "what annotators were asked to do",
}

SpecT = TypeVar("SpecT", bound=CardSpec)


def with_licence(spec: SpecT, project: Project) -> SpecT:
    """The spec with the project's licence if it names none.

    Raises PublicError for a data set to publish without a licence, or without authors to cite.
    """
    if not spec.licence and project.licence:
        spec = spec.replace(licence=project.licence)
    if spec.publish and not spec.licence:
        raise PublicError(
            "Choose the licence of the published data set, here or in the project's settings.",
            field="licence",
        )
    if spec.publish and not project.authors.strip():
        raise PublicError(
            "A published data set names its authors. Add them to the project's settings.", field="publish"
        )
    return spec


def meanings_of(spec: CardSpec, guidelines: str = "") -> dict[str, str]:
    """Name and meaning of the files beside the data; none for what is not to be published."""
    return {
        name: meaning
        for name, meaning in MEANINGS.items()
        if spec.publish and (name != GUIDELINES or guidelines.strip())
    }


def texts_of(card: Card, files: Mapping[str, Mapping[str, Any]], guidelines: str = "") -> dict[str, str]:
    """The files that the card names beside the data, by name; `files` has bytes and SHA-256 of the data."""
    if "LICENSE" not in card.files:
        return {}
    lines = "\n".join([*guidelines.splitlines(), ""])  # browsers end lines otherwise
    return publication_files(card, files) | ({GUIDELINES: lines} if GUIDELINES in card.files else {})


def stated(project: Project) -> list[str]:
    """What cards and citations take from a project, which may be changed after an export."""
    return [project.name, *project.languages, project.authors, project.contact, project.guidelines]
