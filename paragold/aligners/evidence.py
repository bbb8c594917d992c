"""What speaks for and against each candidate link, as numbers for a classifier.

The word pairs of many sentence pairs lie in one array, so that all are worked on at once. All evidence is the
same when source and target change places, but for the two directions' places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from os.path import commonprefix
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.aligner import Pair
from paragold.aligners.context import CONTEXT_NAMES, context_evidence
from paragold.aligners.cooccurrences import Vocabulary
from paragold.aligners.evidence_sources import Classes, classes_in
from paragold.aligners.identity import identity_links
from paragold.aligners.relations import IDENTICAL, KINDS, STEM
from paragold.aligners.translation_model import Posteriors, TranslationModel
from paragold.arrays import Array, Flags, Floats, Integers
from paragold.languages import Language, language as language_of
from paragold.metrics.links import Link
from paragold.parallel import compiled
from paragold.text.tokenisation import same_form

MARGIN = 3
"""Zeros around each matrix: so far may a value be from the cell that asks for it."""


class Grids:
    """The layout of P matrices of I x J cells, one for each sentence pair, with zeros around each.

    The cells of all pairs are numbered by pair, row and column; so are the rows and columns of all pairs.
    """

    def __init__(self, shapes: Sequence[tuple[int, int]]) -> None:
        """`shapes`: (I, J) of each pair."""
        self.heights, self.widths = np.array(shapes, dtype=np.int64).reshape(-1, 2).T
        self.strides = self.widths + MARGIN
        """How far apart in the array two cells of one column and neighbouring rows are. Shape (P,)."""
        around = MARGIN * self.strides + MARGIN
        sizes = self.heights * self.strides + 2 * around
        self.starts = np.cumsum(sizes) - sizes + around
        """Place of the first cell of each pair."""
        self.size = int(sizes.sum())
        self.first_rows = np.cumsum(self.heights) - self.heights
        self.first_columns = np.cumsum(self.widths) - self.widths

    def cells(self) -> tuple[Integers, Integers, Integers]:
        """Of every cell its pair, row and column, the latter two counted within the pair."""
        sizes = self.heights * self.widths
        pairs = np.repeat(np.arange(len(sizes)), sizes)
        numbers = np.arange(len(pairs)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return pairs, *np.divmod(numbers, self.widths[pairs])

    def places(self, pairs: Integers, rows: Integers, columns: Integers) -> Integers:
        """Where cells lie in the array."""
        return np.asarray(self.starts[pairs] + rows * self.strides[pairs] + columns)

    def filled(self, places: Integers, values: NDArray[np.generic]) -> Floats:
        """The array with these values, and zeros elsewhere."""
        filled = np.zeros(self.size)
        filled[places] = values
        return filled

    def row_sums(self, filled: Floats) -> Floats:
        """The sum of every row of all pairs."""
        return np.concatenate(
            [
                filled[start : start + height * stride].reshape(height, stride)[:, :width].sum(axis=1)
                for start, height, width, stride in np.stack(
                    (self.starts, self.heights, self.widths, self.strides), axis=1
                ).tolist()
            ]
        )


def rivals(values: Floats, rows: Integers, columns: Integers) -> tuple[Floats, Floats]:
    """For each cell the highest other value of its row and of its column, higher first.

    Values are not negative; `rows` and `columns` are those of the cells, and cells that are left out are 0.
    """
    best = []
    for lines in (rows, columns):
        highest, second = _for(values, two_highest)(values, lines, int(lines.max(initial=-1)) + 1)
        best.append(np.where(values == highest[lines], second[lines], highest[lines]))
    return np.maximum(*best), np.minimum(*best)


@compiled
def two_highest(values: Floats, lines: Integers, size: int) -> tuple[Floats, Floats]:
    """The highest and the second highest value of each of `size` lines, 0 where there is none."""
    highest, second = np.zeros(size), np.zeros(size)
    for number in range(len(values)):
        value, line = values[number], lines[number]
        if value > highest[line]:
            highest[line], second[line] = value, highest[line]
        elif value > second[line]:
            second[line] = value
    return highest, second


@compiled
def runs(places: Integers, steps: Integers, size: int) -> Floats:
    """How many of the cells at `places` follow one another, each a step from the next; 0 at all others.

    A cell comes after that which is a step before it.
    """
    lengths = np.zeros(size)
    for number in range(len(places)):
        lengths[places[number]] = lengths[places[number] - steps[number]] + 1
    return lengths


_FEW = 8


def _for(cells: Array, function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled function, or for a few cells, as those of NAMES, the same in Python: loading machine code
    takes a third of a second."""
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain if len(cells) <= _FEW else function


