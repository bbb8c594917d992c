"""Results as pandas tables, for notebooks; pandas is the extra `notebook`, loaded when a table is made.

Rates are from 0 to 1, indices count from 0, and what is undefined is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from paragold.formats.pair_files import NUMBERS

if TYPE_CHECKING:
    from pandas import DataFrame

    from paragold.classification.classifier import Classifier
    from paragold.extraction.criteria import Criteria
    from paragold.formats.gold_jsonl import GoldPair
    from paragold.metrics.error_rate import Score
    from paragold.metrics.links import LinkedPair


def extract(path: Path | str, criteria: Criteria, *, processes: int | None = None) -> DataFrame:
    """The candidate pairs of a file of clusters, a row each; `attrs["counts"]` says what was compared.

    Parameters and errors are those of `paragold.extraction.files.extract_file`.
    """
    from paragold.extraction.files import extract_file

    with TemporaryDirectory() as folder:
        output = Path(folder) / "pairs.tsv"
        counts = extract_file(Path(path), criteria, output, processes=processes)
        table = candidate_pairs(output)
    table.attrs["counts"] = asdict(counts)
    return table


def candidate_pairs(path: Path | str) -> DataFrame:
    """The pairs of a file of `extract-pairs`, with its columns; texts are tokens separated by spaces."""
    lines = Path(path).read_text(encoding="utf-8").rstrip("\n").split("\n")
    columns, *rows = (line.split("\t") for line in lines)
    return _frame(rows, columns).astype({name: int for name in NUMBERS if name in columns})


def links(pairs: Iterable[LinkedPair]) -> DataFrame:
    """A row for each link: `pair` (its key), `i` and `j` (tokens), `source`, `target` (words), `strength`."""
    rows = [
        (pair.key, i, j, pair.tokens.source[i], pair.tokens.target[j], strength)
        for pair in pairs
        for strength, drawn in (("sure", pair.links.sure), ("possible", pair.links.possible_only))
        for i, j in sorted(drawn)
    ]
    return _frame(rows, ("pair", "i", "j", "source", "target", "strength"))


def scores(tables: Mapping[str, Mapping[str, Score]]) -> DataFrame:
    """AER tables by the name of what drew the links: a row for each name and kind of words.

    `low` and `high` are the 95 % bootstrap interval of the AER.
    """
    rows = []
    for name, table in tables.items():
        for words, score in table.items():
            low, high = score["aer_interval"] or (None, None)
            rates = (score["precision"], score["recall"], score["aer"], low, high)
            rows.append((name, words, *rates, score["scored"], score["sure"], score["pairs"]))
    columns = ("links", "words", "precision", "recall", "aer", "low", "high", "drawn", "sure", "pairs")
    return _frame(rows, columns).set_index(["links", "words"])


def judgements(pairs: Iterable[GoldPair]) -> DataFrame:
    """A row for each answer to a gold pair: `pair`, `annotator`, `label` (missing where skipped), `gold`."""
    rows = [(pair.key, one.annotator, one.label, pair.label) for pair in pairs for one in pair.judgements]
    return _frame(rows, ("pair", "annotator", "label", "gold"))


def agreement(judged: DataFrame, labels: Sequence[str] | None = None) -> DataFrame:
    """Coefficients of agreement with 95 % bootstrap intervals, a row each.

    Parameters
    ----------
    judged : DataFrame
        Columns `pair`, `annotator` and `label`, as `judgements` has them; an annotator labels a pair once.
    labels : sequence of str, optional
        All labels in their order, which matters to ordinal alpha; by default sorted.

    Raises
    ------
    ValueError
        An annotator labelled a pair twice, or gave a label that is not among `labels`.

    References
    ----------
    See `paragold.metrics.label_agreement`.
    """
    from paragold.metrics.label_agreement import estimates

    given = judged.dropna(subset=["label"])
    if given.duplicated(["pair", "annotator"]).any():
        raise ValueError("An annotator labelled a pair twice. Keep one label of each.")
    known = sorted(given["label"].unique()) if labels is None else list(labels)
    if unknown := sorted(set(given["label"]) - set(known)):
        raise ValueError(f"The label {unknown[0]!r} is not among {', '.join(known)}.")
    units = [list(said) for _, said in given.groupby("pair", sort=False)["label"]]
    rows = [{"coefficient": name, **asdict(one)} for name, one in estimates(units, known).items()]
    return _frame(rows).set_index("coefficient")


def link_agreement(table: Mapping[str, Mapping[str, Any]]) -> DataFrame:
    """The table of `link_agreement_table`: a row for each kind of words, `agreement` first."""
    return _frame([{"words": words, **row} for words, row in table.items()]).set_index("words")


def decisions(classifier: Classifier, texts: Sequence[tuple[str, str]]) -> DataFrame:
    """Decisions on pairs of texts: `text_a`, `text_b`, `value`, `probability`, `paraphrase`."""
    decided = classifier.decide(texts)
    table = _frame(texts, ("text_a", "text_b"))
    values, probabilities = decided.values, decided.probabilities
    return table.assign(value=values, probability=probabilities, paraphrase=decided.accepted())


def _frame(rows: Any, columns: Sequence[str] | None = None) -> DataFrame:
    try:
        from pandas import DataFrame
    except ImportError as error:
        raise ImportError("Tables need pandas: pip install pandas.") from error
    return DataFrame(rows, columns=None if columns is None else list(columns))
