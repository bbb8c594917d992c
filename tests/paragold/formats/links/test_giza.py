from dataclasses import replace

import pytest
from hypothesis import given
from paragold.formats.links import giza

from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.problems import FileProblem
from tests.paragold.strategies import corpora

HEAD = "# Sentence pair (1) source length 2 target length 3 alignment score : 0.0134\n"
TEXT = f"{HEAD}the tall hound \nNULL ({{ 2 }}) the ({{ 1 }}) dog ({{ 3 }}) \n"
PAIR = LinkedPair("1", TokenPair(("the", "dog"), ("the", "tall", "hound")), Links.of([(0, 0), (1, 2)]))


def test_source_words_hold_their_target_words():
    assert giza.loads(TEXT) == [PAIR]


def test_written_form():
    assert giza.dumps([PAIR]) == TEXT.replace("0.0134", "1").replace(" \n", "\n")


def test_words_may_look_like_brackets_and_a_target_word_have_two_links():
    tokens = TokenPair(("({", "})", "NULL", "3"), ("})", "({"))
    pair = LinkedPair("1", tokens, Links.of([(0, 0), (1, 0), (2, 1)]))
    assert giza.loads(giza.dumps([pair])) == [pair]


@given(corpora())
def test_round_trip_of_links_of_one_strength(pairs):
    sure = [
        replace(pair, key=str(number), links=Links.of(pair.links.possible))
        for number, pair in enumerate(pairs, start=1)
    ]
    assert giza.loads(giza.dumps(sure)) == sure


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (TEXT.replace("# Sentence", "Sentence"), 1, "is not the first line of a pair"),
        (TEXT.replace("source length 2", "source length 4"), 1, "but there are 2 and 3 words"),
        (TEXT.replace("({ 3 })", "({ 4 })"), 3, "target word 4 of 'dog', but the target has 3"),
        (TEXT.replace("({ 3 })", "({ 0 })"), 3, "target word 0 of 'dog'"),
        (TEXT.replace("({ 3 })", "({ x })"), 3, "'x' is not a token index"),
        (TEXT.replace("({ 3 })", "({ 3"), 3, "brackets after 'dog' are not closed"),
        (TEXT.replace("({ 3 })", ""), 3, "there is no ({ after 'dog'"),
        (TEXT.replace("NULL ({ 2 }) ", ""), 3, "begins with 'the' instead of NULL"),
        (f"{HEAD}\n\n", 3, "is empty"),
        (TEXT + TEXT, 4, "id '1' was used on line 1"),
    ],
)
def test_what_does_not_fit_is_refused_by_line(text, line, message):
    with pytest.raises(FileProblem) as caught:
        giza.loads(text)
    assert str(caught.value).startswith(f"line {line}: ")
    assert message in str(caught.value)
    assert caught.value.remedy


def test_a_cut_off_file_is_refused():
    with pytest.raises(FileProblem, match=r"2 lines, which is not a multiple of 3"):
        giza.loads("".join(TEXT.splitlines(keepends=True)[:2]))


def test_possible_links_are_not_written():
    with pytest.raises(FileProblem, match=r"pair 1: link 1-2 is POSSIBLE.*all links as sure"):
        giza.dumps([replace(PAIR, links=Links.of([(0, 0)], [(1, 2)]))])


def test_a_long_key_and_a_long_token_are_not_quoted_whole():
    pair = replace(PAIR, key="k" * 150, links=Links.of([], [(0, 0)]))
    for one in (
        pair,
        replace(PAIR, key="k" * 150, tokens=TokenPair(("x y" * 900,), ("a",)), links=Links.of([])),
    ):
        with pytest.raises(FileProblem) as caught:
            giza.dumps([one])
        assert len(str(caught.value)) < 300
        assert "kkk" in str(caught.value)
