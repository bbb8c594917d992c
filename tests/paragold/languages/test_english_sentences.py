import pytest
from hypothesis import given, strategies as st

from paragold.languages import ENGLISH
from paragold.languages.sentences import split_paragraphs
from replication.sentence_boundaries import boundaries, joined_articles, naive_spans

TRICKY = st.sampled_from(
    [
        *("Mr.", "U.S.", "J.", "Inc.", "a.m.", "No.", "Jan.", "5."),
        *("...", ". . .", '"', "''", ")", "”", "»", "“"),
        *("(", "He", "she", "iPhone", "The", "7", ".", "!", "?", "。", "」", "と", "।", "؟", " ", " ", " "),
        *("\n", "\r\n", "\r", "\n\n", "\u2029", "\u2028", "\u00a0", "\x85"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(TRICKY, max_size=30).map("".join))


def sentences(text):
    return [text[start:end] for start, end in ENGLISH.sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["The storm hit.", "Thousands fled!", "Why?", "Nobody knows..."],
        ["Mr. Smith met Sen. Lee vs. Gen. Ford.", "They spoke."],
        ["He lives in the U.S.", "The U.S. Senate met."],
        ["J. R. Smith of Acme Inc. spoke.", "He runs Acme Corp.", "The Post has more."],
        ["Shares of Acme Inc.", "The board met."],
        ["It began on Jan. 5.", "No. 7 won.", "She said no.", "They left."],
        ["It was 5 p.m. Monday.", "It was 5 p.m.", "Police came at 6 a.m. EST."],
        ["It cost 3.5 million.", "5 people came."],
        ['He said "Stop!" and left.', '"Why?" she asked.', '"I know."', "(It was late.)", "They went."],
        ["Well... maybe.", "Then...", "The end."],
        ["1. First.", "2. Second."],
        ["iPhone sales rose.", "iPad sales fell."],
        ["He paid. . . . nothing."],
        ["Yahoo! said so.", "“No.”", "‘Yes.’"],
        ["Shares of Yahoo! Inc. fell.", "Jeopardy! Corp. and Which? Ltd. rose.", "Sold!", "Income rose."],
        ["Orders came from Com. & Adm. Lee on Monday.", "Yum! & Co. left.", "He left.", "&c."],
        ["هل هذا؟", "نعم."],
        ["यह है।", "वह था।"],
        ["No stop at the end"],
    ],
)
def test_sentences_joined_by_spaces_come_apart(expected):
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "雨だ。本当！？「そうだ。」と言った。終わり。",
            ["雨だ。", "本当！？", "「そうだ。」と言った。", "終わり。"],
        ),
        # Separated marks belong to the sentence before.
        ("\" We won . \" He left . '' They stayed .", ['" We won . "', "He left . ''", "They stayed ."]),
        ('He left . " We won . "', ["He left .", '" We won . "']),
        ("It rained (a lot . ) They stayed .", ["It rained (a lot . )", "They stayed ."]),
        *((text, []) for text in ("", " ", "\n\n", "\u2029 \r\n\r\n")),
    ],
)
def test_other_texts(text, expected):
    assert sentences(text) == expected
    assert bool(split_paragraphs(text)) == bool(expected)


def test_paragraphs_end_sentences_and_single_line_ends_do_not():
    text = "A headline\n\nThe storm\nhit.\r\n \t\r\nIt left\rat noon\r\rBye\u2029Now\u2028then"
    expected = ["A headline", "The storm\nhit.", "It left\rat noon", "Bye", "Now\u2028then"]
    assert sentences(text) == [text[start:end] for start, end in split_paragraphs(text)] == expected


@given(TEXTS)
def test_spans_are_in_order_and_lose_nothing(text):
    position = 0
    paragraphs = split_paragraphs(text)
    for start, end in ENGLISH.sentences(text):
        assert position <= start < end
        assert any(first <= start and end <= last for first, last in paragraphs)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@pytest.mark.real_data
def test_sentences_of_ecb_plus_are_found_again(shared_data):
    articles = list(joined_articles(shared_data / "news" / "ecbplus_topics_1_35.jsonl"))
    ours = boundaries(ENGLISH.sentences, articles)
    naive = boundaries(naive_spans, articles)
    assert ours["precision"] >= 98
    assert ours["f_after_a_stop"] >= 98.5
    assert ours["f"] >= 94
    assert ours["f"] > naive["f"] + 5
