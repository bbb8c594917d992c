"""The tests of the example plug-in: `pip install -e . && pytest`."""

from paragold.aligners.registry import aligner_of
from paragold.classification.pair_scorers import PAIR_SCORERS
from paragold.extraction.cluster import extract_cluster
from paragold.extraction.criteria import Criteria
from paragold.extraction.records import ClusterSentences
from paragold.formats.link_files import LINK_FORMATS
from paragold.formats.link_formats import LinkReading
from paragold.languages import language
from paragold.metrics.links import LinkedPair, Links
from paragold.text.segmenters import SEGMENTERS

PAIRS = [(["dam", "broke"], ["broke", "dam"]), (["dam"], ["dam"]), (["broke"], ["broke"])]


def test_the_aligner_links_words_that_occur_together():
    aligner = aligner_of({"aligner": "dice", "min_dice": 0.9}).fit(PAIRS)
    assert aligner.align(*PAIRS[0]) == [(0, 1), (1, 0)]
    assert "min_dice:0.9" in aligner.signature
    assert "plugin:paragold-example 1.0" in aligner.signature


def test_a_stored_aligner_draws_the_same_links():
    aligner = aligner_of({"aligner": "dice"}).fit(PAIRS)
    restored = aligner_of({"aligner": "dice"})
    restored.restore(*aligner.contents())
    assert [restored.align(*pair) for pair in PAIRS] == aligner.align_all(PAIRS)


def test_the_extraction_method_pairs_sentences_that_begin_alike():
    articles = [["The dam broke today .", "Rain fell ."], ["The dam held .", "A dam broke today ."]]
    clusters = ClusterSentences.from_articles([[text.split() for text in texts] for texts in articles])
    criteria = Criteria(method="openings", min_shared_words=0)
    pairs = extract_cluster(clusters, criteria)
    assert pairs[["first", "second", "edit_distance"]].tolist() == [(0, 2, 2)]


def test_the_format_reads_what_it_writes():
    pair = LinkedPair("1", ("a", "b"), ("a", "c"), Links.of({(0, 0)}, {(1, 1)}), line=1)
    arrows = LINK_FORMATS.get("arrows")
    assert arrows.write(pair, 1) == "a b\ta c\t0=>0 1->1\n"
    assert list(arrows.read(iter([(1, arrows.write(pair, 1).rstrip("\n"))]), LinkReading())) == [pair]


def test_the_scorer_is_1_for_equal_texts_and_0_for_others():
    scorer = PAIR_SCORERS.get("character-ngrams")
    assert scorer.scores([("A dam broke", "a dam  broke"), ("abc", "xyz")]).tolist() == [1.0, 0.0]


def test_sentences_of_hindi_end_at_a_danda():
    text = "बाँध टूट गया। डॉ. शर्मा ने कहा कि कोई घायल नहीं हुआ?"
    hindi = language("hi-IN")
    assert [text[a:b] for a, b in hindi.sentences(text)] == text.replace("। ", "।|").split("|")
    assert "नहीं" in hindi.negation and hindi.stem("लड़कियाँ") != "लड़कियाँ"


def test_the_segmenter_splits_at_line_ends():
    assert SEGMENTERS.get("lines").spans(" One line \nand another") == [(1, 9), (11, 22)]
