"""Candidate pairs, matched texts and headlines, word association and phrase pairs, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from paragold.door.reading import AnyPath, read_headlines, read_texts
from paragold.estimator import Estimator
from paragold.extraction.presets import PRESETS, RECOMMENDED, get_preset
from paragold.matching.specs import HeadlineSpec, MatchingSpec
from paragold.packages import check_tables, needed
from paragold.problems import quoted
from paragold.tables import is_table, linked_pairs, table, texts_of

if TYPE_CHECKING:
    from pandas import DataFrame

    from paragold.executors import Executor

Files = AnyPath | Iterable[AnyPath]
Texts = Any
"""A path, a table with `id` and `text`, or texts, whose ids are their indices."""
PAIR_COLUMNS = (
    *("cluster", "article_a", "sentence_a", "article_b", "sentence_b", "edit_distance"),
    *("source", "target"),
)


def extract(
    articles: Files,
    preset: str = RECOMMENDED,
    *,
    output: AnyPath | None = None,
    executor: Executor | None = None,
    **parameters: Any,
) -> DataFrame:
    """Candidate pairs of the sentences of each cluster; two texts are a pair once, whatever their order.

    Parameters
    ----------
    articles : path, pattern or several
        JSON Lines, also .gz and .zst; Parquet where there are several. A cluster may be in several.
    preset : str
        Named criteria, see `presets`.
    output : str or Path, optional
        A folder for the pairs of many files, which do not fit into memory; see `extract_many`.
    executor : Executor, optional
        What runs the parts of many files; by default processes of this machine.
    **parameters
        Criteria that differ from those of the preset, such as `min_shared_words=4`.

    Returns
    -------
    DataFrame
        `cluster`, `article_a`, `sentence_a` (index in its article, from 0), `article_b`, `sentence_b`,
        `edit_distance` (in words), and the words of both in `source` and `target`. `attrs["counts"]` says
        what was compared. With an `output` the table has no rows: the pairs are in the folder.

    Raises
    ------
    SpecError
        An unknown parameter, with the nearest name, or a value that is not allowed.
    ValueError
        An unknown preset, with the nearest name.
    FileProblem
        With the faulty lines.

    References
    ----------
    Dolan, Quirk & Brockett (2004), section 3; Brockett & Dolan (2005), table 2.
    """
    from paragold.extraction.files import extract_file

    check_tables()
    criteria = get_preset(preset).criteria.replace(**parameters)
    inputs = _several(articles)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary if output is None else output)
        if len(inputs) == 1 and Path(inputs[0]).is_file() and output is None and executor is None:
            counts: Mapping[str, int] = extract_file(Path(inputs[0]), criteria, folder / "pairs.tsv")
            rows = _rows_of_lines(folder / "pairs.tsv")
        else:
            from paragold import many

            with _chosen(executor) as chosen:
                counts = many.extract_many(inputs, folder, criteria, executor=chosen)
            rows = iter(()) if output else _rows_of_table(folder / "pairs.parquet")
        return table(_with_words(rows), PAIR_COLUMNS, criteria.signature(), counts=dict(counts))


def _rows_of_lines(path: Path) -> Iterator[Sequence[Any]]:
    with path.open(encoding="utf-8", newline="\n") as lines:
        next(lines)
        for line in lines:
            yield line.removesuffix("\n").split("\t")


def _rows_of_table(path: Path) -> Iterator[Sequence[Any]]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches():
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _with_words(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """The rows of PAIR_COLUMNS; the words of a sentence are one list in all its rows."""
    words_of_text: dict[str, list[str]] = {}
    for cluster, article_a, sentence_a, article_b, sentence_b, distance, *texts in rows:
        words = (words_of_text.setdefault(text, text.split(" ")) for text in texts[:2])
        yield cluster, article_a, int(sentence_a), article_b, int(sentence_b), int(distance), *words


def extract_many(
    inputs: Files,
    folder: AnyPath,
    preset: str = RECOMMENDED,
    *,
    executor: Executor | None = None,
    **parameters: Any,
) -> DataFrame:
    """`extract` with `output=folder`; again after a kill, it does what is missing (docs/many-files.md)."""
    return extract(inputs, preset, output=folder, executor=executor, **parameters)


def match_many(
    inputs: Files,
    folder: AnyPath,
    *,
    against: Files = (),
    executor: Executor | None = None,
    **parameters: Any,
) -> int:
    """Match the texts of many files by bands and write `pairs.parquet`; the number of pairs.

    Parameters
    ----------
    inputs, against : path, pattern or several
        JSON Lines or Parquet with `id` and `text`, or .tsv; without `against` the texts of `inputs` are
        matched with each other.
    folder : str or Path
        What was done in it before stays done.
    executor : Executor, optional
        What runs the parts; by default processes of this machine.
    **parameters
        Fields of `Matcher`, such as `threshold=0.5`.

    Raises
    ------
    FileProblem
        An input cannot be read, has problems, or the folder holds another run.
    """
    from paragold import many

    others, spec = _several(against), MatchingSpec(**parameters)
    with _chosen(executor) as chosen:
        return many.match_many(_several(inputs), Path(folder), spec, executor=chosen, against=others)


def map_pairs(
    inputs: Files, folder: AnyPath, function: Any, *, model: AnyPath = "", executor: Executor | None = None
) -> int:
    """Write the pairs of Parquet files with columns that a function adds to them; the number of pairs.

    Parameters
    ----------
    inputs : path, pattern or several
        Parquet, as `extract_many` writes it.
    folder : str or Path
        What was done in it before stays done.
    function : callable or str
        Takes a table of Arrow and the path of the model, and gives the table with its columns; or "classify",
        "align" or "characteristics".
    model : str or Path
        Of a classifier or an aligner.
    executor : Executor, optional
        What runs the parts; by default processes of this machine.

    Raises
    ------
    FileProblem
        An input cannot be read, or the folder holds another run.
    """
    from paragold import pair_parts

    named = {
        "classify": pair_parts.classified,
        "align": pair_parts.aligned,
        "characteristics": pair_parts.characterised,
    }
    if isinstance(function, str) and function not in named:
        raise ValueError(f"There is no function {function!r}. Give your own, or one of {', '.join(named)}.")
    adds = named[function] if isinstance(function, str) else function
    with _chosen(executor) as chosen:
        return pair_parts.map_pairs(_several(inputs), Path(folder), adds, executor=chosen, model=model)


def sample(folder: AnyPath, n: int, output: AnyPath, **choices: Any) -> dict[str, int]:
    """Draw `n` pairs of a folder that `extract_many` wrote: `pairs.tsv` and their articles, `articles.jsonl`.

    Parameters
    ----------
    folder, output : str or Path
    n : int
        How many pairs; at most those that there are.
    **choices
        `by` ("random", "distance" or "score"), `allocation` ("proportional" or "equal") and `seed`.

    Returns
    -------
    dict
        How many pairs of each stratum.
    """
    from paragold import pair_parts

    return pair_parts.sample(Path(folder), n, Path(output), **choices)


def _several(files: Files) -> list[AnyPath]:
    return [files] if isinstance(files, str | Path) else list(files)


def _chosen(executor: Executor | None) -> AbstractContextManager[Executor]:
    """The executor, or processes of this machine."""
    from paragold.executors import processes

    return nullcontext(executor) if executor else processes()


def presets() -> DataFrame:
    """The named criteria of extraction: a row for each, with its source and every parameter."""
    with needed("tables"):
        from pandas import DataFrame
    rows = {name: {"source": one.source, **dict(one.criteria)} for name, one in PRESETS.items()}
    return DataFrame.from_dict(rows, orient="index")


class Matcher(Estimator):
    """Pairs of texts that share many words, by MinHash, exactly or by bands (Chung & Knight, section 3)."""

    parameters = MatchingSpec

    def fit(self, *data: object) -> Self:
        """Learns nothing."""
        return self

    def predict(self, a: Texts, b: Texts | None = None) -> DataFrame:
        """The pairs from the threshold on, by falling score.

        Parameters
        ----------
        a, b : path, table or texts
            A file of id TAB text, a table with `id` and `text`, or texts, whose ids are their indices. Those
            of `a` are compared with those of `b`, without `b` with each other.

        Returns
        -------
        DataFrame
            `id_a`, `id_b`, `score` (of the method) and `jaccard` (exact), from 0 to 1, `text_a`, `text_b`.

        Raises
        ------
        FileProblem
            With every faulty line of a file.
        TypeError
            A text is given where texts are expected.
        """
        from paragold.matching.similar_pairs import jaccard_of, matched, sets_of_files

        check_tables()
        sides = [_texts(side) for side in (a, b) if side is not None]
        sets, split = sets_of_files(*([text for _, text in side] for side in sides), spec=self.spec)
        pairs = matched(sets, self.spec, self.spec.threshold, split)
        every = list(chain.from_iterable(sides))
        rows = (
            (every[first][0], every[second][0], score, jaccard, every[first][1], every[second][1])
            for (first, second, score), jaccard in zip(
                pairs.tolist(), jaccard_of(sets, pairs).tolist(), strict=True
            )
        )
        columns = ("id_a", "id_b", "score", "jaccard", "text_a", "text_b")
        return table(rows, columns, f"match|{self.spec.signature()}")


def _texts(texts: Texts) -> list[tuple[str, str]]:
    """Ids and texts."""
    if isinstance(texts, Path) or (isinstance(texts, str) and Path(texts).is_file()):
        texts = read_texts(texts)
    if is_table(texts):
        return list(zip(texts["id"], texts["text"], strict=True))
    if isinstance(texts, str):
        raise TypeError(
            f"There is no file {quoted(texts)}. Give a file, a table with id and text, or a list of texts."
        )
    return [(str(place), text) for place, text in enumerate(texts)]


class HeadlineMatcher(Estimator):
    """Paraphrases among the headlines of a cluster (Wubben, van den Bosch, Krahmer & Marsi 2009)."""

    parameters = HeadlineSpec

    def fit(self, *data: object) -> Self:
        """Learns nothing."""
        return self

    def predict(self, headlines: AnyPath | DataFrame) -> DataFrame:
        """The linked headlines of each cluster, without those that repeat an earlier one.

        Parameters
        ----------
        headlines : path or table
            With `cluster`, `id`, `title` and, optionally, `snippet`; a path as `read_headlines` takes it.

        Returns
        -------
        DataFrame
            `cluster`, `id_a`, `id_b`, `score` and `context` (cosines of titles and snippets, 0 to 1; missing
            without snippets), `text_a`, `text_b`.
        """
        from paragold.matching.headlines import HeadlineFile
        from paragold.sources.headlines import Headline

        read = read_headlines(headlines) if isinstance(headlines, str | Path) else headlines
        snippets = read["snippet"] if "snippet" in read.columns else [""] * len(read)
        clusters: dict[str, list[Headline]] = {}
        for cluster, key, title, snippet in zip(
            read["cluster"], read["id"], read["title"], snippets, strict=True
        ):
            clusters.setdefault(cluster, []).append(Headline(key, title, snippet, "", 0))
        pairs = HeadlineFile(clusters, self.spec).pairs(self.spec).rename(columns={"cluster_id": "cluster"})
        pairs.attrs["signature"] = f"match-headlines|{self.spec.signature()}"
        return pairs


def match(a: Texts, b: Texts | None = None, **parameters: Any) -> DataFrame:
    """`Matcher(**parameters).predict(a, b)`: pairs of texts that share many words."""
    return Matcher(**parameters).predict(a, b)


def match_headlines(headlines: AnyPath | DataFrame, **parameters: Any) -> DataFrame:
    """`HeadlineMatcher(**parameters).predict(headlines)`: paraphrases among the headlines of each cluster."""
    return HeadlineMatcher(**parameters).predict(headlines)


def match_translations(a: Texts, b: Texts, lexicon: DataFrame, **parameters: Any) -> DataFrame:
    """Pairs of texts of two languages that may be translations: candidates from comparable corpora.

    Parameters
    ----------
    a, b : path, table or texts
        As `Matcher.predict` takes them; those of `a` are in `language`, those of `b` in `second_language`.
    lexicon : table
        Words in `first` and their translations in `second`, the best first, as
        `associate(seeds, language="en", second_language="fr", min_together=1)` learns them from seed pairs.
    **parameters
        Fields of `paragold.matching.specs.TranslationSpec`, such as `second_language="fr"`.

    Returns
    -------
    DataFrame
        `id_a`, `id_b`, `score` (share of translated words, 0 to 1), `margin` (the score less the mean of what
        the nearest neighbours of both have, -1 to 1), `text_a`, `text_b`, by falling margin.

    References
    ----------
    `paragold.matching.translations.translated_pairs` names them.
    """
    from paragold.matching.specs import TranslationSpec
    from paragold.matching.translations import PAIR_COLUMNS, translated_pairs, words_of_texts

    spec = TranslationSpec(**parameters)
    sides = [_texts(side) for side in (a, b)]
    first, second = (
        words_of_texts((text for _, text in side), own)
        for side, own in zip(sides, spec.both_languages, strict=True)
    )
    pairs = translated_pairs(first, second, zip(lexicon["first"], lexicon["second"], strict=True), spec)
    every = list(chain.from_iterable(sides))
    rows = (
        (every[i][0], every[j][0], score, margin, every[i][1], every[j][1])
        for i, j, score, margin in pairs.tolist()
    )
    return table(rows, PAIR_COLUMNS, f"match-translations|{spec.signature()}")


def associate(
    pairs: Any, *, language: str = "en", second_language: str | None = None, **parameters: Any
) -> DataFrame:
    """Word association by the residue of sentence pairs (Moore 2001; Brockett & Dolan 2005, section 3.4).

    Parameters
    ----------
    pairs : table or couples of texts
    language : str
        BCP 47 tag, such as nl, for tokens and function words.
    second_language : str, optional
        That of the second texts, which are translations: the word pairs are then translations, too.
    **parameters
        Fields of `paragold.classification.settings.LexiconSpec`, such as `ranks=1500`.

    Returns
    -------
    DataFrame
        `first`, `second`, `score` (log-likelihood ratio), `together` (sentence pairs in which they face each
        other) and `linked` (those in which the second pass links them), the best first.
    """
    from paragold.classification import association
    from paragold.classification.settings import LexiconSpec
    from paragold.languages import ENGLISH, language as language_of

    check_tables()
    spec = LexiconSpec(**parameters)
    own, second = language_of(language), language_of(second_language) if second_language else None
    rows = association.associate(texts_of(pairs), spec, language=own, second_language=second)
    signature = f"associate|{spec.signature()}" + ("" if own is ENGLISH else f"|{own.word_signature}")
    signature += f"|{second.word_signature}" if second else ""
    return table(rows, ("first", "second", "score", "together", "linked"), signature)


def phrase_pairs(links: DataFrame, **parameters: Any) -> DataFrame:
    """Phrase pairs read off word links (Koehn, Och & Marcu 2003).

    Parameters
    ----------
    links : table of links
    **parameters
        Fields of `paragold.aligners.phrases.PhraseSpec`, such as `longest=3`.

    Returns
    -------
    DataFrame
        `count`, `first`, `second`, `second_given_first`, `first_given_second` (0 to 1), by count.
    """
    from paragold.aligners.phrases import COLUMNS, PhraseSpec, phrase_table

    spec = PhraseSpec(**parameters)
    pairs, _ = phrase_table(linked_pairs(links), spec)
    return table(pairs, COLUMNS, f"phrase-pairs|{spec.signature()}")
