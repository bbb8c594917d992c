"""Drawing batches: pairs of a dataset to judge, clusters to split; the dataset that a form begins with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext

from annotation.models import Batch, BatchKind, ClassifierRun, GoldSet, HandingOut, Item, ItemHeadline
from annotation.schemes import COUNTED_LABELS
from annotation.specs import SplitDrawSpec
from corpus.models import (
    Article,
    CandidatePair,
    Cluster,
    Dataset,
    Finding,
    HeldOut,
    Sentence,
    in_held_out_cluster,
)
from corpus.services.pairs import measured, store_pairs
from jobs.services.removal import keep
from paragold.sampling import strategy as strategies
from paragold.sampling.sampling import (
    SIGNATURE,
    Place,
    choose,
    distance_bin,
    in_random_order,
    limited_per_group,
    pair_count,
    random_pairs,
    sample_strata,
    score_bin,
)
from paragold.sampling.strategy import DrawSpec
from projects.errors import PublicError
from projects.models import Project, Role
from projects.services.projects import add_member, first_free

from .batches import annotators_called, assign_items, fill_batch
from .progress import waiting_for
from .third_judgements import fitted_judgements, known_competence, rank_annotators
from .training import KnownAnswers, control_items

LOOKED_AT_ONCE = 100


def draw_rejected(
    clusters: QuerySet[Cluster], *, count: int, known: set[str], seed: int, same_article: bool = False
) -> tuple[dict[str, int], dict[str, Any]]:
    """Draw `count` sentence pairs that are not `known` (keys in hex), at random.

    They are of different articles; with `same_article`, pairs of one article are drawn from as well.

    Returns the ids of the pairs by key, and their stratum: of how many `sentence_pairs` of the clusters how
    many were `looked_at` and `drawn`. The pairs become candidate pairs without findings. Identical sentences,
    and those that differ in punctuation or case alone, are passed over, as every extraction does. Raises
    PublicError when there are too few.
    """
    # Runs of sentences of which no two are paired: key and id of the article, the first sentence, how many.
    runs: dict[str, list[tuple[str, int, int, int]]] = defaultdict(list)
    counted = Article.objects.filter(cluster__in=clusters).annotate(sentence_count=Count("sentences"))
    for cluster, key, pk, size in counted.values_list("cluster__key", "key", "pk", "sentence_count"):
        runs[cluster] += [(key, pk, n, 1) for n in range(size)] if same_article else [(key, pk, 0, size)]
    for rows in runs.values():
        rows.sort()
    sizes = {cluster: [size for *_, size in rows] for cluster, rows in runs.items()}

    def sentence_at(cluster: str, place: Place) -> tuple[int, int]:
        article_number, sentence = place
        _, article, first, _ = runs[cluster][article_number]
        return article, first + sentence

    places = random_pairs(sizes, seed=seed)
    chosen: dict[str, CandidatePair] = {}
    looked_at = 0
    while len(chosen) < count:
        part = list(islice(places, LOOKED_AT_ONCE))
        if not part:
            raise PublicError(
                "%(count)s rejected pairs requested, but the clusters have only %(available)s that can "
                "be drawn.",
                field="rejected",
                count=count,
                available=len(chosen),
            )
        ids = [tuple(sentence_at(cluster, place) for place in both) for cluster, *both in part]
        for pair in _candidates(ids):
            if len(chosen) == count:
                break
            looked_at += 1
            if pair is not None and pair.content_key.hex not in known:
                chosen.setdefault(pair.content_key.hex, pair)
    total = sum(pair_count(each) for each in sizes.values())
    stratum = {
        "stratum": strategies.REJECTED,
        "sentence_pairs": total,
        "looked_at": looked_at,
        "drawn": count,
    }
    return store_pairs(list(chosen.values())), stratum


def _candidates(places: list[tuple[tuple[int, int], ...]]) -> Iterator[CandidatePair | None]:
    """The pairs at ((article id, sentence number), ...), in order."""
    every_place = [place for both in places for place in both]
    rows = Sentence.objects.filter(
        article__in={article for article, _ in every_place}, number__in={number for _, number in every_place}
    ).select_related("article__cluster")
    sentences = {(row.article_id, row.number): row for row in rows}
    for first, second in places:
        yield measured(sentences[first], sentences[second])


def least_certain(
    dataset: Dataset,
    pool: Mapping[str, int],
    keys: Sequence[str],
    count: int,
    *,
    strategy: DrawSpec,
    seed: int,
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """`count` of `keys`, each with its stratum, and how many of each stratum are drawn.

    pool: pair id by key. Raises PublicError when the strategy's run is not a finished one over the dataset.
    """
    run = ClassifierRun.objects.filter(pk=strategy.run or 0, classifier__project=dataset.project_id).first()
    if run is None or not run.finished or run.dataset_id != dataset.pk:
        raise PublicError(
            "This run did not apply a classifier to the dataset %(dataset)s. Apply one first, or draw "
            "from the dataset of the run.",
            field="run",
            dataset=dataset.name,
        )
    rows = run.scores.values_list(
        "pair_id", "probability", "pair__cluster__key", "pair__sentence_a", "pair__sentence_b"
    )
    scores = {row[0]: row for row in rows}
    scored = {}
    for key in keys:
        _, probability, cluster, first, second = scores[pool[key]]
        scored[key] = (probability, cluster, (first, second))
    chosen = choose(scored, count, audit=strategy.audit, seed=seed)
    drawn = Counter(chosen.values())
    counts = [
        {"stratum": stratum, "pairs": len(keys), "drawn": count} for stratum, count in sorted(drawn.items())
    ]
    return chosen, counts


PLAIN = DrawSpec()


@transaction.atomic
def draw_judging_batch(
    *,
    project: Project,
    by: User | None,
    name: str,
    dataset: Dataset,
    size: int,
    annotators: Sequence[str],
    seed: int,
    overlap: int | None = None,
    handing_out: str = HandingOut.AT_ONCE,
    lease_minutes: int = 60,
    quotas: Mapping[str, int] | None = None,
    strategy: DrawSpec = PLAIN,
    count_phenomena: str | None = None,
    paraphrases_of: GoldSet | None = None,
    trial: bool = False,
    own_order: bool = False,
    control: int = 0,
    known: KnownAnswers | None = None,
    requires: Batch | None = None,
    third_judgement: bool = False,
) -> Batch:
    """Draw `size` pairs of a dataset for `annotators` (usernames), as the strategy says.

    Pairs of held-out clusters are drawn only where the strategy or the dataset asks for them.
    Each two texts are drawn once, and none that is in a judging batch of the project already, other than a
    trial, unless the strategy asks for them again. The draw depends on the seed and the texts alone.
    `overlap` is the number of annotators for each pair; the project's by default. `handing_out` says whether
    items are assigned now or taken by annotators who are free, who keep them for `lease_minutes`; `quotas`
    are by username. `count_phenomena` says in which pairs phenomena are counted; the project's setting by
    default. A `trial` never counts: it is not frozen, and its pairs are drawn again. With `paraphrases_of`
    only pairs that this gold set calls paraphrases, or partial ones, are drawn, whether they were before or
    not. `own_order`: as in `assign_items`. `third_judgement`: a pair on which its two annotators differ gets
    a third one, for which the overlap has to be 2, and annotators three. `control` percent of the pairs are
    control items, whose right labels are among the `known` ones. `requires` is the training that annotators
    must have passed.
    """
    keep(dataset, paraphrases_of, requires)
    if requires is not None and (requires.project_id != project.pk or not requires.measure):
        raise PublicError("%(requires)s is no training of this project.", field="requires", requires=requires)
    if third_judgement and ((overlap or project.overlap) != 2 or len(set(annotators)) < 3):
        raise PublicError(
            "A third judgement where two differ needs an overlap of 2 and three annotators or more.",
            field="third_judgement",
        )
    if paraphrases_of is not None:
        if paraphrases_of.project_id != project.pk:
            raise PublicError(
                "%(paraphrases_of)s is not a gold set of this project.",
                field="paraphrases_of",
                paraphrases_of=paraphrases_of,
            )
        if strategy.rejected:
            raise PublicError(
                "Paraphrases of a gold set cannot be drawn together with rejected pairs. Choose one of the "
                "two.",
                field="paraphrases_of",
            )
        strategy = strategy.replace(again=True)
    if dataset.project_id != project.pk:
        raise PublicError("The dataset %(dataset)s belongs to another project.", dataset=dataset.name)
    drawn = {key.hex for key in _drawn_before(project).values_list("pair__content_key", flat=True)}
    strategy = _fitted(strategy, dataset)
    controls: dict[str, tuple[int, str]] = {}
    if control:
        if known is None:
            raise PublicError("Choose where the right answers of control items come from.", field="gold_set")
        people = annotators_called(project, annotators)
        count = max(1, size * control // 100)
        controls = control_items(known=known, count=count, people=people, seed=seed)
    in_dataset: set[str] = set()
    pool: dict[str, int] = {}
    pairs_there = _pairs(dataset, strategy)
    if paraphrases_of is not None:
        judged = paraphrases_of.judgements.filter(label__in=COUNTED_LABELS)
        pairs_there = pairs_there.filter(pk__in=judged.order_by().values("item__pair"))
    for key, pair in pairs_there.values_list("content_key", "pk"):
        in_dataset.add(key.hex)
        if key.hex not in controls and (strategy.again or key.hex not in drawn):
            pool.setdefault(key.hex, pair)
    rejected = strategy.rejected_of(size - len(controls))
    count = size - len(controls) - rejected
    stratum_of, counts = _from_pool(dataset, pool, count, strategy=strategy, seed=seed, size=size)
    pairs = {key: pool[key] for key in stratum_of}
    strata = dict(stratum_of)
    if rejected:
        there = in_dataset if strategy.again else in_dataset | drawn
        others, stratum = draw_rejected(
            _clusters(dataset, strategy),
            count=rejected,
            known=there | set(controls),
            seed=seed,
            same_article=any(row.same_article for row in dataset.extractions.all()),
        )
        pairs |= others
        strata |= dict.fromkeys(others, strategies.REJECTED)
        counts.append(stratum)
    pairs |= {key: pair for key, (pair, _) in controls.items()}
    strata |= dict.fromkeys(controls, "")
    order = in_random_order(pairs, seed=seed)
    batch = Batch(project=project, name=name, kind=BatchKind.JUDGE, dataset=dataset, created_by=by, seed=seed)
    batch.requires = requires
    batch.handing_out, batch.lease_minutes, batch.trial = handing_out, lease_minutes, trial
    batch.count_phenomena = count_phenomena or project.count_phenomena
    batch.third_judgement = third_judgement
    batch.sampling = {**strategy.settings(), "signature": strategy.signature(), "strata": counts}
    if paraphrases_of is not None:
        batch.sampling["paraphrases_of"] = str(paraphrases_of)
    if known is not None and controls:
        batch.sampling |= {"control": len(controls), "known_from": known.source}
    fill_batch(
        batch=batch,
        pairs=[pairs[key] for key in order],
        strata=[strata[key] for key in order],
        known=dict(controls.values()),
        annotators=annotators,
        overlap=overlap,
        quotas=quotas,
        own_order=own_order,
    )
    if third_judgement:
        _, fitted = fitted_judgements(project, batch.scheme)
        rank_annotators(batch, known_competence(project, fitted))
    return batch


def _drawn_before(project: Project) -> QuerySet[Item]:
    """The items whose texts are not drawn again unless that is asked for. A trial uses nothing up."""
    return Item.objects.filter(batch__in=project.batches.filter(kind=BatchKind.JUDGE, trial=False))


def available_pairs(dataset: Dataset, *, most: int | None = None) -> int:
    """How many pairs of a dataset a draw with the default settings can take; counted up to `most`."""
    drawn = _drawn_before(dataset.project).order_by().values("pair__content_key")
    every = CandidatePair.objects.filter(project=dataset.project_id).of_dataset(dataset)
    pairs = every.of_clusters(_fitted(PLAIN, dataset).clusters).order_by().exclude(content_key__in=drawn)
    return pairs.values("content_key").distinct()[:most].count()


def _fitted(strategy: DrawSpec, dataset: Dataset) -> DrawSpec:
    """The strategy; where the dataset holds pairs of held-out clusters alone, with these.

    Whoever chooses such a dataset has chosen held-out clusters.
    """
    pairs = CandidatePair.objects.filter(project=dataset.project_id).of_dataset(dataset)
    if strategy.clusters != HeldOut.REST or pairs.for_training().exists():
        return strategy
    return strategy.replace(clusters=HeldOut.ONLY.value) if pairs.exists() else strategy


def _pairs(dataset: Dataset, strategy: DrawSpec) -> Any:
    """The pairs that may be drawn, the one imported first first."""
    pairs = dataset.pairs().of_clusters(strategy.clusters).order_by("sentence_a", "sentence_b")
    if strategy.by == strategies.SCORE:
        within = _scores(dataset).filter(highest__range=(strategy.min_score, strategy.max_score))
        pairs = pairs.filter(pk__in=within.values("pair"))
    return pairs


def _clusters(dataset: Dataset, strategy: DrawSpec) -> Any:
    """The clusters that the dataset's pairs were looked for in, as far as they may be drawn from."""
    clusters = dataset.project.clusters.all()
    if not any(row.with_imported for row in dataset.extractions.select_related("job")):
        clusters = clusters.of_corpus()
    for held_out in {dataset.held_out, strategy.clusters} - {HeldOut.ALL.value}:
        clusters = clusters.filter(held_out=held_out == HeldOut.ONLY)
    return clusters


