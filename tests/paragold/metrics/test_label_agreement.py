from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, strategies as st
from statsmodels.stats import inter_rater

from paragold.metrics import label_agreement as weighted
from paragold.metrics.label_agreement import (
    NOTHING_SHARED,
    ONE_LABEL_ONLY,
    cohen_estimate,
    estimate,
    estimates,
    observed_estimate,
    unit_types,
)

BINARY = ("y", "n")
UNITS = [["y", "y"]] * 20 + [["y", "n"]] * 5 + [["n", "y"]] * 10 + [["n", "n"]] * 15
TABLE = np.array([[20, 5], [10, 15]])


def alpha_of(units, level="nominal", labels=BINARY):
    """By the package krippendorff."""
    counts = [[unit.count(label) for label in labels] for unit in units]
    return krippendorff.alpha(
        value_counts=counts, value_domain=range(len(labels)), level_of_measurement=level
    )


def test_values_are_those_of_the_exact_coefficients_or_say_why_there_are_none():
    result = estimates(UNITS, BINARY)
    assert list(result) == ["observed", "fleiss_kappa", "alpha_nominal"]
    assert (
        estimates(UNITS, BINARY, seed=3)
        == estimates(UNITS, BINARY, seed=3)
        != estimates(UNITS, BINARY, seed=4)
    )
    assert result["observed"]["value"] == pytest.approx(35 / 50)
    assert result["alpha_nominal"]["value"] == pytest.approx(alpha_of(UNITS))
    assert {row["items"] for row in result.values()} == {50}
    assert "alpha_ordinal" in estimates([["a", "b"], ["c", "c"]], "abc")
    assert estimates([["y", "n"]], BINARY)["observed"] == estimate(0.0, 1)
    assert cohen_estimate(np.zeros((2, 2), dtype=int)) == estimate(None, 0, undefined_because=NOTHING_SHARED)
    assert cohen_estimate(np.diag([4, 0])) == estimate(None, 4, undefined_because=ONE_LABEL_ONLY)
    result = estimates([["y", None]], BINARY)
    assert result["alpha_nominal"] == estimate(None, 0, undefined_because=NOTHING_SHARED)
    assert estimates([["y", "y"]], BINARY)["fleiss_kappa"]["undefined_because"] == ONE_LABEL_ONLY


def test_the_interval_of_alpha_is_that_of_a_bootstrap_item_by_item():
    generator = np.random.default_rng(7)
    values = []
    for _ in range(400):
        drawn = [UNITS[index] for index in generator.integers(len(UNITS), size=len(UNITS))]
        values.append(alpha_of(drawn))
    result = estimates(UNITS, BINARY, resamples=5_000)["alpha_nominal"]
    assert (result["low"], result["high"]) == pytest.approx(
        tuple(np.percentile(values, (2.5, 97.5))), abs=0.05
    )


def test_cohen_kappa_by_hand_and_of_statsmodels():
    kappa, share = cohen_estimate(TABLE), observed_estimate(TABLE)
    assert (kappa["value"], kappa["items"]) == (pytest.approx(0.4), 50)
    assert kappa["low"] < 0.4 < kappa["high"]
    assert (share["value"], share["items"]) == (pytest.approx(0.7), 50)
    tables = np.array([[[20, 5], [10, 15]], [[3, 0], [1, 7]], np.diag([2, 2])], dtype=float)
    expected = [inter_rater.cohens_kappa(table).kappa for table in tables]
    assert weighted.cohen_kappa(tables) == pytest.approx(expected)
    assert weighted.cohen_kappa(tables)[0] == pytest.approx(0.4)
    assert np.isnan(weighted.cohen_kappa(np.array([np.zeros((2, 2)), np.diag([4, 0])]))).all()


LABELS = ("unrelated", "partial", "paraphrase")
ROWS = st.integers(2, 4).flatmap(
    lambda annotators: st.lists(
        st.lists(st.sampled_from([*LABELS, None]), min_size=annotators, max_size=annotators),
        min_size=1,
        max_size=10,
    )
)
COMPLETE = st.integers(2, 5).flatmap(
    lambda annotators: st.lists(
        st.lists(st.sampled_from(LABELS), min_size=annotators, max_size=annotators), min_size=1, max_size=10
    )
)

# Fleiss (1971), as it is usually reprinted: 14 raters, 10 subjects, 5 categories; kappa 0.210.
FLEISS = np.array(
    [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]
)  # fmt: skip

