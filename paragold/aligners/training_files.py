"""Keeping the state of a training between two iterations, exact to the last bit."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np

from paragold.aligners.model_files import ModelFileError, load, save
from paragold.aligners.training import State
from paragold.aligners.translation_model import Iteration
from paragold.aligners.translation_tables import Tables

_KIND = "paragold training"
_TABLES = ("forward", "backward", "null_forward", "null_backward")


def save_state(path: Path, state: State) -> None:
    """Write the state of a training. Raises OSError where it cannot be written."""
    numbers = {name: getattr(state.tables, name) for name in _TABLES}
    numbers |= {"source_totals": state.source_totals, "target_totals": state.target_totals}
    numbers["jumps"] = np.vstack(state.jumps)
    description = {"kind": _KIND, "iterations": [asdict(iteration) for iteration in state.iterations]}
    save(path, numbers, description, compressed=False)


def load_state(path: Path) -> State:
    """The state that was saved. Raises ModelFileError for a file that is none or was damaged."""
    numbers, description = load(path)
    if description.get("kind") != _KIND:
        raise ModelFileError(f"{path} is no state of a training.")
    jumps = numbers["jumps"]
    sizes = (len(numbers[name]) for name in ("forward", "null_backward", "null_forward"))
    tables = Tables.zeros(*sizes)
    for name in _TABLES:
        getattr(tables, name)[:] = numbers.pop(name)
    return State(
        tables,
        numbers["source_totals"],
        numbers["target_totals"],
        (np.ascontiguousarray(jumps[0]), np.ascontiguousarray(jumps[1])),
        tuple(Iteration(**iteration) for iteration in description["iterations"]),
    )