def _from_pool(
    dataset: Dataset, pool: Mapping[str, int], count: int, *, strategy: DrawSpec, seed: int, size: int
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """The keys drawn, each with its stratum, and how many of each stratum there were and are drawn."""
    keys = list(pool)
    if strategy.per_cluster is not None:
        clusters = _by_cluster(dataset)
        of_keys = {key: clusters[pair] for key, pair in pool.items()}
        keys = limited_per_group(of_keys, strategy.per_cluster, seed=seed)
    if size < 1 or count > len(keys):
        limit = (
            gettext(", at most %(per_cluster)s per cluster") % {"per_cluster": strategy.per_cluster}
            if strategy.per_cluster
            else ""
        )
        raise PublicError(
            "%(count)s pairs requested, but the dataset %(dataset)s has only %(available)s not drawn "
            "before%(limit)s.%(kept)s",
            field="size",
            count=count,
            dataset=dataset.name,
            available=len(keys),
            limit=limit,
            kept=_kept_for_testing(dataset, strategy),
        )
    if strategy.by == strategies.RANDOM:
        chosen = in_random_order(keys, seed=seed)[:count]
        return dict.fromkeys(chosen, ""), [{"stratum": "", "pairs": len(keys), "drawn": count}]
    if strategy.by == strategies.UNCERTAINTY:
        return least_certain(dataset, pool, keys, count, strategy=strategy, seed=seed)
    names = STRATA[strategy.by](dataset)
    strata = {key: names.get(pool[key], "") for key in keys}
    chosen = sample_strata(strata, count, seed=seed, allocation=strategy.allocation)
    drawn = Counter(strata[key] for key in chosen)
    counts = [
        {"stratum": name, "pairs": pairs, "drawn": drawn[name]}
        for name, pairs in sorted(Counter(strata.values()).items())
    ]
    return {key: strata[key] for key in chosen}, counts


def _kept_for_testing(dataset: Dataset, strategy: DrawSpec) -> str:
    pairs = dataset.pairs().filter(in_held_out_cluster()).count() if strategy.clusters == HeldOut.REST else 0
    return (
        gettext(" %(pairs)s pairs of held-out clusters are kept for testing.") % {"pairs": pairs}
        if pairs
        else ""
    )


def _by_method(dataset: Dataset) -> dict[int, str]:
    """By pair, the names of the extractions that found it, joined by " + "."""
    methods: dict[int, list[str]] = defaultdict(list)
    findings = Finding.objects.filter(extraction__in=dataset.extractions.values("pk"))
    for pair, name in findings.order_by("extraction__name").values_list("pair", "extraction__name"):
        methods[pair].append(name)
    return {pair: " + ".join(sorted(names)) for pair, names in methods.items()}


def _by_distance(dataset: Dataset) -> dict[int, str]:
    distances = dataset.pairs().values_list("pk", "edit_distance")
    return {pair: distance_bin(distance) for pair, distance in distances}


def _by_cluster(dataset: Dataset) -> dict[int, str]:
    return dict(dataset.pairs().values_list("pk", "cluster__key"))


def _by_score(dataset: Dataset) -> dict[int, str]:
    """By pair, the tenth of its score."""
    return {pair: score_bin(score) for pair, score in _scores(dataset).values_list("pair", "highest")}


def _scores(dataset: Dataset) -> Any:
    """The pairs that an extraction of the dataset gave a score, with the highest one."""
    findings = Finding.objects.filter(extraction__in=dataset.extractions.values("pk")).exclude(score=None)
    return findings.order_by().values("pair").annotate(highest=Max("score"))


STRATA = {
    strategies.SCORE: _by_score,
    strategies.METHOD: _by_method,
    strategies.EDIT_DISTANCE: _by_distance,
    strategies.CLUSTER: _by_cluster,
}


ALL_CLUSTERS = SplitDrawSpec()


@transaction.atomic
def draw_splitting_batch(
    *,
    project: Project,
    by: User | None,
    name: str,
    annotators: Sequence[str],
    seed: int,
    spec: SplitDrawSpec = ALL_CLUSTERS,
    overlap: int | None = None,
    own_order: bool = False,
) -> Batch:
    """Draw clusters at random until they hold at least `spec.headlines` headlines; all of them by default.

    The headlines of a cluster are the titles of its articles; articles without one are left out. Drawn are
    clusters as the spec says, and none that a batch of this kind holds already, unless `again`. The draw
    depends on the seed and the clusters' keys.
    """
    there = _clusters_to_split(project, clusters=spec.clusters, again=spec.again)
    sizes = {key: (pk, size) for key, pk, size in there if spec.fewest <= size <= spec.most}
    total = sum(size for _, size in sizes.values())
    headlines = total if spec.headlines is None else spec.headlines
    if not sizes or headlines > total:
        raise PublicError(
            "%(headlines)s headlines requested, but there are only %(total)s in %(clusters)s clusters "
            "of %(fewest)s to %(most)s headlines%(limit)s.",
            field="headlines",
            headlines=headlines,
            total=total,
            clusters=len(sizes),
            fewest=spec.fewest,
            most=spec.most,
            limit="" if spec.again else " not drawn before",
        )
    chosen: list[int] = []
    drawn = 0
    for key in in_random_order(sizes, seed=seed):
        if drawn >= headlines:
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
        "signature": f"split|seed:{seed}|{spec.signature()}|{SIGNATURE}",
    }
    items = [Item(batch=batch, cluster_id=pk, number=n) for n, pk in enumerate(chosen, start=1)]
    assign_items(batch=batch, items=items, annotators=annotators, overlap=overlap, own_order=own_order)
    _fix_headlines(dict(zip(chosen, items, strict=True)))
    return batch


