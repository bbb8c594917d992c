import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.formats.links.registry import read_links
from paragold.metrics.links import Links
from paragold.metrics.merging import MERGE_RULES, merge

# 0-0 sure by both; 1-1 of differing strength; 2-2 possible by both; 3-3 and 4-4 drawn by one alone.
FIRST = Links.of([(0, 0), (1, 1), (3, 3)], [(2, 2)])
SECOND = Links.of([(0, 0)], [(1, 1), (2, 2), (4, 4)])

CELLS = st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 3)))
ANNOTATIONS = st.lists(st.builds(Links.of, CELLS, CELLS), min_size=1, max_size=4)


def test_papers_rule():
    assert merge([FIRST, SECOND], "papers") == Links.of([(0, 0)], [(1, 1), (2, 2), (3, 3), (4, 4)])


def test_papers_rule_is_the_default():
    assert merge([FIRST, SECOND]) == merge([FIRST, SECOND], "papers")


def test_intersection():
    assert merge([FIRST, SECOND], "intersection") == Links.of([(0, 0)], [(1, 1), (2, 2)])


def test_union_sure():
    assert merge([FIRST, SECOND], "union_sure") == Links.of([(0, 0), (1, 1), (3, 3)], [(2, 2), (4, 4)])


def test_third_annotator_can_take_sure_away():
    third = Links.of([(3, 3)], [(0, 0)])
    assert merge([FIRST, SECOND, third], "papers").sure == frozenset()
    assert merge([FIRST, SECOND, third], "papers").possible == {(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)}


@pytest.mark.parametrize("rule", MERGE_RULES)
@given(annotations=ANNOTATIONS)
def test_order_and_repetition_do_not_matter_and_nothing_is_invented(rule, annotations):
    merged = merge(annotations, rule)
    assert merge(annotations[::-1], rule) == merged
    assert merge(annotations * 2, rule) == merged
    assert merge(annotations[:1], rule) == annotations[0]
    assert merged.possible <= frozenset.union(*(links.possible for links in annotations))


@given(ANNOTATIONS)
def test_papers_rule_loses_no_link(annotations):
    assert merge(annotations, "papers").possible == frozenset.union(*(a.possible for a in annotations))


def test_unknown_rule_and_no_annotations_are_refused():
    with pytest.raises(ValueError, match="choose one of papers, intersection, union_sure"):
        merge([FIRST], "majority")
    with pytest.raises(ValueError, match="no annotations"):
        merge([])


@pytest.mark.real_data
def test_the_three_annotators_of_rte2_merge_into_its_published_gold(alignment_data):
    files = [read_links(alignment_data / f"RTE2_dev_{name}.align.json") for name in "ABC"]
    gold = read_links(alignment_data / "msr_rte2.dev.jsonl")
    merged = [merge([pair.links for pair in versions]) for versions in zip(*files, strict=True)]
    assert merged == [pair.links for pair in gold]
    assert sum(len(links.sure) for links in merged) == 5321
    assert sum(len(links.possible_only) for links in merged) == 879
