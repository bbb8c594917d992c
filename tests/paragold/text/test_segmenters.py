"""Segmenters: what a plug-in's may not give, and that Paragold's own rules are the default."""

from __future__ import annotations

import pytest

from paragold.registry import PluginError
from paragold.text.segmentation import split_sentences
from paragold.text.segmenters import RULES, SEGMENTERS, Segmenter, segmenter_signature

TEXT = "One here. Two there. "


def test_the_rules_are_the_default() -> None:
    assert SEGMENTERS.ids() == ("rules",)
    assert RULES.spans(TEXT) == split_sentences(TEXT) == [(0, 9), (10, 20)]
    assert segmenter_signature("rules") == "paragold-seg-1"


@pytest.mark.parametrize(
    "spans",
    [
        [(0, 9)],  # leaves the second sentence out
        [(0, 9), (11, 20)],  # leaves a letter out
        [(0, 12), (10, 20)],  # overlap
        [(10, 20), (0, 9)],  # out of order
        [(0, 10), (10, 20)],  # white space at an end
        [(0, 9), (10, 99)],  # white space at the end of the text
    ],
)
def test_spans_that_lose_or_repeat_text_are_refused(spans: list[tuple[int, int]]) -> None:
    with pytest.raises(PluginError, match="the segmenter own gave the span"):
        Segmenter("own", "Own", lambda text: spans, "own-1").spans(TEXT)
    for given in (None, [3], ["ab"]):
        with pytest.raises(PluginError, match="spans that are no pairs"):
            Segmenter("own", "Own", lambda text, given=given: given, "own-1").spans(TEXT)
    assert Segmenter("own", "Own", lambda text: [(0, 20)], "own-1").spans(TEXT) == [(0, 20)]
