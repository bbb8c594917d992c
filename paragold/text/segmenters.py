"""The segmenters that can be chosen: each splits a paragraph into sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from paragold.languages import ENGLISH, LANGUAGES, language
from paragold.languages.tokens import Tokens
from paragold.registry import Registry, UnusableError

LONGEST_SIGNATURE = 40


@dataclass(frozen=True, slots=True)
class Segmenter:
    """One way to split text into sentences and these into tokens.

    id, label: what is typed and stored, and what people read.
    split: takes a paragraph and returns the spans (start, end) of its sentences in code points, in order.
        They do not overlap, have no white space at their ends, and everything outside them is white space.
    signature: name and version of the rules: changed whenever the same text would be split otherwise.
    tokens: takes a sentence and returns its tokens and where they start; that of the text's language.
    """

    id: str
    label: str
    split: Callable[[str], Sequence[tuple[int, int]]]
    signature: str
    tokens: Callable[[str], Tokens] = ENGLISH.tokens

    def spans(self, paragraph: str) -> Sequence[tuple[int, int]]:
        """The spans of the sentences. Raises PluginError for spans that `split` must not give."""
        spans = self.split(paragraph)
        if self.id == RULES.id:
            return spans
        try:
            checked = [(int(start), int(end)) for start, end in spans]
        except (TypeError, ValueError):
            raise SEGMENTERS.wrong_result(self.id, "spans that are no pairs of whole numbers") from None
        before = 0
        for start, end in [*checked, (len(paragraph), len(paragraph))]:
            sentence = paragraph[start:end]
            if not before <= start <= end or paragraph[before:start].strip() or sentence != sentence.strip():
                wrong = f"the span {start, end}, which overlaps, leaves text out or has white space at an end"
                raise SEGMENTERS.wrong_result(self.id, wrong)
            before = end
        return checked


def _check_plugin(one: Segmenter) -> None:
    """Raises UnusableError for a signature that imports cannot store."""
    if not 0 < len(one.signature) <= LONGEST_SIGNATURE:
        raise UnusableError(
            f"Its signature has {len(one.signature)} characters.", f"Use 1 to {LONGEST_SIGNATURE}."
        )


RULES = Segmenter(
    "rules", "Rules of Paragold for the language", ENGLISH.sentences, ENGLISH.sentence_signature
)
SEGMENTERS = Registry(
    "segmenter", Segmenter, [RULES], entry_points="paragold.segmenters", check=_check_plugin
)


def segmenter_in(id: str, tag: str) -> Segmenter:
    """The segmenter for texts of a language (BCP 47). Raises NotRegisteredError."""
    chosen, own = SEGMENTERS.get(id), language(tag)
    if chosen is not RULES:
        return replace(chosen, tokens=own.tokens)
    signature = LANGUAGES.signed(own.tag, own.sentence_signature)
    return replace(RULES, split=own.sentences, signature=signature, tokens=own.tokens)


def segmenter_signature(id: str, tag: str = "en") -> str:
    """Rules, version and plug-in: equal signatures split alike. Raises NotRegisteredError."""
    return SEGMENTERS.signed(id, segmenter_in(id, tag).signature)
