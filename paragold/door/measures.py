"""Alignment error rate of word links, merged links of several annotators, and agreement of judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paragold.metrics import error_rate, label_agreement
from paragold.metrics.links import LinkedPair, ladder_svg, merge
from paragold.statistics import RESAMPLES
from paragold.tables import is_table, linked_pairs, links_table, table

if TYPE_CHECKING:
    from pandas import DataFrame

SEED = 1
SCORE_COLUMNS = ("system", "words", "precision", "recall", "aer", "low", "high", "p", "drawn", "sure")


def score(
    gold: DataFrame,
    systems: DataFrame | Mapping[str, DataFrame],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> DataFrame:
    """Precision, recall and alignment error rate (AER) of word links, from 0 to 1.

    Parameters
    ----------
    gold : table of links
        As `read_links` has it.
    systems : table of links, or several by name
        Of the same pairs in the same order. All their links count, whatever their strength.
    seed, resamples : int
        Of the bootstrap intervals and of the test; 0 resamples for no intervals.

    Returns
    -------
    DataFrame
        A row for each system and kind of words (all, identical, non_identical). `low` and `high` are the 95 %
        interval of the AER; `p` is that of its difference from the first system (approximate randomisation),
        missing where there is none.

    Raises
    ------
    ValueError
        A system has other pairs than the gold standard.

    References
    ----------
    Och & Ney (2003), section 4.2; Riezler & Maxwell (2005).
    """
    reference = linked_pairs(gold)
    tokens = [pair.tokens for pair in reference]
    rows: list[tuple[Any, ...]] = []
    first: dict[str, error_rate.CountArray] = {}
    signature = ""
    for name, drawn_table in ({"links": systems} if is_table(systems) else systems).items():
        drawn = linked_pairs(drawn_table)
        if [pair.tokens for pair in drawn] != tokens:
            raise ValueError(f"{name} has other pairs than the gold standard: align the gold table itself.")
        counts = error_rate.counts_by_words([pair.links.possible for pair in drawn], reference)
        scores = error_rate.table_of(counts, seed=seed, resamples=resamples)
        for words, row in scores.items():
            other = first.setdefault(words, counts[words])
            test = (
                None
                if other is counts[words]
                else error_rate.compare(other, counts[words], seed=seed, resamples=0)
            )
            rates = [*(row[rate] for rate in error_rate.RATES), *(row["aer_interval"] or (None, None))]
            rows.append((name, words, *rates, test and test["p"], row["scored"], row["sure"]))
        signature = scores["all"]["signature"]
    scored = table(rows, SCORE_COLUMNS, signature).set_index(["system", "words"])
    return scored.astype(dict.fromkeys(SCORE_COLUMNS[2:8], float))


def merge_links(annotations: Sequence[DataFrame], rule: str = "papers") -> DataFrame:
    """The links of several annotators as one gold standard.

    Parameters
    ----------
    annotations : sequence of tables of links
        Of the same pairs in the same order.
    rule : str
        "papers" (what all drew is SURE, what some drew POSSIBLE), "intersection" or "union_sure".

    Raises
    ------
    ValueError
        The tables have different pairs.

    References
    ----------
    Dolan, Quirk & Brockett (2004), section 4.
    """
    several = [linked_pairs(drawn) for drawn in annotations]
    if any([pair.tokens for pair in pairs] != [pair.tokens for pair in several[0]] for pairs in several):
        raise ValueError(
            "The annotators have different pairs: give the links of the same pairs in one order."
        )
    merged = (
        LinkedPair(
            pairs[0].key, pairs[0].source, pairs[0].target, merge([pair.links for pair in pairs], rule)
        )
        for pairs in zip(*several, strict=True)
    )
    return links_table(merged, f"merge:{rule}|annotators:{len(several)}")


def agreement(
    judgements: DataFrame,
    labels: Sequence[str] | None = None,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> DataFrame:
    """Observed agreement, Fleiss' kappa, Krippendorff's alpha, and Cohen's kappa of every two annotators.

    Parameters
    ----------
    judgements : table
        `pair`, `annotator` and `label`, as `read_judgements` has them; an annotator labels a pair once.
        Missing labels are passed over.
    labels : sequence of str, optional
        All labels in their order, which matters to ordinal alpha; by default sorted.
    seed, resamples : int
        Of the 95 % bootstrap intervals; 0 resamples for none.

    Returns
    -------
    DataFrame
        A row for each coefficient: `value`, `low`, `high`, the `items` that it rests on, and
        `undefined_because`.

    Raises
    ------
    ValueError
        An annotator labelled a pair twice, or gave a label that is not among `labels`.
    """
    given = judgements.dropna(subset=["label"])
    if given.duplicated(["pair", "annotator"]).any():
        raise ValueError("An annotator labelled a pair twice. Keep one label of each.")
    known = sorted(given["label"].unique()) if labels is None else list(labels)
    if unknown := sorted(set(given["label"]) - set(known)):
        raise ValueError(f"The label {unknown[0]!r} is not among {', '.join(known)}.")
    by_pair = [
        dict(zip(rows["annotator"], rows["label"], strict=True))
        for _, rows in given.groupby("pair", sort=False)
    ]
    units = [list(answers.values()) for answers in by_pair]
    rows = label_agreement.estimates(units, known, seed=seed, resamples=resamples)
    people = sorted(given["annotator"].unique())
    for (first, second), counts in label_agreement.pair_tables(by_pair, known, people).items():
        cohen = label_agreement.cohen_estimate(counts, seed=seed, resamples=resamples)
        rows[f"cohen_kappa {first} {second}"] = cohen
    names = ("coefficient", "value", "low", "high", "items", "undefined_because")
    listed = ([name, *(row[column] for column in names[1:])] for name, row in rows.items())
    signature = label_agreement.signature(seed=seed, resamples=resamples)
    return table(listed, names, signature).set_index("coefficient")


def ladder(pair: Any) -> str:
    """The links of a pair as a picture: both sentences as columns of words.

    Parameters
    ----------
    pair : LinkedPair or row of a table of links

    Returns
    -------
    str
        An `<svg>` without styles or scripts.
    """
    if isinstance(pair, LinkedPair):
        sure, possible = pair.links.sure, pair.links.possible_only
        return ladder_svg(pair.source, pair.target, sure, possible)
    return ladder_svg(*(pair[name] for name in ("source", "target", "sure", "possible")))
