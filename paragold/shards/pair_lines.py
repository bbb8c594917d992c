"""Parts of pairs as one file of tab-separated lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

_ROWS_AT_ONCE = 8_000


def lines_described(folder: Path, parts: Iterable[str], columns: Sequence[str]) -> dict[str, Any]:
    """What a manifest says of parts of pairs: their columns, and the sha256 of their tab-separated lines."""
    digest = sha256()
    for lines in tsv_blocks(folder, parts, columns):
        digest.update(lines)
    return {"columns": list(columns), "pairs_sha256": digest.hexdigest()}


def tsv_blocks(folder: Path, parts: Iterable[str], columns: Sequence[str]) -> Iterator[bytes]:
    """The header, and the lines of the parts in blocks, as the extraction in one process writes them."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    yield ("\t".join(columns) + "\n").encode()
    for part in parts:
        with pq.ParquetFile(folder / part) as file:
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=list(columns)):
                texts = [_as_text(batch[name]) for name in columns]
                empty, tab, end = (pa.scalar(text, pa.large_string()) for text in ("", "\t", "\n"))
                texts[-1] = pc.binary_join_element_wise(texts[-1], empty, end)
                lines = pc.binary_join_element_wise(*texts, tab)
                # The lines follow each other without a gap.
                yield lines.buffers()[2].to_pybytes()


def _as_text(column: Any) -> Any:
    """The values as text; numbers that are not whole have six decimals."""
    import pyarrow as pa

    if pa.types.is_floating(column.type):
        return pa.array([f"{value:.6f}" for value in column.to_pylist()], pa.large_string())
    return column.cast(pa.large_string())
