from datetime import date, timedelta
from itertools import groupby

import numpy as np
import pytest

from paragold.events import clustering
from paragold.events.clustering import Terms, find_events, score_events
from paragold.events.settings import EventSpec

FIRST = date(2004, 8, 31)
SETTINGS = EventSpec(threshold=0.3, window_days=2)


def story(key, words, day=0):
    return (key, FIRST + timedelta(day), dict.fromkeys(words.split(), 1.0))


def random_stream(seed, articles=90, days=9):
    """Articles on a dozen events, each with words of its own, of three days or so, and noise."""
    random = np.random.default_rng(seed)
    stories = []
    for number in range(articles):
        event = int(random.integers(12))
        own = [f"e{event}w{word}" for word in random.integers(0, 14, 7)]
        noise = [f"n{word}" for word in random.integers(0, 40, 5)]
        day = min(days - 1, int(event * 0.6) + int(random.integers(3)))
        stories.append(story(f"a{number:03d}", " ".join([*own, *noise]), day))
    return stories


def test_terms_are_weighed_and_events_found_by_hand():
    stories = [
        story("1", "storm coast flood roofs"),
        story("2", "storm coast flood trees"),
        story("3", "vote mayor ballots"),
        story("4", "storm coast flood repairs", 1),
        story("5", "vote mayor ballots recount", 3),
        story("6", "storm coast flood insurers", 3),
    ]
    assert find_events(stories, SETTINGS) == [
        "2004-08-31-001",
        "2004-08-31-001",
        "2004-08-31-002",
        "2004-08-31-001",
        # Three days after the vote: beyond the window. The storm was last reported the day before the last.
        "2004-09-03-001",
        "2004-08-31-001",
    ]
    count = Terms(EventSpec(title_weight=2, name_weight=3))
    terms = count("Dam mended", [["The", "dam", "near", "Northport", "leaks", "."]])
    assert terms == {"dam": 3, "mend": 2, "near": 1, "northport": 3, "leak": 1}
    # The first sentence replaces a missing title.
    count = Terms(EventSpec(title_weight=2, name_weight=1))
    assert count(" ", [["Dam", "leaks"], ["dam"]]) == {"dam": 3, "leak": 2}
    dutch, thai = Terms(EventSpec(language="nl-BE")), Terms(EventSpec(language="th"))
    assert set(dutch("", [["de", "branden"]])) == {"brand"}
    assert set(thai("", [["Branden", "the"]])) == {"branden", "the"}


@pytest.mark.parametrize("seed", range(6))
def test_days_may_come_together_or_one_by_one(seed):
    stories = random_stream(seed)
    together = dict(zip([s[0] for s in stories], find_events(stories, SETTINGS), strict=True))
    existing = []
    by_day = sorted(stories, key=lambda s: (s[1], s[0]))
    for _, group in groupby(by_day, key=lambda s: s[1]):
        day = list(group)
        existing += list(zip(day, find_events(day, SETTINGS, existing), strict=True))
    assert {s[0]: event for s, event in existing} == together
    assert 1 < len(set(together.values())) < len(stories)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_a_file_plays_no_part(seed):
    stories = random_stream(seed)
    shuffled = [stories[place] for place in np.random.default_rng(seed).permutation(len(stories))]
    first = dict(zip([s[0] for s in stories], find_events(stories, SETTINGS), strict=True))
    second = dict(zip([s[0] for s in shuffled], find_events(shuffled, SETTINGS), strict=True))
    assert first == second


def test_groups_are_those_of_average_linkage_over_all_pairs():
    # `_groups` looks at components apart; here all pairs are looked at, by the definition.
    stories = [story(s[0], " ".join(s[2])) for s in random_stream(7, articles=60)]
    result = find_events(stories, SETTINGS)
    vocabulary = {}
    counted = [clustering._counted(s, vocabulary) for s in stories]
    vectors = clustering._vectors(counted, len(vocabulary)).toarray()
    cosines = vectors @ vectors.T
    groups = [[place] for place in range(len(stories))]
    while True:
        best, first, second = max(
            (cosines[np.ix_(groups[a], groups[b])].mean(), a, b) for a in range(len(groups)) for b in range(a)
        )
        if best <= SETTINGS.threshold:
            break
        groups[second] += groups.pop(first)
    expected = {frozenset(group) for group in groups}
    events = {frozenset(np.flatnonzero(np.array(result) == event).tolist()) for event in set(result)}
    assert events == expected
    assert 1 < len(events) < len(stories)


def test_scores_by_hand():
    # Gold {a b c} {d e}; found {a b} {c d e}.
    scores = score_events(list("xxyyy"), list("ggghh"))
    # a, b: 2/2; c: 1/3; d, e: 2/3.
    assert scores["precision"] == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5)
    # a, b: 2/3; c: 1/3; d, e: 2/2.
    assert scores["recall"] == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
    assert scores["f"] == pytest.approx(2 / (1 / scores["precision"] + 1 / scores["recall"]))
    # Pairs together in both: 2 (ab, de); in gold 4, in found 4, of 10: (2 - 1.6) / (4 - 1.6).
    assert scores["adjusted_rand"] == pytest.approx(0.4 / 2.4)
    assert scores["clusters"] == 2
    for found, gold, expected in (
        ("112", "bba", (1, 1, 1)),
        ("xxxx", "aabb", (0.5, 1, 0)),
        ("wxyz", "aabb", (1, 0.5, 0)),
    ):
        scores = score_events(list(found), list(gold))
        assert tuple(scores[name] for name in ("precision", "recall", "adjusted_rand")) == expected
    for found in ([], ["a"]):
        with pytest.raises(ValueError, match="as many"):
            score_events(found, ["a", "b"] if found else [])
