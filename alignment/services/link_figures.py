"""What the links of batches come to: how many pairs are linked, disputed, undecided, and the agreement.

They are counted once for each state of a batch, as those of judgements are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from django.core.cache import cache

from annotation.models import Batch
from annotation.permissions import visible_items
from annotation.services.batch_figures import KEPT_SECONDS, DisputeFigures, content_versions
from annotation.services.decisions import latest_decisions
from projects.models import Project
from projects.permissions import can_manage

from .gold_links import agreement_of
from .link_review import disputes_in, submitted_alignments


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFigures(DisputeFigures):
    """What a batch's links come to, over the items that the reader may see.

    `agreement` is 1 - average directional AER, a share from 0 to 1 over `agreement_pairs` pairs of
    annotators' links; None without any.
    """

    linked_by_all: int = 0
    agreement: float | None = None
    agreement_pairs: int = 0


def link_figures(user: Any, project: Project, batches: Sequence[Batch]) -> dict[int, LinkFigures]:
    """By batch id, the figures over the items whose links the user may see."""
    scope = "all" if can_manage(user, project) else str(user.pk)
    versions = content_versions(user, batches)
    figures = {}
    for batch in batches:
        key = f"link-figures:4:{batch.pk}:{scope}:{versions[batch.pk]}"
        kept = cache.get_or_set(key, partial(_figures, user, project, batch), KEPT_SECONDS)
        figures[batch.pk] = cast(LinkFigures, kept)
    return figures


def _figures(user: Any, project: Project, batch: Batch) -> LinkFigures:
    visible = set(visible_items(user, project).filter(batch=batch).values_list("pk", flat=True))
    submitted = {item: links for item, links in submitted_alignments(batch).items() if item in visible}
    disputed = disputes_in(submitted)
    agreement = agreement_of(submitted.values())
    return LinkFigures(
        items=len(visible),
        linked_by_all=sum(len(links) >= batch.overlap for links in submitted.values()),
        disputed=len(disputed),
        undecided_items=tuple(sorted(disputed.keys() - latest_decisions(disputed).keys())),
        agreement=agreement["value"],
        agreement_pairs=agreement["pairs"],
    )
