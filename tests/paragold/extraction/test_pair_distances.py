"""Words as characters for the kernel."""

from paragold.extraction.pair_distances import CHARACTERS, encode_words


def test_equal_words_become_equal_characters():
    first, second, empty = encode_words([("a", "b", "a"), ("b", "c"), ()])
    assert first[0] == first[2] != first[1] == second[0] != second[1]
    assert empty == ""


def test_surrogates_are_passed_over():
    sentence = [f"w{k}" for k in range(0xE001)]
    (codes,) = encode_words([sentence])
    assert len(set(codes)) == len(sentence)
    assert not any(0xD800 <= ord(code) <= 0xDFFF for code in codes)
    assert codes.encode("utf-8")


def test_the_last_character_is_the_last_code_point():
    assert CHARACTERS == 0x110000 - 0x800
    (codes,) = encode_words([[str(k) for k in range(CHARACTERS)]])
    assert ord(codes[-1]) == 0x10FFFF
