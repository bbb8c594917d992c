"""The alternative annotator test: may a model answer in the place of a human annotator?

Calderon, Reichart & Dror (2025), "The alternative annotator test for LLM-as-a-judge". In turn each annotator
is left out: on how many items does the model agree with the others at least as well as that annotator does?
Labels agree where they are equal; how far other answers agree, such as links, a function says.
The annotator's advantage has to be below `epsilon`, the price that a model's lower cost is worth.

SciPy is imported where it is needed: web pages import this file.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import eq
from typing import Any

import numpy as np

from paragold.arrays import Floats

Similarity = Callable[[Any, Any], Any]
"""How similar an answer is to that of another annotator; exact numbers, so that equal sums are ties."""
EPSILONS = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
"""The paper's section 3.3, by who the annotators are."""
LEVEL = 0.05
PASSES = 0.5
FEWEST_ITEMS, FEWEST_ANNOTATORS = 30, 3


def alternative_annotator_test(
    people: Sequence[Mapping[Any, Any]],
    model: Sequence[Any],
    *,
    epsilon: float = EPSILONS["skilled"],
    similarity: Similarity = eq,
) -> dict[str, Any]:
    """Winning rate and average advantage probability of a model that answered the same items as people did.

    Parameters
    ----------
    people : sequence of mappings
        For each item the label, or other answer, of each annotator; None for none.
    model : sequence
        The model's answer to each item, None for none.
    epsilon : float
        How much better a person may be at no loss, 0 to 1; EPSILONS has the paper's values.
    similarity : callable
        Of an answer and that of another annotator, in this order.

    Returns
    -------
    dict
        `winning_rate`, the share of annotators whom the model may replace; `passed`, whether it is at least
        one half; `advantage`, the mean probability that the model is as good as an annotator; `annotators`:
        a row each with `items`, `model_wins` and `annotator_wins` (shares of items at which one is at least
        as good as the other), the `test`, `p`, `p_adjusted` (Benjamini & Yekutieli 2001) and `won`.
        `problem` says why the test says nothing: fewer than three annotators, or than 30 items of one; the
        three figures are None then. Below 30 items an annotator is tested by Wilcoxon's signed ranks.
    """
    from scipy.stats import false_discovery_control

    names = sorted({name for given in people for name, label in given.items() if label is not None}, key=str)
    rows = [_against(name, people, model, epsilon, similarity) for name in names]
    rows = [row for row in rows if row["items"]]
    if rows:
        adjusted = false_discovery_control([row["p"] for row in rows], method="by")
        for row, p in zip(rows, adjusted, strict=True):
            row |= {"p_adjusted": float(p), "won": bool(p < LEVEL)}
    few = [row["annotator"] for row in rows if row["items"] < FEWEST_ITEMS]
    problem = ""
    if len(rows) < FEWEST_ANNOTATORS:
        problem = f"The test needs {FEWEST_ANNOTATORS} annotators who share items; there are {len(rows)}."
    elif few:
        problem = (
            f"The test needs {FEWEST_ITEMS} shared items of each annotator; fewer have: "
            f"{', '.join(map(str, few))}."
        )
    rate = float(np.mean([row["won"] for row in rows])) if rows and not problem else None
    return {
        "epsilon": epsilon,
        "winning_rate": rate,
        "passed": None if rate is None else rate >= PASSES,
        "advantage": None if problem else float(np.mean([row["model_wins"] for row in rows])),
        "problem": problem,
        "annotators": rows,
    }


def _against(
    name: Hashable,
    people: Sequence[Mapping[Any, Any]],
    model: Sequence[Any],
    epsilon: float,
    similarity: Similarity,
) -> dict[str, Any]:
    """The model beside one annotator, on the items that both and another person answered."""
    scores: list[tuple[Any, Any]] = []
    for given, answer in zip(people, model, strict=True):
        own = given.get(name)
        others = [label for person, label in given.items() if person != name and label is not None]
        if own is not None and answer is not None and others:
            scores.append(
                (
                    sum(similarity(answer, other) for other in others),
                    sum(similarity(own, other) for other in others),
                )
            )
    model_wins = np.array([of_model >= of_person for of_model, of_person in scores], dtype=np.float64)
    annotator_wins = np.array([of_person >= of_model for of_model, of_person in scores], dtype=np.float64)
    test, p = _below(annotator_wins - model_wins, epsilon)
    return {
        "annotator": name,
        "items": len(scores),
        "model_wins": float(model_wins.mean()) if len(scores) else None,
        "annotator_wins": float(annotator_wins.mean()) if len(scores) else None,
        "test": test,
        "p": p,
    }


def _below(differences: Floats, epsilon: float) -> tuple[str, float]:
    """The name and the one-sided p of a test that the differences are below epsilon on average."""
    from scipy.stats import ttest_1samp, wilcoxon

    test = "t" if len(differences) >= FEWEST_ITEMS else "Wilcoxon"
    if len(differences) < 2:
        return test, 1.0
    if np.ptp(differences) == 0 and test == "t":  # without variance there is no t
        return test, 0.0 if differences[0] < epsilon else 1.0
    if test == "t":
        return test, float(ttest_1samp(differences, epsilon, alternative="less").pvalue)
    return test, float(wilcoxon(differences - epsilon, alternative="less").pvalue)
