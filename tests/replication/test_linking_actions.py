from paragold.metrics.links import LinkedPair, Links
from replication import linking_actions
from replication.linking_actions import plain, suggested

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


DIAGONAL = Links.of([(0, 0), (1, 1), (2, 2)])


def of_words(source, target):
    return (tuple(source.split()), tuple(target.split()))


def test_good_suggestions_cost_one_key_and_bad_ones_are_left_aside():
    three = of_words("a b c", "x y z")
    assert suggested(DIAGONAL, DIAGONAL.possible, three) == 1 + 1
    five = Links.of((word, word) for word in range(5))
    mixed = [(0, 0), (1, 1), (2, 2), (3, 3), (0, 3)]
    assert suggested(five, mixed, of_words("a b c d e", "v w x y z")) == 1 + 1 + 1 + 1
    assert suggested(DIAGONAL, [(0, 1), (0, 2), (1, 2)], three) == plain(DIAGONAL, 3, 3)
    assert suggested(DIAGONAL, [], three) == plain(DIAGONAL, 3, 3)
    # Identical words are accepted where the other suggestions are wrong.
    words, links = of_words("He ’s in town", "he 's out of"), Links.of([(0, 0), (1, 1)])
    assert suggested(links, [(0, 0), (1, 1), (2, 2), (2, 3), (3, 3)], words) == 1 + 2


def test_one_drag_makes_accepted_links_of_a_phrase_possible():
    phrase = [(a, b) for a in (1, 2) for b in (1, 2)]
    links = Links.of([(0, 0)], [(0, 0), *phrase])
    assert suggested(links, [(0, 0), *phrase], of_words("a b c", "x y z")) == 1 + 1 + 1
    assert suggested(links, [(0, 0), (1, 1), (2, 2)], of_words("a b c", "x y z")) == 1 + 1 + 1


def test_a_link_that_takes_the_place_of_wrong_ones_costs_one_action():
    three = of_words("a b c", "x y z")
    turned = [(0, 0), (1, 2), (2, 1)]
    assert suggested(Links.of([(0, 0), (1, 1), (2, 2)]), [*turned, (0, 1)], three) == 1 + 2 + 1
    block = Links.of([(0, 0)], [(0, 0), (1, 1), (1, 2)])
    assert suggested(block, [(0, 0), (1, 0), (2, 1)], three) == 1 + 1 + 2
    # Not where one of the words has a right link beside it.
    assert suggested(Links.of([(0, 0), (1, 1), (2, 0)]), [(0, 0), (1, 1), (2, 2)], three) == 1 + 1 + 1 + 2
