"""Which kernel measures distances: asked for by name, or the fastest that a worker has."""

from __future__ import annotations

from importlib.util import find_spec

from paragold.extraction.kernels import NAMES
from projects.errors import PublicError


def checked_kernel(name: str) -> str:
    """`name`, "" for the fastest. Raises PublicError when this installation has no such kernel.

    The package is looked for, not loaded: only workers need it.
    """
    if name and name not in NAMES:
        raise PublicError(f"{name}: no such kernel. There are: {', '.join(NAMES)}.", field="kernel")
    if name == "numba" and find_spec("numba") is None:
        raise PublicError(
            "The kernel numba needs the package numba, which is not installed here. Install it, or use "
            "rapidfuzz: it finds the same pairs in more time.",
            field="kernel",
        )
    return name
