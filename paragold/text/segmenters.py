"""The segmenters that can be chosen: each splits a paragraph into sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paragold.registry import Registry
from paragold.text.segmentation import SIGNATURE, split_sentences


@dataclass(frozen=True, slots=True)
class Segmenter:
    """One way to split text into sentences.

    Parameters
    ----------
    id, label : str
        What is typed and stored, and what people read.
    split : callable
        Takes a paragraph and returns the spans (start, end) of its sentences in code points, in order. They
        do not overlap, have no white space at their ends, and everything outside them is white space.
    signature : str
        Name and version of the rules: changed whenever the same text would be split otherwise.
    """

    id: str
    label: str
    split: Callable[[str], Sequence[tuple[int, int]]]
    signature: str

    def spans(self, paragraph: str) -> Sequence[tuple[int, int]]:
        """The spans of the sentences. Raises PluginError for spans that `split` must not give."""
        spans = self.split(paragraph)
        if self is not RULES:
            end = 0
            for span in [*spans, (len(paragraph), len(paragraph))]:
                between, sentence = paragraph[end : span[0]], paragraph[slice(*span)]
                if not end <= span[0] <= span[1] or between.strip() or sentence != sentence.strip():
                    wrong = f"the span {span}, which overlaps, leaves text out or has white space at its ends"
                    raise SEGMENTERS.wrong_result(self.id, wrong)
                end = span[1]
        return spans


RULES = Segmenter("rules", "Rules of Paragold (docs/text-processing.md)", split_sentences, SIGNATURE)
SEGMENTERS = Registry("segmenter", Segmenter, [RULES], entry_points="paragold.segmenters")


def segmenter_signature(id: str) -> str:
    """Rules, version and plug-in: equal signatures split alike. Raises NotRegisteredError."""
    return SEGMENTERS.signed(id, SEGMENTERS.get(id).signature)
