"""Aligners that are programs: whether they are installed, how much they are given, what tells draws apart."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.models import TrainedAligner
from paragold.aligners.program_aligner import MOST_PAIRS, drawn
from paragold.aligners.programs import missing
from paragold.aligners.registry import PROGRAMS
from paragold.metrics.links import Link
from projects.errors import PublicError


def check_installed(name: str, *, field: str = "aligner") -> None:
    """Raises PublicError, which says how to install it, for a program that is missing."""
    told = missing().get(name) if name in PROGRAMS else None
    if told:
        raise PublicError(told, field=field)


def check_size(pairs: int, *, field: str) -> None:
    """Raises PublicError for more sentence pairs than a program is given at once."""
    if pairs > MOST_PAIRS:
        message = (
            f"{pairs:,} sentence pairs are too many for a program, which trains on all of them at once: "
            f"at most {MOST_PAIRS:,}. The aligners hmm and best take more."
        )
        raise PublicError(message, field=field)


def usable(trained: TrainedAligner) -> bool:
    """Whether it can draw links here: all but programs that are missing."""
    return trained.aligner not in PROGRAMS or trained.aligner not in missing()


def of_draw(trained: TrainedAligner, links: Sequence[Sequence[Link]]) -> str:
    """What the signature of these links has besides that of the aligner; "" where the aligner settles them.

    eflomal samples anew in each run, and GIZA++ promises nothing: the links themselves are told then.
    """
    return f"|{drawn(links)}" if trained.recipe.by_program else ""
