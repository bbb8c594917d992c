"""Kernels that measure word distances, by name; the fastest that is there is the default."""

import os

from paragold.extraction.kernels import rapidfuzz_blocks
from paragold.extraction.kernels.window import Hits, Kernel, Window

__all__ = ["ENVIRONMENT", "NAMES", "Hits", "Kernel", "KernelError", "Window", "get_kernel", "kernel_name"]

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
    asked = name or os.environ.get(ENVIRONMENT)
    if asked and asked not in NAMES:
        raise KernelError(f"{asked}: no such kernel. There are: {', '.join(NAMES)}.")
    if asked == "rapidfuzz":
        return rapidfuzz_blocks.RapidfuzzBlocks
    try:
        # Here and not above: numba takes half a second and 80 MB, which only an extraction should cost.
        from paragold.extraction.kernels import numba_lanes
    except ImportError as error:
        if asked:
            message = f"The kernel numba needs the package numba ({error}). Install it, or use rapidfuzz."
            raise KernelError(message) from error
        return rapidfuzz_blocks.RapidfuzzBlocks
    return numba_lanes.NumbaLanes


def kernel_name(name: str | None = None) -> str:
    """The name of the kernel that `get_kernel` gives for the same argument."""
    return "rapidfuzz" if get_kernel(name) is rapidfuzz_blocks.RapidfuzzBlocks else "numba"
