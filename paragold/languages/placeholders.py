"""Placeholders for numbers, days and sums of money, as the papers print them; the text itself stays.

Dolan, Quirk & Brockett (2004), section 3.1.1; Brockett & Dolan (2005), table 5: `%%number%% -year-old`. Which
words these are is data of a language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from paragold.languages.sentences import NEVER, NONE, Words

# Raised whenever the same words would get other placeholders.
VERSION = 3

NUMBER, DAY, MONEY = "%%number%%", "%%day%%", "%%money%%"

HYPHEN = "[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}]"
_REST = rf"(?P<rest>{HYPHEN}[^\W\d].*)?"
_DIGITS = r"\.?[0-9]+(?:[.,:/-][0-9]+)*"
_SIGNS = "$€£¥₹₽₩"
# Countries before the sign of the dollar.
_COUNTRIES = ("us", "a", "c", "au", "ca", "hk", "nz", "s", "r")
_SIGN = rf"(?:(?:{'|'.join(_COUNTRIES)})?[{_SIGNS}]|eur|usd|gbp|chf)"
_BEFORE = frozenset(
    [
        *_SIGNS,
        *(f"{country}$" for country in _COUNTRIES),
        *("rs", "eur", "usd", "gbp", "chf", "jpy", "cny", "rmb", "inr", "aud", "nzd", "hkd", "sgd"),
        *("sek", "nok", "dkk", "krw", "zar", "brl", "pln"),
    ]
)
_SIGNS_AFTER = frozenset([*_SIGNS, "¢"])


@dataclass(frozen=True, slots=True)
class PlaceholderRules:
    """The words, in lower case, that days, numbers and sums of money are made of.

    days : names of the days of the week. short_days : their abbreviations, with or without a full stop; those
    that are words of their own (`days_too`) are days with a full stop within a sentence, after one of
    `before_days` or before one of `times_of_day`.
    magnitudes, short : patterns: million; mn, bn, as a word of its own or joined to the digits.
    currencies, joined : patterns: as a word after the amount; one that a hyphen joins to the amount.
    ordinal, units : patterns: what follows digits in an ordinal or a decade; a unit written without a space.
    small : pattern of a sum with its own small coin, in one word (99p); not before `not_small`.
    periods : pattern of what a hyphen joins to a year before it (mid-1990s).
    nations, links : words between amount and currency (U.S. dollars, millions d'euros).
    countries : words before "$" that belong to it, as the tokeniser separates them (US $ 5). One that is in
    `articles` does only before the end or one of `after_amount`: "a $ 40 fine".
    weight : pattern of a currency that is a weight, too: it is one after the words `weighing`, before
    `by_weight`, and before `weight_of` and what is none of the words `of_money`, unless there are thousands.
    ones, tens : number words of amounts in words. starts : the words before a magnitude alone (a million,
    half a million), each with how many words it takes. half : words between number and magnitude (two and a
    half million). joint : the word between a magnitude and a number.
    """

    days: Words = NONE
    short_days: Words = NONE
    days_too: Words = NONE
    before_days: Words = NONE
    times_of_day: Words = NONE
    magnitudes: str = NEVER
    short: str = NEVER
    currencies: str = "eur|euro|usd|gbp|chf|[€$£]"
    joined: str = NEVER
    ordinal: str = NEVER
    units: str = NEVER
    small: str = NEVER
    not_small: tuple[str, ...] = ()
    periods: str = NEVER
    nations: Words = NONE
    links: Words = NONE
    countries: Words = NONE
    articles: Words = NONE
    after_amount: Words = NONE
    weight: str = NEVER
    weighing: Words = NONE
    by_weight: Words = NONE
    weight_of: str = ""
    of_money: Words = NONE
    ones: Words = NONE
    tens: Words = NONE
    starts: Mapping[str, int] = field(default_factory=dict)
    half: tuple[str, ...] = ()
    joint: str = ""


class Replacer:
    """Puts placeholders in by the rules of a language."""

    def __init__(self, rules: PlaceholderRules) -> None:
        self.rules = rules
        joined = rf"{HYPHEN}(?:{rules.joined})"
        self._number = re.compile(
            rf"(?P<period>(?:{rules.periods}){HYPHEN}(?=[0-9]{{4}}s?$|['’]?[0-9]0s$))?"
            rf"(?:[+-]?{_DIGITS}(?:{rules.ordinal}|(?P<unit>{rules.units}))?|['’][0-9]{{2}}s?){_REST}"
        )
        self._amount = re.compile(
            rf"(?P<sign>{_SIGN})?[+-]?{_DIGITS}(?P<large>(?:{rules.short})|{HYPHEN}?(?:{rules.magnitudes}))?"
            rf"(?P<currency>{joined})?{_REST}"
        )
        self._large = re.compile(rf"(?:{rules.magnitudes}|{rules.short})(?P<currency>{joined})?{_REST}")
        self._after = re.compile(rules.currencies)
        self._small = re.compile(rules.small)
        ones, tens = "|".join(sorted(rules.ones)) or NEVER, "|".join(sorted(rules.tens)) or NEVER
        in_words = rf"(?:(?:{tens})(?:{HYPHEN}(?:{ones}))?|(?:{ones}))"
        self._in_words = re.compile(in_words)
        self._sum_in_words = re.compile(rf"{in_words}(?:{HYPHEN}(?:{rules.magnitudes}))?{joined}{_REST}")
        self._magnitude = re.compile(rules.magnitudes)
        self._weight = re.compile(rules.weight)
        # Words of letters alone that may begin what becomes a placeholder.
        self._starts = (
            _BEFORE | rules.countries | rules.days | rules.short_days
            | rules.ones | rules.tens | rules.starts.keys()
        )  # fmt: skip

    def replace(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Lower-cased tokens with each number, day of the week and sum of money as one placeholder.

        A sum of money takes its currency and magnitude with it: "$", "1.2", "million" become one token, and
        so do "us", "$", "5bn" and "five", "million", "dollars". What a hyphen joins to a number is a token of
        its own, and so is its unit: "12-year-old" becomes "%%number%%", "-year-old"; "6ft" "%%number%%",
        "ft"; "mid-1990s" "mid-", "%%number%%". Other numbers are those in digits.
        """
        compared: list[str] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.isalpha() and token not in self._starts:
                compared.append(token)
                at += 1
                continue
            if (end := self._day(tokens, at)) > at:
                compared.append(DAY)
                at = end
                continue
            end, rest = self._money(tokens, at)
            if end > at:
                compared.append(MONEY)
                at = end
            else:
                at += 1
                number = self._number.fullmatch(token)
                if number and number["period"]:
                    compared.append(number["period"])
                compared.append(NUMBER if number else token)
                rest = (number["unit"] or "") + (number["rest"] or "") if number else ""
            if rest:
                compared.append(rest)
        return tuple(compared)

    def _day(self, tokens: Sequence[str], at: int) -> int:
        """The end of a day that begins at a token, with the full stop of a short one; else `at`."""
        rules, token = self.rules, tokens[at]
        if token in rules.days or (token[-1:] == "." and token[:-1] in rules.short_days):
            return at + 1
        if token not in rules.short_days:
            return at
        stopped = at + 2 < len(tokens) and tokens[at + 1] == "."
        after_a_word = at and tokens[at - 1] in rules.before_days
        beside = after_a_word or set(tokens[at + 1 : at + 2]) & rules.times_of_day
        if token in rules.days_too and not stopped and not beside:
            return at
        return at + 1 + stopped

    def _money(self, tokens: Sequence[str], at: int) -> tuple[int, str]:
        """The end of a sum of money that begins at a token, and the text joined to it by a hyphen; else
        `at`."""
        rules = self.rules
        if tokens[at] in rules.countries and at + 1 < len(tokens) and tokens[at + 1] == "$":
            end, rest = self._money(tokens, at + 1)
            if end == at + 1:
                return at, ""
            follows = tokens[end] if end < len(tokens) and not rest else rest
            a_noun_follows = follows[:1].isalnum() or rest
            if tokens[at] not in rules.articles or not a_noun_follows or follows in rules.after_amount:
                return end, rest
            return at, ""
        following = tuple(tokens[at + 1 : at + 1 + len(rules.not_small)])
        if self._small.fullmatch(tokens[at]) and following != rules.not_small:
            return at + 1, ""
        before = tokens[at] in _BEFORE
        end = at + before
        amount = self._amount.fullmatch(tokens[end]) if end < len(tokens) else None
        if amount is None:
            return (at, "") if before else self._money_in_words(tokens, at)
        end += 1
        rest, known = amount["rest"] or "", before or amount["sign"] or amount["currency"]
        large = bool(amount["large"])
        if not rest and not large and end < len(tokens) and (word := self._large.fullmatch(tokens[end])):
            rest, known, end, large = word["rest"] or "", known or word["currency"], end + 1, True
        if not rest:
            after = self._after_currency(tokens, at, end, large)
            if after > end:
                return after, ""
            numbered = end + 1 < len(tokens) and tokens[end + 1][:1].isdigit()
            if not known and end < len(tokens) and tokens[end] in _SIGNS_AFTER and not numbered:
                return end + 1, ""
        return (end, rest) if known else (at, "")

    def _money_in_words(self, tokens: Sequence[str], at: int) -> tuple[int, str]:
        """As `_money`, of a sum in words: "five million dollars", "half a million pounds", "ten-dollar"."""
        rules = self.rules
        if joined := self._sum_in_words.fullmatch(tokens[at]):
            return at + 1, joined["rest"] or ""
        end, large = at, False
        if tokens[at] in rules.starts:
            end += rules.starts[tokens[at]]
            if end >= len(tokens) or not self._large.fullmatch(tokens[end]):
                return at, ""
        while end < len(tokens):
            if rules.half and tuple(tokens[end : end + len(rules.half)]) == rules.half:
                end += len(rules.half)
            elif self._in_words.fullmatch(tokens[end]):
                end += 1
            elif self._magnitude.fullmatch(tokens[end]):
                end, large = end + 1, True
            elif (
                tokens[end] == rules.joint
                and large
                and self._in_words.fullmatch("".join(tokens[end + 1 : end + 2]))
            ):
                end += 1
            else:
                break
        if (
            end > at
            and end < len(tokens)
            and (word := self._large.fullmatch(tokens[end]))
            and word["currency"]
        ):
            return end + 1, word["rest"] or ""
        after = self._after_currency(tokens, at, end, large) if end > at else end
        return (after, "") if after > end else (at, "")

    def _after_currency(self, tokens: Sequence[str], at: int, end: int, large: bool) -> int:
        """The place after the currency that follows an amount from `at` to `end`; `end` without one, or where
        it is a weight."""
        rules = self.rules
        after = end + (end < len(tokens) and tokens[end] in rules.nations | rules.links)
        if after >= len(tokens) or not self._after.fullmatch(tokens[after]):
            return end
        if self._weight.fullmatch(tokens[after]):
            following = tokens[after + 1 : after + 3]
            weighs = any(token in rules.weighing for token in tokens[max(at - 3, 0) : at])
            of_what = (
                len(following) == 2 and following[0] == rules.weight_of and following[1] not in rules.of_money
            )
            if weighs or (following and following[0] in rules.by_weight) or (of_what and not large):
                return end
        return after + 1
