"""The parts of a training: the labelled pairs, the model, and each further cross-validation."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from annotation.models import GoldSet, TrainedClassifier
from annotation.schemes import Label
from corpus.models import CandidatePair, Dataset, Lexicon, in_held_out_cluster
from corpus.services.lexicons import associate_dataset, seeds_of, texts_of
from jobs.models import Job, JobChunk
from paragold.formats.labelled_pairs import NO_CONTEXT, Context, TextPair, read_pairs
from paragold.problems import FileProblem
from paragold.sampling.sampling import AUDIT
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project
from projects.parsing.process import limited

from .context import contexts_of, known_of, spec_of
from .inspection import model_of

if TYPE_CHECKING:
    from paragold.classification.training import LabelledPairs

MODEL, RANDOM_FOLDS, ABLATION, CURVE, BOOTSTRAP = "model", "random folds", "ablation", "curve", "bootstrap"
UNREFINED = "unrefined"
# Of the threshold: fine enough to draw a curve of precision and recall.
THRESHOLDS = tuple(round(0.02 * step, 2) for step in range(1, 50))
MAX_WEIGHTS = 100
# As many unjudged pairs at most: enough to see what bootstrapping does.
LARGEST_POOL = 5_000
PAIRS_AT_ONCE = 50_000
ROWS_AT_ONCE = 2_000
MOST_PAIRS = 200_000


def pairs_of_gold(
    gold_set: GoldSet,
    *,
    with_audit: bool = False,
    with_held_out: bool = False,
    classes: Collection[str] = (),
) -> list[TextPair]:
    """The pairs of a gold set in the order of their texts' keys; `line` is the item's id.

    Whatever is not a paraphrase in full counts as none. Two texts that were judged twice are one pair, a
    paraphrase only if both judgements say so. Pairs drawn for the audit of a classifier stay out unless
    `with_audit`: what it is measured by must not teach it. So do, unless `with_held_out`, pairs of held-out
    clusters, and pairs of other clusters with the texts of such a pair. Contexts are read where `classes`
    need them.
    """
    rows = gold_set.judgements.select_related(
        "item__pair__sentence_a", "item__pair__sentence_b__article__cluster"
    )
    if not with_audit:
        rows = rows.exclude(item__stratum=AUDIT)
    if not with_held_out:
        rows = rows.exclude(item__pair__content_key__in=_held_out_texts(gold_set))
    judged = CandidatePair.objects.filter(pk__in=gold_set.judgements.values("item__pair"))
    contexts = contexts_of(judged, classes)
    pairs: dict[str, TextPair] = {}
    for judgement in rows.order_by("item__pair__content_key", "item_id"):
        pair = judgement.item.pair
        key = pair.content_key.hex
        label = judgement.label == Label.PARAPHRASE
        known = pairs.get(key)
        pairs[key] = TextPair(
            pair.sentence_a.text,
            pair.sentence_b.text,
            label and (known is None or bool(known.label)),
            str(pair.cluster_id),
            (key, ""),
            judgement.item_id if known is None else known.line,
            "" if pair.other_cluster is None else str(pair.other_cluster.pk),
            contexts.get(pair.pk, NO_CONTEXT),
        )
    return list(pairs.values())


def _held_out_texts(gold_set: GoldSet) -> QuerySet[Any]:
    """The keys of the texts of a gold set's pairs of held-out clusters."""
    of_held_out = gold_set.judgements.filter(in_held_out_cluster("item__pair__")).order_by()
    return of_held_out.values("item__pair__content_key")


def pairs_held_out(gold_set: GoldSet) -> int:
    """How many judged pairs of a gold set are left out of trainings, as they are of held-out clusters."""
    return gold_set.judgements.filter(item__pair__content_key__in=_held_out_texts(gold_set)).count()


