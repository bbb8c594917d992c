"""Headlines of a file paired within their clusters into a file of pairs, without a database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paragold.formats.tables import write_tsv
from paragold.matching.headlines import (
    WITHIN_CLUSTER,
    HeadlineCosines,
    HeadlineSpec,
    HeadlineTerms,
    weights_over,
    words_in_order,
)
from paragold.matching.sub_clusters import JudgedCluster, judged_links
from paragold.sources.headlines import Headline, HeadlineCluster, read_headlines
from paragold.text.stemming import Stemmer

COLUMNS = ("cluster_id", "id_a", "id_b", "score", "context", "text_a", "text_b")


@dataclass(frozen=True, slots=True)
class HeadlinePair:
    """Two headlines, with the cosines (0 to 1) of their titles and of the beginnings of their articles."""

    first: Headline
    second: Headline
    score: float
    context: float


class HeadlineFile:
    """The headlines of a file with their terms, without those that repeat an earlier one of their cluster.

    A headline repeats another when it has the same words in order. Of the settings, language and weights
    matter. Raises FileProblem for an unusable file, ValueError for an unknown language.
    """

    def __init__(self, path: Path, settings: HeadlineSpec) -> None:
        stemmer = Stemmer(settings.language)
        read = read_headlines(path)
        self.clusters = [
            HeadlineCluster(cluster.key, tuple(distinct_headlines(cluster.headlines))) for cluster in read
        ]
        self.terms = [
            [HeadlineTerms.of(one.title, one.snippet, stemmer) for one in cluster.headlines]
            for cluster in self.clusters
        ]
        self.weights = weights_over(self.terms) if settings.weights == "file" else WITHIN_CLUSTER
        self.headlines = sum(len(cluster.headlines) for cluster in read)
        self.repeated = self.headlines - sum(len(cluster.headlines) for cluster in self.clusters)
        self._keys = {cluster.key: {one.key for one in cluster.headlines} for cluster in read}

    def judged(self, gold: Mapping[str, Sequence[Sequence[str]]]) -> list[JudgedCluster]:
        """The clusters that people have split, with their sub-clusters by the headlines' ids, by cluster.

        Repeated headlines are taken out of them. Raises ValueError when the file lacks a cluster or an id.
        """
        for key, groups in gold.items():
            if key not in self._keys:
                raise ValueError(f"The sub-clusters name the cluster {key!r}, which the headlines lack.")
            unknown = [one for group in groups for one in group if one not in self._keys[key]]
            if unknown:
                raise ValueError(
                    f"The sub-clusters of {key!r} name the headline {unknown[0]!r}, which the cluster lacks."
                )
        judged = []
        for cluster, terms in zip(self.clusters, self.terms, strict=True):
            if cluster.key in gold:
                places = {one.key: place for place, one in enumerate(cluster.headlines)}
                placed = [[places[key] for key in keys if key in places] for keys in gold[cluster.key]]
                judged.append(JudgedCluster(cluster.key, terms, placed))
        return judged

    def pairs(self, settings: HeadlineSpec) -> Iterator[tuple[str, HeadlinePair]]:
        """The pairs of each cluster with its key, in the file's order."""
        for cluster, terms in zip(self.clusters, self.terms, strict=True):
            cosines = HeadlineCosines(terms, self.weights)
            for first, second in cosines.links(settings):
                yield (
                    cluster.key,
                    HeadlinePair(
                        cluster.headlines[first],
                        cluster.headlines[second],
                        float(cosines.titles[first, second]),
                        float(cosines.contexts[first, second]),
                    ),
                )

    def write_pairs(self, settings: HeadlineSpec, output: Path) -> int:
        """Write the pairs and return their number. Raises OSError when writing fails."""
        written = 0

        def rows() -> Iterator[tuple[str, ...]]:
            nonlocal written
            for key, pair in self.pairs(settings):
                written += 1
                yield _row(key, pair)

        write_tsv(output, COLUMNS, rows())
        return written

    def write_judged_links(
        self,
        judged: Sequence[JudgedCluster],
        settings: HeadlineSpec,
        output: Path,
        each: Sequence[HeadlineSpec] = (),
    ) -> None:
        """Write the links of the settings' method and those it misses, each with its outcome.

        each: the settings of each cluster, if they differ. Raises OSError when writing fails.
        """
        headlines = {cluster.key: cluster.headlines for cluster in self.clusters}
        rows = (
            (link.outcome, *_row(link.cluster, HeadlinePair(first, second, link.score, link.context or 0.0)))
            for link in judged_links(judged, settings, self.weights, each=each)
            for first, second in [[headlines[link.cluster][place] for place in (link.first, link.second)]]
        )
        write_tsv(output, ("outcome", *COLUMNS), rows)


def distinct_headlines(headlines: Sequence[Headline]) -> list[Headline]:
    """Without those that differ from an earlier one in punctuation or case only."""
    first: dict[tuple[str, ...], Headline] = {}
    for headline in headlines:
        first.setdefault(words_in_order(headline.title), headline)
    return list(first.values())


def _row(cluster: str, pair: HeadlinePair) -> tuple[str, ...]:
    has_context = pair.first.snippet and pair.second.snippet
    return (
        cluster,
        pair.first.key,
        pair.second.key,
        f"{pair.score:.6f}",
        f"{pair.context:.6f}" if has_context else "",
        pair.first.title,
        pair.second.title,
    )
