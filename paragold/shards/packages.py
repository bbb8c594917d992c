"""Packages that only some runs need: imported when used, named with the command that installs them."""

from importlib import import_module
from typing import Any

from paragold.problems import FileProblem

DISTRIBUTIONS = {"yaml": "pyyaml"}
"""What packages are called where they are installed from, if not as they are imported."""


def package(name: str) -> Any:
    """The module. Raises FileProblem with the command to install it when it is not there."""
    try:
        return import_module(name)
    except ImportError as error:
        distribution = DISTRIBUTIONS.get(name, name)
        raise FileProblem(
            f"The package {name} is not installed.",
            f"Install it with pip install {distribution}.",
        ) from error
