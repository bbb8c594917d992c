"""A model beside the people who answered the same pairs: agreement, a test, costs, failures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from statistics import fmean, median
from typing import Any

from annotation.models import ModelAnnotator
from paragold.metrics.alternative_annotator import alternative_annotator_test

from .model_answers import kind_of
from .pseudonyms import number_of, pseudonyms


def model_report(annotator: ModelAnnotator, *, epsilon: float) -> dict[str, Any]:
    """A model beside the annotators of its batch. The caller has checked that the reader may see the answers.

    `annotators`: by pseudonym, agreement with the model (the figures of `ModelKind`), median `seconds` of an
    answer, and the row of the alternative annotator test, whose result is `test`
    (`paragold.metrics.alternative_annotator`). `costs`: seconds of an answer of the model, and what all
    answers cost at its price. `trained_on`: how many of the pairs have right answers that the model was
    trained on. `suggested`: how many answers people gave who were shown links of a model. `failures`: number
    of the pair, and the problem.
    """
    batch, kind = annotator.batch, kind_of(annotator.batch)
    rows = list(annotator.answers.select_related("item").order_by("item__number"))
    answers = {row.item_id: kind.answer_of(row) for row in rows}
    given = kind.given(batch)
    names = pseudonyms(batch.project, {person for _, person, *_ in given})
    people: dict[int, dict[Hashable, Any]] = defaultdict(dict)
    both: dict[str, dict[int, tuple[Any, Any]]] = defaultdict(dict)
    seconds: dict[str, list[float]] = defaultdict(list)
    for item, person, answer, milliseconds in given:
        people[item][names[person]] = answer
        seconds[names[person]].append(milliseconds / 1000)
        if answers.get(item) is not None:
            both[names[person]][item] = (answers[item], answer)
    test = alternative_annotator_test(
        [people[item] for item in answers],
        list(answers.values()),
        epsilon=epsilon,
        similarity=kind.similarity,
    )
    agreement = kind.agreement(batch, both)
    tested = {row["annotator"]: row for row in test.pop("annotators")}
    times = [row.seconds for row in rows]
    price = annotator.parameters["price"]
    learned = kind.learned(annotator).order_by().values("pair__content_key")
    return {
        "annotators": [
            {
                "annotator": person,
                **agreement[person],
                "seconds": round(median(seconds[person]), 1),
                **{name: value for name, value in tested.get(person, {}).items() if name != "annotator"},
            }
            for person in sorted(both, key=number_of)
        ],
        "test": test,
        "pairs": len(rows),
        "costs": {
            "mean_seconds": fmean(times) if times else None,
            "median_seconds": median(times) if times else None,
            "price": price,
            "total": None if price is None else price * len(rows),
        },
        "trained_on": batch.items.filter(pair__content_key__in=learned).count(),
        "suggested": kind.suggested(batch),
        "failures": [{"number": row.item.number, "problem": row.problem} for row in rows if row.problem],
        "signature": f"{annotator.signature}|alternative-annotator-test|epsilon:{epsilon}",
    }
