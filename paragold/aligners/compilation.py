"""Compiling the inner loops of the statistical models to machine code."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The function compiled by Numba; the machine code is kept on disk where a folder can be written to.

    While it runs, other threads can; see `threads`.
    Division by zero and not-a-number behave as in NumPy, and other threads go on meanwhile. Where neither
    the folder of the source nor the user's cache is writable (a read-only container), it is compiled anew
    in each process.
    """
    try:
        return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:
        return cast(Function, numba.njit(nogil=True, error_model="numpy")(function))
