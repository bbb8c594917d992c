import pytest

from paragold.classification.pair_scorers import PAIR_SCORERS, PairScorer
from paragold.registry import PluginError

PAIRS = [("The dam broke .", "The dam broke ."), ("The dam broke .", "A dam held ."), ("Yes .", "No !")]


def test_edit_similarity_by_hand_and_bleu_in_either_order():
    scorer = PAIR_SCORERS.get("edit-similarity")
    # Two of three words differ; punctuation does not count.
    assert scorer.scores(PAIRS).tolist() == pytest.approx([1, 1 / 3, 0])
    assert scorer.signature() == "edit-similarity|scorer-version:1|language:en|version:1"
    scorer = PAIR_SCORERS.get("bleu")
    scores = scorer.scores(PAIRS).tolist()
    assert scores[0] == pytest.approx(1) and scores[2] == 0
    assert scores == pytest.approx(scorer.scores([(b, a) for a, b in PAIRS]).tolist())


@pytest.mark.parametrize("given", [[1.0], [1.0, 2.0, float("nan")], [[1.0, 2.0, 3.0]]])
def test_as_many_finite_numbers_as_pairs_are_needed(given):
    scorer = PairScorer("wrong", "Wrong", lambda pairs, parameters: given)
    with pytest.raises(PluginError, match="the pair scorer wrong gave"):
        scorer.scores(PAIRS)
