import numpy as np
import pytest

from paragold.matching.specs import HeadlineSpec
from paragold.matching.sub_clusters import (
    ALL_HEADLINES,
    CLUSTERS_ONLY,
    JudgedCluster,
    as_json,
    judged_links,
    pairing_table,
    scored,
    shares_of,
    tuned,
)

# All words weigh the same: the cosine of two titles of n words is the share of words that they share.
FLAT = dict.fromkeys("abcdefgh", 1.0), dict.fromkeys("abcdefgh", 1.0)


def cluster(key, titles, groups, contexts=""):
    values = contexts.split() or [""] * len(titles.split())
    terms = [
        (frozenset(title), frozenset(context.strip("-")))
        for title, context in zip(titles.split(), values, strict=True)
    ]
    return JudgedCluster(key, terms, groups)


# The fifth says what the first two say, but people left it out; so does the sixth, which has but half of it.
STORM = cluster("storm", "ab ab cd cd ab ae", [[0, 1], [2, 3]])


def counts_of(table):
    """Retrieved, right and relevant links by method and part."""
    rows = table.itertuples()
    return {(row.method, row.headlines): [row.retrieved, row.right, row.relevant] for row in rows}


def test_shares_and_table_2_by_hand():
    # F: (1 + 1/16) * 1/2 * 2/3 / (1/16 * 1/2 + 2/3)
    assert shares_of(np.array([4, 2, 3])) == pytest.approx((1 / 2, 2 / 3, 17 / 48 / (1 / 32 + 2 / 3)))
    assert shares_of(np.array([0, 0, 3])) == (1, 0, 0)
    counts = counts_of(pairing_table([STORM], HeadlineSpec(pk1=1), FLAT))
    # (0, 1), (0, 4), (1, 4) and (2, 3); the cosine of "ab" and "ae" is 1/2, which is not above the threshold.
    assert counts["pairwise", ALL_HEADLINES] == [4, 2, 2]
    assert counts["pairwise", CLUSTERS_ONLY] == [2, 2, 2]
    # Without the two that are in none H2 is 0.707, 1.41 and 1.41 for 1 to 3 groups and stops changing; PK1 is
    # 0.707 at most, never above 1: the 2 groups before the last.
    assert counts["kmeans", CLUSTERS_ONLY] == [2, 2, 2]
    assert counts["kmeans", ALL_HEADLINES][2] == 2
    assert len(counts) == 4
    # IDF within the cluster is another one without the headlines in none: the shared words weigh nothing.
    alone = counts_of(pairing_table([cluster("x", "ab ab cd", [[0, 1]])], HeadlineSpec()))
    assert alone["pairwise", CLUSTERS_ONLY][0] == 0
    # With a threshold of 0.5 it is above at 2 groups, so 1 is chosen, and all six pairs are made.
    lower = counts_of(pairing_table([STORM], HeadlineSpec(pk1=0.5), FLAT))
    assert lower["kmeans", CLUSTERS_ONLY] == [6, 2, 2]


def test_the_links_behind_the_table():
    storm = cluster("storm", "ab ab cd ce ab fg", [[0, 1], [2, 3]], contexts="gh gh - gh gh gh")
    links = judged_links([storm], HeadlineSpec(), FLAT).set_index(["first", "second"])
    assert links["outcome"].to_dict() == {
        (0, 1): "right", (0, 4): "wrong", (1, 4): "wrong", (2, 3): "missed",
    }  # fmt: skip
    assert links.loc[0, 1][["score", "context"]].tolist() == pytest.approx([1, 1])
    assert links.loc[2, 3][["score", "context"]].tolist() == pytest.approx([0.5, np.nan], nan_ok=True)
    # Indices are those of all headlines where those in none were taken out.
    alone = cluster("c", "ef ab cd ab cd", [[1, 3], [2, 4], [0]])
    rows = judged_links([alone], HeadlineSpec(), FLAT, clusters_only=True)
    assert rows[["first", "second", "outcome"]].to_numpy().tolist() == [[1, 3, "right"], [2, 4, "right"]]


def test_thresholds_are_tuned_by_f():
    # Paraphrases share half of their words, look-alikes a third.
    judged = cluster("c", "abcd abef", [[0, 1]])
    other = cluster("d", "abc ade", [])
    best, counts, _ = tuned([judged, other], HeadlineSpec(), FLAT)
    assert counts.tolist() == [1, 1, 1]
    assert 1 / 3 <= best.upper < 0.5
    # Of the thresholds that are as good, the nearest to the paper's.
    assert (best.upper, best.lower) == (0.45, 0.2)
    # The context takes part.
    judged = cluster("c", "abcd aefg", [[0, 1]], contexts="ab ab")
    alike = cluster("d", "abcd aefg", [], contexts="ab cd")
    best, counts, _ = tuned([judged, alike], HeadlineSpec(), FLAT)
    assert counts.tolist() == [1, 1, 1]
    assert best.lower <= 0.25


def test_scores_are_those_of_the_part_that_was_not_tuned_on():
    clusters = [
        cluster(f"c{number}", "abcd abef abgh", [[0, 1]] if number % 2 else []) for number in range(6)
    ]
    scores = scored(clusters, HeadlineSpec(seed=3), FLAT, share=0.5)
    assert scores["clusters"] == 3 and len(scores["development_clusters"]) == 3
    assert scores["clustered"] + scores["unclustered"] == 9
    test = [one for one in clusters if one.key not in scores["development_clusters"]]
    assert scores["sub_clusters"] == sum(bool(one.groups) for one in test)
    assert scores["development"]["method"].tolist() == ["kmeans", "pairwise"]
    assert scores["table"].equals(pairing_table(test, scores["settings"], FLAT))
    # One cluster: there is no other one to tune on.
    values = as_json(scored([STORM], HeadlineSpec(), FLAT))
    counts = {"right": 2, "retrieved": 4, "relevant": 2, "precision": 0.5, "recall": 1.0}
    assert counts.items() <= values["table"][3].items()
    assert (values["sub_clusters"], values["clustered"], values["unclustered"]) == (2, 4, 2)
    plain = scored(clusters, HeadlineSpec(pk1=1), FLAT)
    assert (plain["clusters"], len(plain["development"]), plain["settings"]) == (6, 0, HeadlineSpec(pk1=1))
    with pytest.raises(ValueError, match="nothing to score"):
        scored([cluster("c", "ab ab", [])], HeadlineSpec())
