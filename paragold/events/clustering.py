"""From dated articles to events, one day after the other; existing events never change.

The articles of a day are put together by average linkage of their cosines; each group then joins the event
that it is most similar to on average, or begins one. An event is what it has within the window of days.
Everything that a day's result depends on lies within that window, so days may come in one file or in many.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np

from paragold.arrays import Floats, Integers
from paragold.events.settings import EventSpec
from paragold.languages import language
from paragold.problems import FileProblem
from paragold.statistics import f_score
from paragold.text.stemming import Stemmer, stemmer_name
from paragold.text.tokenisation import tokenise


class Terms:
    """Counts stems as the settings weigh them."""

    def __init__(self, settings: EventSpec) -> None:
        name = stemmer_name(settings.language)
        self._stem = Stemmer(name).stem if name else str.lower
        self._left_out = language(settings.language).function_words
        self._title_weight = settings.title_weight
        self._name_weight = settings.name_weight

    def __call__(self, title: str, sentences: Iterable[Sequence[str]]) -> dict[str, float]:
        """Stem -> its weighted count, above 0, in a title and sentences of tokens.

        Without a title the first sentence, mostly the headline, takes its place. Punctuation does not count,
        nor do function words, where those of the language are known.
        """
        counts: dict[str, float] = defaultdict(float)
        weight = self._title_weight
        for sentence in [tokenise(title)[0], *sentences] if title.strip() else sentences:
            for place, token in enumerate(sentence):
                if token.lower() not in self._left_out and any(map(str.isalnum, token)):
                    name = place > 0 and token[0].isupper()
                    counts[self._stem(token)] += weight * self._name_weight if name else weight
            weight = 1.0
        return counts


# Articles of a day that hang together by single links: their cosines are held as squares, some 1 GB.
MAX_LINKED = 5_000
_BACKGROUND = 200
_ROWS = 512
EVENT_NAME = re.compile(r"(\d{4}-\d{2}-\d{2}|event)-(\d+)")

Matrix = Any  # scipy.sparse.csr_matrix, float64


DatedArticle = tuple[str, date | None, Mapping[str, float]]
"""An article of a stream: its key, its day, and stem -> weighted count, above 0 (see `Terms`)."""
_Counted = tuple[Integers, Floats]
"""An article as arrays: the numbers of its terms and 1 + ln of their counts."""


def find_events(
    articles: Sequence[DatedArticle],
    settings: EventSpec,
    existing: Iterable[tuple[DatedArticle, str]] = (),
    taken: Iterable[str] = (),
    progress: Callable[[float], None] = lambda share: None,
) -> list[str]:
    """The event of each article, in their order: `2004-08-31-002` is the second that began on that day.

    `existing`: articles with the events they are in already, which stay; `taken`: further names not to be
    given. Articles are worked on by day, then by key: their order plays no part. Without a window of days
    events are called `event-001` and so on. `progress` is given the share of days done and may raise to stop.
    Raises FileProblem for a day that is too large.
    """
    timeless = settings.window_days is None
    names = _Names(taken)
    vocabulary: dict[str, int] = {}
    placed: dict[date | None, list[tuple[_Counted, str]]] = defaultdict(list)
    for article, event in existing:
        names.take(event)
        placed[None if timeless else article[1]].append((_counted(article, vocabulary), event))
    days: dict[date | None, list[int]] = defaultdict(list)
    for index, (_, day, _) in enumerate(articles):
        days[None if timeless else day].append(index)
    event_of = [""] * len(articles)
    for done, day in enumerate(sorted(days, key=lambda day: day or date.min)):
        progress(done / len(days))
        fresh = sorted(days[day], key=lambda index: articles[index][0])
        counted = [_counted(articles[index], vocabulary) for index in fresh]
        near = [pair for other in _window(day, settings) for pair in placed.get(other, ())]
        events = _events_of_day(day, counted, near, len(vocabulary), settings.threshold, names)
        placed[day].extend(zip(counted, events, strict=True))
        for index, event in zip(fresh, events, strict=True):
            event_of[index] = event
    return event_of


def _window(day: date | None, settings: EventSpec) -> list[date | None]:
    """The days whose articles a day is compared with: later ones only where they were clustered before."""
    if day is None or settings.window_days is None:
        return [day]
    reach = range(-settings.window_days, settings.window_days + 1)
    first, last = date.min.toordinal(), date.max.toordinal()
    return [day + timedelta(days) for days in reach if first <= day.toordinal() + days <= last]


class _Names:
    """Gives events their names: the day they begin and a number that runs through the day."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._highest: dict[str, int] = defaultdict(int)
        for name in taken:
            self.take(name)

    def take(self, name: str) -> None:
        if match := EVENT_NAME.fullmatch(name):
            self._highest[match[1]] = max(self._highest[match[1]], int(match[2]))

    def give(self, day: date | None) -> str:
        prefix = day.isoformat() if day else "event"
        self._highest[prefix] += 1
        return f"{prefix}-{self._highest[prefix]:03d}"


def _counted(article: DatedArticle, vocabulary: dict[str, int]) -> _Counted:
    _, _, weights = article
    numbers = (vocabulary.setdefault(term, len(vocabulary)) for term in weights)
    counts = np.fromiter(weights.values(), np.float64, len(weights))
    return np.fromiter(numbers, np.int64, len(weights)), 1 + np.log(counts)


