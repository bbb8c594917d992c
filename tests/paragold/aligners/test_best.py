import pytest

from paragold.aligners.best import best
from paragold.aligners.registry import TRAINED, aligner, trainer
from paragold.formats.links import jsonl
from paragold.metrics.error_rate import Counts, count_links
from paragold.metrics.links import LinkedPair, Links, TokenPair

PAIRS = [
    (["The", "dog", "chased", "the", "cat", "."], ["The", "cat", "was", "chased", "by", "the", "dog", "."]),
    (["Dogs", "bark", "at", "night", "."], ["A", "dog", "barked", "last", "night", "."]),
    (["Vendors", "sold", "apples", "."], ["Suppliers", "sold", "an", "apple", "."]),
]


def identical(source, target):
    return Links.of(
        (i, j) for i, a in enumerate(source) for j, b in enumerate(target) if a.lower() == b.lower()
    )


GOLD = [
    LinkedPair(str(n), TokenPair(tuple(a), tuple(b)), identical(a, b)) for n, (a, b) in enumerate(PAIRS * 2)
]


def test_related_words_are_linked_without_gold():
    links = best(wordnet=False).train(PAIRS).align(*PAIRS[1])
    assert {(0, 1), (1, 2), (3, 4), (4, 5)} <= set(links)


def test_learns_from_gold_links_and_explains_them():
    trained = best(wordnet=False).train(PAIRS, gold=GOLD)
    assert "logistic-regression" in trained.signature
    drawn = trained.align(*PAIRS[2])
    assert set(drawn) == identical(*PAIRS[2]).sure
    explanation = trained.explain(*PAIRS[2], (1, 1))
    assert explanation.drawn
    assert explanation.probability > 0.5
    sizes = [abs(reason.contribution) for reason in explanation.reasons]
    assert sizes == sorted(sizes, reverse=True)
    assert not trained.explain(*PAIRS[2], (2, 3)).drawn
    assert trained.explain(*PAIRS[2], (50, 50)) is None
    assert best(wordnet=False).train(PAIRS).explain(*PAIRS[2], (1, 1)) is None


def test_two_languages():
    pairs = [(["das", "haus"], ["the", "house"]), (["das", "buch"], ["the", "book"])] * 3
    assert best(language=None).train(pairs).align(*pairs[0]) == [(0, 0), (1, 1)]


def test_signature_tells_models_apart():
    without, again, with_gold = (
        best(wordnet=False).train(PAIRS, gold=gold).signature for gold in ((), (), GOLD)
    )
    assert without == again != with_gold


def test_trained_aligners_by_name():
    assert [trainer(name).name for name in TRAINED] == list(TRAINED)
    assert trainer("hmm", linking="union", language=None).linking == "union"
    with pytest.raises(ValueError, match="no aligner 'berkeley' to train; choose one of ibm1, hmm, best"):
        trainer("berkeley")
    with pytest.raises(ValueError, match="its own way"):
        trainer("best", linking="union")
    with pytest.raises(ValueError, match="'best' must be trained on sentence pairs first"):
        aligner("best")


@pytest.mark.real_data
def test_error_rate_on_public_gold_links(alignment_data):
    gold = jsonl.read(alignment_data / "edinburghpp.train.jsonl")
    pairs = [(pair.tokens.source, pair.tokens.target) for pair in gold]
    assert error_rate(best().train(pairs).align_all(pairs), gold) < 0.125
    learned = best().train(pairs, gold=gold[:150]).align_all(pairs[400:])
    assert error_rate(learned, gold[400:]) < 0.115


def error_rate(drawn, gold):
    counts = [count_links(links, pair.links) for links, pair in zip(drawn, gold, strict=True)]
    names = Counts.__slots__
    return Counts(*(sum(getattr(count, name) for count in counts) for name in names)).aer
