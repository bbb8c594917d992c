"""Who judges well: annotators of known quality, and gold by majority and by posterior at the same cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.measuring import Row
from paragold.arrays import Floats, Integers
from paragold.metrics.competence import MODELS, competence_tables, fit
from paragold.metrics.label_agreement import Counts
from paragold.metrics.third_judgements import differing_twos, most_uncertain

LABELS = ("paraphrase", "not_paraphrase")
BATCH = 20  # judgements between two fits
PARAPHRASES = 0.67  # the share among the pairs of Dolan, Quirk & Brockett (2004)


def annotator(right: float, *, yes: float | None = None) -> Floats:
    """A confusion matrix: as often right on both labels, or the same answer whatever is true."""
    rows = [[right, 1 - right], [1 - right, right]] if yes is None else [[yes, 1 - yes]] * 2
    return np.array(rows)


QUALITIES: Mapping[str, Floats] = {
    "good": annotator(0.92),
    "good too": annotator(0.88),
    "hasty": annotator(0.75),
    "always yes": annotator(0, yes=0.97),
    "random": annotator(0.5),
}


def drawn_answers(people: Sequence[Floats], truth: Integers, random: np.random.Generator) -> Integers:
    """The answers of annotators with these confusion matrices, (items, annotators)."""
    return np.array([random.random(len(truth)) < matrix[truth, 1] for matrix in people], dtype=np.int64).T


def judged(answers: Integers, chosen: Counts, names: Sequence[str]) -> list[dict[str, str | None]]:
    """What each of the chosen annotators, (items, judgements), said."""
    return [
        {names[who]: LABELS[row[who]] for who in of_item if who >= 0}
        for row, of_item in zip(answers, chosen, strict=True)
    ]


def competence(*, items: int = 300, runs: int = 20, resamples: int = 200, seed: int = 1) -> list[Row]:
    """Competence recovered, and the accuracy of gold, from simulated annotators of known quality.

    By annotator, over the runs in which the competence is known: mean and root mean square error of the
    accuracy, and the share of runs whose 95 % interval holds the true one. MACE's are over equally frequent
    labels, and it takes nobody for worse than guessing, so that its intervals end above those who guess.
    By way of judging: judgements an item and the share of right gold labels. Three judgements each; a third
    one only where the first two differ; and then further ones for the most uncertain items, as many as three
    each. Annotators are drawn at random for each item.
    """
    names = list(QUALITIES)
    people = list(QUALITIES.values())
    rng = np.random.default_rng(seed)
    estimates: dict[tuple[str, str], list[tuple[float, bool]]] = {}
    gold: dict[str, list[tuple[float, float]]] = {}
    shares = np.array([PARAPHRASES, 1 - PARAPHRASES])
    for run in range(runs):
        truth = (rng.random(items) >= PARAPHRASES).astype(np.int64)
        answers = drawn_answers(people, truth, rng)
        order = rng.permuted(np.tile(np.arange(len(people)), (items, 1)), axis=1)
        for model in MODELS:
            fitted = fit(judged(answers, order, names), LABELS, model)
            for row in competence_tables(fitted, seed=seed + run, resamples=resamples)["annotators"]:
                truly = float(np.diag(QUALITIES[row["annotator"]]) @ shares)
                figure = row["accuracy" if model == "dawid_skene" else "balanced"]
                if model == "mace":
                    truly = float(np.trace(QUALITIES[row["annotator"]]) / 2)
                if figure["value"] is None:  # nothing is known of the annotator
                    continue
                covered = figure["low"] <= truly <= figure["high"]
                estimates.setdefault((row["annotator"], model), []).append((figure["value"] - truly, covered))
        for way, chosen in _ways(answers, order, names).items():
            given = judged(answers, chosen, names)
            cost = float((chosen >= 0).sum() / items)
            gold.setdefault(f"{way}, majority", []).append((cost, _majority(given, truth)))
            for model in MODELS:
                right = float((fit(given, LABELS, model).posterior.argmax(axis=1) == truth).mean())
                gold.setdefault(f"{way}, {model}", []).append((cost, right))
    return [_annotator_row(who, model, figures) for (who, model), figures in estimates.items()] + [
        {
            "who": way,
            "judgements_an_item": round(float(np.mean([cost for cost, _ in figures])), 2),
            "right": round(float(np.mean([right for _, right in figures])), 3),
        }
        for way, figures in gold.items()
    ]


def _annotator_row(who: str, model: str, figures: Sequence[tuple[float, bool]]) -> Row:
    errors = np.array([error for error, _ in figures])
    return {
        "who": who,
        "model": model,
        "runs": len(figures),
        "mean_error": round(float(errors.mean()), 3),
        "rmse": round(float(np.sqrt((errors**2).mean())), 3),
        "covered": round(float(np.mean([covered for _, covered in figures])), 2),
    }


def _ways(answers: Integers, order: Integers, names: Sequence[str]) -> dict[str, Integers]:
    """The annotators of each item by way of judging; -1 for a judgement that is not asked for."""
    twos, threes = order.copy(), order.copy()
    twos[:, 2:] = threes[:, 3:] = -1
    differ = differing_twos(judged(answers, twos, names))
    where_two_differ = twos.copy()
    where_two_differ[differ, 2] = order[differ, 2]
    by_posterior = where_two_differ.copy()
    # The most uncertain item gets the next judgement until as many are spent as for three each.
    for left in range(len(order) - len(differ), 0, -BATCH):
        fitted = fit(judged(answers, by_posterior, names), LABELS)
        first = most_uncertain(fitted, enough=1) or range(len(order))  # nothing is known of anybody yet
        open_items = [item for item in first if by_posterior[item, -1] < 0]
        for item in open_items[: min(left, BATCH)]:
            place = int((by_posterior[item] >= 0).sum())
            by_posterior[item, place] = order[item, place]
    return {"three each": threes, "third where two differ": where_two_differ, "by posterior": by_posterior}


def _majority(given: Sequence[Mapping[str, str | None]], truth: Integers) -> float:
    """The share of right majority labels; where as many say either, the cautious one, as gold has it."""
    labels = [list(answers.values()) for answers in given]
    negative = np.array([2 * of_item.count(LABELS[1]) >= len(of_item) for of_item in labels])
    return float((negative == truth).mean())
