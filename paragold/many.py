"""Extraction and matching over many files, on any executor.

Every part is a file that is complete or not there. A job that was killed, in whatever process, goes on when
the same call is made again, and its result has the same bytes.
"""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b, sha256
from itertools import chain
from pathlib import Path
from re import compile as pattern
from tempfile import mkdtemp
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from paragold import __version__, limits
from paragold.executors import Executor
from paragold.extraction.criteria import Criteria
from paragold.extraction.files import cluster_lines, cluster_texts, pair_columns, unwritable
from paragold.extraction.records import new_counts
from paragold.formats.json_lines import parse_object
from paragold.formats.tables import UNWRITABLE, check_width
from paragold.formats.text_files import TextLines, whole_file, write_text
from paragold.languages import language
from paragold.matching.files import PAIR_COLUMNS, text_columns
from paragold.matching.similar_pairs import (
    SCORED,
    WordSets,
    band_keys,
    banding_for,
    by_score,
    content_words,
    groups_of_equal,
    one_partner_each,
    scored_pairs,
)
from paragold.matching.specs import MatchingSpec
from paragold.packages import needed
from paragold.parallel import portions
from paragold.problems import FileProblem, quoted
from paragold.registry import plugin_failures
from paragold.sources.articles import NO_SENTENCES, ArticleReader, Keys, Place, RawArticle, Source

with needed("many"):
    import duckdb
    import fsspec
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

PAIRS, MANIFEST = "pairs.parquet", "manifest.json"
# What a process holds at a time, and the database of the last step.
HELD_BYTES, HELD_ROWS, HELD_TEXTS = 4 << 20, 10_000, 20_000
DATABASE = "SET memory_limit = '150MB'; SET threads = 2"
# A shard has about so many bytes of input; of packed ones a quarter.
SHARD_BYTES, MOST_SHARDS = 64 << 20, 256
# A place in the input is the index of a file and a line, or a text, in it.
PLACES_A_FILE = 1 << 40
BAND = np.uint64(0x9E3779B97F4A7C15)
BAND_KEY = np.dtype([("key", "u8"), ("place", "i8")])
FOUND = pa.schema([("line", pa.string()), *((name, pa.uint64()) for name in ("a", "b", "place", "row"))])
TEXTS = pa.schema(
    {"place": pa.int64(), "line": pa.int64(), "id": pa.string(), "text": pa.string()}
    | {"words": pa.list_(pa.string())}
)
MATCHED = pa.schema({"first": pa.int64(), "second": pa.int64(), "score": pa.float64()})
NUMBERS = dict.fromkeys(("sentence_a", "sentence_b", "edit_distance"), pa.int32())
NUMBERS |= dict.fromkeys(("score", "jaccard"), pa.float64())
_FIRST_KEY = pattern(r'\s*\{\s*"cluster_id"\s*:\s*"([^"\\]+)"')
_UNREADABLE = (OSError, ValueError, ImportError)
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Job:
    """The inputs of a job, the folder of its parts and the number of shards."""

    inputs: tuple[str, ...]
    work: Path
    shards: int

    def part(self, step: str, number: int) -> Path:
        """The file or folder of a part."""
        return self.work / f"{step}-{number}"

    def parts(self, step: str, number: int) -> list[str]:
        """Those of all parts of a step."""
        return [str(self.part(step, part)) for part in range(number)]

    def do(
        self, executor: Executor, step: str, make: Callable[..., None], number: int, **values: Any
    ) -> None:
        """Make the parts of a step that are not there yet. Raises FileProblem with the problems of all."""
        missing = [part for part in range(number) if not self.part(step, part).exists()]
        run(executor, partial(make, job=self, **values), missing)


