"""The step `extract`: split the inputs by cluster, extract, find pairs seen before, write the parts.

Clusters have the number of their first line among all lines of all inputs: the order of these numbers, and of
the pairs within a cluster, is the order in which one process writes its pairs. Files between the stages are
Arrow files with a batch for each task, or slice of a task, of the stage that reads them.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import blake2b
from itertools import pairwise
from os import SEEK_END
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from paragold.extraction.criteria import Criteria
from paragold.extraction.files import check_clusters, cluster_lines, cluster_texts, pair_columns, unwritable
from paragold.extraction.presets import RECOMMENDED, get_preset
from paragold.extraction.records import ExtractionCounts
from paragold.formats.json_lines import parse_object
from paragold.formats.tables import ROWS_A_GROUP, parquet_schema
from paragold.problems import FileProblem
from paragold.shards.commits import part_name, place, record
from paragold.shards.inputs import lines_before, read_lines
from paragold.shards.pair_lines import lines_described
from paragold.shards.plan import Plan, read_bytes, reads_of, slices_for
from paragold.shards.steps.step import Asked, ShardsSpec, Stage, Step, batched
from paragold.sources.article_fields import read_key
from paragold.sources.articles_jsonl import NO_SENTENCES, ArticleReader
from paragold.spec import Spec, SpecError, param

Numbers = NDArray[np.int64]

LINES = pa.schema({"line": pa.int64(), "data": pa.large_binary()})
KEYS = pa.schema({"high": pa.uint64(), "low": pa.uint64(), "order": pa.int64(), "row": pa.int64()})
PAIRS = pa.schema({"order": pa.int64(), "row": pa.int64(), "line": pa.large_string()})
REPEATED = pa.schema({"shard": pa.int32(), "row": pa.int64()})
NUMBER_COLUMNS = ("sentence_a", "sentence_b", "edit_distance")
# In so many pieces the lines of a row group become columns.
PIECES = 5
# The usual beginning of a line; any other is parsed whole.
_CLUSTER_ID = re.compile(rb'\{\s*"cluster_id"\s*:\s*"([^"\\\x00-\x1f]+)"\s*[,}]')


class ExtractSpec(ShardsSpec):
    """Which candidate pairs are extracted."""

    preset: str = param(RECOMMENDED, "Preset", "The criteria; `set` changes some of them.")


class Extract(Step):
    """Candidate pairs of articles."""

    id, label = "extract", "extract candidate pairs"
    reads, gives = "articles", "pairs"
    parameters = ExtractSpec

    def check(self, values: Spec, more: Mapping[str, Any]) -> None:
        for key, use in (
            ("preset", lambda: get_preset(dict(values)["preset"])),
            ("set", lambda: _criteria(values, more)),
        ):
            try:
                use()
            except ValueError as error:
                raise SpecError([(key, str(error))]) from error

    def plan(self, asked: Asked) -> Plan:
        criteria = _criteria(asked.values, asked.more)
        check_clusters(criteria, ", ".join(source.path for source in asked.inputs))
        plan, values = super().plan(asked), dict(asked.values)
        return replace(
            plan,
            reads=reads_of(asked.inputs, read_bytes(plan.shards)),
            slices=slices_for(asked.inputs, plan.shards),
            settings=criteria.settings(),
            signature=criteria.signature(),
            options={"preset": values["preset"]},
        )

    def stages(self, plan: Plan) -> dict[str, Stage]:
        return {
            "split": Stage("divide the inputs by cluster", split, len(plan.reads)),
            "map": Stage("extract pairs", extract, plan.shards, ("split",)),
            "reduce": Stage("find pairs seen before", find_repeated, plan.shards, ("map",)),
            "write": Stage("write parts", write_part, plan.shards, ("map", "reduce")),
        }

    def counts(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, int]:
        """Of all shards, a pair of several shards counted once."""
        total = Counter[str]()
        for number in range(plan.shards):
            total.update(record(folder, "map", number)["counts"])
            repeated = record(folder, "reduce", number)["repeated"]
            total.update(pairs_kept=-repeated, rejected_seen_before=repeated)
        if not total["clusters"]:
            raise NO_SENTENCES.at(file=", ".join(source.path for source in plan.inputs))
        return dict(total)

    def details(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "preset": plan.options["preset"],
            "criteria": plan.settings,
            "shards": plan.shards,
            **lines_described(folder, files, columns_of(plan)),
        }


def _criteria(values: Spec, more: Mapping[str, Any]) -> Criteria:
    return get_preset(dict(values)["preset"]).criteria.with_settings(more)


def columns_of(plan: Plan) -> tuple[str, ...]:
    return pair_columns(Criteria(**plan.settings))


# Compresses a batch as a whole: Arrow's own compression of each column takes four times as long to read a
# batch of a few pairs, of which there are millions.
_CODEC = pa.Codec("lz4_raw")


class _Batches:
    """A file to which batches are added; at its end is where each begins, and its size when it is read.

    Use it as a context; `_batch` takes a batch by number.
    """

    def __init__(self, path: Path, schema: Any) -> None:
        self._schema, self._index = schema, array("q")
        self._file = path.open("wb")

    def add(self, *columns: Any) -> None:
        arrays = [pa.array(column, field.type) for column, field in zip(columns, self._schema, strict=True)]
        message = pa.RecordBatch.from_arrays(arrays, schema=self._schema).serialize()
        self._index.extend((self._file.tell(), message.size))
        self._file.write(_CODEC.compress(message))

    def __enter__(self) -> _Batches:
        return self

    def __exit__(self, *error: object) -> None:
        with self._file as file:
            end = file.tell()
            file.write(array("q", [*self._index, end, 0, end]).tobytes())


def _write_batches(path: Path, schema: Any, ends: Sequence[int], columns: Sequence[Any]) -> None:
    """Write the rows up to each of `ends`, which ascend, as a batch."""
    with _Batches(path, schema) as batches:
        for begin, end in pairwise([0, *ends]):
            batches.add(*(column[begin:end] for column in columns))


def _batch(path: Path, schema: Any, number: int) -> Any:
    """A batch of a file, of which only that is read."""
    with path.open("rb", buffering=0) as file:
        file.seek(-8, SEEK_END)
        index = int.from_bytes(file.read(8), sys.byteorder)
        file.seek(index + 16 * number)
        begin, size, end, _ = array("q", file.read(32))
        file.seek(begin)
        return pa.ipc.read_record_batch(_CODEC.decompress(file.read(end - begin), size), schema)


def _of_all(plan: Plan, folder: Path, stage: str, name: str, schema: Any, number: int) -> Iterator[Any]:
    """The batch of this number of each shard."""
    return (_batch(place(folder, stage, shard) / name, schema, number) for shard in range(plan.shards))


# Stage "split": the lines of a part of an input, by the shard of their cluster.


def split(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write `lines.arrow`: a batch for each shard, `chunks` times; lines are numbered in this part from 0."""
    which, begin, end = plan.reads[number]
    source = plan.inputs[which]
    numbers: list[list[int]] = [[] for _ in range(plan.shards)]
    data: list[list[bytes]] = [[] for _ in range(plan.shards)]
    held = chunks = count = 0
    enough = read_bytes(plan.shards)

    def write() -> None:
        nonlocal held, chunks
        for shard in range(plan.shards):
            batches.add(numbers[shard], data[shard])
            numbers[shard].clear()
            data[shard].clear()
        held, chunks = 0, chunks + 1

    with _Batches(inside / "lines.arrow", LINES) as batches:
        for line in read_lines(source, begin, end):
            count = line.number
            if not line.data.strip(b" \t"):
                continue
            try:
                shard = shard_of(line.data, plan.shards)
            except FileProblem as problem:
                raise problem.at(count + lines_before(source, begin), file=source.path) from None
            numbers[shard].append(count - 1)
            data[shard].append(line.data)
            held += len(line.data)
            if held >= enough:
                write()
        if held:
            write()
    return {"lines": count, "chunks": chunks}