def read_imported(path: Path, filename: str, *, encoding: str = "utf-8") -> tuple[bytes, str]:
    """A file of labelled pairs as it is kept, and the file's name with its SHA-256.

    Raises PublicError for a file that cannot be read, a pair without a label, and too many pairs.
    """
    try:
        pairs = limited(read_pairs, path, encoding=encoding)
    except FileProblem as error:
        raise PublicError(str(error).replace(str(path), filename), field="pairs") from error
    if len(pairs) > MOST_PAIRS:
        raise PublicError(
            "%(filename)s has %(count)s pairs; the limit is %(limit)s.",
            field="pairs",
            filename=filename,
            count=grouped(len(pairs)),
            limit=grouped(MOST_PAIRS),
        )
    without = next((pair for pair in pairs if pair.label is None), None)
    if without is not None:
        raise PublicError(
            "%(filename)s, line %(line)s: has no label. Give a label, a sentence and a sentence, "
            "separated by tabs, or the format of the Microsoft Research Paraphrase Corpus.",
            field="pairs",
            filename=filename,
            line=without.line,
        )
    lines = [
        json.dumps([pair.first, pair.second, pair.label, pair.cluster, *pair.keys, pair.line, pair.context])
        for pair in pairs
    ]
    digest = sha256(path.read_bytes()).hexdigest()
    return zlib.compress("\n".join(lines).encode(), 6), f"{filename[:100]}, SHA-256 {digest}"


def pairs_of_import(stored: bytes) -> list[TextPair]:
    """The pairs that `read_imported` stored."""
    rows = (json.loads(line) for line in zlib.decompress(stored).decode().split("\n"))
    return [
        TextPair(first, second, label, cluster, (key, other), line, context=_context_from(*context))
        for first, second, label, cluster, key, other, line, context in rows
    ]


def _context_from(
    days: float | None, places: list[int] | None, cohesion: float | None, *_: object
) -> Context:
    """Rows of 0.2.0 have a fourth value, which is passed over."""
    return days, (places[0], places[1]) if places else None, cohesion


def pairs_of(classifier: TrainedClassifier) -> list[TextPair]:
    """The labelled pairs that a classifier was, or is to be, trained on."""
    spec = spec_of(classifier)
    if classifier.gold_set is not None:
        return pairs_of_gold(
            classifier.gold_set,
            with_audit=spec.with_audit,
            with_held_out=spec.with_held_out,
            classes=spec.classes,
        )
    return pairs_of_import(bytes(classifier.imported_pairs or b""))


def check_trainable(pairs: Sequence[TextPair], *, folds: int) -> None:
    """Raises PublicError when the pairs are too few, or all of one label, for cross-validation."""
    import numpy as np

    from paragold.classification.training import group_pairs
    from paragold.folds import assign_folds

    paraphrases = sum(bool(pair.label) for pair in pairs)
    if paraphrases in (0, len(pairs)):
        kind = "paraphrases" if paraphrases else "other than paraphrases"
        raise PublicError(
            "All %(count)s pairs are %(kind)s; a classifier needs both kinds. Judge more pairs, then "
            "freeze them.",
            count=len(pairs),
            kind=kind,
        )
    labels = np.array([pair.label for pair in pairs], dtype=bool)
    try:
        assign_folds(group_pairs(pairs), labels, folds=folds)
    except ValueError as error:
        raise PublicError("%(error)s Judge pairs of more clusters, then freeze them.", error=error) from error


def association_of(
    lexicon: Lexicon | None, labelled: Sequence[TextPair]
) -> tuple[list[tuple[str, str]] | None, list[str]]:
    """The word pairs, best first, and notes on them; None without a lexicon.

    Where the lexicon's dataset holds pairs that are labelled as well, the lexicon is built again without
    them: one made of the pairs that cross-validation holds back would flatter its figures.
    """
    if lexicon is None:
        return None, []
    known = {frozenset((pair.first, pair.second)) for pair in labelled}
    seeds = seeds_of(lexicon.project, lexicon.dataset)
    both = sum(frozenset(texts) in known for texts in texts_of(seeds))
    if not both:
        entries = lexicon.entries.order_by("rank").values_list("first", "second")
        return list(entries), []
    word_pairs = associate_dataset(lexicon, without=known)
    note = (
        f"{both:,} labelled pairs are in the dataset of {lexicon} as well. It was built again without them: "
        f"{len(word_pairs):,} word pairs instead of {lexicon.size:,}."
    )
    return [pair[:2] for pair in word_pairs], [note]


