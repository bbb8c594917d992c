"""A language: Hindi, whose sentences end at a danda (।) or a double one (॥) as well.

Marks of all scripts end sentences by themselves, and stems are Snowball's; what a language adds are its
abbreviations and its words.
"""

from __future__ import annotations

from paragold.languages import Language
from paragold.languages.sentences import SentenceRules, words

HINDI = Language(
    tag="hi",
    name="Hindi (example plug-in)",
    sentence_rules=SentenceRules(before_names=words("डॉ प्रो श्री")),
    function_words=words("का के की को से में पर और है हैं था थे थी यह वह कि भी ने तो"),
    negation=words("नहीं न मत बिना"),
    number_words={"एक": "1", "दो": "2", "तीन": "3", "चार": "4", "पाँच": "5"},
)
