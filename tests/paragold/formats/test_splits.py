from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from paragold.formats.labelled_pairs import read_pairs
from paragold.formats.publishing import splits_section
from paragold.formats.splits import SPLITS, PairGroups, described, parse_shares
from paragold.text.tokenisation import tokenise


def splits_of(train, dev, test, seed=1):
    return dict(zip(SPLITS, (train, dev, test), strict=True)), seed


def divided(pairs, splits):
    groups = PairGroups()
    for cluster_a, a, cluster_b, b in pairs:
        groups.add_sentence(cluster_a, a)
        groups.add_sentence(cluster_b, b)
        groups.add_pair(cluster_a, cluster_b)
    shares, seed = splits
    return groups.divide(shares, seed=seed)


def where(pairs, division):
    """The splits that each cluster and each sentence is in."""
    result = {}
    for cluster_a, a, cluster_b, b in pairs:
        for name in (division[0][cluster_a], division[0][cluster_b]):
            for mark in (f"c {cluster_a}", f"c {cluster_b}", f"s {a.lower()}", f"s {b.lower()}"):
                result.setdefault(mark, set()).add(name)
    return result


words = st.sampled_from(["a", "b", "c", "d", "A b", "a B", "ä", "Ä", "e f g", "h", "i", "j"])
keys = st.sampled_from([f"k{number}" for number in range(9)])
some_splits = st.builds(
    lambda a, b, seed: splits_of(min(a, b), abs(a - b), 100 - max(a, b), seed),
    st.integers(0, 100),
    st.integers(0, 100),
    st.integers(0, 9),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(keys, words, keys, words), max_size=25), some_splits, st.randoms())
def test_no_text_and_no_cluster_is_in_two_splits(pairs, splits, draw):
    division = divided(pairs, splits)
    assert all(len(names) == 1 for names in where(pairs, division).values())
    shuffled = list(pairs)
    draw.shuffle(shuffled)
    assert divided(shuffled, splits) == division
    assert all(splits[0][name] for name in division[0].values())


def test_shares_are_reached_and_a_giant_group_is_reported():
    pairs = [(f"c{n // 3}", f"a{n}", f"c{n // 3}", f"b{n}") for n in range(3000)]
    division = divided(pairs, splits_of(80, 10, 10, seed=3))
    counts = Counter(division[0][cluster] for cluster, *_ in pairs)
    assert abs(counts["train"] - 2400) <= 3 and abs(counts["test"] - 300) <= 3
    assert divided(pairs, splits_of(80, 10, 10, seed=3)) == division
    assert divided(pairs, splits_of(80, 10, 10, seed=4)) != division
    assert set(divided(pairs, splits_of(0, 0, 100))[0].values()) == {"test"}
    pairs = [("news", f"a{n}", "news", f"b{n}") for n in range(900)]
    pairs += [(f"c{n}", f"x{n}", f"c{n}", f"y{n}") for n in range(100)]
    with pytest.raises(ValueError, match="sum to 100"):
        parse_shares("80/10/9")
    splits = parse_shares("50/25/25"), 1
    division = divided(pairs, splits)
    assert division[2] == 900
    counts = Counter(division[0][cluster] for cluster, *_ in pairs)
    assert counts == {"train": 900, "dev": 50, "test": 50}
    manifest = described(splits[0], division, counts, Counter(division[0].values()))
    assert manifest["splits"]["train"] == {
        **{"asked": 0.5, "reached": 0.9, "pairs": 900, "clusters": 1, "groups": 1}
    }
    assert manifest["largest_group"] == {"pairs": 900, "share": 0.9}
    section = splits_section(manifest)
    assert "900 pairs (90.0 %)" in section and "not reached" in section
    assert [line.split()[1] for line in section.splitlines()[-3:]] == list(SPLITS)


@pytest.mark.real_data
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_imported_pairs_of_msr_do_not_leak(shared_data, seed):
    pairs = []
    for number, pair in enumerate(read_pairs(shared_data / "paraphrase" / "msr_paraphrase_train.txt")):
        first, second = (" ".join(tokenise(text)[0]) for text in (pair.first, pair.second))
        pairs.append((f"msr/{number}", first, f"msr/{number}", second))
    division = divided(pairs, splits_of(80, 10, 10, seed))
    assert all(len(names) == 1 for names in where(pairs, division).values())
    counts = Counter(division[0][cluster] for cluster, *_ in pairs)
    assert abs(counts["test"] / len(pairs) - 0.1) < 0.002
