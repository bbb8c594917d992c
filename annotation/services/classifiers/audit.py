"""What the loop of judging and training is worth, by the pairs kept apart; labels to look at again."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import (
    Batch,
    ClassifierRun,
    GoldJudgement,
    Item,
    Label,
    TrainedClassifier,
)
from paragold.sampling.strategy import AUDIT, UNCERTAINTY

# Out of fold the classifier gives the gold label less than this probability.
UNLIKELY = 0.25
MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Audit:
    """Audit pairs of a run's batches against the run's decisions. Shares are 0 to 1 with 95 % intervals.

    waiting: pairs without a gold label as yet. What is measured is the part of the dataset that had not been
    judged when the batches were drawn.
    """

    pairs: int
    waiting: int
    accepted: int
    paraphrases: int
    both: int
    precision: tuple[float, float, float] | None
    recall: tuple[float, float, float] | None


def audit_of(run: ClassifierRun) -> Audit | None:
    """Precision and recall of a run by the audit shares drawn from it; None when there is no such batch.

    The label of a pair is that of the latest gold set that holds it.
    """
    batches = Batch.objects.filter(
        project=run.classifier.project_id, sampling__by=UNCERTAINTY, sampling__run=run.pk
    )
    items = Item.objects.filter(batch__in=batches.order_by().values("pk"))
    pairs = dict(items.filter(stratum=AUDIT).values_list("pk", "pair_id"))
    if not pairs:
        return None
    gold = GoldJudgement.objects.filter(item__in=pairs).order_by("gold_set_id")
    labels = {pairs[item]: label == Label.PARAPHRASE for item, label in gold.values_list("item_id", "label")}
    accepted = set(
        run.scores.filter(pair__in=list(labels), probability__gte=run.threshold).values_list(
            "pair_id", flat=True
        )
    )
    paraphrases = {pair for pair, label in labels.items() if label}
    both = len(accepted & paraphrases)
    return Audit(
        pairs=len(labels),
        waiting=len(pairs) - len(labels),
        accepted=len(accepted),
        paraphrases=len(paraphrases),
        both=both,
        precision=_share(both, len(accepted)),
        recall=_share(both, len(paraphrases)),
    )


def _share(part: int, whole: int) -> tuple[float, float, float] | None:
    from paragold.classification.measures import share_interval

    return (part / whole, *share_interval(part, whole)) if whole else None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A gold label that a classifier which did not see the pair finds improbable."""

    item: Item
    paraphrase: bool
    probability: float


def labels_in_doubt(classifier: TrainedClassifier, *, most: int = MOST_SHOWN) -> list[Doubt]:
    """Gold labels to look at a second time, the least probable first."""
    if classifier.gold_set_id is None:
        return []
    rows = [
        (probability if label else 1 - probability, item, label, probability)
        for item, label, probability in classifier.figures.get("out_of_fold", [])
    ]
    unlikely = sorted(row for row in rows if row[0] < UNLIKELY)[:most]
    judged = Item.objects.filter(gold_judgements__gold_set=classifier.gold_set_id)
    items = judged.select_related("pair__sentence_a", "pair__sentence_b", "batch").in_bulk(
        [item for _, item, *_ in unlikely]
    )
    return [
        Doubt(items[item], label, probability) for _, item, label, probability in unlikely if item in items
    ]
