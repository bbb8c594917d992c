"""Packages that only a part of the library needs: the extras of pyproject.toml, and what to install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from shlex import join

EXTRAS = {
    "dask": ("This executor needs", ("dask[distributed]",)),
    "encoder": ("An encoder needs", ("safetensors", "tokenizers")),
    "hub": ("Uploading needs", ("huggingface-hub",)),
    "many": ("Many files, Parquet and Zstandard need", ("duckdb", "fsspec", "pyarrow")),
    "pages": ("Pages need", ("lxml", "protego", "trafilatura")),
    "ray": ("This executor needs", ("ray",)),
    "slurm": ("This executor needs", ("submitit",)),
    "tables": ("Tables need", ("pandas",)),
}
"""What needs an extra, and its packages."""


class MissingPackageError(ImportError, ValueError):
    """A package is not installed; the message says what needs it and what to install."""


def install_hint(extra: str) -> str:
    """What needs the packages of an extra, and how to install them."""
    purpose, packages = EXTRAS[extra]
    named = " and ".join(filter(None, [", ".join(packages[:-1]), packages[-1]]))
    return f"{purpose} {named}: pip install {join(packages)}."


@contextmanager
def needed(extra: str) -> Iterator[None]:
    """Around imports of packages of an extra: raises MissingPackageError where one is not installed."""
    try:
        yield
    except ImportError as error:
        raise MissingPackageError(install_hint(extra)) from error


def check_tables() -> None:
    """Raise MissingPackageError without pandas, before long work whose result is a table."""
    with needed("tables"):
        import_module("pandas")
