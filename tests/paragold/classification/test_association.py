"""Moore's log-likelihood ratio against figures worked out by hand and a slow reference."""

import math
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragold.classification.association import (
    Association,
    associate,
    facing_pairs,
    known_pairs,
    log_likelihood_ratio,
    share_by_rank,
    trivial,
)
from paragold.classification.classes import MORPHOLOGY, WORDNET
from paragold.classification.function_words import FUNCTION_WORDS
from paragold.classification.lexicon_settings import LexiconSpec
from paragold.classification.lexicons import WordPairs
from paragold.text.stemming import stemmer_name
from tests.paragold.classification.examples import small_lexicons


def by_hand(together: float, first: float, second: float, total: float) -> float:
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


def test_a_table_worked_out_on_paper() -> None:
    # 4 readings; f and e each in 2 of them, always together: 2 log 2 + 2 log 2, twice.
    score = log_likelihood_ratio(np.array([2.0]), np.array([2.0]), np.array([2.0]), 4.0)
    assert score[0] == pytest.approx(8 * math.log(2))


def test_independent_and_repelling_words_have_no_score() -> None:
    scores = log_likelihood_ratio(np.array([1.0, 0.0]), np.array([2.0, 2.0]), np.array([2.0, 2.0]), 4.0)
    assert scores.tolist() == [0.0, 0.0]


def test_any_table_equals_the_sum_over_its_cells() -> None:
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
ONCE = LexiconSpec(min_together=1)


def test_pairs_of_a_dataset_are_read_in_both_directions() -> None:
    result = associate(PAIRS)
    assert [(one.first, one.second, one.together) for one in result] == [("suppliers", "vendors", 2)]
    # Each pair counts twice; each of the words stands on one side of two pairs.
    assert result[0].score == pytest.approx(by_hand(2, 2, 2, 8))


def test_ties_come_in_the_order_of_the_words_and_the_cut_off_holds() -> None:
    result = associate(PAIRS, ONCE)
    assert [(one.first, one.second) for one in result] == [
        ("suppliers", "vendors"),
        ("came", "fell"),
        ("consecutive", "straight"),
    ]
    assert associate(PAIRS, ONCE.replace(ranks=2)) == result[:2]


def test_only_identical_words_and_punctuation_take_no_part_unless_asked() -> None:
    texts = [("the place where he was", "the place , which he was")] * 2 + [("same", "same")] * 2
    assert [(one.first, one.second) for one in associate(texts)] == [("where", "which")]
    assert associate(texts, LexiconSpec(without_function_words=True)) == []
    assert associate([]) == []


# The words of a storm and of its damage come in three reports: read crosswise, "hits" also faces "kills".
MOORE = [
    *[("storm hits", "hurricane strikes")] * 3,
    *[("storm", "hurricane")] * 2,
    *[("probe", "investigation report")] * 2,
    *[("probe", "investigation")] * 2,
    ("probe", "report"),
    *[("nothing new", "nothing new")] * 10,
]


def test_both_passes_worked_out_by_hand() -> None:
    first_pass = associate(MOORE, LexiconSpec(ranking="ratio"))
    # Words, sentence pairs with both, with the one, with the other, all of 20 sentence pairs read twice.
    expected = [
        ("hurricane", "storm", 5, 5, 5),
        ("hits", "strikes", 3, 3, 3),
        ("investigation", "probe", 4, 4, 5),
        ("hits", "hurricane", 3, 3, 5),
        ("probe", "report", 3, 5, 3),
        ("storm", "strikes", 3, 5, 3),
    ]
    assert [(one.first, one.second, one.together) for one in first_pass] == [row[:3] for row in expected]
    for one, (_, _, *table) in zip(first_pass, expected, strict=True):
        assert one.score == pytest.approx(by_hand(*table, 40))
        assert one.linked is None
    # Linked by that rank, storm takes hurricane and hits is left with strikes; probe takes investigation and
    # is free for report only where there is no investigation: once of three times.
    second_pass = associate(MOORE, LexiconSpec(discount=0.5))
    assert [(one.first, one.second, one.linked, one.together) for one in second_pass] == [
        ("hurricane", "storm", 5, 5),  # (5 - 0.5) / 5 = 0.9
        ("investigation", "probe", 4, 4),  # 0.875
        ("hits", "strikes", 3, 3),  # 0.833
        ("probe", "report", 1, 3),  # 0.167
    ]
    assert [one.score for one in second_pass] == [first_pass[place].score for place in (0, 2, 1, 4)]


def test_without_a_discount_the_first_pass_decides_among_those_always_linked() -> None:
    plain = associate(MOORE)
    assert [one.first for one in plain] == ["hurricane", "hits", "investigation", "probe"]