UNKNOWN = language_of("und")
Contexts = Sequence[tuple[Floats, Flags]]
FORM_NAMES = (
    "spelling, part of the other word",
    "spelling, common beginning",
    "digits, one number written in two ways",
    "spelling, initials of a name",
)
_BESIDE_DIGITS = re.compile(r"[$£€%]|(?<=\d)(?:st|nd|rd|th)$")
_NUMBER = re.compile(r"[\d.]*\d[\d.]*")
_JOINTS = re.compile(r"[-/.']")
_SHORTEST_BEGINNING = _SHORTEST_PART = 3
_SHORTEST_END = 4
_LONGEST_INITIALS = 5


def form_evidence(pairs: Sequence[Pair], rows: Integers, columns: Integers, language: Language) -> Floats:
    """For each candidate link, a source and a target word, the values of FORM_NAMES; 0 for equal words.

    `rows` and `columns` number the words of all source and of all target sentences. Number words and the
    marks of numbers are those of the language.
    """
    values = np.zeros((len(rows), len(FORM_NAMES)))
    words = Vocabulary()
    source, target = (
        np.array(words.encode(chain(*side)), dtype=np.int64) for side in zip(*pairs, strict=True)
    )
    different = np.flatnonzero(source[rows] != target[columns])
    keys = source[rows[different]] * len(words) + target[columns[different]]
    kinds, kind = np.unique(keys, return_inverse=True)
    spelled = words.words
    numbers = [_number(word, language) for word in spelled]
    values_of_kinds = []
    for i, j in np.stack(np.divmod(kinds, len(words)), axis=1).tolist():
        same = numbers[i] is not None and numbers[i] == numbers[j]
        values_of_kinds.append((_part(spelled[i], spelled[j]), _beginning(spelled[i], spelled[j]), same))
    values[different, :3] = np.array(values_of_kinds, dtype=float).reshape(-1, 3)[kind]
    initials: set[tuple[int, int]] = set()
    row = column = 0
    for one, other in pairs:
        initials |= {(row + i, column + j) for i, j in _initials(one, other)}
        initials |= {(row + i, column + j) for j, i in _initials(other, one)}
        row, column = row + len(one), column + len(other)
    if initials:
        values[:, 3] = [link in initials for link in zip(rows.tolist(), columns.tolist(), strict=True)]
    return values


def _part(one: str, other: str) -> float:
    """1 where a word is a part of the other that is joined by a mark, 0.5 where its beginning or end."""
    short, long = sorted((one, other), key=len)
    if len(short) >= _SHORTEST_PART and short in _JOINTS.split(long):
        return 1.0
    return 0.5 * (len(short) >= _SHORTEST_END and (long.startswith(short) or long.endswith(short)))


def _beginning(one: str, other: str) -> float:
    """The length of the common beginning in that of the longer word; 0 for short ones."""
    common = len(commonprefix((one, other)))  # noqa: RUF071 - words, not paths
    return common / max(len(one), len(other)) if common >= _SHORTEST_BEGINNING else 0.0


def _number(word: str, language: Language) -> str | None:
    if word in language.number_words:
        return language.number_words[word]
    if word.isalpha():
        return None
    digits = _BESIDE_DIGITS.sub("", word)
    if language.decimal == ",":
        digits = digits.replace(".", "").replace(",", ".")
    digits = digits.replace(",", "")
    return digits if _NUMBER.fullmatch(digits) else None


def _initials(names: Sequence[str], tokens: Sequence[str]) -> set[tuple[int, int]]:
    """(name, token) for each name of capitals, such as U.N., and the tokens that begin with its letters."""
    initials: set[tuple[int, int]] = set()
    for place, name in enumerate(names):
        if not name.isupper():
            continue
        letters = name.replace(".", "")
        if not 2 <= len(letters) <= _LONGEST_INITIALS:
            continue
        for start in range(len(tokens) - len(letters) + 1):
            words = tokens[start : start + len(letters)]
            if all(word[:1].upper() == letter for word, letter in zip(words, letters, strict=True)):
                initials |= {(place, start + number) for number in range(len(letters))}
    return initials


