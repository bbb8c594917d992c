import pytest
from hypothesis import example, given, settings, strategies as st

import paragold as pg
from paragold.folds import folds, group_numbers
from paragold.matching.specs import TranslationSpec
from paragold.matching.translations import (
    share_by_definition,
    translated_pairs,
    translations_among,
)

SEEDS = [
    ("The council repaired the dam.", "Le conseil a réparé le barrage."),
    ("The dam leaked.", "Le barrage fuyait."),
    ("The council met.", "Le conseil s'est réuni."),
    ("A bridge fell.", "Un pont est tombé."),
]
words = st.frozensets(st.sampled_from(("a", "b", "c", "d", "number", "7")), max_size=4)


def test_a_lexicon_of_two_languages_has_translations_in_their_order():
    lexicon = pg.associate(SEEDS, language="en", second_language="fr", min_together=1)
    best = dict(zip(lexicon["second"][::-1], lexicon["first"][::-1], strict=True))
    assert (best["barrage"], best["conseil"], best["le"]) == ("dam", "council", "the")
    # A word of one language is identical to none of the other.
    same = pg.associate([("the chat", "the chat")] * 2 + [("a", "b")], second_language="fr")
    assert list(zip(same["first"], same["second"], strict=True)) == [("chat", "chat"), ("the", "the")]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(words, max_size=7),
    st.lists(words, max_size=7),
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), max_size=5),
    st.booleans(),
)
@example(
    [frozenset(), frozenset("ac"), frozenset({"a", "number", "b"}), frozenset("ab")],
    [frozenset(), frozenset(), frozenset("abcd"), frozenset("ad7b")],
    [],
    True,
)  # two margins that differ in their last digit only
def test_scores_and_margins_equal_their_definitions(first, second, lexicon, spelling):
    known = translations_among(set().union(*first), set().union(*second), lexicon, spelling=spelling)
    shares = {
        (i, j): share_by_definition(a, b, known) for i, a in enumerate(first) for j, b in enumerate(second)
    }

    def near(place, number):
        own = sorted((share for pair, share in shares.items() if pair[place] == number), reverse=True)[:4]
        return sum(own) / len(own)

    spec = TranslationSpec(threshold=0.01, best=100, spelling=spelling)
    pairs = translated_pairs(first, second, lexicon, spec)
    assert {(i, j - len(first)): score for i, j, score, _ in pairs.tolist()} == pytest.approx(
        {pair: share for pair, share in shares.items() if share > 0}
    )
    for i, j, score, margin in pairs.tolist():
        assert margin == pytest.approx(score - (near(0, i) + near(1, j - len(first))) / 2)
    ranks = [*zip(-pairs["margin"].round(9), pairs["first"], pairs["second"], strict=True)]
    assert ranks == sorted(ranks)


def test_what_counts_as_a_translation():
    among = translations_among(
        {"dam", "government", "1975", "19751", "the"},
        {"barrage", "digue", "gouvernement", "1975", "19752", "the", "le"},
        [("dam", "barrage"), ("the", "le"), ("dam", "digue"), ("dam", "le")],
        spelling=False,
    )
    # "digue" has no better translation than "dam"; of "dam" and "le" both have.
    assert among == {("dam", "barrage"), ("the", "le"), ("dam", "digue")}
    alike = translations_among(
        {"government", "1975", "the", "govern"},
        {"gouvernement", "governor", "19752", "1975"},
        [],
        spelling=True,
    )
    assert alike == {("government", "governor"), ("govern", "governor"), ("1975", "1975")}


def test_partners(tmp_path):
    texts = ["the dam", "the dam leaked"], ["le barrage fuyait", "rien"]
    lexicon = pg.associate(SEEDS, language="en", second_language="fr", min_together=1)
    pairs = pg.match_translations(*texts, lexicon, greedy=False)
    assert set(zip(pairs["id_a"], pairs["id_b"], strict=True)) == {("0", "0"), ("1", "0")}
    pairs = pg.match_translations(*texts, lexicon, greedy=True)
    assert list(zip(pairs["text_a"], pairs["score"], strict=True)) == [("the dam leaked", 1.0)]
    assert len(pg.match_translations([], texts[1], lexicon)) == 0


def english_french(shared_data):
    lines = (shared_data / "bilingual" / "enfr.src-tgt").read_text().splitlines()
    return [tuple(" ".join(side.split()) for side in line.split("|||")) for line in lines]


@pytest.mark.real_data
def test_the_english_french_pairs_are_recalled_from_seeds(shared_data):
    """Each fold is looked for among all 447 French sentences, by a lexicon learned from the other folds."""
    pairs = english_french(shared_data)
    english, french = zip(*pairs, strict=True)
    # Pairs that share a sentence are in one fold.
    groups = group_numbers((f"en {a}", f"fr {b}") for a, b in pairs)
    recalled = 0
    for fold in folds(groups, seed=1):
        hidden = set(fold)
        seeds = [pair for number, pair in enumerate(pairs) if number not in hidden]
        lexicon = pg.associate(seeds, language="en", second_language="fr", min_together=1)
        matched = pg.match_translations(english, french, lexicon, threshold=0.001)
        recalled += sum(
            french[int(b)] == french[int(a)]
            for a, b in zip(matched["id_a"], matched["id_b"], strict=True)
            if int(a) in hidden
        )
    assert recalled == 324