def _clusters_to_split(project: Project, *, clusters: str, again: bool) -> Any:
    """The keys, ids and numbers of headlines of the clusters that may be drawn."""
    rows = project.clusters.of_corpus()
    if clusters != HeldOut.ALL:
        rows = rows.filter(held_out=clusters == HeldOut.ONLY)
    if not again:
        earlier = Item.objects.filter(batch__in=project.batches.filter(kind=BatchKind.SPLIT))
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


TRIAL = "Trial"
TRIAL_SIZE = 20


@transaction.atomic
def draw_trial_batch(*, project: Project, by: User) -> Batch:
    """A batch of up to TRIAL_SIZE pairs for `by` alone, who becomes an annotator; one that still holds work
    for them is gone on with. Pairs of earlier trials are not drawn for it. Raises PublicError where there is
    nothing to draw."""
    waiting = [wait.batch for wait in waiting_for(by, project) if wait.batch.kind == BatchKind.JUDGE]
    if waiting:
        return waiting[0]
    dataset, _ = dataset_to_draw_from(project)
    if dataset is None:
        raise PublicError("There are no candidate pairs yet. Extract candidates first.")
    judged = Item.objects.filter(batch__in=project.batches.filter(kind=BatchKind.JUDGE))
    clusters = _fitted(PLAIN, dataset).clusters
    fresh = (
        dataset.pairs()
        .of_clusters(clusters)
        .exclude(content_key__in=judged.order_by().values("pair__content_key"))
    )
    size = fresh.order_by().values("content_key").distinct()[:TRIAL_SIZE].count()
    if not size:
        raise PublicError("All candidate pairs are in a batch already. Extract more candidates first.")
    add_member(project=project, by=by, username=by.get_username(), role=Role.ANNOTATOR)
    names = project.batches.values_list("name", flat=True)
    return draw_judging_batch(
        project=project,
        by=by,
        name=first_free(TRIAL, set(names)),
        dataset=dataset,
        size=size,
        annotators=[by.get_username()],
        seed=project.seed,
        overlap=1,
        trial=True,
    )


