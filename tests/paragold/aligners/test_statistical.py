import pytest

from paragold.aligners.statistical import HMM, IBM1, HMMSpec
from paragold.aligners.symmetrisation import SYMMETRISATIONS

PAIRS = [
    (source.split(), target.split())
    for source, target in [
        ("das haus", "the house"),
        ("das buch", "the book"),
        ("ein buch", "a book"),
        ("das alte buch ist hier", "the old book is here"),
    ]
]


@pytest.mark.parametrize("method", [IBM1(), HMM()])
@pytest.mark.parametrize("linking", ["posterior", *SYMMETRISATIONS])
def test_words_of_two_languages_are_linked(method, linking):
    aligner = method.train(PAIRS, method.parameters(one_language=False, linking=linking))
    assert aligner.align(["das", "buch"], ["the", "book"]) == [(0, 0), (1, 1)]
    assert linking in aligner.signature
    assert aligner.name in ("ibm1", "hmm")


def test_all_at_once_or_one_by_one():
    aligner = HMM().train(PAIRS, HMMSpec(one_language=False))
    pairs = [*PAIRS, ([], ["a"]), (["ein"], [])]
    assert aligner.align_all(pairs) == [aligner.align(*pair) for pair in pairs]
    assert aligner.align_all(pairs)[-2:] == [[], []]


def test_other_text_makes_another_signature():
    method = IBM1()
    assert method.train(PAIRS).signature == method.train(PAIRS).signature
    assert method.train(PAIRS).signature != method.train(PAIRS[:2]).signature


def test_the_lexicon_stays_where_nothing_is_assumed_of_identical_words():
    spec = HMMSpec(identical=False, lexicon=True, one_language=False)
    signature = HMM().train(PAIRS, spec).signature
    assert "lexicon=True" in signature and "identical=0.0" in signature


def test_progress_is_reported_after_each_iteration():
    seen = []
    HMM().train(PAIRS, progress=seen.append)
    assert [step.model for step in seen] == ["ibm1"] * 5 + ["hmm"] * 5
    assert seen[-1].forward > seen[0].forward