def logit(probability: Floats) -> Floats:
    """Logarithm of the odds, from about -7 to 7."""
    clipped = probability.clip(0.001, 0.999)
    return np.asarray(np.log(clipped / (1 - clipped)))


PHRASE_NAMES = (
    "phrase, free word beside a link",
    "phrase, free word beside a link, association",
    "phrase, more of both words free",
    "phrase, less of both words free",
    "phrase, gap between links",
)
_ALIKE = 0.75
_LONGEST_RUN, _LONGEST_BESIDE = 6, 3
_MIN_POSTERIOR = 0.01
_MIN_SPELLING = 0.6
_FREQUENT = 0.002
"""Share of the running words from which on a word counts as a function word."""
_LINKED, _BESIDE = 0.5, 0.3
_LONGEST_GAP = 5
_AT_ONCE = 128
"""Sentence pairs whose evidence is computed at a time: more take memory and are not faster."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The candidate links of one sentence pair."""

    shape: tuple[int, int]
    sources: Integers
    targets: Integers
    features: Floats
    """A row for each candidate, a column for each of NAMES."""

    def links(self) -> list[Link]:
        return list(zip(self.sources.tolist(), self.targets.tolist(), strict=True))


class Side:
    """The words of all sentences, one sentence after another; `shares` of the running words are theirs."""

    def __init__(self, sentences: Sequence[Sequence[str]], shares: Floats, classes: Classes) -> None:
        tokens = list(chain.from_iterable(sentences))
        numbers = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
        words = np.array([numbers[token] for token in tokens], dtype=np.int64)
        names = {name for own in classes.values() for name in own}
        bits = {name: 1 << number for number, name in enumerate(sorted(names))}

        def of_each(values: Sequence[int]) -> Integers:
            return np.array(values, dtype=np.int64)[words]

        forms = {token: same_form(token) for token in numbers}
        self.forms = [[forms[token] for token in sentence] for sentence in sentences]
        self.classes = of_each(
            [sum(bits[name] for name in classes.get(token.lower(), ())) for token in numbers]
        )
        """The closed classes of each word, a bit each."""
        self.punctuation = of_each([not any(map(str.isalnum, token)) for token in numbers]) > 0
        self.capitalised = of_each([token[:1].isupper() for token in numbers]) > 0
        self.digits = of_each([any(map(str.isdigit, token)) for token in numbers]) > 0
        self.function = shares > _FREQUENT
        self.logarithm = np.log(shares + 1e-6)
        self.content = ~(self.punctuation | (self.classes > 0 if classes else self.function))
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        ends, lengths = np.repeat(np.cumsum(lengths), lengths), np.repeat(lengths, lengths)
        places, last = np.arange(len(tokens)), len(tokens)
        following = np.minimum.accumulate(np.where(self.content, places, last)[::-1])[::-1]
        preceding = np.maximum.accumulate(np.where(self.content, places, -1))
        after, before = np.append(following, last)[1:], np.append(-1, preceding)[:-1]
        starts = ends - lengths
        self.after = np.where(after < ends, after - starts, lengths)
        """Place in the sentence of the next word that is no function word or mark; its length if none is."""
        self.before = np.where(before >= starts, before - starts, lengths)


def phrase_evidence(average: Floats, association: Floats) -> tuple[tuple[Floats, ...], Flags]:
    """A matrix I x J for each of PHRASE_NAMES, and the cells that are candidates for that alone.

    `association` has logarithms. A word is free as far as its highest posterior is below 1. A gap is a
    rectangle of up to five free words on either side, with links at both corners; its value is 1 over the
    longer side.
    """
    source_free = 1 - average.max(axis=1, keepdims=True, initial=0)
    target_free = 1 - average.max(axis=0, keepdims=True, initial=0)
    around = np.pad(average, 1)
    beside = np.maximum(
        target_free * np.maximum(around[1:-1, :-2], around[1:-1, 2:]),
        source_free * np.maximum(around[:-2, 1:-1], around[2:, 1:-1]),
    )
    gaps = np.maximum(_gaps(average), _gaps(average.T).T)
    more, less = np.maximum(source_free, target_free), np.minimum(source_free, target_free)
    return (beside, beside * association, more, less, gaps), (beside > _BESIDE) | (gaps > 0)


