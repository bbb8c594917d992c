import math

import pytest

from paragold.aligners.best import Best
from paragold.aligners.explanations import in_words
from paragold.aligners.statistical import HMM, IBM1, HMMSpec, IBM1Spec
from tests.paragold.aligners.test_best import GOLD, PAIRS, WITHOUT_WORDNET


@pytest.mark.parametrize(
    ("method", "parameters", "gold"),
    [
        (Best(), WITHOUT_WORDNET, ()),
        (Best(), WITHOUT_WORDNET, GOLD),
        (IBM1(), IBM1Spec(), ()),
        (HMM(), HMMSpec(linking="union"), ()),
    ],
    ids=["rules", "gold", "posterior", "paths"],
)
def test_the_links_that_are_explained_as_drawn_are_those_that_are_drawn(method, parameters, gold):
    aligner = method.train(PAIRS, parameters, gold=gold)
    for source, target in PAIRS:
        result = aligner.explanations(source, target)
        assert [one.link for one in result if one.drawn] == aligner.align(source, target)
        assert [one.link for one in result] == sorted({one.link for one in result})
        assert all(0 <= one.probability <= 1 and one.rule and one.reasons for one in result)
        for one in result:
            if one.threshold is not None:
                assert one.drawn == (
                    one.probability >= one.threshold
                    if one.start is not None
                    else one.probability > one.threshold
                )


def test_what_was_learned_adds_up_to_the_probability():
    aligner = Best().train(PAIRS, WITHOUT_WORDNET, gold=GOLD)
    source, target = PAIRS[0]
    for one in aligner.explanations(source, target):
        odds = one.start + sum(reason.contribution for reason in one.reasons)
        assert 1 / (1 + math.exp(-odds)) == pytest.approx(one.probability)
        weights = [abs(reason.contribution) for reason in one.reasons]
        assert weights == sorted(weights, reverse=True)


def test_without_gold_links_both_directions_are_named():
    aligner = HMM().train(PAIRS)
    one = aligner.explanations(*PAIRS[0])[0]
    values = {reason.name: reason.value for reason in one.reasons}
    both = values["posterior, first sentence to second"] + values["posterior, second sentence to first"]
    assert values["mean posterior"] == pytest.approx(both / 2) == pytest.approx(one.probability)
    assert "drawn above 0.55" in one.rule


def test_an_empty_sentence_has_nothing_to_explain():
    assert Best().train(PAIRS, WITHOUT_WORDNET).explanations([], ["x"]) == []


def test_reasons_in_words():
    learned = Best().train(PAIRS, WITHOUT_WORDNET, gold=GOLD)
    source, target = PAIRS[0]
    links = learned.align(source, target)
    (reasons_of_links,) = learned.reasons([(source, target)], [links])
    assert len(reasons_of_links) == len(links) > 0
    result = {one.link: one for one in learned.explanations(source, target)}
    for link, words in zip(links, reasons_of_links, strict=True):
        one = result[link]
        assert words == in_words(one)
        assert words.startswith(f"{100 * one.probability:.0f} %: ")
        sums = dict(one.sources)
        assert sum(sums.values()) == pytest.approx(sum(reason.contribution for reason in one.reasons))
        weightiest = max(sums, key=lambda name: sums[name])
        assert weightiest in words.partition(";")[0]
    rules = Best().train(PAIRS, WITHOUT_WORDNET)
    ((first, *_),) = rules.reasons([(source, target)], [rules.align(source, target)])
    assert ": identical, " in first
    assert rules.reasons([([], target)], [[]]) == [[]]
