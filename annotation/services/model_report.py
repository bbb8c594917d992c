"""A model beside the people who judged the same pairs: agreement, a test, what an answer costs, failures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from statistics import fmean, median
from typing import Any

from annotation.models import Assignment, Item, ModelAnnotator
from annotation.schemes import SCHEME_LABELS
from paragold.metrics.alternative_annotator import alternative_annotator_test
from paragold.metrics.label_agreement import cohen_estimate, observed_estimate, pair_tables

from .pseudonyms import number_of, pseudonyms

MODEL = "model"


def model_report(annotator: ModelAnnotator, *, epsilon: float) -> dict[str, Any]:
    """A model beside the annotators of its batch. The caller has checked that the reader may see the answers.

    `annotators`: by pseudonym, agreement with the model (`observed`, `kappa`), median `seconds` of an answer,
    and the row of the alternative annotator test, whose result is `test`
    (`paragold.metrics.alternative_annotator`). `costs`: seconds of an answer of the model, and what all
    answers cost at its price. `trained_on`: how many of the pairs are in the gold set that the classifier was
    trained on. `failures`: number of the pair, and the problem.
    """
    batch = annotator.batch
    answers = list(annotator.answers.values_list("item", "item__number", "label", "seconds", "problem"))
    given = Assignment.objects.filter(item__batch=batch, judgement__isnull=False, annotator__isnull=False)
    rows = list(given.values_list("item", "annotator", "judgement__label", "milliseconds"))
    names = pseudonyms(batch.project, {person for _, person, *_ in rows})
    labels: dict[int, dict[Hashable, str | None]] = defaultdict(dict)
    seconds: dict[str, list[float]] = defaultdict(list)
    for item, person, label, milliseconds in rows:
        labels[item][names[person]] = label
        seconds[names[person]].append(milliseconds / 1000)
    people = sorted(seconds, key=number_of)
    both = [{**labels[item], MODEL: label or None} for item, _, label, *_ in answers]
    tables = pair_tables(both, tuple(map(str, SCHEME_LABELS[batch.scheme])), [MODEL, *people])
    of_people = [labels[item] for item, *_ in answers]
    test = alternative_annotator_test(
        of_people, [label or None for _, _, label, *_ in answers], epsilon=epsilon
    )
    tested = {row["annotator"]: row for row in test.pop("annotators")}
    times = [spent for *_, spent, _ in answers]
    price = annotator.parameters["price"]
    return {
        "annotators": [
            {
                "annotator": person,
                "observed": observed_estimate(tables[MODEL, person]),
                "kappa": cohen_estimate(tables[MODEL, person]),
                "seconds": round(median(seconds[person]), 1),
                **{name: value for name, value in tested.get(person, {}).items() if name != "annotator"},
            }
            for person in people
            if (MODEL, person) in tables
        ],
        "test": test,
        "pairs": len(answers),
        "costs": {
            "mean_seconds": fmean(times) if times else None,
            "median_seconds": median(times) if times else None,
            "price": price,
            "total": None if price is None else price * len(answers),
        },
        "trained_on": _trained_on(annotator),
        "failures": [{"number": number, "problem": text} for _, number, _, _, text in answers if text],
        "signature": f"{annotator.signature}|alternative-annotator-test|epsilon:{epsilon}",
    }


def _trained_on(annotator: ModelAnnotator) -> int:
    classifier = annotator.classifier
    if classifier is None or classifier.gold_set_id is None:
        return 0
    learned = Item.objects.filter(gold_judgements__gold_set=classifier.gold_set_id).order_by()
    items = annotator.batch.items.filter(pair__content_key__in=learned.values("pair__content_key"))
    return int(items.count())