def _gaps(average: Floats) -> Floats:
    """The value of the gap in which a cell lies, 0 outside of gaps."""
    gaps = np.zeros(average.shape)
    if not average.size:
        return gaps
    height, width = average.shape
    linked_columns = average.max(axis=0) >= _LINKED
    rows = np.flatnonzero(average.max(axis=1) >= _LINKED)
    columns = average[rows].argmax(axis=1)
    corners = [(-1, -1), *zip(rows.tolist(), columns.tolist(), strict=True), (height, width)]
    for (top, left), (bottom, right) in pairwise(corners):
        rest = bottom - top - 1, right - left - 1
        if min(rest) > 0 and max(rest) <= _LONGEST_GAP and not linked_columns[left + 1 : right].any():
            gaps[top + 1 : bottom, left + 1 : right] = 1 / max(rest)
    return gaps


def _values_by_name(
    pairs: Sequence[Pair],
    posteriors: Sequence[Posteriors],
    source_shares: Floats,
    target_shares: Floats,
    language: Language,
    contexts: Contexts,
    *,
    phrases: bool,
) -> tuple[Integers, Integers, Integers, dict[str, Array]]:
    """The pair, the source word and the target word of each candidate, and its features."""
    classes = classes_in(language.tag)
    source = Side([pair[0] for pair in pairs], source_shares, classes)
    target = Side([pair[1] for pair in pairs], target_shares, classes)
    grids = Grids([(len(one), len(other)) for one, other in pairs])
    number, i, j = grids.cells()
    places = grids.places(number, i, j)
    rows, columns = grids.first_rows[number] + i, grids.first_columns[number] + j
    forward, backward, kinds, spelling, association = (
        np.concatenate([getattr(own, name).ravel() for own in posteriors])
        for name in ("forward", "backward", "kinds", "spelling", "association")
    )
    average = (forward + backward) / 2
    candidates = (average > _MIN_POSTERIOR) | (kinds > 0) | (spelling > _MIN_SPELLING)
    of_phrases = np.zeros((len(PHRASE_NAMES), len(average)))
    if phrases:
        by_pair = [phrase_evidence(own.average, np.log(own.association + 1e-6)) for own in posteriors]
        of_phrases = np.hstack([np.reshape(matrices, (len(PHRASE_NAMES), -1)) for matrices, _ in by_pair])
        candidates |= np.concatenate([more.ravel() for _, more in by_pair])

    of_contexts = np.zeros((len(CONTEXT_NAMES), len(average)))
    if contexts:
        of_contexts = np.hstack([np.reshape(values, (len(CONTEXT_NAMES), -1)) for values, _ in contexts])
        candidates |= np.concatenate([more.ravel() for _, more in contexts])

    # What depends on other cells is computed of all of them, everything else of the candidates alone.
    likely = grids.filled(places, average)
    same = np.flatnonzero(kinds == IDENTICAL)
    steps = grids.strides[number] + 1
    up_to = _for(same, runs)(places[same], steps[same], grids.size)
    back = same[::-1]
    from_on = _for(same, runs)(places[back], -steps[back], grids.size)
    related_places = grids.filled(places, (kinds > 0) | (spelling > _ALIKE))
    row_doubles = np.bincount(rows[same], minlength=len(source.function))
    column_doubles = np.bincount(columns[same], minlength=len(target.function))
    subsequence = np.zeros(len(average))
    start = 0
    for one, other in zip(source.forms, target.forms, strict=True):
        subsequence[[start + row * len(other) + column for row, column in identity_links(one, other)]] = 1
        start += len(one) * len(other)
    all_rivals = rivals(average, rows, columns)

    chosen = np.flatnonzero(candidates)
    number, i, j, places, rows, columns, steps = (
        values[chosen] for values in (number, i, j, places, rows, columns, steps)
    )
    average, kinds, spelling = average[chosen], kinds[chosen], spelling[chosen]
    association = np.log(association[chosen] + 1e-6)
    rival, second = (values[chosen] for values in all_rivals)
    height, width = grids.heights[number], grids.widths[number]
    before, after = likely[places - steps], likely[places + steps]
    near, either = before + after, np.minimum(before, after)
    odds = logit(average)
    directions = forward[chosen], backward[chosen]
    identical, different = (kinds == IDENTICAL).astype(float), (kinds == 0).astype(float)
    related = 1 - different - identical
    doubles = np.log1p(row_doubles[rows] + column_doubles[columns] - 2 * identical)
    diagonal = np.abs((i + 0.5) / height - (j + 0.5) / width)
    unequal = 1 - np.minimum(height, width) / np.maximum(height, width)
    source_log, target_log = source.logarithm[rows], target.logarithm[columns]
    commoner = np.maximum(source_log, target_log)

    def both_and_one(property: str) -> tuple[Flags, Flags]:
        one, other = getattr(source, property)[rows], getattr(target, property)[columns]
        return one & other, one ^ other

    function, one_function = both_and_one("function")
    punctuation, one_punctuation = both_and_one("punctuation")
    upper, one_upper = both_and_one("capitalised")
    digits, one_digits = both_and_one("digits")
    content = both_and_one("content")[0]
    function_words = function & ~punctuation
    same_function, same_punctuation = identical * function_words, identical * punctuation

    # Context: closed classes, the content words on either side, runs of identical words.
    row_classes, column_classes = source.classes[rows], target.classes[columns]
    closed = (row_classes > 0), (column_classes > 0)
    alike = (row_classes & column_classes) > 0
    other = alike * (1 - identical)
    one_closed = (closed[0] ^ closed[1]).astype(float)
    next_places = grids.places(number, source.after[rows], target.after[columns])
    last_places = grids.places(number, source.before[rows], target.before[columns])
    linked_after, linked_before = likely[next_places], likely[last_places]
    no_content = 1.0 - content
    same_no_content = no_content * identical
    run = identical * (up_to[places] + from_on[places] - 1)
    run_before, run_after = up_to[places - steps], from_on[places + steps]
    form = form_evidence(pairs, rows, columns, language).T
    values = {
        "posterior of both directions": odds,
        "higher posterior": logit(np.maximum(*directions)),
        "lower posterior": logit(np.minimum(*directions)),
        **{name: kinds == kind for kind, name in enumerate(KINDS) if kind not in (0, STEM)},
        "spelling": spelling,
        "association": association,
        "distance from the diagonal": diagonal,
        "unequal lengths": unequal,
        "word before linked": before,
        "word after linked": after,
        "both neighbours linked": either,
        "word before identical": up_to[places - steps] > 0,
        "word after identical": up_to[places + steps] > 0,
        "strongest rival": rival,
        "second rival": second,
        "identical rivals": doubles,
        "common subsequence": subsequence[chosen],
        "frequency": source_log + target_log,
        "frequencies apart": np.abs(source_log - target_log),
        "both function words": function_words,
        "one function word": one_function,
        "both punctuation": punctuation,
        "one punctuation": one_punctuation,
        "identical function words": same_function,
        "identical punctuation": same_punctuation,
        "identical function words, posterior": same_function * odds,
        "identical, posterior": identical * odds,
        "identical, neighbours": identical * near,
        "different, neighbours": different * near,
        "different, posterior": different * odds,
        "different function words, posterior": different * (function | one_function) * odds,
        "unequal lengths, posterior": unequal * odds,
        "unequal lengths, identical function words": unequal * same_function,
        "unequal lengths, neighbours": unequal * near,
        "related, posterior": related * odds,
        "related, distance from the diagonal": related * diagonal,
        "identical, distance from the diagonal": identical * diagonal,
        "different, rivals": different * rival,
        "identical, frequency": identical * (source_log + target_log),
        "identical function words, word before linked": same_function * before,
        "identical function words, word after linked": same_function * after,
        "different, association": different * association,
        "both capitalised": upper,
        "one capitalised": one_upper,
        "different, both capitalised": upper * different,
        "both with digits": digits,
        "one with digits": one_digits,
        "different, both with digits": digits * different,
        "rarer word": np.minimum(source_log, target_log),
        "commoner word": commoner,
        "identical, commoner word squared": identical * commoner**2,
        "identical function words, distance from the diagonal": same_function * diagonal,
        "identical function words, identical rivals": same_function * doubles,
        "identical function words, strongest rival": same_function * rival,
        "identical punctuation, neighbours": same_punctuation * near,
        "identical punctuation, posterior": same_punctuation * odds,
        "unequal lengths, identical punctuation": unequal * same_punctuation,
        "unequal lengths, strongest rival": unequal * rival,
        "different, both neighbours linked": different * either,
        "length of the shorter": np.log1p(np.minimum(height, width)),
        "different, spelling squared": different * spelling**2,
        "association squared": association**2,
        "posterior squared": odds**2,
        "first word": np.minimum(i, j) == 0,
        "last word": np.minimum(height - 1 - i, width - 1 - j) == 0,
        "closed class of both, different": other,
        "closed classes apart": closed[0] & closed[1] & ~alike,
        "closed class of one": one_closed,
        "closed class of both, different, posterior": other * odds,
        "closed class of one, posterior": one_closed * odds,
        "content word after linked": linked_after,
        "content word before linked": linked_before,
        "content word after related": related_places[next_places],
        "content word before related": related_places[last_places],
        "function word, content word after linked": no_content * linked_after,
        "function word, content word before linked": no_content * linked_before,
        "identical function word, content word after linked": same_no_content * linked_after,
        "identical function word, content word before linked": same_no_content * linked_before,
        "identical function word, content word beside linked": same_no_content
        * np.maximum(linked_after, linked_before),
        "identical run": np.minimum(run, _LONGEST_RUN),
        "identical run, alone": run == 1,
        "identical run, logarithm": np.log1p(run),
        "identical run before": np.minimum(run_before, _LONGEST_BESIDE),
        "identical run after": np.minimum(run_after, _LONGEST_BESIDE),
        "identical run around a different word": (kinds == 0) & (run_before > 0) & (run_after > 0),
        **dict(zip(PHRASE_NAMES, of_phrases[:, chosen], strict=True)),
        **dict(zip(FORM_NAMES, form, strict=True)),
        **dict(zip(CONTEXT_NAMES, of_contexts[:, chosen], strict=True)),
        "context, similarity of different words": of_contexts[0, chosen] * different,
        "context, mutual nearest different words": of_contexts[4, chosen] * different,
        "context, similarity of function words": of_contexts[0, chosen] * function_words,
    }
    return number, i, j, values


