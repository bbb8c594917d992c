"""Drawing clusters into a batch whose headlines people split into sub-clusters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q

from annotation.models import Batch, BatchKind, Item, ItemHeadline
from annotation.services.batches import assign_items
from corpus.models import Article, HeldOut
from paragold.sampling import sampling
from paragold.sampling.sampling import in_random_order
from projects.errors import PublicError
from projects.models import Project

FEWEST = 2
MOST = 200
"""So many headlines can be looked over on one page."""


@transaction.atomic
def draw_splitting_batch(
    *,
    project: Project,
    by: User | None,
    name: str,
    annotators: Sequence[str],
    seed: int,
    headlines: int | None = None,
    fewest: int = FEWEST,
    most: int = MOST,
    clusters: str = HeldOut.ALL,
    again: bool = False,
    overlap: int | None = None,
) -> Batch:
    """Draw clusters at random until they hold at least `headlines` headlines; all of them by default.

    The headlines of a cluster are the titles of its articles; articles without one are left out. Drawn are
    clusters with `fewest` to `most` headlines, of all or only (not) held-out clusters, and none that a
    batch of this kind holds already, unless `again`. The draw depends on the seed and the clusters' keys.
    """
    if not FEWEST <= fewest <= most <= MOST:
        message = f"A cluster for splitting has {FEWEST} to {MOST} headlines, the fewest before the most."
        raise PublicError(message, field="fewest")
    if clusters not in HeldOut.values:
        raise PublicError(f"{clusters!r}: there are {', '.join(HeldOut.values)}.", field="clusters")
    there = _clusters(project, clusters=clusters, again=again)
    sizes = {key: (pk, size) for key, pk, size in there if fewest <= size <= most}
    total = sum(size for _, size in sizes.values())
    wanted = total if headlines is None else headlines
    if not sizes or not 1 <= wanted <= total:
        raise PublicError(
            f"{wanted} headlines asked for; there are {total} in {len(sizes)} clusters of {fewest} to {most} "
            f"headlines{'' if again else ' that were not drawn before'}.",
            field="headlines",
        )
    chosen: list[int] = []
    drawn = 0
    for key in in_random_order(sizes, seed=seed):
        if drawn >= wanted:
            break
        pk, size = sizes[key]
        chosen.append(pk)
        drawn += size
    batch = Batch(project=project, name=name, kind=BatchKind.SPLIT, created_by=by, seed=seed)
    batch.sampling = {
        "headlines": headlines,
        "fewest": fewest,
        "most": most,
        "clusters": clusters,
        "again": again,
        "clusters_there": len(sizes),
        "headlines_there": total,
        "clusters_drawn": len(chosen),
        "headlines_drawn": drawn,
        "signature": f"split|seed:{seed}|fewest:{fewest}|most:{most}|clusters:{clusters}|again:{again}|"
        + sampling.SIGNATURE,
    }
    items = [Item(batch=batch, cluster_id=pk, number=n) for n, pk in enumerate(chosen, start=1)]
    assign_items(batch=batch, items=items, annotators=annotators, overlap=overlap)
    _fix_headlines(dict(zip(chosen, items, strict=True)))
    return batch


def _clusters(project: Project, *, clusters: str, again: bool) -> Any:
    """The keys, ids and numbers of headlines of the clusters that may be drawn."""
    rows = project.clusters.of_corpus()
    if clusters != HeldOut.ALL:
        rows = rows.filter(held_out=clusters == HeldOut.ONLY)
    if not again:
        earlier = Item.objects.filter(batch__project=project, batch__kind=BatchKind.SPLIT)
        rows = rows.exclude(pk__in=earlier.values("cluster"))
    titled = Count("articles", filter=~Q(articles__title=""))
    return rows.order_by("pk").annotate(size=titled).values_list("key", "pk", "size")


def _fix_headlines(items: Mapping[int, Item]) -> None:
    """Give each item, by cluster, the headlines that its cluster has now."""
    articles: dict[int, list[int]] = defaultdict(list)
    rows = Article.objects.filter(cluster__in=list(items)).exclude(title="").order_by("pk")
    for cluster, article in rows.values_list("cluster", "pk"):
        articles[cluster].append(article)
    ItemHeadline.objects.bulk_create(
        [
            ItemHeadline(item=item, article_id=article, number=n)
            for cluster, item in items.items()
            for n, article in enumerate(articles[cluster], start=1)
        ],
        batch_size=1000,
    )
