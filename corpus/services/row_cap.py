"""No run stores more pairs than the installation can bear unless somebody has said so."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User

from corpus.models import Extraction
from projects.errors import PublicError
from projects.models import Project

from .cluster_sizes import pairable_clusters
from .dry_run import dry_run
from .extraction import launch_extraction
from .presets import criteria_from

# Half as many again as the greatest database of candidates in the literature: 13.1 million pairs in 2005.
ROW_CAP = 20_000_000


def launch_within_cap(
    *,
    project: Project,
    by: User | None,
    preset: str,
    settings: Mapping[str, object] | None = None,
    name: str = "",
    kernel: str = "",
    confirmed: bool = False,
) -> Extraction:
    """`launch_extraction`, refused when a dry run projects more than ROW_CAP pairs, unless `confirmed`.

    A corpus with fewer pairs of sentences than that is not looked at.
    """
    criteria = criteria_from(project, preset, settings)
    possible = sum(size**2 for size in pairable_clusters(project, criteria).values()) // 2
    if not confirmed and possible > ROW_CAP:
        expected = dry_run(project=project, criteria=criteria)
        if expected.projection.pairs > ROW_CAP:
            raise PublicError(
                f"About {expected.projection.pairs:,.0f} pairs are to be expected, more than {ROW_CAP:,}; "
                f"they would take {expected.disk / 1e9:.1f} GB. Narrow the criteria, or confirm that they "
                "are wanted.",
                field="confirmed",
            )
    return launch_extraction(
        project=project, by=by, preset=preset, settings=settings, name=name, kernel=kernel
    )
