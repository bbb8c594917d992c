"""Numbers, days and sums of money as placeholders, for comparison only (Dolan et al. 2004, section 3)."""

import re
from collections.abc import Sequence

NUMBER, DAY, MONEY = "%%number%%", "%%day%%", "%%money%%"

_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,:/-][0-9]+)*(?:st|nd|rd|th|s)?")
_MONEY = re.compile(r"(?:us|a|c|au|ca|hk|nz)?[$€£¥₹₽₩][0-9]+(?:[.,][0-9]+)*(?:k|m|bn|b|tn)?")
_SIGNS = frozenset(["$", "us$", "a$", "c$", "€", "£", "¥", "₹", "₽", "₩"])
_CURRENCIES = frozenset(
    ["cent", "cents", "dollar", "dollars", "usd", "euro", "euros", "eur", "pound", "pounds", "gbp"]
) | frozenset(["yen", "yuan", "peso", "pesos", "franc", "francs", "rouble", "roubles", "rupee", "rupees"])
_MAGNITUDES = frozenset(["hundred", "thousand", "million", "billion", "trillion"])
_DAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])


def with_placeholders(tokens: Sequence[str]) -> tuple[str, ...]:
    """Lower-cased tokens with each number, day of the week and sum of money as one placeholder.

    A sum of money takes its currency and magnitude with it: "$", "3", "million" become one token. Numbers are
    written in digits; days, currencies and magnitudes are the English words.
    """
    compared = []
    at = 0
    while at < len(tokens):
        end = _end_of_money(tokens, at)
        if end > at:
            compared.append(MONEY)
            at = end
            continue
        token = tokens[at]
        if token in _DAYS:
            token = DAY
        elif _NUMBER.fullmatch(token):
            token = NUMBER
        compared.append(token)
        at += 1
    return tuple(compared)


def _end_of_money(tokens: Sequence[str], at: int) -> int:
    """Where a sum of money that begins at a token ends; `at` itself when none does."""
    amount = at + 1 if tokens[at] in _SIGNS else at
    if amount == len(tokens):
        return at
    signed = amount > at or _MONEY.fullmatch(tokens[at]) is not None
    if not _NUMBER.fullmatch(tokens[amount]) and (amount > at or not signed):
        return at
    end = amount + 1
    if end < len(tokens) and tokens[end] in _MAGNITUDES:
        end += 1
    if end < len(tokens) and tokens[end] in _CURRENCIES:
        return end + 1
    return end if signed else at
