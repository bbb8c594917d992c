"""The alternative annotator test by hand (Calderon, Reichart & Dror 2025)."""

import pytest
from scipy import stats

from paragold.metrics.alternative_annotator import alternative_annotator_test
from paragold.metrics.link_agreement import link_similarity
from paragold.metrics.links import Links

# 40 items. A and B always say y; C says n on the last 10, the model on the last 4.
PEOPLE = [{"A": "y", "B": "y", "C": "y" if item < 30 else "n"} for item in range(40)]
MODEL = ["y" if item < 36 else "n" for item in range(40)]


def test_winning_rate_advantage_and_corrected_p_by_hand():
    result = alternative_annotator_test(PEOPLE, MODEL, epsilon=0.2)
    rows = {row["annotator"]: row for row in result["annotators"]}
    # Against A the others are B and C. Items 1 to 36: the model says what A says, a tie. In the last four A
    # agrees with B, the model with C: a tie as well. So both win everywhere; B alike.
    assert (rows["A"]["model_wins"], rows["A"]["annotator_wins"]) == (1, 1)
    # Against C the others are A and B: a tie in 30 items, the model wins 6, and a tie in 4.
    assert (rows["C"]["model_wins"], rows["C"]["annotator_wins"]) == (1, 34 / 40)
    # The differences of A and B are all 0, below epsilon without variance.
    assert rows["A"]["p"] == rows["B"]["p"] == 0
    # Those of C: -1 six times, 0 else. Mean -.15, standard deviation sqrt((6 - 40 * .15**2) / 39) = .3616.
    t = (-0.15 - 0.2) / (0.3616 / 40**0.5)
    assert rows["C"]["p"] == pytest.approx(stats.t.cdf(t, 39), rel=0.01)
    # Benjamini & Yekutieli: the largest of three is multiplied by 1 + 1/2 + 1/3.
    assert rows["C"]["p_adjusted"] == pytest.approx(rows["C"]["p"] * 11 / 6)
    assert (result["winning_rate"], result["advantage"], result["passed"]) == (1, 1, True)
    assert result["problem"] == "" and {row["test"] for row in result["annotators"]} == {"t"}


def test_a_model_that_is_wrong_more_often_does_not_pass():
    result = alternative_annotator_test(PEOPLE, ["n"] * 30 + ["y"] * 10)
    rows = {row["annotator"]: row for row in result["annotators"]}
    # Against A it loses the first 30 items; in the last 10 both agree with B. Against C it loses 30, wins 10.
    assert (rows["A"]["model_wins"], rows["A"]["annotator_wins"]) == (10 / 40, 1)
    assert (rows["C"]["model_wins"], rows["C"]["annotator_wins"]) == (10 / 40, 30 / 40)
    assert (result["winning_rate"], result["advantage"], result["passed"]) == (0, 0.25, False)


def test_wilcoxon_below_thirty_items_is_that_of_scipy():
    result = alternative_annotator_test(PEOPLE[20:], MODEL[20:], epsilon=0.15)
    # Against C: the model wins six items, which are the items 30 to 35; the other 14 are ties.
    expected = stats.wilcoxon([-1.15] * 6 + [-0.15] * 14, alternative="less").pvalue
    assert result["annotators"][2]["p"] == pytest.approx(expected)


def test_links_by_their_error():
    one, two = Links.of([(0, 0)]), Links.of([(0, 0), (1, 1)])
    result = alternative_annotator_test(
        [{"A": two, "B": one, "C": two}] * 30, [two] * 30, similarity=link_similarity
    )
    # The model draws what A and C draw: ties. Against B: 1 + 1 to 2 / 3 + 2 / 3, everywhere.
    assert [(row["model_wins"], row["annotator_wins"]) for row in result["annotators"]] == [
        (1, 1),
        (1, 0),
        (1, 1),
    ]
    assert (result["winning_rate"], result["advantage"]) == (1, 1)
