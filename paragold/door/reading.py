"""Files as tables, and tables as files. Paths are `str` or `Path`; `.gz` and `.zst` are read and written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from paragold.formats.link_files import (
    LINK_FORMATS,
    each_link,
    read_links as read_linked_pairs,
    read_parallel_text,
    watched,
    write_links as write_linked_pairs,
    write_pairs as write_judged_pairs,
)
from paragold.formats.publishing import sha256_of
from paragold.formats.text_files import is_stream, readable_again, whole_file, write_text
from paragold.packages import needed
from paragold.problems import FileProblem
from paragold.tables import linked_pairs, links_table, table, text_pairs

if TYPE_CHECKING:
    from pandas import DataFrame

    from paragold.formats.answers import PairsRead
    from paragold.formats.judgement_formats import JudgedPair


AnyPath = str | Path


def paths_of(files: AnyPath | Iterable[AnyPath]) -> list[Path]:
    """The files of a path, a pattern such as `news/*.jsonl`, or several of them, in order.

    Raises FileProblem for a pattern that no file has.
    """
    if not isinstance(files, str | Path):
        return [path for one in files for path in paths_of(one)]
    if not has_magic(str(files)) or Path(files).exists():
        return [Path(files)]
    paths = sorted(glob(str(files)))  # noqa: PTH207 - a Path does not take an absolute pattern
    if not paths:
        raise FileProblem("No file has such a name.", "Correct the pattern.", file=str(files))
    return list(map(Path, paths))


def file_signature(*paths: Path) -> str:
    """What was read: the names of files and the beginnings of their SHA-256."""
    return ",".join(
        f"file:{path.name}@sha256:{sha256_of(path)[:12]}" if path.is_file() else f"folder:{path.name}"
        for path in paths
    )


def read_articles(
    files: AnyPath | Iterable[AnyPath], *, format: str = "auto", columns: Mapping[str, str] | None = None
) -> DataFrame:
    """Sentences of articles in clusters.

    Parameters
    ----------
    files : path, pattern or several
        JSON Lines, tables, headlines, saved pages as a folder or zip; see docs/formats/articles.md.
    format : str
        An importer's id; by default recognised from the content.
    columns : mapping, optional
        Field -> column of a table, or key of JSON Lines, where it is not called as usual.

    Returns
    -------
    DataFrame
        A row for each sentence: `cluster`, `article`, `published`, `title`, `sentence` (index in its article,
        from 0), `text` and `words`. `attrs["notes"]` says what was left out.

    Raises
    ------
    FileProblem
        With every faulty line of the first faulty file.
    """
    from paragold.sources.article_sources import SourceOptions, read_articles as read

    rows, notes, paths = [], list[str](), paths_of(files)
    for path in paths:
        reader = read(path, SourceOptions(format=format, mapping=columns or {}))
        rows += [
            (
                cluster,
                article.key,
                article.published,
                article.title,
                place,
                sentence.text,
                list(sentence.tokens),
            )
            for cluster, articles in reader
            for article in articles
            for place, sentence in enumerate(article.sentences)
        ]
        if reader.problems:
            raise FileProblem.of(reader.problems, file=str(path))
        notes += reader.notes
    names = ("cluster", "article", "published", "title", "sentence", "text", "words")
    return table(rows, names, file_signature(*paths), notes=notes)


def read_links(
    path: AnyPath,
    format: str | None = None,
    *,
    source: AnyPath | None = None,
    target: AnyPath | None = None,
    judge: str = "",
    columns: Mapping[str, str] | None = None,
) -> DataFrame:
    """Word links with their sentences: `id`, `source`, `target`, `sure`, `possible`.

    Parameters
    ----------
    path : str or Path
        The file, or a zip of files.
    format : str, optional
        By default recognised from the content.
    source, target : str or Path, optional
        The sentences of both sides, one a line, for formats that hold no text.
    judge : str
        Whose links are read, of a file with those of several people.
    columns : mapping, optional
        Field -> column of a table, where it is not called as usual.

    Raises
    ------
    FileProblem
        The file is not in the format, or links and sentences do not belong together.
    """
    path, tokens = Path(path), None
    if (source is None) != (target is None):
        raise ValueError("Give source and target together.")
    if source is not None and target is not None:
        tokens = read_parallel_text(Path(source), Path(target))
    pairs = read_linked_pairs(path, format, tokens=tokens, judge=judge, columns=columns)
    return links_table(pairs, file_signature(path))


def write_links(links: DataFrame, path: AnyPath, format: str = "jsonl") -> None:
    """Write a table of links.

    Raises ValueError for an unknown format, FileProblem where the format cannot hold the links.
    """
    write_linked_pairs(Path(path), linked_pairs(links), format)


def convert(
    kind: Literal["links", "judgements"],
    input: AnyPath,
    output: AnyPath,
    to: str,
    *,
    format: str | None = None,
    judge: str = "",
    predictions: bool = False,
    threshold: float | None = None,
    columns: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Convert a file of word links, or of judged pairs, to another format; links are not held in memory.

    Parameters
    ----------
    kind : str
        What the file has.
    input, output : str or Path
        The file to read, of links also a zip of files; the file to write.
    to : str
        The format to write.
    format : str, optional
        The format to read; by default recognised from the content.
    judge : str
        Whose answers are read, of a file with those of several people.
    predictions : bool
        Whether, of Label Studio, the links of models are read and not those of annotators.
    threshold : float, optional
        Of judgements, minimum similarity of a paraphrase, 0 to 5.
    columns : mapping, optional
        Field -> column of a table, where it is not called as usual.

    Returns
    -------
    dict
        How many `pairs`; the names of the files that are written `beside` the output, unless that is a
        stream; `contradictions` in words; what is `not_kept`, with counts.

    Raises
    ------
    ValueError
        There is no such format, or it is not written. FileProblem with what cannot be read or written.
    """
    from paragold.formats import answers, judgement_files, judgement_formats

    path, output = Path(input), Path(output)
    not_kept: answers.Unknown = Counter()
    if kind == "links":
        watch = answers.Contradictions("links")
        choices: dict[str, Any] = {"judge": judge, "predictions": predictions or None}
        with readable_again(path) as plain:
            pairs = each_link(plain, format, unknown=not_kept, columns=columns, **choices)
            write_linked_pairs(output, watched(pairs, watch), to)
        count, contradictions, beside = watch.pairs, str(watch), LINK_FORMATS.get(to).beside
    else:
        written = judgement_files.JUDGEMENT_FORMATS.get(to)
        if not written.extension:
            ids = ", ".join(one.id for one in judgement_files.JUDGEMENT_FORMATS if one.extension)
            raise ValueError(f"{to} is not written. Choose one of {ids}.")
        rules = {"judge": judge, "threshold": threshold, "columns": columns or {}}
        judged = _judged_pairs(path, format=format or judgement_formats.AUTO, **rules)
        write_judged_pairs(output, judged.pairs, written)
        count, contradictions, not_kept = len(judged.pairs), judged.contradictions, judged.unknown
        beside = written.beside(judgement_files.scheme_of(pair.label for pair in judged.pairs))
    for name, text in beside.items():
        if not is_stream(output):
            write_text(output.with_name(name), text)
    return {
        "pairs": count,
        "beside": list(beside),
        "contradictions": contradictions,
        "not_kept": dict(not_kept),
    }


