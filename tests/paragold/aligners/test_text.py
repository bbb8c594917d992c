from paragold.aligners.text import Text, Vocabulary


def test_words_are_numbered_as_they_come_in_lower_case():
    words = Vocabulary()
    text = Text.of([["The", "dog"], [], ["the", "Cat"]], words)
    assert words.words == ["the", "dog", "cat"]
    assert text.words.tolist() == [0, 1, 0, 2]
    assert text.starts.tolist() == [0, 2, 2, 4]
    assert text.lengths.tolist() == [2, 0, 2]
