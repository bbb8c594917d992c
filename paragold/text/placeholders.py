"""Placeholders for numbers, days and sums of money, as the papers print them; the text itself stays.

Dolan, Quirk & Brockett (2004), section 3.1.1; Brockett & Dolan (2005), table 5: `%%number%% -year-old`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# Raised whenever the same words would get other placeholders.
VERSION = 3

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
# Units written without a space after a number; those of one letter may as well be part of a name.
_UNIT = (
    "ft|in|yds?|mi|km|cm|mm|kg|lbs?|oz|mg|ml|mph|kph|kmh|hp|cc|kw|mw|gw|kwh|gb|mb|tb|hz|khz|mhz|ghz|am|pm"
    f"|hrs?|mins?|secs?|bn|mn|mln|tn|trn|{_MAGNITUDE}"
)
_NUMBER_WORD = re.compile(
    rf"(?P<period>(?:mid|early|late|pre|post){_HYPHEN}(?=[0-9]{{4}}s?$|['’]?[0-9]0s$))?"
    rf"(?:[+-]?{_DIGITS}(?:st|nd|rd|th|s|(?P<unit>{_UNIT}))?|['’][0-9]{{2}}s?){_REST}"
)
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
_SIGNS_AFTER = frozenset([*_SIGNS, "¢"])
_PENCE = re.compile("[0-9]{1,2}p")
# Countries before the sign of the dollar, as the tokeniser separates them: "US", "$", "5". The pronoun "us"
# is rare there; "a" is mostly the article, and then a noun follows: "a $ 40 fine".
_COUNTRIES = frozenset(["us", "a", "c", "au", "ca", "hk", "nz", "s", "r"])
_AFTER_AMOUNT = frozenset([
    "a", "after", "an", "and", "are", "as", "at", "because", "before", "but", "by", "each", "every",
    "for", "from", "had", "has", "have", "he", "her", "his", "if", "in", "into", "is", "it", "its",
    "last", "less", "more", "next", "of", "on", "or", "over", "per", "she", "than", "that", "the",
    "their", "they", "this", "through", "to", "under", "until", "was", "were", "when", "which", "while",
    "who", "will", "with", "would",
])  # fmt: skip
_ONES = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "seventeen|eighteen|nineteen"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SPELLED_OUT = rf"(?:(?:{_TENS})(?:{_HYPHEN}(?:{_ONES}))?|{_ONES})"
_SPELLED = re.compile(_SPELLED_OUT)
_SPELLED_SUM = re.compile(rf"{_SPELLED_OUT}(?:{_HYPHEN}{_MAGNITUDE})?{_JOINED}{_REST}")
_LARGE_WORD = re.compile(_MAGNITUDE)
_HALF = ("and", "a", "half")
# A pound is one of weight beside these words.
_POUND = re.compile("pounds?")
_WEIGHING = frozenset(["weigh", "weighs", "weighed", "weighing"])
_BY_WEIGHT = frozenset(["heavier", "lighter", "overweight", "underweight"])
_OF_MONEY = frozenset([
    "aid", "benefits", "cash", "compensation", "costs", "credit", "cuts", "damage", "damages", "debt",
    "debts", "funding", "funds", "income", "investment", "losses", "money", "pay", "profit", "profits",
    "public", "revenue", "sales", "savings", "spending", "support", "tax", "taxes", "taxpayer",
    "taxpayers", "value",
])  # fmt: skip
_NATIONS = frozenset(["us", "u.s.", "american", "canadian", "australian", "british", "swiss"])
_DAYS = frozenset(
    name + ending
    for name in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    for ending in ("", "s")
)
_SHORT_DAYS = frozenset(["mon", "tue", "tues", "wed", "weds", "thu", "thur", "thurs", "fri", "sat", "sun"])
# Words of their own, too: these are days with a full stop within a sentence, or beside such a word.
_WORDS_TOO = frozenset(["mon", "wed", "weds", "sat", "sun"])
_BEFORE_DAYS = frozenset(["on", "last", "next", "until", "till", "since"])
_TIMES = frozenset(["morning", "afternoon", "evening", "night"])
# Words of letters alone that may begin what becomes a placeholder.
_STARTS = frozenset(
    [*_BEFORE, *_COUNTRIES, *_DAYS, *_SHORT_DAYS, "half", *_ONES.split("|"), *_TENS.split("|")]
)


def with_placeholders(tokens: Sequence[str]) -> tuple[str, ...]:
    """Lower-cased tokens with each number, day of the week and sum of money as one placeholder.

    A sum of money takes its currency and magnitude with it: "$", "1.2", "million" become one token, and so do
    "us", "$", "5bn" and "five", "million", "dollars". What a hyphen joins to a number is a token of its own,
    and so is its unit: "12-year-old" becomes "%%number%%", "-year-old"; "6ft" "%%number%%", "ft"; "mid-1990s"
    "mid-", "%%number%%". Other numbers are written in digits; days, currencies and magnitudes are the English
    words. Pounds of weight are no money.
    """
    compared: list[str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.isalpha() and token not in _STARTS:
            compared.append(token)
            at += 1
            continue
        if (end := _day(tokens, at)) > at:
            compared.append(DAY)
            at = end
            continue
        end, rest = _money(tokens, at)
        if end > at:
            compared.append(MONEY)
            at = end
        else:
            at += 1
            number = _NUMBER_WORD.fullmatch(token)
            if number and number["period"]:
                compared.append(number["period"])
            compared.append(NUMBER if number else token)
            rest = (number["unit"] or "") + (number["rest"] or "") if number else ""
        if rest:
            compared.append(rest)
    return tuple(compared)


def placeholder_text(tokens: Iterable[str]) -> str:
    """Tokens in any case, lower-cased and with placeholders, separated by spaces."""
    return " ".join(with_placeholders([token.lower() for token in tokens]))


def _day(tokens: Sequence[str], at: int) -> int:
    """The end of a day of the week that begins at a token, with the full stop of a short one; else `at`."""
    token = tokens[at]
    if token in _DAYS or (token[-1:] == "." and token[:-1] in _SHORT_DAYS):
        return at + 1
    if token not in _SHORT_DAYS:
        return at
    stopped = at + 2 < len(tokens) and tokens[at + 1] == "."
    beside = (at and tokens[at - 1] in _BEFORE_DAYS) or set(tokens[at + 1 : at + 2]) & _TIMES
    if token in _WORDS_TOO and not stopped and not beside:
        return at
    return at + 1 + stopped


def _money(tokens: Sequence[str], at: int) -> tuple[int, str]:
    """The end of a sum of money that begins at a token, and the text joined to it by a hyphen; else `at`."""
    if tokens[at] in _COUNTRIES and at + 1 < len(tokens) and tokens[at + 1] == "$":
        end, rest = _money(tokens, at + 1)
        if end == at + 1:
            return at, ""
        follows = tokens[end] if end < len(tokens) and not rest else rest
        if tokens[at] != "a" or not (follows[:1].isalnum() or rest) or follows in _AFTER_AMOUNT:
            return end, rest
        return at, ""
    if _PENCE.fullmatch(tokens[at]) and tuple(tokens[at + 1 : at + 3]) != (".", "m"):
        return at + 1, ""
    before = tokens[at] in _BEFORE
    end = at + before
    amount = _AMOUNT.fullmatch(tokens[end]) if end < len(tokens) else None
    if amount is None:
        return (at, "") if before else _spelled_money(tokens, at)
    end += 1
    rest, known = amount["rest"] or "", before or amount["sign"] or amount["currency"]
    large = bool(amount["large"])
    if not rest and not large and end < len(tokens) and (word := _LARGE.fullmatch(tokens[end])):
        rest, known, end, large = word["rest"] or "", known or word["currency"], end + 1, True
    if not rest:
        after = _after_currency(tokens, at, end, large)
        if after > end:
            return after, ""
        numbered = end + 1 < len(tokens) and tokens[end + 1][:1].isdigit()
        if not known and end < len(tokens) and tokens[end] in _SIGNS_AFTER and not numbered:
            return end + 1, ""
    return (end, rest) if known else (at, "")


def _spelled_money(tokens: Sequence[str], at: int) -> tuple[int, str]:
    """As `_money`, of a sum in words: "five million dollars", "half a million pounds", "ten-dollar"."""
    if joined := _SPELLED_SUM.fullmatch(tokens[at]):
        return at + 1, joined["rest"] or ""
    end, large = at, False
    if tokens[at] in ("a", "half"):
        end += 1 if tokens[at] == "a" else 2
        if end >= len(tokens) or not _LARGE.fullmatch(tokens[end]):
            return at, ""
    while end < len(tokens):
        if tuple(tokens[end : end + 3]) == _HALF:
            end += 3
        elif _SPELLED.fullmatch(tokens[end]):
            end += 1
        elif _LARGE_WORD.fullmatch(tokens[end]):
            end, large = end + 1, True
        elif tokens[end] == "and" and large and _SPELLED.fullmatch("".join(tokens[end + 1 : end + 2])):
            end += 1
        else:
            break
    if end > at and end < len(tokens) and (word := _LARGE.fullmatch(tokens[end])) and word["currency"]:
        return end + 1, word["rest"] or ""
    after = _after_currency(tokens, at, end, large) if end > at else end
    return (after, "") if after > end else (at, "")


def _after_currency(tokens: Sequence[str], at: int, end: int, large: bool) -> int:
    """The place after the currency that follows an amount from `at` to `end`; `end` without one.

    Pounds are of weight after "weighs", before "heavier", and before "of" and what is no money, unless there
    are thousands of them.
    """
    after = end + (end < len(tokens) and tokens[end] in _NATIONS)
    if after >= len(tokens) or not _AFTER.fullmatch(tokens[after]):
        return end
    if _POUND.fullmatch(tokens[after]):
        following = tokens[after + 1 : after + 3]
        weighs = any(token in _WEIGHING for token in tokens[max(at - 3, 0) : at])
        of_what = len(following) == 2 and following[0] == "of" and following[1] not in _OF_MONEY
        if weighs or (following and following[0] in _BY_WEIGHT) or (of_what and not large):
            return end
    return after + 1