def read_pairs(path: AnyPath) -> DataFrame:
    """Pairs of texts, labelled or not.

    Parameters
    ----------
    path : str or Path
        The Microsoft Research Paraphrase Corpus, label TAB sentence TAB sentence, sentence TAB sentence, or
        what `extract-pairs` wrote.

    Returns
    -------
    DataFrame
        `text_a`, `text_b`, and as far as they are known `label` (whether they are paraphrases), `cluster`,
        `id_a`, `id_b`, and the context: `place_a`, `place_b`, `days`, `cohesion`.

    Raises
    ------
    FileProblem
        With every faulty line.
    """
    with needed("tables"):
        import pandas as pd
    from paragold.formats import labelled_pairs

    read = labelled_pairs.read_pairs(Path(path))
    columns: dict[str, Any] = {
        "text_a": [pair.first for pair in read],
        "text_b": [pair.second for pair in read],
        "label": pd.array([pair.label for pair in read], dtype="boolean"),
        "cluster": [pair.cluster or None for pair in read],
        "id_a": [pair.keys[0] or None for pair in read],
        "id_b": [pair.keys[1] or None for pair in read],
        "days": pd.array([pair.context[0] for pair in read], dtype="Float64"),
        "cohesion": pd.array([pair.context[2] for pair in read], dtype="Float64"),
    }
    for side, name in enumerate(("place_a", "place_b")):
        places = [place[side] if place else None for _, place, _ in (pair.context for pair in read)]
        columns[name] = pd.array(places, dtype="Int64")
    read_table = pd.DataFrame(columns).dropna(axis="columns", how="all")
    read_table.attrs["signature"] = file_signature(Path(path))
    return read_table


