"""Agreement before and after a second pass, as the batch's page shows it."""

from __future__ import annotations

from typing import Any

from annotation.models import Batch
from annotation.services.second_pass import second_pass_summary

from .agreement import coefficients


def passes(batch: Batch) -> dict[str, Any] | None:
    """What the batch's page shows of its second pass; None before there is one."""
    summary = second_pass_summary(batch)
    if summary is None:
        return None
    before, after = coefficients(summary["before"]), coefficients(summary["after"])
    rows = [(before[name], after[name]) for name in before if name in after]
    return summary | {"rows": rows}
