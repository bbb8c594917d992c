"""A trained classifier as something that decides, why it decides so, and how far its decisions are right."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from annotation.models import Batch, ClassifierRun, GoldJudgement, GoldSet, Item, PairScore, TrainedClassifier
from annotation.schemes import Label
from corpus.models import CandidatePair
from paragold.classification.pair_scorers import all_classes
from paragold.metrics.samples import projected
from paragold.problems import FileProblem
from paragold.sampling.sampling import AUDIT
from paragold.sampling.strategy import UNCERTAINTY
from paragold.statistics import wilson_interval
from projects.errors import PublicError

from .context import classes_of, contexts_of, known_of

if TYPE_CHECKING:
    from paragold.classification.classifier import Classifier


def accepted_by(threshold: float | None) -> Q:
    """Which scores are accepted, as `paragold.classification.classifier.accepted` has it."""
    return Q(decision__gte=0) if threshold is None else Q(probability__gte=threshold)


def model_of(classifier: TrainedClassifier) -> Classifier:
    """Read the stored model. Raises PublicError when there is none, or another than was trained."""
    from paragold.classification.classifier import Classifier

    if not classifier.model:
        raise PublicError("%(classifier)s is not trained yet.", classifier=classifier)
    data = bytes(classifier.model)
    if sha256(data).hexdigest() != classifier.sha256:
        raise PublicError(
            "%(classifier)s was changed after its training: its hash does not match. Train it again.",
            classifier=classifier,
        )
    try:
        return Classifier.load(BytesIO(data), file=str(classifier))
    except FileProblem as error:
        raise PublicError(str(error)) from error


def check_lexicons(classifier: TrainedClassifier) -> None:
    """Raises PublicError when this machine lacks the lexicons of its training, or has other versions."""
    from paragold.classification.classifier import LexiconError
    from paragold.text.wordnet import WordNetError

    try:
        model_of(classifier).open_lexicons()
    except (LexiconError, WordNetError) as error:
        raise PublicError(str(error)) from error


def lost_classes(classifier: TrainedClassifier) -> list[str]:
    """The feature classes of its training that this installation does not have: it cannot decide any more."""
    return [name for name in classifier.figures["classes"] if name not in all_classes()]


def explained_decision(classifier: TrainedClassifier, pair: CandidatePair) -> dict[str, Any]:
    """The `reasons` of a pair, whose amounts and the `intercept` sum up to its `decision`; `probability`."""
    import numpy as np

    from paragold.classification.classifier import sigmoid

    model = model_of(classifier)
    reasons = contributions(classifier, [pair])[0]
    intercept = model.model[2]
    decision = sum(reason["amount"] for reason in reasons) + intercept
    probability = float(sigmoid(np.array(decision), *model.sigmoid))
    return {"reasons": reasons, "intercept": intercept, "decision": decision, "probability": probability}


EACH = 4
REASONS = 4


@dataclass(frozen=True, slots=True)
class Example:
    """A scored pair with the features that add most to its decision, largest first."""

    pair: CandidatePair
    decision: float
    probability: float
    reasons: list[dict[str, Any]]


def examples(run: ClassifierRun) -> list[tuple[str, list[Example]]]:
    """The surest and the least sure pairs, accepted and rejected, by the name of the kind.

    Raises PublicError when a lexicon is not here.
    """
    above = run.scores.filter(accepted_by(run.threshold))
    below = run.scores.exclude(accepted_by(run.threshold))
    surest = list(above.order_by("-probability", "pair_id")[:EACH])
    most_certain_rejected = list(below.order_by("probability", "pair_id")[:EACH])
    taken = {score.pair_id for score in (*surest, *most_certain_rejected)}
    groups: dict[str, list[PairScore] | QuerySet[PairScore]] = {
        gettext("Accepted, most certain"): surest,
        gettext("Accepted, close to the boundary"): above.exclude(pair__in=taken).order_by(
            "probability", "pair_id"
        ),
        gettext("Rejected, close to the boundary"): below.exclude(pair__in=taken).order_by(
            "-probability", "pair_id"
        ),
        gettext("Rejected, most certain"): most_certain_rejected,
    }
    shown = {name: list(scores[:EACH]) for name, scores in groups.items()}
    scores = [score for scores in shown.values() for score in scores]
    pairs = CandidatePair.objects.with_sentences().in_bulk([score.pair_id for score in scores])
    reasons = contributions(run.classifier, [pairs[score.pair_id] for score in scores], maximum=REASONS)
    known = {
        score.pair_id: Example(pairs[score.pair_id], score.decision, score.probability, why)
        for score, why in zip(scores, reasons, strict=True)
    }
    return [(name, [known[score.pair_id] for score in scores]) for name, scores in shown.items()]


def contributions(
    classifier: TrainedClassifier, pairs: list[CandidatePair], *, maximum: int | None = None
) -> list[list[dict[str, Any]]]:
    """Contributions of each pair's features to its decision, largest first. Raises as `check_lexicons`."""
    if not pairs:
        return []
    check_lexicons(classifier)
    texts = [(pair.sentence_a.text, pair.sentence_b.text) for pair in pairs]
    pks = [pair.pk for pair in pairs]
    rows = CandidatePair.objects.filter(pk__in=pks)
    contexts = known_of(pks, contexts_of(rows, classes_of(classifier)))
    return model_of(classifier).contributions(texts, contexts, maximum=maximum)


