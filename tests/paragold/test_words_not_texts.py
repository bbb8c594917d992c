import pytest

from paragold.aligners.registry import ALIGNERS, aligner_of
from paragold.classification.association import associate
from paragold.metrics.error_rate import counts_by_words
from paragold.metrics.links import LinkedPair, Links, ladder_svg, links_of_words

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


def test_scoring_and_links_refuse_texts():
    text = "a dam"
    for make in (
        lambda: LinkedPair("", text, ("the", "dam"), Links.of()),
        lambda: LinkedPair("", ("the", "dam"), text, Links.of()),
        lambda: links_of_words([(0, 0)], text, ["the", "dam"], identical=True),
        lambda: ladder_svg(["the", "dam"], text, [(0, 0)]),
    ):
        with pytest.raises(TypeError, match="must be a list of words here, not the text 'a dam'"):
            make()
    links = ["0-0 1-1"]
    gold = [LinkedPair("", ("a", "dam"), ("the", "dam"), Links.of([(0, 0), (1, 1)]))]
    with pytest.raises(TypeError, match="Links must be pairs of numbers, not the text '0-0 1-1'"):
        counts_by_words(links, gold)
    # Association takes texts and refuses lists of words.
    for pair in (WORDS, ("a dam broke", ["the"]), "ab"):
        with pytest.raises(TypeError, match="must be two texts here"):
            associate([("a dam broke", "the dam burst"), pair])
