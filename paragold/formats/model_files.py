"""Files of trained models: numbers in NumPy's npz, the rest as JSON in it, with a hash over both.

No file of ours is ever unpickled, so a model from a stranger can at worst be refused.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from paragold.formats.text_files import is_stream, whole_file
from paragold.problems import FileProblem

Numbers = Mapping[str, NDArray[Any]]
_DESCRIPTION = "description"
_ROWS_AT_ONCE = 1 << 20


def content_hash(numbers: Numbers, description: Mapping[str, Any]) -> str:
    """SHA-256, as hex digits, over the description and every array's name, type, shape and values."""
    digest = sha256(json.dumps(description, sort_keys=True, ensure_ascii=False).encode())
    for name in sorted(numbers):
        array = numbers[name]
        digest.update(f"|{name}|{array.dtype.str}|{array.shape}|".encode())
        for start in range(0, len(array), _ROWS_AT_ONCE):
            rows = np.ascontiguousarray(array[start : start + _ROWS_AT_ONCE])
            digest.update(rows.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def save(
    target: Path | IO[bytes], numbers: Numbers, description: Mapping[str, Any], *, compressed: bool = True
) -> str:
    """Write a model to a path or an open file, and return its hash. Equal models give equal bytes.

    A path is seen only when complete; several processes may write the same one at a time. Raises OSError
    where it cannot be written.
    """
    digest = content_hash(numbers, description)
    text = json.dumps({"content": description, "sha256": digest}, sort_keys=True, ensure_ascii=False)
    arrays: dict[str, NDArray[Any]] = {**numbers, _DESCRIPTION: np.frombuffer(text.encode(), dtype=np.uint8)}
    write = np.savez_compressed if compressed else np.savez
    with whole_file(target) if isinstance(target, Path) else nullcontext(target) as file:
        # Into a pipe a zip file is written in another way, and is other bytes; into a device it cannot be.
        is_plain = not (isinstance(target, Path) and is_stream(target)) and file.seekable()
        seekable = file if is_plain else io.BytesIO()
        write(seekable, allow_pickle=False, **arrays)
        if isinstance(seekable, io.BytesIO) and seekable is not file:
            file.write(seekable.getbuffer())
    return digest


def load(
    source: Path | IO[bytes], *, file: str = "", max_bytes: int | None = None
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The numbers and the description of a model.

    Raises FileProblem, with `file` or the path as the file, for any other or damaged one and for one that
    unpacks to more than `max_bytes`.
    """
    file = file or str(source)
    try:
        if max_bytes is not None:
            with zipfile.ZipFile(source) as packed:
                if sum(entry.file_size for entry in packed.infolist()) > max_bytes:
                    raise ValueError(f"it unpacks to more than {max_bytes:,} bytes")
        with np.load(source, allow_pickle=False) as archive:
            numbers = {name: archive[name] for name in archive.files}
        stored = json.loads(numbers.pop(_DESCRIPTION).tobytes())
        description, digest = stored["content"], stored["sha256"]
    # Damaged archives fail in many ways: zipfile, zlib, NumPy's header and missing entries.
    except Exception as error:
        raise FileProblem(
            f"It is not a model of Paragold ({error}).", "Train the model again.", file=file
        ) from error
    if content_hash(numbers, description) != digest:
        raise FileProblem(
            "It was changed or damaged: its hash does not fit.", "Train the model again.", file=file
        )
    return numbers, description
