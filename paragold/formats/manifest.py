"""The manifest of an exported data set: its files with their hashes, so that changes are noticed."""

import json
from collections.abc import Iterable, Mapping
from hashlib import file_digest, sha256
from pathlib import Path, PurePosixPath
from typing import Any

VERSION = 1

Manifest = dict[str, object]


def build_manifest(
    files: Mapping[str, Mapping[str, object]],
    *,
    counts: Mapping[str, int],
    signatures: Mapping[str, str],
    details: Mapping[str, object] | None = None,
) -> Manifest:
    """The manifest of files given as name (a relative path with `/`) and their `bytes` and `sha256`.

    `counts` are numbers such as pairs or judgements, `signatures` name method, version, parameters and
    seed of each step, `details` is any further JSON (criteria, agreement, pseudonyms).
    Nothing here depends on the clock or the machine, so equal content has an equal manifest.
    Raises ValueError for a name that is empty, absolute, or leaves the data set's folder.
    """
    check_names(files)
    return {
        "manifest_version": VERSION,
        "files": dict(files),
        "counts": dict(counts),
        "signatures": dict(signatures),
        "details": dict(details or {}),
    }


def check_names(names: Iterable[str]) -> None:
    """Raises ValueError for a name that is empty, absolute, or leaves the data set's folder."""
    for name in names:
        path = PurePosixPath(name)
        if not name or path.is_absolute() or ".." in path.parts or "\\" in name:
            raise ValueError(f"{name!r} is not a path inside the data set")


def dumps(manifest: Manifest) -> str:
    """The manifest as JSON: keys sorted, two spaces of indent, a line feed at the end.

    Raises ValueError for a number that JSON does not know (NaN, infinity).
    """
    return json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False) + "\n"


def verify(manifest: Mapping[str, object], folder: Path) -> list[str]:
    """The differences between the files in `folder` and the manifest, one sentence each.

    Raises ValueError when the manifest has no table of files.
    """
    files = manifest.get("files")
    if not isinstance(files, dict):
        raise ValueError("the manifest has no table of files")
    problems = []
    for name, expected in sorted(files.items()):
        path = folder / name
        if not isinstance(expected, dict) or not isinstance(expected.get("sha256"), str):
            problems.append(f"{name} has no sha256 in the manifest.")
        elif not path.is_file():
            problems.append(f"{name} is missing.")
        elif sha256_of(path) != expected["sha256"]:
            problems.append(f"{name} was changed: its sha256 is not that of the manifest.")
    return problems


def described_file(path: Path) -> dict[str, Any]:
    """Bytes and SHA-256 of a file, for a manifest."""
    return {"bytes": path.stat().st_size, "sha256": sha256_of(path)}


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file of any size, in hexadecimal digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def described_content(content: bytes) -> dict[str, Any]:
    """Bytes and SHA-256 of a file's content, for a manifest."""
    return {"bytes": len(content), "sha256": sha256(content).hexdigest()}
