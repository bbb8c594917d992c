"""One object per language, asked by everything that depends on the language of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from paragold.languages.placeholders import PlaceholderRules, Replacer
from paragold.languages.sentences import NONE, SentenceRules, Splitter, Words, words
from paragold.languages.tokens import Tokeniser, TokenRules, Tokens

if TYPE_CHECKING:
    from paragold.text.stemming import Stemmer

SEGMENTATION, TOKENISATION = "paragold-seg-2", "paragold-tok-1"
"""The rules of splitter and tokeniser: raised whenever the same English text would be cut otherwise."""

_RIGHT_TO_LEFT = words("ar arc ckb dv fa he ku nqo ps sd syr ug ur yi")
_MARKS = ".,"


@dataclass(frozen=True)
class Language:
    """A language: its rules as methods, its closed classes of words, in lower case, as sets.

    tag, name : BCP 47 and English. version : raised when the same text of it would be cut otherwise.
    function_words : words that lexicons and lookups leave out.
    closed_classes : determiners, prepositions, forms of "be" and so on, each with its words: aligners may
    link two words of one class.
    negation : words that deny; upward, downward : words that say a number went up or down.
    articles, possessives : what matching leaves out; together they are `stop_words`.
    number_words : what a word counts, in digits; months : their names and abbreviations.
    decimal : the mark of decimals; the other one of "." and "," parts thousands.
    """

    tag: str
    name: str
    sentence_rules: SentenceRules = field(default_factory=SentenceRules)
    token_rules: TokenRules = field(default_factory=TokenRules)
    placeholder_rules: PlaceholderRules = field(default_factory=PlaceholderRules)
    function_words: Words = NONE
    closed_classes: Mapping[str, Words] = field(default_factory=dict)
    negation: Words = NONE
    upward: Words = NONE
    downward: Words = NONE
    articles: Words = NONE
    possessives: Words = NONE
    months: Mapping[str, int] = field(default_factory=dict)
    number_words: Mapping[str, str] = field(default_factory=dict)
    decimal: str = "."
    version: int = 1

    @property
    def id(self) -> str:
        """The tag, as registries and options name it."""
        return self.tag

    @property
    def label(self) -> str:
        return self.name

    @property
    def sentence_signature(self) -> str:
        """Name and version of the rules that cut its sentences."""
        return SEGMENTATION + self._cut_by

    @property
    def token_signature(self) -> str:
        """Name and version of the rules that cut its tokens."""
        return TOKENISATION + self._cut_by

    @property
    def word_signature(self) -> str:
        """Name and version of the language, for what depends on its words."""
        return f"{self.tag}-{self.version}"

    @property
    def _cut_by(self) -> str:
        return "" if self.tag == "en" else f"-{self.word_signature}"

    @property
    def direction(self) -> str:
        """`ltr` or `rtl`."""
        return "rtl" if self.tag.split("-")[0] in _RIGHT_TO_LEFT else "ltr"

    @property
    def stop_words(self) -> Words:
        return self.articles | self.possessives

    def sentences(self, text: str) -> list[tuple[int, int]]:
        """Spans (start, end) in code points of the sentences; what is outside of them is white space."""
        return self._splitter.split(text)

    def tokens(self, text: str) -> Tokens:
        """Tokens and where they start; none holds white space, between them is only white space."""
        return self.tokeniser.tokens(text)

    def placeholders(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Lower-cased tokens with each number, day of the week and sum of money as one placeholder."""
        return self._replacer.replace(tokens)

    def placeholder_text(self, tokens: Iterable[str]) -> str:
        """Tokens in any case, lower-cased and with placeholders, separated by spaces."""
        return " ".join(self.placeholders([token.lower() for token in tokens]))

    def stem(self, word: str) -> str:
        """The Snowball stem, or the word in lower case where there is no stemmer."""
        return self._stemmer.stem(word) if self._stemmer else word.lower()

    def number(self, word: str) -> str | None:
        """The number that a word says or writes, as plain digits with a decimal point; None for others."""
        if word.lower() in self.number_words:
            return self.number_words[word.lower()]
        digits = self._number.fullmatch(word.lower())
        if digits is None:
            return None
        thousands = _MARKS.replace(self.decimal, "")
        return digits[1].replace(thousands, "").replace(self.decimal, ".")

    @cached_property
    def _splitter(self) -> Splitter:
        return Splitter(self.sentence_rules)

    @cached_property
    def tokeniser(self) -> Tokeniser:
        return Tokeniser(self.token_rules, self.sentence_rules)

    @cached_property
    def _replacer(self) -> Replacer:
        return Replacer(self.placeholder_rules)

    @cached_property
    def _stemmer(self) -> Stemmer | None:
        # Not above: extraction needs no stems.
        from paragold.text.stemming import Stemmer, stemmer_name

        name = stemmer_name(self.tag)
        return Stemmer(name) if name else None

    @cached_property
    def _number(self) -> re.Pattern[str]:
        decimal, thousands = re.escape(self.decimal), re.escape(_MARKS.replace(self.decimal, ""))
        digits = rf"(\d{{1,3}}(?:{thousands}\d{{3}})+(?:{decimal}\d+)?|\d+(?:{decimal}\d+)?)"
        return re.compile(rf"[$£€]?{digits}(?:[%€]|{self.placeholder_rules.ordinal})?")


def counted(listed: str, first: int = 1, step: int = 1) -> dict[str, str]:
    """Number words in order: what each says in digits. Spellings of one number are joined by a slash."""
    return {
        spelling: str(first + step * place)
        for place, spellings in enumerate(listed.split())
        for spelling in spellings.split("/")
    }


def month_names(listed: str) -> dict[str, int]:
    """The twelve months in order, each with its spellings joined by slashes."""
    return {name: int(number) for name, number in counted(listed).items()}
