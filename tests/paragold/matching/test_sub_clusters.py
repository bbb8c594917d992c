"""Links against sub-clusters drawn by people, by hand."""

from collections import Counter

import pytest

from paragold.matching import sub_clusters
from paragold.matching.headlines import HeadlineSpec, HeadlineTerms, Weights
from paragold.matching.sub_clusters import (
    JudgedCluster,
    LinkCounts,
    as_json,
    as_text,
    development_part,
    judged_links,
    pairing_table,
    scored,
    tuned,
)

# All words weigh the same: the cosine of two titles of n words is the share of words that they share.
FLAT = Weights(dict.fromkeys("abcdefgh", 1.0), dict.fromkeys("abcdefgh", 1.0))


def cluster(key, titles, groups, contexts=""):
    values = contexts.split() or [""] * len(titles.split())
    terms = [
        HeadlineTerms(frozenset(title), frozenset(context.strip("-")))
        for title, context in zip(titles.split(), values, strict=True)
    ]
    return JudgedCluster(key, terms, groups)


# The fifth says what the first two say, but people left it out; so does the sixth, which has but half of it.
STORM = cluster("storm", "ab ab cd cd ab ae", [[0, 1], [2, 3]])


def test_counts_by_hand():
    counts = LinkCounts(retrieved=4, right=2, relevant=3)
    assert (counts.precision, counts.recall) == (0.5, pytest.approx(2 / 3))
    # (1 + 1/16) * 1/2 * 2/3 / (1/16 * 1/2 + 2/3)
    assert counts.f == pytest.approx(17 / 48 / (1 / 32 + 2 / 3))
    assert counts + LinkCounts(1, 1, 1) == LinkCounts(5, 3, 4)
    nothing = LinkCounts(relevant=3)
    assert (nothing.precision, nothing.recall, nothing.f) == (1, 0, 0)


def test_table_2_by_hand():
    rows = {
        (row.method, row.clusters_only): row.counts
        for row in pairing_table([STORM], HeadlineSpec(pk1=1), FLAT)
    }
    # (0, 1), (0, 4), (1, 4) and (2, 3); the cosine of "ab" and "ae" is 1/2, which is not above the threshold.
    assert rows["pairwise", False] == LinkCounts(4, 2, 2)
    assert rows["pairwise", True] == LinkCounts(2, 2, 2)
    # Without the two that are in none H2 is 0.707, 1.41 and 1.41 for 1 to 3 groups and stops changing; PK1 is
    # 0.707 at most, never above 1: the 2 groups before the last.
    assert rows["kmeans", True] == LinkCounts(2, 2, 2)
    assert rows["kmeans", False].relevant == 2
    assert len(rows) == 4
    # IDF within the cluster is another one without the headlines in none: the shared words weigh nothing.
    assert not pairing_table([cluster("x", "ab ab cd", [[0, 1]])], HeadlineSpec())[2].counts.retrieved
    # With a threshold of 0.5 it is above at 2 groups, so 1 is chosen, and all six pairs are made.
    lower = pairing_table([STORM], HeadlineSpec(pk1=0.5), FLAT)
    assert (lower[0].method, lower[0].clusters_only, lower[0].counts) == ("kmeans", True, LinkCounts(6, 2, 2))


def test_the_links_behind_the_table():
    storm = cluster("storm", "ab ab cd ce ab fg", [[0, 1], [2, 3]], contexts="gh gh - gh gh gh")
    links = {(one.first, one.second): one for one in judged_links([storm], HeadlineSpec(), FLAT)}
    assert {pair: one.outcome for pair, one in links.items()} == {
        (0, 1): "right", (0, 4): "wrong", (1, 4): "wrong", (2, 3): "missed",
    }  # fmt: skip
    assert (links[0, 1].score, links[0, 1].context) == pytest.approx((1, 1))
    assert (links[2, 3].score, links[2, 3].context) == (pytest.approx(0.5), None)
    # Indices are those of all headlines where those in none were taken out.
    alone = cluster("c", "ef ab cd ab cd", [[1, 3], [2, 4], [0]])
    rows = list(judged_links([alone], HeadlineSpec(), FLAT, clusters_only=True))
    assert [(one.first, one.second, one.outcome) for one in rows] == [(1, 3, "right"), (2, 4, "right")]


@pytest.mark.parametrize("method", ["kmeans", "pairwise"])
@pytest.mark.parametrize("clusters_only", [True, False])
def test_links_add_up_to_the_table(method, clusters_only):
    clusters = [STORM, cluster("c", "ab cd ab cd ef abc", [[1, 3], [0, 2], [4]])]
    settings = HeadlineSpec(method=method)
    (counts,) = [
        row.counts
        for row in pairing_table(clusters, settings)
        if (row.method, row.clusters_only) == (method, clusters_only)
    ]
    found = Counter(one.outcome for one in judged_links(clusters, settings, clusters_only=clusters_only))
    assert found["right"] == counts.right
    assert found["wrong"] == counts.retrieved - counts.right
    assert found["missed"] == counts.relevant - counts.right


def test_thresholds_are_tuned_by_f():
    # Paraphrases share half of their words, look-alikes a third.
    judged = cluster("c", "abcd abef", [[0, 1]])
    other = cluster("d", "abc ade", [])
    best = tuned([judged, other], HeadlineSpec(), FLAT)
    assert best.counts == LinkCounts(1, 1, 1)
    assert 1 / 3 <= best.settings.upper < 0.5
    # Of the thresholds that are as good, the nearest to the paper's.
    assert (best.settings.upper, best.settings.lower) == (0.45, 0.2)
    # The context takes part.
    judged = cluster("c", "abcd aefg", [[0, 1]], contexts="ab ab")
    alike = cluster("d", "abcd aefg", [], contexts="ab cd")
    best = tuned([judged, alike], HeadlineSpec(), FLAT)
    assert best.counts == LinkCounts(1, 1, 1)
    assert best.settings.lower <= 0.25