@dataclass(frozen=True, slots=True)
class Measure:
    """gold: the id and name of a project's newest gold links, None without any.

    settings: the settings of an aligner for at most so many pairs as JSON has them, completed for a project.
    Raises PublicError for such that it does not have, for a program that is missing, and for too many pairs.
    error: for the gold links of an id, the ids of candidate pairs and those settings, the error rate (`aer`,
    0 to 1, None where no links could be compared) of the aligner trained on those pairs, its `interval` and
    `aligner`.
    seconds: how long training an aligner, by its id, on so many pairs is expected to take.
    """

    gold: Callable[[Project], tuple[int, str] | None]
    settings: Callable[[Project, Mapping[str, Any], int], dict[str, Any]]
    error: Callable[[int, Sequence[int], Mapping[str, Any]], dict[str, Any]]
    seconds: Callable[[str, int], float]


def alignment_error() -> Measure:
    """How the alignment error rate of a refined dataset is measured; the app for links says it."""
    measure: Measure = import_string(settings.ALIGNMENT_ERROR)
    return measure


def compute(job: Job, chunk: JobChunk) -> dict[str, Any]:
    classifier = job.trained_classifier
    part = chunk.payload["part"]
    if part == UNREFINED:
        return {part: _unrefined(chunk.payload)}
    labelled, notes = open_labelled(classifier)
    if part == MODEL:
        return {part: _train(classifier, labelled, notes)}
    if part == BOOTSTRAP:
        return {part: _bootstrap(classifier, labelled, chunk.payload["dataset"])}
    from paragold.classification.training import FOLDS, variants

    options: dict[str, Any] = {}
    classes = labelled.classes
    figure: dict[str, Any] = {}
    if part == RANDOM_FOLDS:
        options["folds"] = labelled.divide_at_random()
    elif part == CURVE:
        options["train_share"] = share = chunk.payload["share"]
        in_training = len(labelled.labels) * (1 - 1 / FOLDS)
        figure["pairs"] = round(share * in_training)
    else:
        figure["name"] = name = chunk.payload["name"]
        row = next((row for row in variants(labelled.classes) if row[0] == name), None)
        if row is None:  # its class is off, as a note of the model says
            return {}
        _, classes, options["word_pairs"] = row
    try:
        measures, figure["dimensions"] = labelled.measure(classes, **options)
        if "dataset" in chunk.payload:
            figure["aligned"] = _aligned(labelled, classes, options["word_pairs"], chunk.payload)
        figure["measures"] = measures
    except ValueError as error:
        figure["problem"] = str(error)
    return {part: figure}


