import pytest
from hypothesis import given, settings, strategies as st

from paragold.metrics.error_rate import as_json, compare, counts_by_words, table_of
from paragold.metrics.link_comparison import (
    KINDS,
    OUTCOMES,
    compare_links,
    errors_by_kind,
    errors_of_pair,
    function_words,
    row_label,
)
from paragold.metrics.links import LinkedPair, Links

PAIRS = [
    LinkedPair(
        "one", ("The", "dog", "barked"), ("the", "hound", "barked"), Links.of([(0, 0), (1, 1)], [(2, 2)])
    ),
    LinkedPair("two", ("yes", "sir"), ("yes", "madam"), Links.of([(0, 0)], [(1, 1)])),
    LinkedPair("three", ("a", "b"), ("a", "b"), Links.of([(0, 0), (1, 1)])),
]
A = [[(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 0)], []]
B = [[(0, 0), (2, 1)], [(1, 0), (1, 1)], [(0, 0)]]


@pytest.fixture(scope="module")
def comparison():
    return compare_links(PAIRS, A, B, language="en", seed=3, resamples=100, shuffles=200)


def test_who_is_right_where_with_the_rates_of_experiments(comparison):
    first = {row["link"]: row for row in comparison[0][0]["links"]}
    assert {link: row["outcome"] for link, row in first.items()} == {
        (0, 0): "both_right", (1, 1): "only_a", (2, 1): "only_a", (2, 2): "both_right",
    }  # fmt: skip
    assert (first[2, 2]["strength"], first[2, 2]["drawn_by"]) == ("possible", "A")
    assert [first[2, 1][name] for name in ("strength", "drawn_by", "kind_b")] == ["none", "B", "other"]
    assert {row["link"]: row["outcome"] for row in comparison[0][1]["links"]} == {
        (0, 0): "only_a", (1, 0): "both_wrong", (1, 1): "both_right",
    }  # fmt: skip
    pairs, summary = comparison
    assert summary["totals"] == {"both_right": 3, "only_a": 3, "only_b": 1, "both_wrong": 2}
    assert summary["possible"] == {"both": 0, "only_a": 1, "only_b": 1, "none": 0}
    rows = {row_label(row): [row[outcome] for outcome in OUTCOMES] for row in summary["links"]}
    assert rows["SURE, identical words"] == [1, 1, 1, 1]
    assert rows["not in the gold, non-identical words"] == [0, 1, 0, 1]
    assert rows["POSSIBLE, identical words"][0] == 1
    assert sum(map(sum, rows.values())) == sum(len(pair["links"]) for pair in pairs)
    pairs, summary = comparison
    for side, drawn in (("a", A), ("b", B)):
        table = table_of(counts_by_words(drawn, PAIRS), seed=3, resamples=100)
        for words, row in table.items():
            assert summary["scores"][side][words] == {
                name: row[name] for name in ("precision", "recall", "aer", "aer_interval")
            }
    counts = [counts_by_words(drawn, PAIRS)["all"] for drawn in (A, B)]
    tested = compare(*counts, seed=3, resamples=100, shuffles=200)
    assert summary["tests"]["all"] == as_json(tested)
    wrong = [sum(row["missing"] + row["false"] for row in rows) for rows in summary["errors"].values()]
    assert wrong == [
        sum(bool(row[name]) for pair in pairs for row in pair["links"]) for name in ("kind_a", "kind_b")
    ]


ENGLISH = function_words("en-GB")


def pair(source, target, sure, possible=()):
    return LinkedPair("1", tuple(source.split()), tuple(target.split()), Links.of(sure, possible))


def kinds(gold, drawn):
    return {(link, missing): kind for link, missing, kind in errors_of_pair(gold, drawn, ENGLISH)}


@pytest.mark.parametrize(
    ("gold", "drawn", "expected"),
    [
        (  # The gold leaves the second "the" alone.
            pair("the cat", "the the cat", [(0, 0), (1, 2)]),
            [(0, 0), (0, 1), (1, 2)],
            {((0, 1), False): "unlinked"},
        ),
        (
            pair("the cat saw the dog", "the dog the cat", [(0, 2), (3, 0)]),
            [(0, 0), (3, 0)],
            {((0, 0), False): "identical", ((0, 2), True): "identical"},
        ),
        (  # A number in a phrase is a phrase.
            pair("5 percent", "5 per cent", [(0, 0), (1, 1), (1, 2)]),
            [(0, 0), (1, 2)],
            {((1, 1), True): "phrases"},
        ),
        (pair("in 1999", "in 99", [(0, 0), (1, 1)]), [(0, 0)], {((1, 1), True): "numbers"}),
        (pair("saw Smith", "saw him", [(0, 0), (1, 1)]), [(0, 0)], {((1, 1), True): "names"}),
        # A capital at the start, or of a headline, is no name.
        (pair("Cats sleep", "felines sleep", [(0, 0), (1, 1)]), [(1, 1)], {((0, 0), True): "other"}),
        (pair("Big Cats Sleep", "felines sleep", [(1, 0)]), [], {((1, 0), True): "other"}),
        (pair("sleeps in", "sleeps on", [(0, 0), (1, 1)]), [(0, 0)], {((1, 1), True): "function"}),
        # POSSIBLE links are never wrong, drawn or not.
        (pair("a b", "a b", [(0, 0)], [(1, 1)]), [(0, 0), (1, 1)], {}),
    ],
)
def test_the_kind_of_an_error(gold, drawn, expected):
    assert kinds(gold, drawn) == expected


words = st.lists(st.sampled_from(["the", "cat", "Cat", "7", ",", "of"]), min_size=1, max_size=5)


@settings(max_examples=60)
@given(st.data())
def test_every_error_is_counted_once(data):
    pairs, drawn = [], []
    for number in range(data.draw(st.integers(2, 4))):
        source, target = data.draw(words), data.draw(words)
        cells = st.sets(
            st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1)), max_size=8
        )
        links = Links.of(data.draw(cells), data.draw(cells))
        pairs.append(LinkedPair(str(number), tuple(source), tuple(target), links))
        drawn.append(data.draw(cells))
    table = errors_by_kind(pairs, drawn, language="en", seed=1, resamples=20)
    assert [one["kind"] for one in table] == list(KINDS)
    missing = sum(len(one.links.sure - own) for one, own in zip(pairs, drawn, strict=True))
    false = sum(len(own - one.links.possible) for one, own in zip(pairs, drawn, strict=True))
    assert (sum(one["missing"] for one in table), sum(one["false"] for one in table)) == (missing, false)
    for name, total in (("missing", missing), ("false", false)):
        shares = [one[f"{name}_share"] for one in table]
        assert shares == [None] * len(table) if not total else sum(shares) == pytest.approx(1)
    assert table[0]["missing"] == 0  # the words of a gold link have a link
