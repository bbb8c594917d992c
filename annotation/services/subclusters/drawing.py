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
from annotation.specs import SplitDrawSpec
from corpus.models import Article, HeldOut
from paragold.sampling import sampling
from paragold.sampling.sampling import in_random_order
from projects.errors import PublicError
from projects.models import Project

PLAIN = SplitDrawSpec()


@transaction.atomic
def draw_splitting_batch(
    *,
    project: Project,
    by: User | None,
    name: str,
    annotators: Sequence[str],
    seed: int,
    spec: SplitDrawSpec = PLAIN,
    overlap: int | None = None,
) -> Batch:
    """Draw clusters at random until they hold at least `spec.headlines` headlines; all of them by default.

    The headlines of a cluster are the titles of its articles; articles without one are left out. Drawn are
    clusters as the spec says, and none that a batch of this kind holds already, unless `again`. The draw
    depends on the seed and the clusters' keys.
    """
    there = _clusters(project, clusters=spec.clusters, again=spec.again)
    sizes = {key: (pk, size) for key, pk, size in there if spec.fewest <= size <= spec.most}
    total = sum(size for _, size in sizes.values())
    wanted = total if spec.headlines is None else spec.headlines
    if not sizes or wanted > total:
        raise PublicError(
            f"{wanted} headlines asked for; there are {total} in {len(sizes)} clusters of {spec.fewest} to "
            f"{spec.most} headlines{'' if spec.again else ' that were not drawn before'}.",
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
        **spec.as_json(),
        "clusters_there": len(sizes),
        "headlines_there": total,
        "clusters_drawn": len(chosen),
        "headlines_drawn": drawn,
        "signature": f"split|seed:{seed}|{spec.signature()}|{sampling.SIGNATURE}",
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