def slowly(texts: list[tuple[str, str]], spec: LexiconSpec) -> list[tuple[str, str, float, int, int | None]]:
    """Both passes as the papers say it, sentence pair by sentence pair."""
    together: Counter[tuple[str, str]] = Counter()
    occurring: Counter[str] = Counter()
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
        score = round(by_hand(times, *margins, 2 * len(texts)), 9)
        chance = margins[0] * margins[1]
        if (
            times >= spec.min_together
            and times * 2 * len(texts) > chance
            and score >= max(spec.min_score, 1e-9)
        ):
            scores[pair] = score
    ranked = sorted(scores, key=lambda pair: (-scores[pair], pair))
    if spec.ranking == "ratio":
        return [(*pair, scores[pair], together[pair], None) for pair in ranked[: spec.ranks]]
    linked: Counter[tuple[str, str]] = Counter()
    for met in facing:
        taken: set[str] = set()
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
def test_both_passes_equal_a_slow_reference(
    texts: list[tuple[str, str]], ranking: str, min_together: int, discount: float, without: bool
) -> None:
    spec = LexiconSpec(
        ranking=ranking, min_together=min_together, discount=discount, without_function_words=without, ranks=9
    )
    fast = [(one.first, one.second, one.score, one.together, one.linked) for one in associate(texts, spec)]
    expected = slowly(texts, spec)
    assert [(*row[:2], *row[3:]) for row in fast] == [(*row[:2], *row[3:]) for row in expected]
    assert [row[2] for row in fast] == pytest.approx([row[2] for row in expected])


def test_share_that_another_lexicon_has_by_rank() -> None:
    result = associate(PAIRS, ONCE)
    lexicon = WordPairs([("fell", "came"), ("vendors", "suppliers"), ("other", "words")])
    inside = known_pairs(result, lexicon)
    assert share_by_rank(inside, step=1) == [(1, 1.0), (2, 1.0), (3, 2 / 3)]
    assert share_by_rank(inside, step=2) == [(2, 1.0), (3, 2 / 3)]


def test_order_of_the_sides_makes_no_difference() -> None:
    assert associate(PAIRS, ONCE) == associate([(b, a) for a, b in PAIRS], ONCE)


TEXTS = [
    ("the operation began", "the procedure began"),
    ("an operation", "a procedure of the orbit"),
    ("one orbit", "one orbital"),
    ("orbit", "orbital"),
    ("orbital", "orbit"),
]


def pair(first: str, second: str) -> Association:
    return Association(first, second, 1.0, 1)


def test_pairs_that_face_each_other_by_how_often(tmp_path: Path) -> None:
    lexicons = small_lexicons(tmp_path).by_class
    stems = facing_pairs(TEXTS, lexicons[MORPHOLOGY], ranks=9, min_together=1)
    assert [(one.first, one.second, one.together) for one in stems] == [("orbit", "orbital", 3)]
    net = facing_pairs(TEXTS, lexicons[WORDNET], ranks=9, min_together=2)
    assert [(one.first, one.second, one.together) for one in net] == [("operation", "procedure", 2)]
    assert facing_pairs(TEXTS, lexicons[WORDNET], ranks=9, min_together=3) == []
    assert facing_pairs([], lexicons[WORDNET], ranks=9, min_together=1) == []


def test_what_another_lexicon_has(tmp_path: Path) -> None:
    wordnet = small_lexicons(tmp_path).by_class[WORDNET]
    pairs = [pair("operation", "procedure"), pair("dam", "storm")]
    assert known_pairs(pairs, wordnet) == [True, False]
    assert known_pairs([], wordnet) == []


def test_shares_by_rank() -> None:
    inside = [True, True, False, False, False]
    assert share_by_rank(inside, step=2) == [(2, 1.0), (4, 0.5), (5, 0.4)]
    assert share_by_rank([], step=2) == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("color", "colour", True),
        ("organise", "organize", True),
        ("gov", "government", True),
        ("city", "cities", True),
        ("govt", "government", True),
        ("u.s.", "us", True),
        ("2003", "year", True),
        ("5th", "fifth", True),
        ("a", "announced", False),
        ("he", "the", False),
        ("where", "which", False),
        ("suppliers", "vendors", False),
        ("consecutive", "straight", False),
    ],
)
def test_words_that_differ_in_spelling_alone(first: str, second: str, expected: bool) -> None:
    assert trivial([pair(first, second)], "english") == [expected]


def test_stemmers_by_language_tag() -> None:
    assert stemmer_name("en") == stemmer_name("en-GB") == "english"
    assert stemmer_name("pt_BR") == "portuguese"
    assert stemmer_name("sw") is None
