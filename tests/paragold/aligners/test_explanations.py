import math

import pytest

from paragold.aligners.best import BestAligner
from paragold.aligners.explanations import in_words
from paragold.aligners.statistical import HMM, IBM1
from tests.paragold.aligners.test_best import GOLD, PAIRS, WITHOUT_WORDNET


@pytest.mark.parametrize(
    ("aligner", "gold"),
    [
        (BestAligner(WITHOUT_WORDNET), ()),
        (BestAligner(WITHOUT_WORDNET), GOLD),
        (IBM1(), ()),
        (HMM(linking="union"), ()),
    ],
    ids=["rules", "gold", "posterior", "paths"],
)
def test_the_links_that_are_explained_as_drawn_are_those_that_are_drawn(aligner, gold):
    aligner.fit(PAIRS, gold=gold)
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


def test_what_was_learned_adds_up_to_the_probability_and_is_said_in_words():
    learned = BestAligner(WITHOUT_WORDNET).fit(PAIRS, gold=GOLD)
    source, target = PAIRS[0]
    links = learned.align(source, target)
    (reasons_of_links,) = learned.reasons([(source, target)], [links])
    assert len(reasons_of_links) == len(links) > 0
    result = {one.link: one for one in learned.explanations(source, target)}
    for one in result.values():
        odds = one.start + sum(contribution for _, _, contribution in one.reasons)
        assert 1 / (1 + math.exp(-odds)) == pytest.approx(one.probability)
        weights = [abs(contribution) for _, _, contribution in one.reasons]
        assert weights == sorted(weights, reverse=True)
    for link, words in zip(links, reasons_of_links, strict=True):
        one = result[link]
        assert words == in_words(one)
        assert words.endswith(f"; probability {one.probability:.2f} (links from {one.threshold:.2f} on)")
        assert sum(dict(one.sources).values()) == pytest.approx(sum(reason[2] for reason in one.reasons))
    rules = BestAligner(WITHOUT_WORDNET).fit(PAIRS)
    ((first, *_),) = rules.reasons([(source, target)], [rules.align(source, target)])
    assert first.startswith("identical; probability ")
    assert rules.reasons([([], target)], [[]]) == [[]]
    assert rules.explanations([], ["x"]) == []
