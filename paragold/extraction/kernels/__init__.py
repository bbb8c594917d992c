"""The kernels that measure word distances; `rapidfuzz_blocks` has their interface.

`numba_lanes` measures all texts but those longer than its lanes, which it leaves to `rapidfuzz_blocks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paragold.extraction.kernels.rapidfuzz_blocks import Kernel


def get_kernel() -> Kernel:
    """The kernel of extractions."""
    # Here and not above: numba takes half a second and 80 MB, which forms need not pay.
    from paragold.extraction.kernels.numba_lanes import NumbaLanes

    return NumbaLanes