def default_datasets(project: Project) -> tuple[list[Dataset], str]:
    """The datasets that batches were drawn from, that of the newest batch first, else the smallest one that
    holds pairs, and a sentence that says which they are. Both are empty where the project has no pairs."""
    batches = project.batches.filter(kind=BatchKind.JUDGE, trial=False).exclude(dataset=None).order_by("-pk")
    ids = list(dict.fromkeys(batches.values_list("dataset", flat=True)))
    by_id = project.datasets.current().in_bulk(ids)
    if judged := [by_id[pk] for pk in ids if pk in by_id]:
        return judged, gettext("Preselected: the dataset from which the judged batches were drawn.")
    smallest = project.datasets.current().filter(size__gt=0).order_by("size", "pk").first()
    if smallest is None:
        return [], ""
    return [smallest], gettext("Nothing is judged yet. Preselected: the smallest dataset.")


def dataset_to_draw_from(project: Project) -> tuple[Dataset | None, str]:
    """The first of `default_datasets` with pairs that no batch holds yet, else the smallest such dataset."""
    chosen, reason = default_datasets(project)
    drawn = dict(
        _drawn_before(project)
        .exclude(batch__dataset=None)
        .order_by()
        .values_list("batch__dataset")
        .annotate(pairs=Count("pair", distinct=True))
    )
    for dataset in chosen:
        if drawn.get(dataset.pk, 0) < dataset.size:
            return dataset, reason
    smallest_first = project.datasets.current().filter(size__gt=0).order_by("size", "pk")
    left = next((choice for choice in smallest_first if drawn.get(choice.pk, 0) < choice.size), None)
    if left is not None:
        return left, gettext("All pairs judged so far are drawn. Preselected: the smallest other dataset.")
    return next(iter(chosen), None), reason