def _names() -> tuple[str, ...]:
    one, share = np.ones((1, 1)), np.ones(1)
    example = Posteriors(one, one, one.astype(np.uint8), one.astype(np.float32), one)
    return tuple(_values_by_name([(["a"], ["a"])], [example], share, share, UNKNOWN, (), phrases=False)[3])


NAMES = _names()
"""The features of a candidate link, in the order of the columns."""


def evidence(
    pairs: Sequence[Pair],
    posteriors: Sequence[Posteriors],
    source_shares: Floats,
    target_shares: Floats,
    language: Language = UNKNOWN,
    contexts: Contexts = (),
    *,
    phrases: bool = False,
) -> list[Evidence]:
    """The candidates of each sentence pair.

    `..._shares` are the shares of the running words that the words of all source sentences have, one sentence
    after another, and those of all target sentences. `language` gives closed classes and number words.

    Candidates are the links with a posterior of 0.01 in the mean of both directions, those of words that
    are related, spelled alike or in a lexicon, and with `phrases` those of `phrase_evidence`, whose columns
    are 0 otherwise; so are those of `contexts`, what `context_evidence` gives, where there is no encoder.
    """
    number, i, j, values = _values_by_name(
        pairs, posteriors, source_shares, target_shares, language, contexts, phrases=phrases
    )
    features = np.column_stack([own.astype(float) for own in values.values()])
    ends = np.cumsum(np.bincount(number, minlength=len(pairs))).tolist()
    return [
        Evidence((len(source), len(target)), i[start:end], j[start:end], features[start:end])
        for (source, target), start, end in zip(pairs, [0, *ends], ends, strict=False)
    ]


def evidence_of(model: TranslationModel, pairs: Sequence[Pair], *, phrases: bool = False) -> list[Evidence]:
    """The candidate links of every pair; `phrases` is on where own gold links teach what they are worth."""
    return list(chain.from_iterable(evidence_in_parts(model, pairs, phrases=phrases)))


def evidence_in_parts(
    model: TranslationModel, pairs: Sequence[Pair], *, phrases: bool = False
) -> Iterator[list[Evidence]]:
    """As `evidence_of`, some pairs at a time, so that not all are in memory together."""
    posteriors = model.posteriors(pairs)
    for start in range(0, len(pairs), _AT_ONCE):
        some = pairs[start : start + _AT_ONCE]
        sources, targets = (list(chain.from_iterable(side)) for side in zip(*some, strict=True))
        yield evidence(
            some,
            posteriors[start : start + _AT_ONCE],
            *model.shares(sources, targets),
            model.relations.language,
            context_evidence(model.relations.encoder, some) if model.relations.encoder else (),
            phrases=phrases,
        )
