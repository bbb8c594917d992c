import pytest

from paragold.aligners import statistical
from paragold.metrics.links import LinkedPair, Links, TokenPair

PAIRS = [
    (source.split(), target.split())
    for source, target in [
        ("das haus", "the house"),
        ("das buch", "the book"),
        ("ein buch", "a book"),
        ("das alte buch ist hier", "the old book is here"),
    ]
]


@pytest.mark.parametrize("make", [statistical.ibm1, statistical.hmm])
@pytest.mark.parametrize("linking", statistical.LINKINGS)
def test_words_of_two_languages_are_linked(make, linking):
    aligner = make(one_language=False, linking=linking).train(PAIRS)
    assert aligner.align(["das", "buch"], ["the", "book"]) == [(0, 0), (1, 1)]
    assert linking in aligner.signature
    assert aligner.name in ("ibm1", "hmm")


def test_all_at_once_or_one_by_one():
    aligner = statistical.hmm(one_language=False).train(PAIRS)
    pairs = [*PAIRS, ([], ["a"]), (["ein"], [])]
    assert aligner.align_all(pairs) == [aligner.align(*pair) for pair in pairs]
    assert aligner.align_all(pairs)[-2:] == [[], []]


def test_other_text_makes_another_signature():
    trainer = statistical.ibm1()
    assert trainer.train(PAIRS).signature == trainer.train(PAIRS).signature
    assert trainer.train(PAIRS).signature != trainer.train(PAIRS[:2]).signature


def test_progress_is_told_after_each_iteration():
    seen = []
    statistical.hmm().train(PAIRS, progress=seen.append)
    assert [step.model for step in seen] == ["ibm1"] * 5 + ["hmm"] * 5
    assert seen[-1].forward > seen[0].forward


def test_bad_choices():
    with pytest.raises(ValueError, match="no symmetrisation 'both'; choose one of posterior, intersection"):
        statistical.hmm(linking="both")
    gold = [LinkedPair("1", TokenPair(("a",), ("b",)), Links.of([(0, 0)]))]
    with pytest.raises(ValueError, match="'ibm1' does not learn from gold links"):
        statistical.ibm1().train(PAIRS, gold=gold)
