"""Paraphrases among the headlines of a cluster (Wubben, van den Bosch, Krahmer and Marsi 2009)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import isnan, log, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paragold.arrays import Floats
from paragold.folds import group_numbers
from paragold.formats.tables import write_tsv
from paragold.languages import language_of_stemmer
from paragold.matching.group_estimate import expected_groups
from paragold.matching.similar_pairs import content_words
from paragold.matching.specs import CONTEXT_CHARACTERS, LOWER, UPPER, HeadlineSpec
from paragold.packages import needed
from paragold.sources.headlines import Headline, read_headlines
from paragold.text.stemming import Stemmer

if TYPE_CHECKING:
    from pandas import DataFrame

    from paragold.matching.kmeans import Groupings

Stems = frozenset[str]
Terms = tuple[Stems, Stems]
"""The stems of a title, and of the first 150 characters of its article (none without a snippet)."""
Weights = tuple[Mapping[str, float] | None, Mapping[str, float] | None]
"""The IDF of terms in titles and in contexts; None: within the cluster."""
WITHIN_CLUSTER: Weights = (None, None)


def stems(text: str, stemmer: Stemmer) -> Stems:
    """The different stems of a text; TF is binary. Only punctuation is left out."""
    own = language_of_stemmer(stemmer.language)
    return frozenset(stemmer.stem(word) for word in content_words(text, frozenset(), own))


def headline_terms(title: str, snippet: str, stemmer: Stemmer) -> Terms:
    return stems(title, stemmer), stems(snippet[:CONTEXT_CHARACTERS], stemmer)


def words_in_order(title: str) -> tuple[str, ...]:
    """The words of a title, equal for titles that differ in punctuation or case only."""
    return tuple(content_words(title, frozenset())) or (title,)


def inverse_document_frequencies(texts: Sequence[Stems]) -> dict[str, float]:
    """log(texts / texts with the term), natural, for each term: 0 for one that all texts have."""
    counts = Counter(term for terms in texts for term in terms)
    return {term: log(len(texts) / count) for term, count in counts.items()}


def weights_over(clusters: Iterable[Sequence[Terms]]) -> Weights:
    """IDF over the headlines of all clusters."""
    every = list(chain.from_iterable(clusters))
    titles, contexts = [title for title, _ in every], [context for _, context in every]
    return inverse_document_frequencies(titles), inverse_document_frequencies(contexts)


def term_vectors(texts: Sequence[Stems], weights: Mapping[str, float] | None = None) -> Floats:
    """The weight of each term in each text, shape (texts, terms): its IDF, by default that within `texts`."""
    if weights is None:
        weights = inverse_document_frequencies(texts)
    places: dict[str, int] = {}
    for terms in texts:
        # Sorted, so that sums are rounded alike in every process: words of a set come in any order.
        for term in sorted(terms):
            places.setdefault(term, len(places))
    vectors = np.zeros((len(texts), len(places)))
    for row, terms in enumerate(texts):
        for term in terms:
            vectors[row, places[term]] = weights[term]
    return vectors


def cosines(vectors: Floats) -> Floats:
    """The cosine of each pair of texts, shape (texts, texts), from 0 to 1.

    A text whose terms all weigh 0 is similar to none, not even to itself.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1)
    # Rounding puts some cosines a little outside.
    return np.clip(units @ units.T, 0, 1)


def pairwise_links(
    titles: Floats, contexts: Floats, *, upper: float = UPPER, lower: float = LOWER
) -> list[tuple[int, int]]:
    """The pairs (first < second) that are accepted, in order (section 2.2).

    titles, contexts: cosines, shape (headlines, headlines). Above `upper` a pair is accepted, below `lower`
    rejected; in between it is accepted when the cosine of its contexts is above `upper`.
    """
    first, second = np.triu_indices(len(titles), 1)
    titles, contexts = titles[first, second], contexts[first, second]
    accepted = titles > upper
    accepted |= (titles >= lower) & (contexts > upper)
    return list(zip(first[accepted].tolist(), second[accepted].tolist(), strict=True))