def extract_many(
    inputs: Sequence[str | Path],
    folder: Path,
    criteria: Criteria,
    *,
    executor: Executor,
    shards: int | None = None,
) -> dict[str, int]:
    """Write the candidate pairs of articles in many files, `pairs.parquet` and `manifest.json`.

    The pairs, their order and the counts are those of `extract_file` of all inputs, one after the other,
    whatever the executor and the number of shards; `pairs_sha256` is the hash of the file that it writes.

    Parameters
    ----------
    inputs : sequence of str or Path
        JSON Lines (docs/formats/articles.md), also .gz and .zst, and Parquet with the same keys as columns:
        paths, or addresses that fsspec knows, or patterns of them. A cluster may be in several.
    folder : Path
        All workers see it under this path. What was done in it before stays done.
    executor : Executor
        See `paragold.executors`.
    shards : int, optional
        Parts of the work; by default one for each 64 MB.

    Raises
    ------
    FileProblem
        An input cannot be read, or has problems: up to 100, with file and line. The folder holds another run.
    """
    if criteria.clusters != "all":
        remedy = "Extract within a project, or set clusters to all."
        raise FileProblem(f"clusters: {criteria.clusters} means those that a project keeps apart.", remedy)
    about = {"operation": "extract", "spec": criteria.as_json(), "signature": criteria.signature()}
    job, manifest = begin(expanded(inputs), folder, about, executor, shards)
    if not manifest:
        job.do(executor, "lines", _divide, len(job.inputs))
        job.do(executor, "found", _extract, job.shards, criteria=criteria)
        counts = new_counts()
        for path in job.parts("counts", job.shards):
            counts.update(json.loads(Path(path).read_text()))
        if not counts["clusters"]:
            raise NO_SENTENCES.at(file=job.inputs[0])
        with database(job) as db:
            db.read_parquet(job.parts("found", job.shards)).create_view("found")
            # Pairs that come again are left out; there are few of them.
            db.execute(
                "CREATE TABLE again AS SELECT place, row FROM found "
                "QUALIFY row_number() OVER (PARTITION BY a, b ORDER BY place, row) > 1"
            )
            query = "SELECT line FROM found ANTI JOIN again USING (place, row) ORDER BY place, row"
            kept, digest = _write(db, query, folder / PAIRS, pair_columns(criteria))
        again = counts["pairs_kept"] - kept
        counts.update(pairs_kept=-again, rejected_seen_before=again)
        manifest = end(job, folder, {"counts": counts, "pairs_sha256": digest})
    counts_of_all: dict[str, int] = manifest["counts"]
    return counts_of_all


