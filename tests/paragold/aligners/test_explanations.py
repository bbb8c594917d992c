import math

import pytest

from paragold.aligners.best import Best
from paragold.aligners.explanations import _rivals, in_words
from paragold.aligners.method import LinkExplanation, Reason
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


def test_without_gold_links_both_directions_are_named():
    aligner = HMM().train(PAIRS)
    one = aligner.explanations(*PAIRS[0])[0]
    values = {reason.name: reason.value for reason in one.reasons}
    both = values["posterior, first sentence to second"] + values["posterior, second sentence to first"]
    assert values["mean posterior"] == pytest.approx(both / 2) == pytest.approx(one.probability)
    assert "drawn above 0.55" in one.rule


def test_what_was_learned_adds_up_to_the_probability_and_is_said_in_words():
    learned = Best().train(PAIRS, WITHOUT_WORDNET, gold=GOLD)
    source, target = PAIRS[0]
    links = learned.align(source, target)
    (reasons_of_links,) = learned.reasons([(source, target)], [links])
    assert len(reasons_of_links) == len(links) > 0
    result = {one.link: one for one in learned.explanations(source, target)}
    for one in result.values():
        odds = one.start + sum(reason.contribution for reason in one.reasons)
        assert 1 / (1 + math.exp(-odds)) == pytest.approx(one.probability)
        weights = [abs(reason.contribution) for reason in one.reasons]
        assert weights == sorted(weights, reverse=True)
    for link, words in zip(links, reasons_of_links, strict=True):
        one = result[link]
        assert words == in_words(one)
        assert f"; the model gives {one.probability:.2f} (links from {one.threshold:.2f} on)" in words
        assert sum(dict(one.sources).values()) == pytest.approx(sum(r.contribution for r in one.reasons))
        assert ("identical words" in words) <= (source[link[0]].lower() == target[link[1]].lower())
    rules = Best().train(PAIRS, WITHOUT_WORDNET)
    ((first, *_),) = rules.reasons([(source, target)], [rules.align(source, target)])
    assert first.startswith("identical words; ")
    assert rules.reasons([([], target)], [[]]) == [[]]
    assert rules.explanations([], ["x"]) == []


def explained(reasons, *, drawn=False, probability=0.2, start=-1.0):
    threshold = None if start is None else 0.45
    return LinkExplanation((0, 0), drawn, probability, threshold, start, reasons, "a rule")


def test_the_strongest_evidence_is_named_first_on_the_side_that_outweighs_the_other():
    stem = Reason("stem", 1.0, 0.8)
    posterior = Reason("mean posterior", 2.0, 1.5)
    apart = Reason("distance from the diagonal", 0.6, -0.4)
    weak = Reason("spelling", 0.6, 0.01)
    assert in_words(explained([stem, posterior, apart, weak], drawn=True, probability=0.63)) == (
        "the translation model links them, same stem; against it: far apart in the sentences; "
        "the model gives 0.63 (links from 0.45 on)"
    )
    doubted = [Reason("mean posterior", 0.1, -3.0), stem, Reason("stem", 0.0, 0.0)]
    assert in_words(explained(doubted)).startswith(
        "against it: the translation model doubts it; for it: same stem; the model gives 0.20"
    )
    # A relation is named only where the words have it.
    said = in_words(explained([Reason("synonym", 0.0, 0.9), Reason("identical", 0.0, -0.9)]))
    assert said.startswith(("nothing but", "against it")) and "against it: the words differ" in said
    assert "no relation in WordNet" in in_words(explained([Reason("synonym", 0.0, -0.9)]))
    assert in_words(explained([Reason("synonym", 1.0, 0.9)])).startswith("WordNet synonym; ")


def test_links_that_are_not_drawn_say_what_their_words_have_instead():
    rules = Best().train(PAIRS, WITHOUT_WORDNET)
    (source, target) = PAIRS[0]
    left = [one for one in rules.explanations(source, target) if not one.drawn]
    drawn = set(rules.align(source, target))
    assert left
    for one in left:
        elsewhere = any((i == one.link[0]) != (j == one.link[1]) for i, j in drawn)
        assert ("linked elsewhere" in in_words(one)) == elsewhere
    assert any("linked elsewhere" in in_words(one) for one in left)
    free = [*_rivals((0, 1), {(1, 1)}, {(0, 0)})]
    assert "against it: an identical word is free" in in_words(explained(free, start=None))
    assert _rivals((0, 1), {(1, 1), (2, 0)}, {(0, 0)}) == free[:1]  # that word has a link