def transitive_closure(links: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The links, and all that they imply: every pair of headlines that a chain of links joins, in order."""
    groups: defaultdict[int, set[int]] = defaultdict(set)
    for link, group in zip(links, group_numbers(links).tolist() if links else (), strict=True):
        groups[group].update(link)
    return links_within(groups.values())


def links_within(groups: Iterable[Iterable[int]]) -> list[tuple[int, int]]:
    """Every pair (first < second) of members of one group, in order."""
    return sorted(pair for group in groups for pair in combinations(sorted(group), 2))


class HeadlineCosines:
    """The cosines of the headlines of a cluster, from which its links follow for any parameters.

    titles, contexts: shape (headlines, headlines), from 0 to 1.
    """

    def __init__(self, terms: Sequence[Terms], weights: Weights = WITHIN_CLUSTER) -> None:
        self._vectors = term_vectors([title for title, _ in terms], weights[0])
        self.titles = cosines(self._vectors)
        self.contexts = cosines(term_vectors([context for _, context in terms], weights[1]))
        self._has_context = [bool(context) for _, context in terms]
        self._groupings: dict[tuple[int, str, int], Groupings] = {}

    def of(self, first: int, second: int) -> tuple[float, float]:
        """The cosines of the titles and of the contexts; the latter is no number where one has no words."""
        has_context = self._has_context[first] and self._has_context[second]
        return float(self.titles[first, second]), float(self.contexts[first, second]) if has_context else nan

    def groupings(self, spec: HeadlineSpec) -> Groupings:
        """The solutions of k-means; those of the latest starts and seed are kept."""
        # Here and not above: it imports Numba.
        from paragold.matching.kmeans import Groupings

        key = (spec.starts, spec.centres, spec.seed)
        if key not in self._groupings:
            starts, centres, seed = key
            self._groupings = {key: Groupings(self.titles, starts=starts, centres=centres, seed=seed)}
        return self._groupings[key]

    def groups(self, spec: HeadlineSpec) -> list[list[int]]:
        """The groups of k-means, by their first members; as many as PK1 chooses or as are expected."""
        groupings = self.groupings(spec)
        if spec.pk1 is None:
            return groupings.only(expected_groups(self._vectors, spec.seed))
        return groupings.at(spec.pk1, spec.delta)

    def number_of_groups(self, spec: HeadlineSpec) -> int:
        """As many as `groups` makes; where they are estimated, they need not be made for that."""
        return expected_groups(self._vectors, spec.seed) if spec.pk1 is None else len(self.groups(spec))

    def links(self, spec: HeadlineSpec) -> list[tuple[int, int]]:
        """The pairs (first < second) of headlines that are linked, in order."""
        if spec.method == "kmeans":
            return links_within(self.groups(spec))
        links = pairwise_links(self.titles, self.contexts, upper=spec.upper, lower=spec.lower)
        return transitive_closure(links) if spec.closure else links


COLUMNS = ("cluster_id", "id_a", "id_b", "score", "context", "text_a", "text_b")


class HeadlineFile:
    """The headlines of a file with their terms, without those that repeat an earlier one of their cluster.

    `path` may be headlines by cluster, too. A headline repeats another when it has the same words in order.
    Of the spec, language and weights matter.
    Raises FileProblem for an unusable file, ValueError for an unknown language.

    clusters: the headlines of each cluster, by its key. terms: those of each headline, in the same order.
    headlines, repeated: how many the file has, and how many were left out.
    """

    def __init__(self, path: Path | Mapping[str, Sequence[Headline]], spec: HeadlineSpec) -> None:
        stemmer = Stemmer(spec.language)
        read = read_headlines(path) if isinstance(path, Path) else path
        self.clusters = {
            key: [headlines[place] for place in distinct_titles(one.title for one in headlines)]
            for key, headlines in read.items()
        }
        self.terms = {
            key: [headline_terms(one.title, one.snippet, stemmer) for one in headlines]
            for key, headlines in self.clusters.items()
        }
        self.weights = weights_over(self.terms.values()) if spec.weights == "file" else WITHIN_CLUSTER
        self.headlines = sum(map(len, read.values()))
        self.repeated = self.headlines - sum(map(len, self.clusters.values()))
        self._keys = {key: {headline.key for headline in headlines} for key, headlines in read.items()}

    def places(self, gold: Mapping[str, Sequence[Sequence[str]]]) -> dict[str, list[list[int]]]:
        """The sub-clusters that people have drawn, by the places of their headlines, in the file's order.

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
        placed = {}
        for key, headlines in self.clusters.items():
            if key in gold:
                places = {one.key: place for place, one in enumerate(headlines)}
                placed[key] = [[places[one] for one in group if one in places] for group in gold[key]]
        return placed

    def pairs(self, spec: HeadlineSpec) -> DataFrame:
        """The pairs of each cluster in the file's order; `score` and `context` are cosines, 0 to 1.

        `context` is missing where one of the two has no words after its title.
        """
        with needed("tables"):
            from pandas import DataFrame
        return DataFrame(self._rows(spec), columns=list(COLUMNS))

    def _rows(self, spec: HeadlineSpec) -> Iterator[tuple[Any, ...]]:
        for key, terms in self.terms.items():
            cosines = HeadlineCosines(terms, self.weights)
            for first, second in cosines.links(spec):
                yield self._row(key, first, second, *cosines.of(first, second))

    def _row(self, key: Any, first: Any, second: Any, score: Any, context: Any) -> tuple[Any, ...]:
        a, b = self.clusters[key][first], self.clusters[key][second]
        return key, a.key, b.key, score, context, a.title, b.title

    def write_pairs(self, spec: HeadlineSpec, output: Path) -> int:
        """Write the pairs and return their number. Raises OSError when writing fails."""
        pairs = list(self._rows(spec))
        write_tsv(output, COLUMNS, map(_written, pairs))
        return len(pairs)

    def write_judged_links(self, links: DataFrame, output: Path) -> None:
        """Write links with their outcome, as `judged_links` has them. Raises OSError when writing fails."""
        rows = links[["outcome", "cluster", "first", "second", "score", "context"]].itertuples(index=False)
        write_tsv(output, ("outcome", *COLUMNS), (_written((row[0], *self._row(*row[1:]))) for row in rows))


def _written(row: Any) -> tuple[str, ...]:
    return tuple(cell if isinstance(cell, str) else "" if isnan(cell) else f"{cell:.6f}" for cell in row)


def distinct_titles(titles: Iterable[str]) -> list[int]:
    """The places of titles, without those that differ from an earlier one in punctuation or case only."""
    first: dict[tuple[str, ...], int] = {}
    for place, title in enumerate(titles):
        first.setdefault(words_in_order(title), place)
    return list(first.values())
