"""The segmenters that can be chosen: each splits a paragraph into sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paragold.registry import Registry, UnusableError
from paragold.text.segmentation import SIGNATURE, split_sentences

LONGEST_SIGNATURE = 40


@dataclass(frozen=True, slots=True)
class Segmenter:
    """One way to split text into sentences.

    id, label: what is typed and stored, and what people read.
    split: takes a paragraph and returns the spans (start, end) of its sentences in code points, in order.
        They do not overlap, have no white space at their ends, and everything outside them is white space.
    signature: name and version of the rules: changed whenever the same text would be split otherwise.
    """

    id: str
    label: str
    split: Callable[[str], Sequence[tuple[int, int]]]
    signature: str

    def spans(self, paragraph: str) -> Sequence[tuple[int, int]]:
        """The spans of the sentences. Raises PluginError for spans that `split` must not give."""
        spans = self.split(paragraph)
        if self is RULES:
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


RULES = Segmenter("rules", "Rules of Paragold (docs/text-processing.md)", split_sentences, SIGNATURE)
SEGMENTERS = Registry(
    "segmenter", Segmenter, [RULES], entry_points="paragold.segmenters", check=_check_plugin
)


def segmenter_signature(id: str) -> str:
    """Rules, version and plug-in: equal signatures split alike. Raises NotRegisteredError."""
    return SEGMENTERS.signed(id, SEGMENTERS.get(id).signature)