# Out of fold the classifier gives the gold label less than this probability.
UNLIKELY = 0.25
MAX_SHOWN = 20


def audit_of(run: ClassifierRun) -> dict[str, Any] | None:
    """Precision and recall of a run by the audit shares drawn from it; None when there is no such batch.

    These are unjudged pairs drawn at random, compared with the run's decisions: so many `pairs`, those still
    `waiting`, `accepted`, `paraphrases` and `both`. Shares are 0 to 1, each with the bounds of its 95 %
    interval; `projected` are the numbers of pairs that `precision` makes of all that was accepted. What is
    measured is the part of the dataset that had not been judged when the batches were drawn.

    The label of a pair is that of the latest gold set that holds it.
    """
    batches = Batch.objects.filter(
        project=run.classifier.project_id, sampling__by=UNCERTAINTY, sampling__run=run.pk
    )
    items = Item.objects.filter(batch__in=batches.order_by().values("pk"))
    pairs = dict(items.filter(stratum=AUDIT).values_list("pk", "pair_id"))
    if not pairs:
        return None
    gold = GoldJudgement.objects.filter(item__in=pairs, gold_set__in=GoldSet.objects.all())
    gold = gold.order_by("gold_set_id")
    labels = {pairs[item]: label == Label.PARAPHRASE for item, label in gold.values_list("item_id", "label")}
    accepted = set(
        run.scores.filter(accepted_by(run.threshold), pair__in=list(labels)).values_list("pair_id", flat=True)
    )
    paraphrases = {pair for pair, label in labels.items() if label}
    both = len(accepted & paraphrases)
    precision = _share(both, len(accepted))
    yielded = run.job.counts.get("accepted", 0)
    return {
        "pairs": len(labels),
        "waiting": len(pairs) - len(labels),
        "accepted": len(accepted),
        "paraphrases": len(paraphrases),
        "both": both,
        "precision": precision,
        "recall": _share(both, len(paraphrases)),
        "projected": projected(precision, yielded) if precision and yielded else None,
    }


def _share(part: int, whole: int) -> tuple[float, float, float] | None:
    return (part / whole, *wilson_interval(part, whole)) if whole else None


def shown_figures(classifier: TrainedClassifier) -> dict[str, Any]:
    """All but the pairs of training with their probabilities, of which those in doubt matter."""
    return {name: value for name, value in classifier.figures.items() if name != "out_of_fold"}


def labels_in_doubt(classifier: TrainedClassifier, *, maximum: int = MAX_SHOWN) -> list[dict[str, Any]]:
    """Gold labels to look at a second time, which a classifier that did not see the pair finds improbable.

    Ids of `item` and `pair`, whether it is a `paraphrase` and the `probability` of that, the least probable
    labels first.
    """
    if classifier.gold_set_id is None:
        return []
    rows = [
        (probability if label else 1 - probability, item, label, probability)
        for item, label, probability in classifier.figures.get("out_of_fold", [])
    ]
    unlikely = sorted(row for row in rows if row[0] < UNLIKELY)[:maximum]
    judged = Item.objects.filter(
        gold_judgements__gold_set=classifier.gold_set_id, pk__in=[item for _, item, *_ in unlikely]
    )
    pairs = dict(judged.values_list("pk", "pair"))
    return [
        {"item": item, "pair": pairs[item], "paraphrase": label, "probability": probability}
        for _, item, label, probability in unlikely
        if item in pairs
    ]