def begin(
    paths: Sequence[str],
    folder: Path,
    about: Mapping[str, Any],
    executor: Executor,
    shards: int | None = None,
) -> tuple[Job, dict[str, Any]]:
    """The job, which may go on with an earlier one; and its manifest, {} unless that was completed."""
    read = run(executor, _hash_of, paths)
    plan = json.loads(json.dumps({**about, "inputs_sha256": [digest for digest, _ in read]}))
    work = folder / "work"
    for path in (folder / MANIFEST, work / "plan.json"):
        if path.exists():
            known = json.loads(path.read_text(encoding="utf-8"))
            if {name: known.get(name) for name in plan} != plan:
                raise FileProblem("The folder holds another run.", "Choose another one.", file=str(folder))
            return Job(tuple(paths), work, known["shards"]), known if path.name == MANIFEST else {}
    if (folder / PAIRS).exists():
        raise FileProblem("It is of unknown origin.", "Choose another folder.", file=str(folder / PAIRS))
    shards = shards or min(MOST_SHARDS, 8 + sum(size for _, size in read) // SHARD_BYTES)
    work.mkdir(parents=True, exist_ok=True)
    write_text(work / "plan.json", json.dumps({**plan, "shards": shards}))
    return Job(tuple(paths), work, shards), {}


def end(job: Job, folder: Path, results: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest, written; the files of the parts are removed."""
    plan: dict[str, Any] = json.loads((job.work / "plan.json").read_text(encoding="utf-8"))
    manifest = {**plan, "paragold": __version__, "inputs": list(job.inputs), **results}
    write_text(folder / MANIFEST, json.dumps(manifest, indent=1))
    shutil.rmtree(job.work, ignore_errors=True)
    return manifest


def run(executor: Executor, function: Callable[[Part], Any], parts: Iterable[Part]) -> list[Any]:
    """The results of all parts. Raises FileProblem with the first problems of all, by file and line."""
    done = list(executor.map(partial(_attempt, function), parts))
    problems = [problem for _, problems in done for problem in problems]
    _refuse(sorted(problems, key=lambda problem: (problem.file, problem.line)))
    return [result for result, _ in done]


def _attempt(function: Callable[[Part], Any], part: Part) -> tuple[Any, tuple[FileProblem, ...]]:
    try:
        with plugin_failures():
            return function(part), ()
    except FileProblem as problem:
        return None, problem.problems


def _refuse(problems: Sequence[FileProblem]) -> None:
    if problems:
        raise FileProblem.of(problems[: limits.PROBLEMS])


@contextmanager
def _whole_folder(path: Path) -> Iterator[Path]:
    """A folder to fill that gets its name when the block ends well."""
    folder = Path(mkdtemp(dir=path.parent))
    try:
        yield folder
        # Where a machine was lost only seemingly, somebody else may have filled one meanwhile.
        if not path.exists():
            folder.rename(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(job: Job) -> Iterator[Any]:
    """A database in memory, what does not fit there in the folder of the job."""
    # Settings given to `connect` would import pandas, which costs more than the whole database.
    with duckdb.connect() as db:
        db.execute(DATABASE)
        db.execute("SET temp_directory = '{}'".format(str(job.work).replace("'", "''")))
        yield db


def expanded(inputs: Iterable[str | Path]) -> tuple[str, ...]:
    """The files of paths, addresses and patterns, each once. Raises FileProblem for a pattern of no file."""
    paths: list[str] = []
    for given in map(str, inputs):
        files = fsspec.open_files(given, "rb")
        if not files:
            raise FileProblem("There is no such file.", "Check the pattern.", file=given)
        paths += sorted(file.full_name if "://" in given else file.path for file in files)
    return tuple(dict.fromkeys(paths))


@contextmanager
def _readable(path: str) -> Iterator[None]:
    try:
        yield
    except FileProblem as problem:
        raise problem.at(file=path) from problem.__cause__
    except _UNREADABLE as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error
        remedy = "Check the path and that it is complete."
        raise FileProblem(f"It cannot be read ({why}).", remedy, file=path) from error


def _hash_of(path: str) -> tuple[str, int]:
    """The SHA-256 of a file as it is, and its size, about, unpacked."""
    digest, size = sha256(), 0
    with _readable(path), fsspec.open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
    return digest.hexdigest(), size if path.endswith("l") else 4 * size


def lines_of(path: str, problems: list[FileProblem]) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, or the rows of a Parquet file as JSON, with their numbers.

    Problems of lines are added to the others; all are raised at the end.
    """
    with _readable(path), fsspec.open(path, "rb") as stream:
        if path.endswith(".parquet"):
            rows = (row for batch in pq.ParquetFile(stream).iter_batches(64) for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                given = {name: value for name, value in row.items() if value is not None}
                yield number, json.dumps(given, default=str, ensure_ascii=False)
        else:
            yield from TextLines(stream, "utf-8", problems)
    _refuse([problem.at(file=path) for problem in problems])


def cluster_of(line: str) -> str:
    """The cluster of a line; "" where it cannot be read, which is reported when the line is extracted."""
    if first := _FIRST_KEY.match(line):
        return first[1]
    try:
        return str(Keys().of_line(json.loads(line))["cluster_id"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ""


def _divide(which: int, *, job: Job) -> None:
    """Divide the lines of an input among the shards, all of a cluster to one, with their numbers."""
    waiting: dict[int, list[str]] = defaultdict(list)
    held = 0
    with _whole_folder(job.part("lines", which)) as folder:
        for number, line in chain(lines_of(job.inputs[which], []), [(0, "")]):
            if number:
                key = cluster_of(line).encode("utf-8", "surrogatepass")
                shard = int.from_bytes(blake2b(key, digest_size=8).digest()) % job.shards
                waiting[shard].append(f"{number} {line}\n")
            held += len(line)
            if held > HELD_BYTES or not number:
                for shard, lines in waiting.items():
                    with (folder / str(shard)).open("a", encoding="utf-8", newline="") as file:
                        file.writelines(lines)
                waiting.clear()
                held = 0


def _extract(shard: int, *, job: Job, criteria: Criteria) -> None:
    """The pairs of a shard's clusters as lines with their keys and places; and a file of counts."""
    counts, problems = new_counts(), list[FileProblem]()
    lines, numbers = list[str](), list[NDArray[np.uint64]]()
    reader = ArticleReader(_Shard(shard, job), folder=job.work)
    number_of = {path: at for at, path in enumerate(job.inputs)}
    with (
        whole_file(job.part("found", shard)) as file,
        pq.ParquetWriter(file, FOUND, compression="lz4") as writer,
    ):
        for cluster in chain(reader, [None]):
            if lines and (cluster is None or len(lines) >= HELD_ROWS):
                columns = [_texts_column(lines), *map(_numbers_column, np.concatenate(numbers).T)]
                writer.write_table(pa.table(columns, schema=FOUND))
                lines, numbers = [], []
            problems += unwritable(cluster) if cluster else []
            if cluster is None or problems or reader.problems:
                continue
            found, of_cluster, compared = cluster_lines(cluster_texts(cluster), criteria)
            counts.update(compared)
            if of_cluster:
                path, line = reader.first_place(cluster[0])
                keys = np.frombuffer(found, np.uint64).reshape(-1, 2)
                rows = np.arange(len(keys), dtype=np.uint64)
                first = np.full_like(rows, number_of[path] * PLACES_A_FILE + line)
                lines += of_cluster
                numbers.append(np.column_stack((keys, first, rows)))
        # That all of a shard is empty is no problem.
        problems += [problem for problem in reader.problems if problem.line]
        _refuse(problems)
        write_text(job.part("counts", shard), json.dumps(counts))


# `pa.array` would import pandas, which takes half a second and 45 MB of each worker.
def _numbers_column(numbers: NDArray[np.uint64]) -> pa.Array:
    return pa.Array.from_buffers(
        pa.uint64(), len(numbers), [None, pa.py_buffer(np.ascontiguousarray(numbers))]
    )


def _texts_column(texts: Sequence[str]) -> pa.Array:
    encoded = [text.encode() for text in texts]
    ends = pa.py_buffer(np.cumsum([0, *map(len, encoded)], dtype=np.int32))
    return pa.StringArray.from_buffers(len(texts), ends, pa.py_buffer(b"".join(encoded)))


class _Shard(Source):
    """The lines of a shard, with their places in the inputs."""

    is_checked = True

    def __init__(self, shard: int, job: Job) -> None:
        super().__init__()
        self._files = [(path, job.part("lines", at) / str(shard)) for at, path in enumerate(job.inputs)]

    def __iter__(self) -> Iterator[RawArticle]:
        keys = Keys()
        for path, part in self._files:
            with part.open(encoding="utf-8", newline="\n") if part.exists() else nullcontext(()) as lines:
                for line in lines:
                    number, _, text = line.partition(" ")
                    try:
                        yield Place(path, int(number)), keys.of_line(parse_object(text))
                    except FileProblem as problem:
                        self.problems.append(problem.at(int(number), file=path))


def _write(db: Any, query: str, path: Path, columns: Sequence[str]) -> tuple[int, str]:
    """Write lines of cells between tabs as Parquet; how many, and the hash of the file that they make."""
    digest, rows = sha256(("\t".join(columns) + "\n").encode()), 0
    schema = pa.schema({name: NUMBERS.get(name, pa.string()) for name in columns})
    with whole_file(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in db.sql(query).to_arrow_reader(HELD_ROWS):
            lines = "".join(f"{line}\n" for line in batch["line"].to_pylist()).encode()
            digest.update(lines)
            rows += len(batch)
            cells = csv.read_csv(
                pa.BufferReader(lines),
                csv.ReadOptions(use_threads=False, column_names=columns, block_size=len(lines) + 1),
                csv.ParseOptions(delimiter="\t", quote_char=False),
                csv.ConvertOptions(column_types=schema, check_utf8=False),
            )
            writer.write_table(cells)
    return rows, digest.hexdigest()


def match_many(
    inputs: Sequence[str | Path],
    folder: Path,
    spec: MatchingSpec,
    *,
    executor: Executor,
    against: Sequence[str | Path] = (),
    shards: int | None = None,
) -> int:
    """Match the texts of many files by bands, with each other or those `against` them; the number of pairs.

    They are those of `match_files` with the method `bands`, for one file, or two. Inputs are as for
    `extract_many`, with `id` and `text`, or .tsv as for `match_files`. Errors are the same, and FileProblem
    for an id that occurs twice.
    """
    if spec.method not in ("auto", "bands"):
        raise FileProblem(f"The method {spec.method} is for one file.", "Choose bands, or match one file.")
    spec = spec.replace(method="bands")
    own, others = expanded(inputs), expanded(against)
    split = len(own) if against else 0
    about = {"operation": "match", "spec": spec.as_json(), "signature": spec.signature(), "split": split}
    job, manifest = begin([*own, *others], folder, about, executor, shards)
    if not manifest:
        number = len(job.inputs)
        job.do(executor, "texts", _read_texts, number, spec=spec)
        if not job.part("codes", 0).exists():
            _number_words(job)
        job.do(executor, "bands", _band, number, spec=spec)
        job.do(
            executor, "matched", _verify, job.shards, threshold=spec.threshold, split=split * PLACES_A_FILE
        )
        with database(job) as db:
            db.read_parquet(job.parts("matched", job.shards)).distinct().create("pairs")
            if spec.greedy:
                found = db.table("pairs").to_arrow_table().itercolumns()
                pairs = one_partner_each(by_score(scored_pairs(*(column.to_numpy() for column in found))))
                db.register("kept", pa.table([pairs[name] for name in MATCHED.names], schema=MATCHED))
                db.execute("CREATE OR REPLACE TABLE pairs AS FROM kept")
            db.read_parquet(job.parts("texts", number)).create_view("texts")
            query = (
                "SELECT concat_ws(chr(9), a.id, b.id, format('{0:.6f}', score), format('{0:.6f}', score), "
                "a.text, b.text) AS line FROM pairs JOIN texts a ON first = a.place "
                "JOIN texts b ON second = b.place ORDER BY score DESC, first, second"
            )
            kept, digest = _write(db, query, folder / PAIRS, PAIR_COLUMNS)
        manifest = end(job, folder, {"counts": {"pairs": kept}, "pairs_sha256": digest})
    return int(manifest["counts"]["pairs"])


def _read_texts(which: int, *, job: Job, spec: MatchingSpec) -> None:
    """The texts of an input, each with its words in the order of their first appearance."""
    own = language(spec.language)
    with whole_file(job.part("texts", which)) as file, pq.ParquetWriter(file, TEXTS) as writer:
        rows = enumerate(_texts(job.inputs[which]), which * PLACES_A_FILE)
        for some in portions(rows, HELD_TEXTS):
            places, found = zip(*some, strict=True)
            lines, *columns = zip(*found, strict=True)
            shown = [[UNWRITABLE.sub(" ", cell) for cell in column] for column in columns]
            words = [list(dict.fromkeys(content_words(text, spec.stop_words, own))) for text in columns[1]]
            writer.write_table(pa.table([places, lines, *shown, words], schema=TEXTS))


def _texts(path: str) -> Iterator[tuple[int, str, str]]:
    """Line, id and text of each text of a file."""
    problems: list[FileProblem] = []
    id_column, text_column, width = 0, 1, 2
    for position, (line, row) in enumerate(lines_of(path, problems)):
        try:
            if ".tsv" in path:
                fields: list[Any] = row.split("\t")
                if not position:
                    id_column, text_column, width, is_header = text_columns(fields)
                    if is_header:
                        continue
            else:
                fields = [*map(parse_object(row).get, ("id", "text"))]
            check_width(fields, width)
            key, text = fields[id_column], fields[text_column]
            if not all(isinstance(cell, str) and cell.strip() for cell in (key, text)):
                raise FileProblem("The line has not an id and a text.", "Give both, as strings.")
            yield line, key.strip(), text.strip()
        except FileProblem as problem:
            problems.append(problem.at(line, file=path))


def _number_words(job: Job) -> None:
    """Give each word its code among the words of all texts, the rarest first. Raises FileProblem."""
    path = job.part("codes", 0)
    with database(job) as db:
        db.read_parquet(job.parts("texts", len(job.inputs))).create_view("texts")
        again = db.sql(
            "SELECT place, line, id FROM texts QUALIFY row_number() OVER (PARTITION BY id ORDER BY place) > 1"
        ).fetchall()
        message, remedy = "The id {} occurs twice.", "Give each text its own."
        _refuse(
            [
                FileProblem(
                    message.format(quoted(key)), remedy, None, line, job.inputs[place // PLACES_A_FILE]
                )
                for place, line, key in again
            ]
        )
        db.sql(
            "SELECT word, row_number() OVER (ORDER BY count(*), min((place, rank))) - 1 AS code FROM (SELECT "
            "place, unnest(words) AS word, generate_subscripts(words, 1) AS rank FROM texts) GROUP BY word"
        ).write_parquet(f"{path}.partial")
    Path(f"{path}.partial").replace(path)


def _band(which: int, *, job: Job, spec: MatchingSpec) -> None:
    """The band keys of the texts of an input, divided among the shards; and their sets of words."""
    file = pq.ParquetFile(job.part("texts", which))
    with _whole_folder(job.part("bands", which)) as folder, database(job) as db:
        db.read_parquet(str(job.part("codes", 0))).create_view("codes")
        for group in range(file.num_row_groups):
            db.register("texts", file.read_row_group(group, ["place", "words"]))
            rows = db.sql(
                "SELECT place, list(code::INTEGER ORDER BY code) AS codes FROM (SELECT place, unnest(words) "
                "AS word FROM texts) JOIN codes USING (word) GROUP BY place ORDER BY place"
            ).to_arrow_table()
            places, codes = rows["place"].to_numpy(), rows["codes"].combine_chunks()
            sets = WordSets(codes.values.to_numpy(), codes.offsets.to_numpy().astype(np.int64))
            np.savez(folder / f"sets-{group}.npz", places=places, codes=sets.codes, offsets=sets.offsets)
            # Keys of different bands that are equal by chance make candidates, which are verified.
            keys = np.array([*band_keys(sets, banding_for(spec.threshold), spec.seed)], np.uint64)
            keys ^= np.arange(len(keys), dtype=np.uint64)[:, None] * BAND
            records = np.empty(keys.size, BAND_KEY)
            records["key"], records["place"] = keys.ravel(), np.tile(places, len(keys))
            shard_of = records["key"] % np.uint64(job.shards)
            for shard in np.unique(shard_of).tolist():
                with (folder / str(shard)).open("ab") as output:
                    records[shard_of == shard].tofile(output)


def _verify(shard: int, *, job: Job, threshold: float, split: int) -> None:
    """The pairs of texts with equal keys in a shard whose Jaccard is the threshold or more."""
    from paragold.matching.kernels import similar_in_groups

    folders = [job.part("bands", which) for which in range(len(job.inputs))]
    files = [folder / str(shard) for folder in folders if (folder / str(shard)).exists()]
    records = np.concatenate([np.empty(0, BAND_KEY), *(np.fromfile(file, BAND_KEY) for file in files)])
    members, bounds = groups_of_equal(records["key"], records["place"])
    places, local = np.unique(members, return_inverse=True)
    codes, sizes = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
    of_files, numbers = np.divmod(places, PLACES_A_FILE)
    for which, group in sorted({*zip(of_files.tolist(), (numbers // HELD_TEXTS).tolist(), strict=True)}):
        held = np.load(folders[which] / f"sets-{group}.npz")
        at = np.flatnonzero(np.isin(held["places"], places, assume_unique=True))
        sets = WordSets(held["codes"], held["offsets"]).take(at)
        codes.append(sets.codes)
        sizes.append(sets.sizes)
    offsets = np.cumsum(np.concatenate(sizes))
    before = int(np.searchsorted(places, split))
    if split and not before:
        bounds = bounds[:1]
    room = np.empty(HELD_ROWS, SCORED)
    pairs = similar_in_groups(offsets, np.concatenate(codes), local, bounds, threshold, before, room)
    columns = [places[pairs["first"]], places[pairs["second"]], pairs["score"]]
    with whole_file(job.part("matched", shard)) as output:
        pq.write_table(pa.table(columns, schema=MATCHED), output)
