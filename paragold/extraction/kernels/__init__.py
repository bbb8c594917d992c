"""Kernels that measure word distances, each by its name; `rapidfuzz_blocks` has their interface.

The fastest that is there is the default.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paragold.extraction.kernels.rapidfuzz_blocks import Kernel

# From the fastest to the slowest.
NAMES = ("numba", "rapidfuzz")
# Names the kernel for a whole installation, where a call names none.
ENVIRONMENT = "PARAGOLD_KERNEL"


class KernelError(ValueError):
    """A kernel that does not exist, or that needs a package that is not installed."""


def get_kernel(name: str | None = None) -> Kernel:
    """The kernel called `name`, or the one that PARAGOLD_KERNEL names, or the fastest that is there.

    Raises KernelError for another name, and for numba where it is not installed.
    """
    chosen = name or os.environ.get(ENVIRONMENT)
    if chosen and chosen not in NAMES:
        raise KernelError(f"{chosen}: no such kernel. Available: {', '.join(NAMES)}.")
    # Here and not above: numba takes half a second and 80 MB, and forms need the names alone.
    from paragold.extraction.kernels.rapidfuzz_blocks import RapidfuzzBlocks

    if chosen == "rapidfuzz":
        return RapidfuzzBlocks
    try:
        from paragold.extraction.kernels.numba_lanes import NumbaLanes
    except ImportError as error:
        if chosen:
            message = f"The kernel numba needs the package numba ({error}). Install it, or use rapidfuzz."
            raise KernelError(message) from error
        return RapidfuzzBlocks
    return NumbaLanes


def kernel_name(name: str | None = None) -> str:
    """The name of the kernel that `get_kernel` gives for the same argument."""
    from paragold.extraction.kernels.rapidfuzz_blocks import RapidfuzzBlocks

    return "rapidfuzz" if get_kernel(name) is RapidfuzzBlocks else "numba"
