from paragold.metrics.links import LinkedPair, Links
from replication import linking_actions

PAIRS = [
    LinkedPair(str(number), ("The", "dams"), ("the", "dam"), Links.of([(0, 0), (1, 1)]))
    for number in range(7)
]


def test_gold_links_of_a_pair_are_never_given_to_its_own_aligner():
    taught = []

    class Recorder:
        def fit(self, pairs, *, gold):
            taught.append(([pair.key for pair in gold], len(pairs)))
            return self

        def align_all(self, pairs):
            return [[(0, 0)] for _ in pairs]

    assert linking_actions.best_with_gold(PAIRS, Recorder, None) == [[(0, 0)]] * 7
    assert [len(keys) + size for keys, size in taught] == [7] * linking_actions.FOLDS
    held_out = [{pair.key for pair in PAIRS} - set(keys) for keys, _ in taught]
    assert sorted(key for keys in held_out for key in keys) == [pair.key for pair in PAIRS]
