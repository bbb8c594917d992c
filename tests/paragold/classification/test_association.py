import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from paragold.classification.association import (
    associate,
    facing_pairs,
    known_pairs,
    log_likelihood_ratio,
    share_by_rank,
    trivial,
)
from paragold.classification.classes import MORPHOLOGY, WORDNET
from paragold.classification.lexicons import FUNCTION_WORDS, word_pairs
from paragold.classification.settings import LexiconSpec
from paragold.languages import language
from tests.paragold.classification.examples import small_lexicons


def by_hand(together, first, second, total):
    """2 * sum C(f, e) log(p(f | e) / p(f)), cell by cell."""
    score = 0.0
    for has_first, has_second in product((True, False), repeat=2):
        row = first if has_first else total - first
        column = second if has_second else total - second
        cell = {
            (True, True): together,
            (True, False): first - together,
            (False, True): second - together,
            (False, False): total - first - second + together,
        }[has_first, has_second]
        if cell:
            score += cell * math.log((cell / column) / (row / total))
    return 2 * score


def test_any_table_equals_the_sum_over_its_cells():
    draw = np.random.default_rng(3)
    for _ in range(50):
        cells = draw.integers(0, 30, 4) + np.array([1, 0, 0, 1])
        together, first, second = cells[0], cells[0] + cells[1], cells[0] + cells[2]
        total = cells.sum()
        score = log_likelihood_ratio(
            np.array([float(together)]), np.array([float(first)]), np.array([float(second)]), float(total)
        )
        expected = by_hand(together, first, second, total) if together * total > first * second else 0.0
        assert score[0] == pytest.approx(expected)


PAIRS = [
    ("vendors met", "suppliers met"),
    ("Suppliers agreed.", "Vendors agreed."),
    ("straight sets", "consecutive sets"),
    ("rain fell", "rain came"),
]


def slowly(texts, spec, readings=2):
    """Both passes as the papers say it, sentence pair by sentence pair."""
    together = Counter()
    occurring = Counter()
    facing = []
    for texts_of_pair in texts:
        first, second = (Counter(text.split()) for text in texts_of_pair)
        left, right = set(first - second), set(second - first)
        if spec.without_function_words:
            left, right = left - FUNCTION_WORDS, right - FUNCTION_WORDS
        met = [(min(pair), max(pair)) for pair in product(left, right)]
        together.update(met)
        occurring.update([*left, *right])
        facing.append(met)
    scores = {}
    for pair, times in together.items():
        margins = occurring[pair[0]], occurring[pair[1]]
        score = round(by_hand(times, *margins, readings * len(texts)), 9)
        chance = margins[0] * margins[1]
        if (
            times >= spec.min_together
            and times * readings * len(texts) > chance
            and score >= max(spec.min_score, 1e-9)
        ):
            scores[pair] = score
    ranked = sorted(scores, key=lambda pair: (-scores[pair], pair))
    if spec.ranking == "ratio":
        return [(*pair, scores[pair], together[pair], None) for pair in ranked[: spec.ranks]]
    linked = Counter()
    for met in facing:
        taken = set()
        for pair in ranked:
            if pair in met and not taken & set(pair):
                taken |= set(pair)
                linked[pair] += 1
    again = sorted(
        linked, key=lambda pair: (-(linked[pair] - spec.discount) / together[pair], ranked.index(pair))
    )
    return [(*pair, scores[pair], together[pair], linked[pair]) for pair in again[: spec.ranks]]


sentences = st.lists(
    st.sampled_from(("a", "b", "c", "d", "e", "f", "the", "of")), min_size=1, max_size=6
).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(sentences, sentences), min_size=1, max_size=12),
    st.sampled_from(("links", "ratio")),
    st.integers(1, 3),
    st.sampled_from((0.0, 0.5, 1.0)),
    st.booleans(),
)
def test_both_passes_equal_a_slow_reference(texts, ranking, min_together, discount, without):
    spec = LexiconSpec(
        ranking=ranking, min_together=min_together, discount=discount, without_function_words=without, ranks=9
    )
    fast = associate(texts, spec)
    expected = slowly(texts, spec)
    assert [(*row[:2], *row[3:]) for row in fast] == [(*row[:2], *row[3:]) for row in expected]
    assert [row[2] for row in fast] == pytest.approx([row[2] for row in expected])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=12), st.integers(1, 2))
def test_translations_equal_a_slow_reference(texts, min_together):
    spec = LexiconSpec(min_together=min_together, ranks=9)
    translations = associate(texts, spec, second_language=language("fr"))
    # Spelt apart, no word of one language is one of the other, and those of the first come first.
    apart = [(a, " ".join(f"z{word}" for word in b.split())) for a, b in texts]
    expected = [(a, b.removeprefix("z"), *rest) for a, b, *rest in slowly(apart, spec, readings=1)]
    assert [(*row[:2], *row[3:]) for row in translations] == [(*row[:2], *row[3:]) for row in expected]
    assert [row[2] for row in translations] == pytest.approx([row[2] for row in expected])


TEXTS = [
    ("the operation began", "the procedure began"),
    ("an operation", "a procedure of the orbit"),
    ("one orbit", "one orbital"),
    ("orbit", "orbital"),
    ("orbital", "orbit"),
]


def pair(first, second):
    return (first, second, 1.0, 1, None)


def test_pairs_that_face_each_other_and_what_another_lexicon_has(tmp_path):
    lexicons = small_lexicons(tmp_path).by_class
    stems = facing_pairs(TEXTS, lexicons[MORPHOLOGY], ranks=9, min_together=1)
    assert [(first, second, together) for first, second, _, together, _ in stems] == [("orbit", "orbital", 3)]
    net = facing_pairs(TEXTS, lexicons[WORDNET], ranks=9, min_together=2)
    assert [(first, second, together) for first, second, _, together, _ in net] == [
        ("operation", "procedure", 2)
    ]
    assert facing_pairs(TEXTS, lexicons[WORDNET], ranks=9, min_together=3) == []
    assert facing_pairs([], lexicons[WORDNET], ranks=9, min_together=1) == []
    wordnet = small_lexicons(tmp_path).by_class[WORDNET]
    pairs = [pair("operation", "procedure"), pair("dam", "storm")]
    assert known_pairs(pairs, wordnet) == [True, False]
    assert known_pairs([], wordnet) == []
    inside = known_pairs(associate(PAIRS, LexiconSpec(min_together=1)), word_pairs([("fell", "came")]))
    assert inside == [False, True, False]
    assert share_by_rank(inside, step=1) == [(1, 0.0), (2, 0.5), (3, 1 / 3)]
    assert share_by_rank([True, True, False, False, False], step=2) == [(2, 1.0), (4, 0.5), (5, 0.4)]
    assert share_by_rank([], step=2) == []
    alike = "color colour gov government city cities govt government u.s. us 2003 year 5th fifth"
    other = "a announced he the where which suppliers vendors consecutive straight"
    for words, expected in ((alike.split(), True), (other.split(), False)):
        pairs = [pair(*two) for two in zip(words[::2], words[1::2], strict=True)]
        assert trivial(pairs, "english") == [expected] * len(pairs)
