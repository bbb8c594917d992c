from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from paragold.formats.link_files import read_links
from paragold.metrics.link_agreement import (
    agreement_of_files,
    link_agreement,
    link_agreement_table,
    link_kappa,
    link_similarity,
)
from paragold.metrics.links import MERGE_RULES, Links, merge

# 0-0 sure by both; 1-1 of differing strength; 2-2 possible by both; 3-3 and 4-4 drawn by one alone.
FIRST = Links.of([(0, 0), (1, 1), (3, 3)], [(2, 2)])
SECOND = Links.of([(0, 0)], [(1, 1), (2, 2), (4, 4)])

CELLS = st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 3)))
ANNOTATIONS = st.lists(st.builds(Links.of, CELLS, CELLS), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("rule", "sure", "possible"),
    [
        ("papers", [(0, 0)], [(1, 1), (2, 2), (3, 3), (4, 4)]),
        ("intersection", [(0, 0)], [(1, 1), (2, 2)]),
        ("union_sure", [(0, 0), (1, 1), (3, 3)], [(2, 2), (4, 4)]),
    ],
)
def test_rules_of_merging(rule, sure, possible):
    assert merge([FIRST, SECOND], rule) == Links.of(sure, possible)
    assert (merge([FIRST, SECOND]) == merge([FIRST, SECOND], rule)) == (rule == "papers")


@pytest.mark.parametrize("rule", MERGE_RULES)
@given(annotations=ANNOTATIONS)
def test_order_and_repetition_do_not_matter_and_nothing_is_invented(rule, annotations):
    merged = merge(annotations, rule)
    assert merge(annotations[::-1], rule) == merged
    assert merge(annotations * 2, rule) == merged
    assert merge(annotations[:1], rule) == annotations[0]
    union = frozenset.union(*(links.possible for links in annotations))
    assert merged.possible == union if rule == "papers" else merged.possible <= union


@pytest.mark.real_data
def test_the_three_annotators_of_rte2_merge_into_its_published_gold(alignment_data):
    files = [read_links(alignment_data / f"RTE2_dev_{name}.align.json") for name in "ABC"]
    gold = read_links(alignment_data / "msr_rte2.dev.jsonl")
    merged = [merge([pair.links for pair in versions]) for versions in zip(*files, strict=True)]
    assert merged == [pair.links for pair in gold]
    assert sum(len(links.sure) for links in merged) == 5321
    assert sum(len(links.possible_only) for links in merged) == 879


TOKENS = (("The", "dam", "broke", "."), ("A", "dam", "burst", "."))
OF_ANN = Links.of([(1, 1), (3, 3)], [(0, 0), (2, 2)])
OF_BEN = Links.of([(1, 1), (2, 2)], [(3, 3)])
BY_BOTH = TOKENS, OF_ANN, OF_BEN


def test_link_agreement_by_hand():
    found = link_agreement([BY_BOTH])
    # First's four links against second's S (2) and P (3): 1 - (3 + 2) / (4 + 2).
    assert found["first_against_second"] == pytest.approx(1 / 6)
    # Second's three links against first's S (2) and P (4): 1 - (3 + 2) / (3 + 2).
    assert found["second_against_first"] == 0
    assert found["agreement"] == pytest.approx(11 / 12)
    assert found["f1_sure"] == pytest.approx(2 * 1 / 4)
    assert found["f1_all"] == pytest.approx(2 * 3 / 7)
    assert [found[name] for name in ("shared", "same", "drawn", "pairs")] == [3, 1, 4, 1]
    # Of 16 cells 3 are linked by both, 1 by one, 12 by neither; by chance 4 * 3 + 12 * 13 of 16 * 16.
    assert link_kappa([BY_BOTH])["value"] == pytest.approx(72 / 88)
    assert link_similarity(OF_ANN, OF_BEN) == Fraction(5, 6)
    assert link_similarity(OF_BEN, OF_ANN) == link_similarity(Links.of(), Links.of()) == 1
    table = link_agreement_table([BY_BOTH])
    assert table["identical"]["drawn"] == 2
    assert table["non_identical"]["drawn"] == 2
    assert table["identical"]["f1_all"] == 1
    assert table["non_identical"]["f1_all"] == pytest.approx(2 / 3)


@pytest.mark.real_data
def test_the_three_annotators_of_rte2(alignment_data):
    """The agreement known for these files: 99.16, 92.81 and 92.75 %."""
    found = agreement_of_files([alignment_data / f"RTE2_dev_{name}.align.json" for name in "ABC"])
    assert [round(100 * pair["all"]["agreement"], 2) for pair in found] == [99.16, 92.81, 92.75]
    assert [round(100 * pair["non_identical"]["agreement"], 2) for pair in found] == [
        95.47, 72.07, 72.34,
    ]  # fmt: skip