def test_pk1_and_delta_are_tuned_too():
    judged = cluster("c", "ab ab ab cd cd ce fg", [[0, 1, 2], [3, 4]])
    best = tuned([judged], HeadlineSpec(method="kmeans"), FLAT)
    assert best.counts == pairing_table([judged], best.settings, FLAT)[1].counts
    for pk1 in (-1, 0, 0.5, 1, 1.5, 2):
        for delta in (0, 4, 20, 50):
            settings = HeadlineSpec(pk1=pk1, delta=delta)
            assert pairing_table([judged], settings, FLAT)[1].counts.f <= best.counts.f


def test_the_development_part_is_drawn_by_the_seed():
    keys = [f"c{number}" for number in range(20)]
    part = development_part(keys, 0.3, seed=1)
    assert len(part) == 6 and part == development_part(reversed(keys), 0.3, seed=1)
    assert part != development_part(keys, 0.3, seed=2)
    assert len(development_part(["a", "b"], 0.01, seed=1)) == 1
    assert len(development_part(["a", "b"], 0.99, seed=1)) == 1
    for share in (0, 1, -1, 2):
        with pytest.raises(ValueError, match="between 0 and 1"):
            development_part(keys, share, seed=1)
    with pytest.raises(ValueError, match="two clusters"):
        development_part(["a"], 0.5, seed=1)


def test_scores_are_those_of_the_part_that_was_not_tuned_on():
    clusters = [
        cluster(f"c{number}", "abcd abef abgh", [[0, 1]] if number % 2 else []) for number in range(6)
    ]
    scores = scored(clusters, HeadlineSpec(seed=3), FLAT, share=0.5)
    assert scores.clusters == 3 and len(scores.development_keys) == 3
    assert scores.clustered + scores.unclustered == 9
    test = [one for one in clusters if one.key not in scores.development_keys]
    assert scores.sub_clusters == sum(bool(one.groups) for one in test)
    assert [row.method for row in scores.development] == ["kmeans", "pairwise"]
    assert scores.table == tuple(pairing_table(test, scores.settings, FLAT))
    # One cluster: there is no other one to tune on.
    alone = scored([STORM], HeadlineSpec(), FLAT)
    assert "k-means   clusters only        1.00    1.00" in as_text(alone)
    assert "groups: estimated." in as_text(alone)
    assert "groups: PK1 1, delta 5." in as_text(scored([STORM], HeadlineSpec(pk1=1), FLAT))
    values = as_json(alone)
    counts = {"right": 2, "retrieved": 4, "relevant": 2, "precision": 0.5, "recall": 1.0}
    assert counts.items() <= values["table"][3].items()
    assert (values["sub_clusters"], values["clustered"], values["unclustered"]) == (2, 4, 2)
    plain = scored(clusters, HeadlineSpec(pk1=1), FLAT)
    assert (plain.clusters, plain.development, plain.settings) == (6, (), HeadlineSpec(pk1=1))
    with pytest.raises(ValueError, match="nothing to score"):
        scored([cluster("c", "ab ab", [])], HeadlineSpec())


def test_without_a_threshold_each_cluster_is_scored_by_what_is_best_on_the_others():
    # One group is right for the first three; for the last it is wrong, and would be found on the others only.
    alike = [cluster(f"c{number}", "ab ab ab ab", [[0, 1, 2, 3]]) for number in range(3)]
    other = cluster("d", "ab ab ac ad", [[0, 1]])
    clusters = [*alike, other]
    scores = scored(clusters, HeadlineSpec(), FLAT)
    assert scores.settings.pk1 is not None and len(scores.each) == 4
    for place in range(len(clusters)):
        others = clusters[:place] + clusters[place + 1 :]
        assert scores.each[place] == tuned(others, HeadlineSpec(method="kmeans"), FLAT).settings
    by_itself = [
        pairing_table([one], settings, FLAT)[1].counts
        for one, settings in zip(clusters, scores.each, strict=True)
    ]
    assert scores.table[1].counts == sum(by_itself, LinkCounts())
    assert "each cluster is tuned on the others (4 clusters" in as_text(scores)
    links = Counter(
        one.outcome for one in judged_links(clusters, HeadlineSpec(method="kmeans"), FLAT, each=scores.each)
    )
    assert links["right"] == scores.table[1].counts.right
    assert scored(clusters, HeadlineSpec(pk1=1), FLAT).each == ()


def test_at_most_so_many_clusters_are_tuned_on(monkeypatch):
    clusters = [cluster(f"c{number}", "ab ab cd", [[0, 1]]) for number in range(5)]
    best = tuned(clusters, HeadlineSpec(method="kmeans"), FLAT, sample=[0, 2, 4])
    assert (best.clusters, len(best.each)) == (3, 5) and best.counts.relevant == 3
    monkeypatch.setattr(sub_clusters, "HEADLINES_TUNED", 8)
    assert scored(clusters, HeadlineSpec(), FLAT).tuned_on == 2
    monkeypatch.setattr(sub_clusters, "LARGEST_TUNED", 2)
    scores = scored(clusters, HeadlineSpec(), FLAT)
    assert (scores.tuned_on, scores.each, scores.settings.pk1) == (0, (), None)
