import pytest

from paragold.aligners.best import BestAligner, BestSpec
from paragold.folds import folds, groups_of
from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import aer_of, counts_by_words
from paragold.metrics.links import LinkedPair, Links

WITHOUT_WORDNET = BestSpec(wordnet=False, starting_point="none")
PAIRS = [
    (["The", "dog", "chased", "the", "cat", "."], ["The", "cat", "was", "chased", "by", "the", "dog", "."]),
    (["Dogs", "bark", "at", "night", "."], ["A", "dog", "barked", "last", "night", "."]),
    (["Vendors", "sold", "apples", "."], ["Suppliers", "sold", "an", "apple", "."]),
]


def identical(source, target):
    return Links.of(
        (i, j) for i, a in enumerate(source) for j, b in enumerate(target) if a.lower() == b.lower()
    )


GOLD = [LinkedPair(str(n), tuple(a), tuple(b), identical(a, b)) for n, (a, b) in enumerate(PAIRS * 2)]


def test_related_words_are_linked_and_gold_links_are_learned_and_explained():
    trained = BestAligner(WITHOUT_WORDNET).fit(PAIRS, gold=GOLD)
    assert "logistic-regression" in trained.signature
    drawn = trained.align(*PAIRS[2])
    assert set(drawn) == identical(*PAIRS[2]).sure
    explained = {one.link: one for one in trained.explanations(*PAIRS[2])}
    assert explained[1, 1].drawn
    assert explained[1, 1].probability > 0.5
    assert not explained[2, 3].drawn
    without, again, with_gold = (
        BestAligner(WITHOUT_WORDNET).fit(PAIRS, gold=gold).signature for gold in ((), (), GOLD)
    )
    assert without == again != with_gold
    two = [(["das", "haus"], ["the", "house"]), (["das", "buch"], ["the", "book"])] * 3
    assert BestAligner(BestSpec(one_language=False)).fit(two).align(*two[0]) == [(0, 0), (1, 1)]
    links = BestAligner(WITHOUT_WORDNET).fit(PAIRS).align(*PAIRS[1])
    assert {(0, 1), (1, 2), (3, 4), (4, 5)} <= set(links)


def test_held_out_pairs_are_linked_by_what_the_others_taught():
    gold = GOLD[: len(PAIRS)]
    training = BestAligner(WITHOUT_WORDNET).begin(PAIRS, gold=gold)
    state = training.start()
    for _ in range(training.iterations):
        state = training.advance(state)
    fold = folds(groups_of(PAIRS), seed=1)[0]
    links = training.held_out_links(state, fold=0, size=2)
    assert sorted(links) == fold
    assert links == training.held_out_links(state, fold=0, size=2)
    assert training.held_out_links(state, fold=0, size=1) == {n: [] for n in fold}
    candidates = training.evidence(state)
    for n in fold:
        assert set(links[n]) <= set(zip(candidates[n].sources, candidates[n].targets, strict=True))


@pytest.mark.real_data
def test_error_rate_on_public_gold_links(alignment_data):
    gold = read_links(alignment_data / "edinburghpp.train.jsonl")
    pairs = [pair.tokens for pair in gold]
    alone = BestSpec(starting_point="none")
    assert error_rate(BestAligner(alone).fit(pairs).align_all(pairs), gold) < 0.125
    learned = BestAligner(alone).fit(pairs, gold=gold[:150]).align_all(pairs[400:])
    assert error_rate(learned, gold[400:]) < 0.115


def error_rate(drawn, gold):
    return aer_of(counts_by_words(drawn, gold)["all"])
