"""What a step is: its parameters, its stages, the work of one task, and what its manifest says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from paragold.problems import FileProblem
from paragold.shards.commits import part_name, record
from paragold.shards.inputs import Input
from paragold.shards.pair_lines import lines_described
from paragold.shards.plan import MAX_SHARDS, Plan, reads_of, shards_for
from paragold.spec import Spec, SpecError, param

T = TypeVar("T")

ROWS_AT_ONCE = 8_000
PAIR_TEXTS = ("text_a", "text_b")


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asks of a step.

    values: of `Step.parameters`. more: settings that the parameters do not declare (`set` of a plan file).
    models: the file of each parameter that names one, with its SHA-256. criteria: those by which the pairs
    of the inputs were extracted, where that is known.
    """

    inputs: tuple[Input, ...]
    values: Spec
    more: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, Input] = field(default_factory=dict)
    criteria: Mapping[str, Any] | None = None


class ShardsSpec(Spec):
    """The parameter of all steps that divide their result themselves."""

    shards: int | None = param(
        None, "Shards", "Parts of the result; by size unless given.", ge=1, le=MAX_SHARDS
    )


@dataclass(frozen=True, slots=True)
class Stage:
    """Tasks that do not depend on each other.

    meaning: what they do, in words. work: does one: takes the plan, the folder of the run, the number of the
    task and a folder for its files, and returns what is to be known of them. tasks: how many there are.
    needs: the stages whose results it reads.
    """

    meaning: str
    work: Callable[[Plan, Path, int, Path], dict[str, Any]]
    tasks: int
    needs: tuple[str, ...] = ()


class Step(ABC):
    """One kind of work from files to a folder of files, divided into tasks.

    reads, gives: "articles", "pairs", "aligner", "table", what its inputs and its result are.
    models: the parameters that name a file which the step needs, with what gives such a file.
    """

    id: ClassVar[str]
    label: ClassVar[str]
    reads: ClassVar[str]
    gives: ClassVar[str]
    parameters: ClassVar[type[Spec]] = Spec
    models: ClassVar[Mapping[str, str]] = {}

    def plan(self, asked: Asked) -> Plan:
        """The plan of what is asked. Raises FileProblem or ValueError for what cannot be done."""
        settings = {**asked.values.as_json(), **asked.more}
        for name, model in asked.models.items():
            settings |= {name: model.path, f"{name}_sha256": model.sha256}
        shards = settings.pop("shards", None) or shards_for(asked.inputs)
        version = f"version:{asked.values.VERSION}"
        parts = tuple((number, 0, source.size) for number, source in enumerate(asked.inputs))
        return Plan(
            step=self.id,
            inputs=asked.inputs,
            reads=reads_of(asked.inputs) if self.reads == "articles" else parts,
            shards=shards,
            slices=1,
            settings=settings,
            signature="|".join([*(f"{name}:{settings[name]}" for name in sorted(settings)), version]),
            options={"criteria": asked.criteria},
        )

    def check(self, values: Spec, more: Mapping[str, Any]) -> None:
        """Raise SpecError for settings that are not allowed, before anything is read; `more` is `set`."""
        if more:
            raise SpecError([("set", f"The step {self.id} has no further settings.")])

    @abstractmethod
    def stages(self, plan: Plan) -> dict[str, Stage]:
        """The stages in the order in which they run, by name; the files of the last one are the result."""

    @abstractmethod
    def counts(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, int]:
        """`counts` of the manifest; the files of the last stage are in the folder.

        Raises FileProblem where the results of all tasks together cannot be used.
        """

    def details(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, Any]:
        """What the manifest says more, in `details`."""
        return {"settings": plan.settings}


class MapStep(Step):
    """A step that makes one part of each part that it reads."""

    def stages(self, plan: Plan) -> dict[str, Stage]:
        return {"map": Stage(self.label, self.work, len(plan.reads))}

    def work(self, plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
        """Write a part."""
        writer, counts, rows = None, Counter[str](), 0
        try:
            for table, of_table in self.tables(plan, number):
                writer = writer or pq.ParquetWriter(
                    inside / part_name(number), table.schema, compression="zstd"
                )
                writer.write_table(table)
                rows += len(table)
                counts.update(of_table)
        finally:
            if writer is not None:
                writer.close()
        return {"counts": counts, **({"pairs": rows} if self.gives == "pairs" else {})}

    @abstractmethod
    def tables(self, plan: Plan, number: int) -> Iterator[tuple[Any, dict[str, int]]]:
        """The tables of a part, at least one, with what is to be counted of each."""

    def counts(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, int]:
        totals = Counter[str]()
        for number in range(len(plan.reads)):
            totals.update(record(folder, "map", number)["counts"])
        return dict(totals)

    def details(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, Any]:
        details = super().details(folder, plan, files)
        if self.gives != "pairs":
            return details
        columns = pq.read_schema(folder / part_name(0)).names
        return {
            **details,
            "criteria": plan.options["criteria"],
            **lines_described(folder, files, columns),
        }


@lru_cache(maxsize=1)
def read_once(read: Callable[[Path], Any], path: str, sha256: str) -> Any:
    """The model of a file, read once in a process; the hash tells files of one name apart."""
    return read(Path(path))


def batched(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """The rows in lists of so many; one list at least, which may be empty."""
    iterator = iter(rows)
    batch = list(islice(iterator, size))
    yield batch
    while batch := list(islice(iterator, size)):
        yield batch


def pair_batches(source: Input, columns: Sequence[str] = PAIR_TEXTS) -> Iterator[Any]:
    """The rows of a part of pairs, some thousands at a time; one batch at least, which may be empty.

    Raises FileProblem for a part without the columns.
    """
    with pq.ParquetFile(source.path) as file:
        lacking = [name for name in columns if name not in file.schema_arrow.names]
        if lacking:
            raise FileProblem(
                f"It has no column {lacking[0]}.",
                "Give parts of pairs as extract writes them.",
                file=source.path,
            )
        batch = None
        for batch in file.iter_batches(ROWS_AT_ONCE):
            yield batch
        if batch is None:
            yield pa.RecordBatch.from_pylist([], schema=file.schema_arrow)


def with_column(batch: Any, name: str, values: Any) -> Any:
    """The rows as a table with one more column at the end, in place of one of that name."""
    table = pa.Table.from_batches([batch])
    if name in table.column_names:
        table = table.drop_columns([name])
    return table.append_column(pa.field(name, values.type, nullable=False), values)