# Krippendorff (2011), section C: four observers, twelve units; nominal 0.743, ordinal 0.815.
OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
PUBLISHED = [[None if label == "." else label for label in unit] for unit in zip(*OBSERVERS, strict=True)]


def alone(types):
    """The items as they are, as the only draw."""
    counts, frequencies = types
    return counts, frequencies[None, :].astype(float)


def once(counts):
    return counts, np.ones((1, len(counts)))


def same(result, expected):
    assert (np.isnan(result) and np.isnan(expected)) or result == pytest.approx(expected, abs=1e-9)


def test_published_examples():
    [kappa] = weighted.fleiss_kappa(*once(FLEISS))
    assert round(kappa, 3) == 0.210
    assert kappa == pytest.approx(inter_rater.fleiss_kappa(FLEISS))
    types = unit_types(PUBLISHED, "12345")
    assert round(weighted.krippendorff_alpha(*alone(types))[0], 3) == 0.743
    assert round(weighted.krippendorff_alpha(*alone(types), ordinal=True)[0], 3) == 0.815


@given(COMPLETE)
def test_fleiss_kappa_equals_statsmodels(units):
    types = unit_types(units, LABELS)
    rows = np.repeat(*types, axis=0)
    [kappa] = weighted.fleiss_kappa(*alone(types))
    if (rows.sum(axis=0) > 0).sum() == 1:
        assert np.isnan(kappa)
    else:
        same(kappa, inter_rater.fleiss_kappa(rows))


@given(ROWS)
def test_alpha_equals_the_krippendorff_package_and_shares_are_counted(units):
    types = unit_types(units, LABELS)
    answers = [[label for label in unit if label is not None] for unit in units]
    answers = [unit for unit in answers if len(unit) > 1]
    agreeing = [np.mean([a == b for a, b in combinations(unit, 2)]) for unit in answers]
    [observed] = weighted.observed(*alone(types))
    same(observed, np.mean(agreeing) if answers else np.nan)
    if not answers:
        return
    for level, ordinal in (("nominal", False), ("ordinal", True)):
        [result] = weighted.krippendorff_alpha(*alone(types), ordinal=ordinal)
        if len({label for unit in answers for label in unit}) == 1:
            assert np.isnan(result)
        else:
            same(result, alpha_of(answers, level, LABELS))


@given(ROWS, st.lists(st.integers(0, 4), min_size=12, max_size=12))
def test_a_draw_counts_as_the_items_drawn_that_often(units, times):
    types = unit_types(units, LABELS)
    weights = np.resize(np.array(times, dtype=float), (1, len(types[1])))
    drawn = unit_types(
        [
            [label for label, number in zip(LABELS, kind, strict=True) for _ in range(number)]
            for kind, weight in zip(types[0], weights[0], strict=True)
            for _ in range(int(weight))
        ],
        LABELS,
    )
    for ordinal in (False, True):
        [result] = weighted.krippendorff_alpha(types[0], weights, ordinal=ordinal)
        [expected] = weighted.krippendorff_alpha(*alone(drawn), ordinal=ordinal)
        same(result, expected)


def test_agreement_of_labels_has_cohens_kappa_of_two_annotators():
    figures = weighted.agreement_of_labels([dict(zip("ab", unit, strict=True)) for unit in UNITS])
    assert list(figures) == ["observed", "krippendorff_alpha", "cohen_kappa"]
    assert figures["cohen_kappa"] == estimate(pytest.approx(0.4), 50)
    assert figures["krippendorff_alpha"]["value"] == pytest.approx(alpha_of(UNITS))


def test_kinds_of_items_and_how_often_they_occur_give_what_the_items_give():
    kinds, times = [["y", "y"], ["y", "n"], ["n", None], ["n", "y"], ["y", "y"]], [7, 5, 3, 0, 4]
    items = [kind for kind, number in zip(kinds, times, strict=True) for _ in range(number)]
    assert estimates(kinds, BINARY, times) == estimates(items, BINARY)
    people = [[dict(zip("ab", labels, strict=True)) for labels in rows] for rows in (kinds, items)]
    assert weighted.agreement_of_labels(people[0], times) == weighted.agreement_of_labels(people[1])
    tables = [
        weighted.pair_tables(people[0], BINARY, "ab", times),
        weighted.pair_tables(people[1], BINARY, "ab"),
    ]
    assert tables[0].keys() == tables[1].keys() and (tables[0]["a", "b"] == tables[1]["a", "b"]).all()