def _unrefined(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The error rate that all pairs of the dataset lead to, with which those of its parts are compared."""
    dataset = Dataset.objects.get(pk=payload["dataset"])
    pairs = list(dataset.pairs().order_by("pk").values_list("pk", flat=True))
    figures = {"pairs": len(pairs), **alignment_error().error(payload["gold"], pairs, payload["aligner"])}
    return {"dataset": dataset.name, "gold": payload["gold name"], **figures}


def _aligned(
    labelled: LabelledPairs, classes: Sequence[str], word_pairs: bool, payload: Mapping[str, Any]
) -> dict[str, Any]:
    """How many pairs of a dataset a model of these classes accepts, and the error rate they lead to."""
    from paragold.classification.classifier import decision_values
    from paragold.classification.features import prepare
    from paragold.classification.training import fit

    spec = labelled.spec.replace(classes=classes)
    c = labelled.chosen_c()
    model = fit(labelled.prepared, labelled.labels, spec, c=c, word_pairs=word_pairs)
    rows = Dataset.objects.get(pk=payload["dataset"]).pairs().order_by("pk")
    contexts = contexts_of(rows, classes)
    read = rows.values_list("pk", "sentence_a__text", "sentence_b__text").iterator(ROWS_AT_ONCE)
    accepted: list[int] = []
    while part := list(islice(read, PAIRS_AT_ONCE)):
        texts = [(first, second) for _, first, second in part]
        known = known_of([pk for pk, *_ in part], contexts)
        prepared = prepare(texts, labelled.lexicons, known)
        kept = decision_values(model, prepared) >= 0
        accepted += [row[0] for row, keep in zip(part, kept.tolist(), strict=True) if keep]
    return {"pairs": len(accepted), **alignment_error().error(payload["gold"], accepted, payload["aligner"])}


def _bootstrap(classifier: TrainedClassifier, labelled: LabelledPairs, dataset: int) -> dict[str, Any]:
    from paragold.classification.training import bootstrap

    pairs = pairs_of(classifier)
    known = {frozenset((pair.first, pair.second)) for pair in pairs}
    source = Dataset.objects.get(pk=dataset)
    pool = [
        *islice((texts for texts in texts_of(source.pairs()) if frozenset(texts) not in known), LARGEST_POOL)
    ]
    rounds = bootstrap(labelled, pairs, pool, c=labelled.chosen_c())
    return {"dataset": source.name, "rounds": rounds}


def open_labelled(classifier: TrainedClassifier) -> tuple[LabelledPairs, list[str]]:
    """The labelled pairs of a classifier with the lexicons of its classes, and notes on classes that are off.

    C is that of the model once there is one, so that all of a report is measured with the same.
    """
    from paragold.classification.lexicons import open_lexicons
    from paragold.classification.training import LabelledPairs

    spec = spec_of(classifier)
    pairs = pairs_of(classifier)
    if classifier.model is None:
        association, notes = association_of(classifier.lexicon, pairs)
    else:
        model = model_of(classifier)
        association, notes = list(model.association), []
        spec = spec.replace(c=model.training["settings"]["c"])
    lexicons, off = open_lexicons(
        spec.classes, association, spec.language, lookup=spec.lookup, encoder=spec.encoder
    )
    if classifier.gold_set is not None and (pairs_left := pairs_held_out(classifier.gold_set)):
        notes.append(
            f"Trained on {pairs_left:,} pairs of held-out clusters too: they are no test of this classifier."
            if spec.with_held_out
            else f"{pairs_left:,} pairs of held-out clusters were not trained on: they are for testing."
        )
    return LabelledPairs(pairs, lexicons, spec), [*notes, *off]


def _train(classifier: TrainedClassifier, labelled: LabelledPairs, notes: list[str]) -> dict[str, Any]:
    from paragold.classification.training import thresholds, train_classifier

    model, trained = train_classifier(labelled)
    data = model.as_bytes()
    space, weights, _ = model.model
    steps = thresholds(labelled.labels, trained["probabilities"], steps=THRESHOLDS)
    figures = {
        "pairs": len(labelled.labels),
        "paraphrases": int(labelled.labels.sum()),
        "groups": model.training["groups"],
        "classes": list(labelled.classes),
        "features": len(space.names),
        "word_pairs": len(space.word_pairs),
        "weights": sorted(
            zip(space.names, weights.tolist(), strict=True),
            key=lambda row: (-abs(row[1]), row[0]),
        )[:MAX_WEIGHTS],
        "dimensions": model.training["cross_validation"]["dimensions"],
        "measures": trained["measures"],
        "calibration": trained["calibration"],
        "thresholds": steps,
        "c": model.training["settings"]["c"],
        "errors_by_c": sorted(trained["errors_by_c"].items()),
        "out_of_fold": [
            [pair.line, bool(label), round(probability, 4)]
            for pair, label, probability in zip(
                pairs_of(classifier), labelled.labels.tolist(), trained["probabilities"].tolist(), strict=True
            )
        ],
        "lexicons": dict(model.signatures),
        "encoder": model.training["encoder"],
    }
    return {"data": data, "sha256": sha256(data).hexdigest(), "figures": figures, "notes": notes}