def _events_of_day(
    day: date | None,
    counted: list[_Counted],
    near: list[tuple[_Counted, str]],
    words: int,
    threshold: float,
    names: _Names,
) -> list[str]:
    vectors = _vectors([*counted, *(article for article, _ in near)], words)
    fresh = vectors[: len(counted)]
    groups = _groups(fresh, threshold)
    events = sorted({event for _, event in near})
    numbers = {event: number for number, event in enumerate(events)}
    owners = np.fromiter((numbers[event] for _, event in near), np.int64, len(near))
    # The mean cosine of two groups is the product of their mean vectors.
    means = _means(groups, int(groups.max(initial=-1)) + 1) @ fresh
    event_means = (_means(owners, len(events)) @ vectors[len(counted) :]).T.tocsc()
    given: list[str] = []
    for start in range(0, means.shape[0], _ROWS):
        block = means[start : start + _ROWS]
        similar = (block @ event_means).toarray() if events else np.zeros((block.shape[0], 1))
        for row, best in zip(similar, similar.argmax(axis=1).tolist(), strict=True):
            given.append(events[best] if row[best] > threshold else names.give(day))
    return [given[group] for group in groups.tolist()]


def _vectors(articles: Sequence[_Counted], words: int) -> Matrix:
    """Unit vectors, shape (articles, words): (1 + ln count) * (1 + ln((1 + n) / (1 + articles with it))).

    n counts as many articles again without any of the words as `_BACKGROUND` says: on a day of few articles
    the words that an event's articles share would weigh next to nothing.
    """
    # Imported here: every process of the web server would load it and never need it.
    from scipy import sparse

    terms, values = (np.concatenate(arrays) for arrays in zip(*articles, strict=True))
    offsets = np.cumsum([0, *(own.size for own, _ in articles)])
    inverse = 1 + np.log((1 + len(articles) + _BACKGROUND) / (1 + np.bincount(terms, minlength=words)))
    vectors = sparse.csr_matrix((values * inverse[terms], terms, offsets), shape=(len(articles), words))
    lengths = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel())
    return sparse.csr_matrix(sparse.diags(1 / np.where(lengths > 0, lengths, 1)) @ vectors)


def _means(owners: Integers, count: int) -> Matrix:
    """Rows that take the mean of the vectors of each owner, shape (count, owners.size)."""
    from scipy import sparse

    sizes = np.bincount(owners, minlength=count)
    shape = (count, owners.size)
    return sparse.csr_matrix((1 / sizes[owners], (owners, np.arange(owners.size))), shape=shape)


def _groups(vectors: Matrix, threshold: float) -> Integers:
    """The group of each vector, numbered by first appearance, by average linkage above the threshold.

    Two groups whose mean cosine is above it have a pair above it: what no chain of such pairs connects is
    separated without looking at the rest. Raises FileProblem.
    """
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    size = vectors.shape[0]
    links = []
    for start in range(0, size, _ROWS):
        block = vectors[start : start + _ROWS] @ vectors.T
        block.data[block.data <= threshold] = 0
        block.eliminate_zeros()
        links.append(block)
    similar = sparse.vstack(links, format="csr")
    count, linked = connected_components(similar, directed=False)
    groups = np.empty(size, np.int64)
    members: list[list[int]] = [[] for _ in range(count)]
    for row, component in enumerate(linked.tolist()):
        members[component].append(row)
    for rows in members:
        groups[rows] = rows[0]
        if len(rows) > 2:
            groups[rows] = np.asarray(rows)[_average_linkage(vectors[rows], threshold)]
    return np.unique(groups, return_inverse=True)[1]


def _average_linkage(vectors: Matrix, threshold: float) -> Integers:
    """The first member of each vector's group, shape (vectors,)."""
    size = vectors.shape[0]
    if size > MAX_LINKED:
        raise FileProblem(
            f"{size:,} articles of one day are similar; at most {MAX_LINKED:,} can be compared.",
            "Raise the threshold, or give the articles their dates.",
        )
    # Loading it takes a second and 100 MB, which a web server and most jobs never need.
    from sklearn.cluster import AgglomerativeClustering

    distances = 1 - np.clip((vectors @ vectors.T).toarray(), 0, 1)
    np.fill_diagonal(distances, 0)
    method = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=1 - threshold
    )
    labels = method.fit_predict(distances)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return first[inverse]


def score_events(labels: Sequence[str], gold: Sequence[str]) -> dict[str, float]:
    """B-cubed `precision` and `recall` (Bagga & Baldwin 1998), `f`, their harmonic mean, from 0 to 1, the
    `adjusted_rand` index (Hubert & Arabie 1985), from -1 to 1, and the number of `clusters`.

    For each article the share of its cluster that is of its gold cluster, and the share of its gold cluster
    that is in its cluster; then the mean over articles. Raises ValueError for no articles.
    """
    if not gold or len(labels) != len(gold):
        raise ValueError("There must be as many labels as gold labels, and at least one.")
    from sklearn.metrics import adjusted_rand_score

    of_labels, of_gold = Counter(labels), Counter(gold)
    both = Counter(zip(labels, gold, strict=True))
    precision = sum(count * count / of_labels[label] for (label, _), count in both.items()) / len(gold)
    recall = sum(count * count / of_gold[label] for (_, label), count in both.items()) / len(gold)
    return {
        **{"precision": precision, "recall": recall, "f": f_score(precision, recall)},
        **{"adjusted_rand": float(adjusted_rand_score(gold, labels)), "clusters": len(of_labels)},
    }
