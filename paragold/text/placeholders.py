"""Placeholders for numbers, days and sums of money, as the papers print them; the text itself stays.

Dolan, Quirk & Brockett (2004), section 3.1.1; Brockett & Dolan (2005), table 5: `%%number%% -year-old`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# Raised whenever the same words would get other placeholders.
VERSION = 2

NUMBER, DAY, MONEY = "%%number%%", "%%day%%", "%%money%%"

_HYPHEN = "[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}]"
_REST = rf"(?P<rest>{_HYPHEN}[^\W\d].*)?"
_DIGITS = r"\.?[0-9]+(?:[.,:/-][0-9]+)*"
_SIGNS = "$€£¥₹₽₩"
_SIGN = rf"(?:(?:us|a|c|au|ca|hk|nz|s|r)?[{_SIGNS}]|eur|usd|gbp|chf)"
_MAGNITUDE = "(?:hundred|thousand|million|billion|trillion|lakh|crore)s?"
_SHORT = "(?:k|m|mm|mn|mln|b|bn|tn|trn)"
_CURRENCY = (
    "(?:dollar|euro|pound|cent|peso|franc|rouble|ruble|rupee|rupiah|krone|lira|dirham|riyal|ringgit|shekel)s?"
    "|pence|yen|yuan|renminbi|kronor|kroner|eur|usd|gbp"
)
# A pound that a hyphen joins to a number is mostly one of weight.
_JOINED = rf"{_HYPHEN}(?!pound)(?:{_CURRENCY})"
_NUMBER_WORD = re.compile(rf"[+-]?{_DIGITS}(?:st|nd|rd|th|s)?{_REST}")
_AMOUNT = re.compile(
    rf"(?P<sign>{_SIGN})?[+-]?{_DIGITS}(?P<large>{_SHORT}|{_HYPHEN}?{_MAGNITUDE})?"
    rf"(?P<currency>{_JOINED})?{_REST}"
)
_LARGE = re.compile(rf"(?:{_MAGNITUDE}|{_SHORT})(?P<currency>{_JOINED})?{_REST}")
_BEFORE = frozenset(
    [
        *_SIGNS,
        *(f"{country}$" for country in ("us", "a", "c", "au", "ca", "hk", "nz", "s", "r")),
        *("rs", "eur", "usd", "gbp", "chf", "jpy", "cny", "rmb", "inr", "aud", "nzd", "hkd", "sgd"),
        *("sek", "nok", "dkk", "krw", "zar", "brl", "pln"),
    ]
)
_AFTER = re.compile(_CURRENCY)
_NATIONS = frozenset(["us", "u.s.", "american", "canadian", "australian", "british", "swiss"])
_DAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])


def with_placeholders(tokens: Sequence[str]) -> tuple[str, ...]:
    """Lower-cased tokens with each number, day of the week and sum of money as one placeholder.

    A sum of money takes its currency and magnitude with it: "$", "1.2", "million" become one token, and so do
    "eur", "5bn". What a hyphen joins to a number is a token of its own: "12-year-old" becomes "%%number%%",
    "-year-old". Numbers are written in digits; days, currencies and magnitudes are the English words.
    """
    compared: list[str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.isalpha() and token not in _BEFORE:
            compared.append(DAY if token in _DAYS else token)
            at += 1
            continue
        end, rest = _money(tokens, at)
        if end > at:
            compared.append(MONEY)
            at = end
        else:
            at += 1
            number = _NUMBER_WORD.fullmatch(token)
            compared.append(NUMBER if number else token)
            rest = (number and number["rest"]) or ""
        if rest:
            compared.append(rest)
    return tuple(compared)


def placeholder_text(tokens: Iterable[str]) -> str:
    """Tokens in any case, lower-cased and with placeholders, separated by spaces."""
    return " ".join(with_placeholders([token.lower() for token in tokens]))


def _money(tokens: Sequence[str], at: int) -> tuple[int, str]:
    """The end of a sum of money that begins at a token, and the text joined to it by a hyphen; else `at`."""
    before = tokens[at] in _BEFORE
    end = at + before
    amount = _AMOUNT.fullmatch(tokens[end]) if end < len(tokens) else None
    if amount is None:
        return at, ""
    end += 1
    rest, known = amount["rest"] or "", before or amount["sign"] or amount["currency"]
    if not rest and not amount["large"] and end < len(tokens) and (large := _LARGE.fullmatch(tokens[end])):
        rest, known, end = large["rest"] or "", known or large["currency"], end + 1
    if not rest:
        after = end + (end < len(tokens) and tokens[end] in _NATIONS)
        if after < len(tokens) and _AFTER.fullmatch(tokens[after]):
            return after + 1, ""
    return (end, rest) if known else (at, "")
