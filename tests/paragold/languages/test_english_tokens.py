import pytest
from hypothesis import given, strategies as st

from paragold.languages import ENGLISH, tokens as tokens_module
from paragold.languages.tokens import token_starts

# Characters that the rules treat in ways of their own, so that properties meet them often.
TRICKY = st.sampled_from(
    [
        *"aZé9_.,:;/'’`\"-–—&%@#$€()[]?!… \n\t\u00a0\u1680\u2028\x1c\x85",
        *["n't", "'s", "U.S.", "Mr.", "www.", "http://", "%%n%%", "日本", "カ", "हिन्दी", "́", "\u200d", "️"],
        *("👩", "👍", "🏽", "🇩🇪", "\u202b", "\u200e", "\ufeff", "\u0000", "\ud800"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(TRICKY, max_size=25).map("".join))


def words(text):
    return ENGLISH.tokens(text)[0]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The storm hit, they said.", ["The", "storm", "hit", ",", "they", "said", "."]),
        ("It's; we've, they'll.", ["It", "'s", ";", "we", "'ve", ",", "they", "'ll", "."]),
        ("I'm he'd you're", ["I", "'m", "he", "'d", "you", "'re"]),
        ("don't can’t WON'T", ["do", "n't", "ca", "n’t", "WO", "N'T"]),
        ("wouldn't've", ["would", "n't", "'ve"]),
        ("O'Connor ma'am L'Oréal James'", ["O'Connor", "ma'am", "L'Oréal", "James", "'"]),
        ("the ’90s and '90s", ["the", "’90s", "and", "'90s"]),
        ("20-year-old F-16 bird's-eye pre-", ["20-year-old", "F-16", "bird's-eye", "pre", "-"]),
        ("$3,000.50 US$5m 10% £7", ["$", "3,000.50", "US", "$", "5m", "10", "%", "£", "7"]),
        ("10:30 9/11 3.5-mile .22-caliber 1,", ["10:30", "9/11", "3.5-mile", ".22-caliber", "1", ","]),
        ("U.S. U.S.-led a.m., J.K. Rowling", ["U.S.", "U.S.-led", "a.m.", ",", "J.K.", "Rowling"]),
        ("Mr. Smith (Sen. Lee) Inc.'s etc.", ["Mr.", "Smith", "(", "Sen.", "Lee", ")", "Inc.", "'s", "etc."]),
        ("J. Smith and I. He", ["J.", "Smith", "and", "I", ".", "He"]),
        ("well... So…", ["well", "...", "So", "…"]),
        ("he said -- ``no''", ["he", "said", "--", "``", "no", "''"]),
        ("and/or AT&T Q&A.", ["and", "/", "or", "AT&T", "Q&A", "."]),
        ("(see https://a.example/b?c=1,2).", ["(", "see", "https://a.example/b?c=1,2", ")", "."]),
        ("Mail a.b@c.example, see bbc.co.uk.", ["Mail", "a.b@c.example", ",", "see", "bbc.co.uk", "."]),
        ("@news #Vote #1", ["@news", "#Vote", "#", "1"]),
        ("%%number%% 100%%", ["%%number%%", "100", "%", "%"]),
        ("日本語、カナ。", ["日", "本", "語", "、", "カ", "ナ", "。"]),
        ("हिन्दी में।", ["हिन्दी", "में", "।"]),
        ("cafe\u0301's", ["cafe\u0301", "'s"]),
        (
            "👩\u200d👩\u200d👧! 🇩🇪🇫🇷 1\ufe0f\u20e3 👍🏽",
            ["👩\u200d👩\u200d👧", "!", "🇩🇪", "🇫🇷", "1\ufe0f\u20e3", "👍🏽"],
        ),
        ("\u202bשלום\u202c, \u200e", ["\u202bשלום\u202c", ",", "\u200e"]),
        ("", []),
        (" \n\u2003 ", []),
    ],
)
def test_rules(text, tokens):
    assert words(text) == tokens
    assert ENGLISH.tokens("  😀 don't\r\n end.")[1] == [2, 4, 6, 12, 15]


@given(TEXTS)
def test_every_visible_code_point_is_in_exactly_one_token(text):
    tokens, starts = ENGLISH.tokens(text)
    position = 0
    for token, start in zip(tokens, starts, strict=True):
        assert token
        assert not any(character.isspace() for character in token)
        assert text[start : start + len(token)] == token
        assert start == position or text[position:start].isspace()
        position = start + len(token)
    assert not text[position:].strip()


@given(TEXTS, TEXTS)
def test_chunks_know_nothing_of_their_neighbours(left, right):
    assert words(f"{left} {right}") == words(left) + words(right)


@given(TEXTS)
def test_the_fast_paths_follow_the_rules(text):
    ruled = [token for chunk in text.split() for token in ENGLISH.tokeniser._split(chunk)]
    assert words(text) == ruled


@given(TEXTS)
def test_tokens_are_located_in_their_text(text):
    tokens = text.split()
    starts = token_starts(text, tokens)
    assert [text[start : start + len(token)] for token, start in zip(tokens, starts, strict=True)] == tokens


def test_the_cache_is_bounded_and_changes_nothing(monkeypatch):
    text = " ".join(f"{number}'s" for number in range(100))
    expected = words(text)
    ENGLISH.tokeniser.forget()
    monkeypatch.setattr(tokens_module, "_CACHED_CHUNKS", 10)
    assert words(text) == expected
    assert 0 < len(ENGLISH.tokeniser._cache) <= 10
    ENGLISH.tokens("9" * 1000)
    assert "9" * 1000 not in ENGLISH.tokeniser._cache