def shard_of(line: bytes, shards: int) -> int:
    """The shard of a line's cluster: all lines of a cluster have the same."""
    match = _CLUSTER_ID.match(line)
    try:
        key = match[1].decode() if match else read_key(parse_object(line.decode()), "cluster_id")
    except UnicodeDecodeError:
        # Whatever its shard is, its problem is reported there.
        return 0
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % shards


# Stage "map": the pairs of a shard, in canonical order, and their keys.


def extract(plan: Plan, folder: Path, shard: int, inside: Path) -> dict[str, Any]:
    """Write `pairs.arrow`, a batch for each slice of the output, and `keys.arrow`, one for each prefix."""
    criteria = Criteria(**plan.settings)
    parts = [record(folder, "split", number) for number in range(len(plan.reads))]
    # The number of the first line of each part of the inputs, and at the end of all lines.
    first_lines = np.cumsum([0, *(part["lines"] for part in parts)])
    slices = plan.shards * plan.slices
    ends = [int(first_lines[-1]) * (number + 1) // slices for number in range(slices)]
    counts, problems = ExtractionCounts(), list[FileProblem]()
    keys, orders, slice_number = bytearray(), array("q"), 0
    waiting: list[str] = []

    def write_slice() -> None:
        """The pairs that wait are the last ones of `orders`."""
        nonlocal slice_number
        begin, end = len(orders) - len(waiting), len(orders)
        pairs.add(np.array(orders[begin:], dtype=np.int64), np.arange(begin, end), waiting)
        waiting.clear()
        slice_number += 1

    with TemporaryFile(dir=inside) as text, _Batches(inside / "pairs.arrow", PAIRS) as pairs:
        numbers = array("q")
        for part, written in enumerate(parts):
            lines = place(folder, "split", part) / "lines.arrow"
            for chunk in range(written["chunks"]):
                batch = _batch(lines, LINES, chunk * plan.shards + shard)
                numbers.extend((batch["line"].to_numpy() + first_lines[part]).tolist())
                text.writelines(line.as_buffer().to_pybytes() + b"\n" for line in batch["data"])
        text.seek(0)

        def name_line(line: int) -> str:
            path, in_file = _line_in_file(plan, first_lines, numbers[line - 1])
            return f"Line {in_file} of {path}"

        reader = ArticleReader(text, name_line=name_line)
        for cluster in reader if numbers else ():
            problems += unwritable(cluster)
            if problems or reader.problems:
                continue
            of_cluster = cluster_lines(cluster_texts(cluster), criteria)
            counts += of_cluster.counts
            order = numbers[reader.first_line(cluster.key) - 1]
            while order >= ends[slice_number]:
                write_slice()
            keys += of_cluster.keys
            orders.extend([order] * len(of_cluster.lines))
            waiting += of_cluster.lines
        # Other shards may have articles with sentences; whether none has is seen at the end.
        problems += [problem for problem in reader.problems if problem != NO_SENTENCES]
        if problems:
            problems.sort(key=lambda problem: (problem.line, problem.column or 0))
            raise FileProblem.of([_located(plan, first_lines, numbers, problem) for problem in problems])
        while slice_number < slices:
            write_slice()
    _write_keys(inside / "keys.arrow", plan.shards, bytes(keys), np.array(orders, dtype=np.int64))
    values = asdict(counts)
    del values["seconds"]
    return {"counts": values, "pairs": len(orders), "all_lines": int(first_lines[-1])}


def _line_in_file(plan: Plan, first_lines: Numbers, line: int) -> tuple[str, int]:
    """The file of a line, by its number among all lines from 0, and its number there, from 1."""
    part = int(np.searchsorted(first_lines, line, side="right")) - 1
    which = plan.reads[part][0]
    first_part = next(number for number, read in enumerate(plan.reads) if read[0] == which)
    return plan.inputs[which].path, int(line - first_lines[first_part]) + 1


def _located(plan: Plan, first_lines: Numbers, numbers: array[int], problem: FileProblem) -> FileProblem:
    if not problem.line:
        return problem
    path, line = _line_in_file(plan, first_lines, numbers[problem.line - 1])
    return replace(problem, line=line, file=path)


def _write_keys(path: Path, prefixes: int, keys: bytes, orders: Numbers) -> None:
    high, low = np.frombuffer(keys, dtype=np.uint64).reshape(-1, 2).T
    prefix = (high % np.uint64(prefixes)).astype(np.int64)
    rows = np.argsort(prefix, kind="stable")
    ends = np.searchsorted(prefix[rows], np.arange(prefixes), side="right")
    _write_batches(path, KEYS, ends.tolist(), [high[rows], low[rows], orders[rows], rows])


# Stage "reduce": of the keys with one prefix, those that are not the first of their pair.


def find_repeated(plan: Plan, folder: Path, prefix: int, inside: Path) -> dict[str, Any]:
    """Write `repeated.arrow`: a batch for each part of the output, of the shards and rows of repetitions."""
    batches = list(_of_all(plan, folder, "map", "keys.arrow", KEYS, prefix))
    shards = np.repeat(np.arange(plan.shards, dtype=np.int32), [len(batch) for batch in batches])
    high, low, order, rows = (column.to_numpy() for column in pa.Table.from_batches(batches).columns)
    del batches
    # A cluster has each two texts once, so that no two pairs of a key have the same order.
    by_key = np.lexsort((order, low, high))
    again = np.zeros(len(by_key), dtype=bool)
    again[1:] = (high[by_key][1:] == high[by_key][:-1]) & (low[by_key][1:] == low[by_key][:-1])
    repeated = by_key[again]
    repeated = repeated[np.argsort(order[repeated], kind="stable")]
    lines, parts = record(folder, "map", 0)["all_lines"], plan.shards
    ends = np.searchsorted(order[repeated], [lines * (part + 1) // parts for part in range(parts)])
    _write_batches(inside / "repeated.arrow", REPEATED, ends.tolist(), [shards[repeated], rows[repeated]])
    return {"pairs": len(order), "repeated": len(repeated)}


# Stage "write": a stretch of the output, in canonical order.


def write_part(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the pairs of a stretch of lines, those seen before left out, as Parquet."""
    import pyarrow.parquet as pq

    schema = part_schema(columns_of(plan))
    repeated = pa.Table.from_batches(_of_all(plan, folder, "reduce", "repeated.arrow", REPEATED, number))
    slices = range(number * plan.slices, (number + 1) * plan.slices)
    lines = (some for at in slices for some in _slice(plan, folder, at, repeated))
    count = 0
    with pq.ParquetWriter(inside / part_name(number), schema, compression="zstd") as writer:
        for tables in filter(None, batched((_columns(some, schema) for some in lines), PIECES)):
            writer.write_table(pa.concat_tables(tables))
            count += sum(map(len, tables))
    return {"pairs": count}


def _columns(lines: Any, schema: Any) -> Any:
    """The fields of tab-separated lines, none of which holds a tab, as columns."""
    fields, of_line = pc.split_pattern(lines, "\t").values, len(schema)
    columns = (fields.take(pa.array(np.arange(at, len(fields), of_line))) for at in range(of_line))
    arrays = [column.cast(field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.table(arrays, schema=schema)


def part_schema(columns: tuple[str, ...]) -> Any:
    """The columns of a part: numbers have 32 bits, the rest is text."""
    return parquet_schema({name: int if name in NUMBER_COLUMNS else str for name in columns})


def _slice(plan: Plan, folder: Path, at: int, repeated: Any) -> Iterator[Any]:
    """The lines of the pairs of a slice without the repeated ones, a piece of a row group at a time."""
    of_shard, rows = repeated["shard"].to_numpy(), repeated["row"].to_numpy()
    lines, orders = list[Any](), list[Numbers]()
    for shard, batch in enumerate(_of_all(plan, folder, "map", "pairs.arrow", PAIRS, at)):
        again = rows[of_shard == shard]
        kept = batch.filter(pa.array(~np.isin(batch["row"].to_numpy(), again))) if len(again) else batch
        orders.append(kept["order"].to_numpy())
        lines.append(kept["line"])
    together = pa.concat_arrays(lines)
    del lines
    # All pairs of a cluster come from one shard, in their order.
    by_place = np.argsort(np.concatenate(orders), kind="stable")
    for begin in range(0, len(by_place), ROWS_A_GROUP // PIECES):
        yield together.take(pa.array(by_place[begin : begin + ROWS_A_GROUP // PIECES]))
