import pytest

from paragold.aligners.registry import ALIGNERS, aligner_of

WORDS = (["a", "dam", "broke"], ["the", "dam", "burst"])
TEXTS = [
    ("a dam broke", ["the", "dam", "burst"]),
    (["a", "dam", "broke"], "the dam burst"),
    ("a dam broke", "the dam burst"),
    "ab",
]


@pytest.mark.parametrize("name", ALIGNERS.ids())
def test_aligners_refuse_texts(name):
    aligner = aligner_of({"aligner": name})
    for pair in TEXTS:
        with pytest.raises(TypeError, match=r"must be a list of words|Give \(source, target\)"):
            aligner.fit([WORDS, pair])
    if ALIGNERS.get(name).install_hint():
        return
    aligner.fit([WORDS] * 3)
    calls = [lambda pair: aligner.align(*pair), lambda pair: aligner.align_all([WORDS, pair])]
    calls += [lambda pair: aligner.explanations(*pair)] * ALIGNERS.get(name).gives_reasons
    for call in calls:
        for pair in TEXTS[:3]:
            with pytest.raises(TypeError, match="must be a list of words here, not the text '"):
                call(pair)
    assert aligner.align_all([WORDS])
