import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.formats.link_files import read_links
from paragold.metrics.links import MERGE_RULES, Links, links_of_words, merge


def test_possible_includes_sure():
    links = Links.of([(0, 0)], [(0, 0), (1, 2)])
    assert links.sure == {(0, 0)}
    assert links.possible == {(0, 0), (1, 2)}
    assert links.possible_only == {(1, 2)}


def test_sure_outside_possible_is_refused():
    with pytest.raises(ValueError, match=r"missing from possible: \[\(0, 0\)\]"):
        Links(frozenset({(0, 0)}), frozenset())


def test_negative_index_is_refused():
    with pytest.raises(ValueError, match="negative"):
        Links.of([(0, -1)])


def test_first_outside_names_the_first_link_that_does_not_fit():
    links = Links.of([(0, 0), (2, 1)], [(1, 3)])
    assert links.first_outside(3, 4) is None
    assert links.first_outside(3, 3) == (1, 3)
    assert links.first_outside(2, 3) == (1, 3)
    assert links.first_outside(2, 4) == (2, 1)


def test_restriction_keeps_strength():
    links = Links.of([(0, 0), (1, 1)], [(2, 2)])
    assert links.restricted_to({(0, 0), (2, 2), (5, 5)}) == Links.of([(0, 0)], [(2, 2)])


def test_identical_words_are_equal_when_lower_cased():
    links = {(0, 0), (1, 1), (1, 0)}
    assert links_of_words(links, ["The", "dog"], ["the", "hound"], identical=True) == {(0, 0)}
    assert links_of_words(links, ["The", "dog"], ["the", "hound"], identical=False) == {(1, 1), (1, 0)}


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
