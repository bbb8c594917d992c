"""What the benchmark of linking tells of a small gold file, and that nobody sees a pair's own links."""

from __future__ import annotations

import pytest

from benchmarks import linking
from paragold.formats.link_files import write_links
from paragold.metrics.links import LinkedPair, Links, TokenPair

PAIRS = [
    LinkedPair(str(number), TokenPair(("The", "dams"), ("the", "dam")), Links.of([(0, 0), (1, 1)]))
    for number in range(7)
]


def test_means_over_the_pairs(tmp_path):
    write_links(tmp_path / "gold.jsonl", PAIRS, "jsonl")
    assert linking.actions(tmp_path / "gold.jsonl", untrained=True) == {
        "gold": "gold.jsonl",
        "pairs": 7,
        "links_per_pair": 2,
        "actions_per_pair_plain": 3,
        "actions_per_pair_suggested": 2,
        "suggested_by": {"identity": 3, "identity-stem": 2},
    }


def test_gold_links_of_a_pair_are_never_given_to_its_own_aligner(monkeypatch: pytest.MonkeyPatch):
    taught: list[tuple[list[str], int]] = []

    class Recorder:
        def train(self, pairs, parameters, *, gold):
            assert parameters.starting_point == "none"
            taught.append(([pair.key for pair in gold], len(pairs)))
            return self

        def align_all(self, pairs):
            return [[(0, 0)] for _ in pairs]

    monkeypatch.setattr(linking, "ALIGNERS", {"best": Recorder()})
    assert linking.best_with_gold(PAIRS) == [[(0, 0)]] * 7
    assert [len(keys) + size for keys, size in taught] == [7] * linking.FOLDS
    held_out = [{pair.key for pair in PAIRS} - set(keys) for keys, _ in taught]
    assert sorted(key for keys in held_out for key in keys) == [pair.key for pair in PAIRS]
