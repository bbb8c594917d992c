"""Functions of the pairs of many files, on any executor, and samples of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np

from paragold.aligners.aligner import Aligner
from paragold.aligners.registry import load_aligner
from paragold.classification.classifier import Classifier
from paragold.executors import Executor
from paragold.extraction.criteria import SHARED_WORD_LENGTH
from paragold.formats.json_lines import parse_object
from paragold.formats.labelled_pairs import Context
from paragold.formats.pair_files import PLACEHOLDER_COLUMNS
from paragold.formats.tables import write_tsv
from paragold.formats.text_files import whole_file
from paragold.many import MANIFEST, PAIRS, Job, begin, cluster_of, end, expanded, lines_of
from paragold.packages import needed
from paragold.problems import FileProblem, quoted
from paragold.sampling.sampling import (
    DISTANCE_BINS,
    allocate,
    distance_bin,
    permuted,
    pseudo_random,
    score_bin,
)
from paragold.sources.articles import Keys

with needed("many"):
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

# Row groups of a part.
GROUPS_A_PART = 4


PairFunction = Callable[[pa.Table, str], pa.Table]
"""Adds columns to a table of pairs, by a file of a model, or "" where it needs none."""


def classified(pairs: pa.Table, model: str) -> pa.Table:
    """Adds `decision` and `probability` of a classifier, as `classify-pairs` computes them."""
    texts = list(zip(*_texts(pairs), strict=True))
    places = zip(pairs["sentence_a"].to_pylist(), pairs["sentence_b"].to_pylist(), strict=True)
    contexts: list[Context] = [(None, place, None) for place in places]
    values, probabilities = _classifier(model).decide(texts, contexts)
    pairs = pairs.append_column("decision", pa.array(values))
    return pairs.append_column("probability", pa.array(probabilities))


def aligned(pairs: pa.Table, model: str) -> pa.Table:
    """Adds `links` of a trained aligner, as `align-words` writes them."""
    tokens = ([text.split(" ") for text in texts] for texts in _texts(pairs))
    aligner = _aligner(model)
    if aligner.trains_when_applied:
        raise FileProblem("This aligner needs all pairs at once.", "Choose another.", file=model)
    drawn = aligner.align_all(list(zip(*tokens, strict=True)))
    return pairs.append_column("links", pa.array([" ".join(f"{i}-{j}" for i, j in links) for links in drawn]))


def characterised(pairs: pa.Table, model: str = "") -> pa.Table:
    """Adds lengths in tokens and `shared_words`: distinct ones of 4 or more characters, in lower case."""
    sides = [[text.lower().split(" ") for text in texts] for texts in _texts(pairs)]
    for name, side in zip(("length_a", "length_b"), sides, strict=True):
        pairs = pairs.append_column(name, pa.array(map(len, side), pa.int32()))
    shared = [
        sum(len(word) >= SHARED_WORD_LENGTH for word in {*first} & {*second})
        for first, second in zip(*sides, strict=True)
    ]
    return pairs.append_column("shared_words", pa.array(shared, pa.int32()))


def _texts(pairs: pa.Table) -> list[list[str]]:
    return [pairs[name].to_pylist() for name in ("text_a", "text_b")]


@lru_cache(maxsize=1)
def _classifier(model: str) -> Classifier:
    return Classifier.load(Path(model))


@lru_cache(maxsize=1)
def _aligner(model: str) -> Aligner:
    return load_aligner(Path(model))


def map_pairs(
    inputs: Sequence[str | Path],
    folder: Path,
    function: PairFunction,
    *,
    executor: Executor,
    model: str | Path = "",
) -> int:
    """Write the pairs of Parquet files with what a function adds to them; how many there are.

    The result is that of the function on the whole table. The function is given a row group at a time, so it
    must not depend on other rows; it is pickled. Errors and files are those of `extract_many`.
    """
    models = expanded([model] if model else [])
    about = {"operation": "map", "function": f"{function.__module__}.{function.__qualname__}"}
    job, manifest = begin([*expanded(inputs), *models], folder, about, executor)
    if not manifest:
        files = job.inputs[: len(job.inputs) - len(models)]
        groups = [(path, group) for path in files for group in range(pq.ParquetFile(path).num_row_groups)]
        parts = [groups[at : at + GROUPS_A_PART] for at in range(0, len(groups), GROUPS_A_PART)]
        job.do(executor, "mapped", _map, len(parts), parts=parts, function=function, model=str(model))
        rows, writer = 0, None
        with whole_file(folder / PAIRS) as file:
            for path in job.parts("mapped", len(parts)):
                part = pq.ParquetFile(path)
                writer = writer or pq.ParquetWriter(file, part.schema_arrow, compression="zstd")
                for group in range(part.num_row_groups):
                    writer.write_table(part.read_row_group(group))
                rows += part.metadata.num_rows
            if writer is None:
                raise FileProblem("There is no pair.", "Give files with pairs.", file=files[0])
            writer.close()
        manifest = end(job, folder, {"counts": {"pairs": rows}})
    return int(manifest["counts"]["pairs"])


def _map(
    number: int, *, job: Job, parts: Sequence[Sequence[tuple[str, int]]], function: PairFunction, model: str
) -> None:
    writer = None
    with whole_file(job.part("mapped", number)) as file:
        for path, group in parts[number]:
            table = function(pq.ParquetFile(path).read_row_group(group), model)
            writer = writer or pq.ParquetWriter(file, table.schema, compression="lz4")
            writer.write_table(table)
        if writer:
            writer.close()


# In SQL, the number of the stratum of a pair; and their names.
STRATA = {
    "random": ("0", ["all"]),
    "distance": (
        " + ".join(f"(edit_distance >= {low})::INTEGER" for low in DISTANCE_BINS),
        [distance_bin(low) for low in (0, *DISTANCE_BINS)],
    ),
    "score": (
        "CASE WHEN {0} < 1 THEN trunc(10 * {0})::INTEGER ELSE 9 END",
        [score_bin(tenth / 10 + 0.05) for tenth in range(10)],
    ),
}


def sample(
    folder: Path,
    number: int,
    output: Path,
    *,
    by: str = "random",
    allocation: str = "proportional",
    seed: int = 1,
) -> dict[str, int]:
    """Draw pairs of a folder and write `pairs.tsv` and `articles.jsonl`; how many of each stratum.

    The articles are those of the pairs, whole, as they are in the inputs of the extraction: imported, they
    are the context of the pairs. The draw depends on the seed and on the order of the pairs alone.

    Parameters
    ----------
    folder, output : Path
        As `extract_many` or `map_pairs` wrote it, with one `pairs.parquet`; where the sample is written.
    number : int
        How many pairs; at most those that there are.
    by : str
        "random"; "distance": strata by edit distance, as in docs/sampling.md; "score": by tenths of the
        column `probability` or `score`.
    allocation : str
        "proportional" to the sizes of the strata, or "equal".
    """
    stratum, names = STRATA[by]
    with duckdb.connect() as db:
        db.read_parquet(str(folder / PAIRS), file_row_number=True).create_view("pairs")
        if by == "score":
            known = [name for name in ("probability", "score") if name in db.table("pairs").columns]
            if not known:
                raise FileProblem("The pairs have no column probability or score.", "Classify them first.")
            stratum = stratum.format(known[0])
        db.execute(
            f"CREATE TABLE ranked AS SELECT file_row_number, {stratum} AS stratum, row_number() OVER "  # noqa: S608 - of STRATA
            "(PARTITION BY stratum ORDER BY file_row_number) - 1 AS rank FROM pairs"
        )
        counted = dict(db.sql("SELECT stratum, count(*) FROM ranked GROUP BY stratum").fetchall())
        sizes = {name: counted.get(place, 0) for place, name in enumerate(names)}
        shares = allocate(sizes, number, allocation)
        wanted = [
            {"stratum": place, "rank": rank}
            for place, name in enumerate(names)
            for rank in islice(permuted(sizes[name], seed=seed), shares[name])
        ]
        kinds = pa.schema({"stratum": pa.int64(), "rank": pa.int64()})
        db.register("wanted", pa.Table.from_pylist(wanted, kinds))
        drawn = db.sql(
            "SELECT * FROM pairs WHERE file_row_number IN "
            "(SELECT file_row_number FROM ranked SEMI JOIN wanted USING (stratum, rank))"
        ).to_arrow_table()
    # A place in the sample does not show the stratum.
    order = [pseudo_random(seed, row) for row in drawn["file_row_number"].to_pylist()]
    drawn = drawn.take(pa.array(np.argsort(np.array(order, np.uint64))))
    columns = [name for name in PLACEHOLDER_COLUMNS if name in drawn.schema.names]
    output.mkdir(parents=True, exist_ok=True)
    cells = (map(str, row.values()) for row in drawn.select(columns).to_pylist())
    write_tsv(output / "pairs.tsv", columns, map(list, cells))
    sides = (drawn[name].to_pylist() for name in ("cluster_id", "article_a", "article_b"))
    _write_articles(folder, {(key, of) for key, a, b in zip(*sides, strict=True) for of in (a, b)}, output)
    return {name: shares[name] for name in names}


def _write_articles(folder: Path, wanted: set[tuple[str, str]], output: Path) -> None:
    """Write these articles, by cluster and id, as the inputs of the extraction have them."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    while manifest["operation"] == "map":
        manifest = json.loads((Path(manifest["inputs"][0]).parent / MANIFEST).read_text(encoding="utf-8"))
    clusters, missing = {cluster for cluster, _ in wanted}, set(wanted)
    with whole_file(output / "articles.jsonl") as file:
        for path in manifest["inputs"]:
            for _, line in lines_of(path, []):
                cluster = cluster_of(line)
                if cluster not in clusters:
                    continue
                value = Keys().of_line(parse_object(line))
                whole = value.get("articles", [value])
                kept = [article for article in whole if (cluster, article["id"]) in wanted]
                missing.difference_update((cluster, article["id"]) for article in kept)
                if kept:
                    value |= {"articles": kept} if "articles" in value else {}
                    file.write(json.dumps(value).encode() + b"\n")
        if missing:
            cluster, article = min(missing)
            raise FileProblem(
                f"The inputs no longer have the article {quoted(article)} of the cluster {quoted(cluster)}.",
                "Extract the pairs again.",
                file=str(folder / MANIFEST),
            )
