"""Texts as sets of words."""

from paragold.matching.word_sets import content_words, sets_of_files, word_sets


def test_punctuation_determiners_and_possessives_do_not_count() -> None:
    words = content_words("The captain's ship -- an old one, every sail torn!")
    assert words == ["captain", "ship", "old", "one", "sail", "torn"]
    assert content_words("The captain’s “No!”") == ["captain", "no"]


def test_codes_are_sorted_distinct_and_begin_with_the_rarest_word() -> None:
    sets = word_sets([["sea", "ship", "sea"], [], ["sea", "whale", "ship"], ["sea"]])
    assert sets.words == ("whale", "ship", "sea")
    assert sets.offsets.tolist() == [0, 2, 2, 5, 6]
    assert sets.codes.tolist() == [1, 2, 0, 1, 2, 2]
    assert sets.sizes.tolist() == [2, 0, 3, 1]
    assert (len(word_sets([])), len(word_sets([[], []]))) == (0, 2)


def test_two_files_share_one_dictionary() -> None:
    sets, split = sets_of_files(["The sea."], ["A sea", "The ship"])
    assert (len(sets), split) == (3, 1)
    assert sets_of_files(["The sea."])[1] == 0