def write_pairs(pairs: DataFrame, path: AnyPath) -> None:
    """Write labelled pairs as the Microsoft Research Paraphrase Corpus has them.

    Raises FileProblem for a sentence without text. Sentences without `id_a` and `id_b` are numbered.
    """
    from paragold.formats.labelled_pairs import dumps

    with whole_file(Path(path)) as file:
        file.write(dumps(text_pairs(pairs, numbered=True)).encode())


def read_judgements(path: AnyPath, *, judge: str = "", threshold: float | None = None) -> DataFrame:
    """Judgements of pairs: those of `pairs.jsonl` in an export, or of any file of judged pairs.

    Parameters
    ----------
    path : str or Path
        See docs/formats/judgements.md.
    judge : str
        Whose judgements are read, of a tool's file with those of several people.
    threshold : float, optional
        Minimum similarity of a paraphrase, 0 to 5, where the file has similarities.

    Returns
    -------
    DataFrame
        `pair`, `annotator`, `label` (missing where the pair was skipped), `text_a`, `text_b`: a row for each
        annotator's judgement of a pair.

    Raises
    ------
    FileProblem
        With every faulty line.
    """
    rows: list[tuple[Any, ...]] = []
    for pair in _judged_pairs(path, judge=judge, threshold=threshold).pairs:
        answers = pair.whole.judgements if pair.whole else ()
        given = [(answer.annotator, answer.label) for answer in answers] or [(judge or "file", pair.label)]
        rows += [(pair.key, annotator, label, pair.a, pair.b) for annotator, label in given]
    return table(rows, ("pair", "annotator", "label", "text_a", "text_b"), file_signature(Path(path)))


def _judged_pairs(path: AnyPath, **rules: Any) -> PairsRead[JudgedPair]:
    """The judged pairs of a file. Raises FileProblem with every faulty line."""
    from paragold.formats.judgement_files import read_judged_pairs
    from paragold.formats.judgement_formats import Reading

    judged = read_judged_pairs(Path(path), Reading(**rules))
    if judged.problems:
        raise FileProblem.of(judged.problems, file=str(path))
    return judged


def read_texts(path: AnyPath) -> DataFrame:
    """Texts to be matched: `id` and `text`, from lines of id TAB text. Raises FileProblem as `read_pairs`."""
    from paragold.matching.files import read_texts as read

    return table(read(Path(path)).items(), ("id", "text"), file_signature(Path(path)))


def read_headlines(path: AnyPath) -> DataFrame:
    """Headlines of clusters: `cluster`, `id`, `title`, `snippet`, `source`, `url`, `published`.

    The file is CSV as the UCI News Aggregator has it, or JSON Lines. Raises FileProblem as `read_pairs`.
    """
    from paragold.sources.headlines import read_headlines as read

    rows = (
        (cluster, one.key, one.title, one.snippet, one.source, one.url, one.published)
        for cluster, headlines in read(Path(path)).items()
        for one in headlines
    )
    names = ("cluster", "id", "title", "snippet", "source", "url", "published")
    return table(rows, names, file_signature(Path(path)))


def load(path: AnyPath) -> Any:
    """The aligner or classifier that `save` wrote, with what it had learned.

    Raises FileProblem for a file that is neither or was damaged.
    """
    from paragold.aligners.aligner import KIND
    from paragold.aligners.registry import restored
    from paragold.door.classifier import ParaphraseClassifier
    from paragold.formats.model_files import load as load_model

    contents = load_model(Path(path))
    if contents[1].get("kind") == KIND:
        return restored(contents, file=str(path))
    return ParaphraseClassifier.load(Path(path))
