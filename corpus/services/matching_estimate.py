"""How many pairs a matching would find, reckoned from a sample in a second or so, nothing stored."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from time import monotonic

from django.contrib.auth.models import User

from corpus.errors import PublicError
from corpus.matching.settings import MatchSettings
from corpus.models import Extraction, Project, Sentence

from .cluster_sizes import sizes_of_clusters
from .matching import ROW_CAP, check, launch_matching, match_sentences, sentences_wanted
from .scored_pairs import sentences_of

SENTENCES_SAMPLED = 3_000
SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """sample, everything: sentences across the project, clusters within them; found: pairs of the sample.

    weight: the pairs of sentences of all over those of the sample. Partners are not rationed in it: with one
    partner at most there will be fewer pairs.
    """

    of: str
    sample: int
    everything: int
    found: int
    weight: float

    @property
    def pairs(self) -> float:
        return self.found * self.weight

    @property
    def complete(self) -> bool:
        return self.sample == self.everything


def estimate(
    *,
    project: Project,
    settings: MatchSettings,
    scope: str = "clusters",
    clusters: str = "all",
    seed: int = 1,
) -> Estimate:
    """Match a sample drawn by `seed`: sentences of the project, or clusters for as long as SECONDS last.

    Raises PublicError for settings outside their range.
    """
    check(settings, scope, clusters)
    # Bands miss some pairs by chance, which a sample need not.
    settings = replace(settings, method="exact") if settings.method == "bands" else settings
    draw = random.Random(seed)  # noqa: S311 - a sample, no secret
    if scope == "project":
        return _of_sentences(project, settings, clusters, draw)
    return _of_clusters(project, settings, clusters, draw)


def _of_sentences(project: Project, settings: MatchSettings, clusters: str, draw: random.Random) -> Estimate:
    wanted = sentences_wanted(project, clusters)
    ids = list(wanted.order_by("pk").values_list("pk", flat=True))
    drawn = sorted(draw.sample(ids, min(len(ids), SENTENCES_SAMPLED)))
    sentences = sentences_of(Sentence.objects.filter(pk__in=drawn))
    found = len(match_sentences(sentences.distinct(), settings).rows)
    possible = max(len(drawn) * (len(drawn) - 1), 1)
    return Estimate("sentences", len(drawn), len(ids), found, len(ids) * (len(ids) - 1) / possible)


def _of_clusters(project: Project, settings: MatchSettings, clusters: str, draw: random.Random) -> Estimate:
    sizes = sizes_of_clusters(project, clusters)
    order = draw.sample(list(sizes), len(sizes))
    started = monotonic()
    found = sampled = work = 0
    for pk in order:
        sentences = sentences_of(Sentence.objects.filter(article__cluster=pk))
        found += len(match_sentences(sentences.distinct(), settings).rows)
        sampled += 1
        work += sizes[pk] ** 2
        if monotonic() - started > SECONDS:
            break
    everything = sum(size**2 for size in sizes.values())
    return Estimate("clusters", sampled, len(sizes), found, everything / max(work, 1))


def launch_within_cap(
    *,
    project: Project,
    by: User | None,
    settings: MatchSettings,
    scope: str = "clusters",
    clusters: str = "all",
    name: str = "",
    confirmed: bool = False,
) -> Extraction:
    """`launch_matching`, refused when a sample lets more than ROW_CAP pairs expect, unless `confirmed`.

    A corpus with fewer pairs of sentences than that is not looked at.
    """
    if not confirmed and _possible(project, scope, clusters) > ROW_CAP:
        expected = estimate(project=project, settings=settings, scope=scope, clusters=clusters)
        if expected.pairs > ROW_CAP:
            raise PublicError(
                f"About {expected.pairs:,.0f} pairs are to be expected, more than {ROW_CAP:,}. Give a higher "
                "threshold, or confirm that they are wanted.",
                field="confirmed",
            )
    return launch_matching(
        project=project,
        by=by,
        settings=settings,
        scope=scope,
        clusters=clusters,
        name=name,
        confirmed=confirmed,
    )


def _possible(project: Project, scope: str, clusters: str) -> int:
    if scope == "clusters":
        return sum(size**2 for size in sizes_of_clusters(project, clusters).values()) // 2
    return sentences_wanted(project, clusters).count() ** 2 // 2
