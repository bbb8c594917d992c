import math

import pytest

from paragold.aligners import statistical
from paragold.aligners.best import best
from paragold.aligners.explanations import by_source, explanations, in_words, reasons_of
from tests.paragold.aligners.test_best import GOLD, PAIRS


@pytest.mark.parametrize(
    ("trainer", "gold"),
    [
        (best(wordnet=False), ()),
        (best(wordnet=False), GOLD),
        (statistical.ibm1(), ()),
        (statistical.hmm(linking="union"), ()),
    ],
    ids=["rules", "gold", "posterior", "paths"],
)
def test_the_links_that_are_explained_as_drawn_are_those_that_are_drawn(trainer, gold):
    aligner = trainer.train(PAIRS, gold=gold)
    for source, target in PAIRS:
        found = explanations(aligner, source, target)
        assert [one.link for one in found if one.drawn] == aligner.align(source, target)
        assert [one.link for one in found] == sorted({one.link for one in found})
        assert all(0 <= one.probability <= 1 and one.rule and one.reasons for one in found)
        for one in found:
            if one.threshold is not None:
                assert one.drawn == (
                    one.probability >= one.threshold
                    if one.start is not None
                    else one.probability > one.threshold
                )


def test_what_was_learned_adds_up_to_the_probability():
    aligner = best(wordnet=False).train(PAIRS, gold=GOLD)
    source, target = PAIRS[0]
    for one in explanations(aligner, source, target):
        odds = one.start + sum(reason.contribution for reason in one.reasons)
        assert 1 / (1 + math.exp(-odds)) == pytest.approx(one.probability)
        weights = [abs(reason.contribution) for reason in one.reasons]
        assert weights == sorted(weights, reverse=True)
        assert aligner.explain(source, target, one.link).probability == pytest.approx(one.probability)


def test_without_gold_links_both_directions_are_named():
    aligner = statistical.hmm().train(PAIRS)
    one = explanations(aligner, *PAIRS[0])[0]
    values = {reason.name: reason.value for reason in one.reasons}
    both = values["posterior, first sentence to second"] + values["posterior, second sentence to first"]
    assert values["mean posterior"] == pytest.approx(both / 2) == pytest.approx(one.probability)
    assert "drawn above 0.55" in one.rule


def test_an_empty_sentence_has_nothing_to_explain():
    assert explanations(best(wordnet=False).train(PAIRS), [], ["x"]) == []


def test_reasons_in_words():
    learned = best(wordnet=False).train(PAIRS, gold=GOLD)
    source, target = PAIRS[0]
    links = learned.align(source, target)
    (told,) = reasons_of(learned, [(source, target)], [links])
    assert len(told) == len(links) > 0
    found = {one.link: one for one in explanations(learned, source, target)}
    for link, words in zip(links, told, strict=True):
        one = found[link]
        assert words == in_words(one)
        assert words.startswith(f"{100 * one.probability:.0f} %: ")
        sums = by_source(one.reasons)
        assert sum(sums.values()) == pytest.approx(sum(reason.contribution for reason in one.reasons))
        weightiest = max(sums, key=lambda name: sums[name])
        assert weightiest in words.partition(";")[0]
    rules = best(wordnet=False).train(PAIRS)
    ((first, *_),) = reasons_of(rules, [(source, target)], [rules.align(source, target)])
    assert ": identical, " in first
    assert reasons_of(rules, [([], target)], [[]]) == [[]]
