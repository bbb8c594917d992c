from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from paragold.extraction import numba_lanes, rapidfuzz_blocks
from paragold.extraction.cluster import get_kernel
from paragold.extraction.criteria import Criteria
from paragold.extraction.rapidfuzz_blocks import CHARACTERS, encode_words, partner_ends
from tests.paragold.extraction import reference

KERNELS = [numba_lanes.NumbaLanes, rapidfuzz_blocks.RapidfuzzBlocks]

# On both sides of the 32 and 64 bits of a lane, and none at all.
LENGTHS = [0, 1, 2, 7, 31, 32, 33, 63, 64, 65, 90]


@st.composite
def rewritten_texts(draw):
    """Texts near each other, so that distances of all sizes come up, sorted by length."""
    words = st.sampled_from("abcdefgh")
    texts = []
    for length in draw(st.lists(st.sampled_from(LENGTHS), min_size=1, max_size=12)):
        text = (texts[draw(st.integers(0, len(texts) - 1))] * 90)[:length] if texts else []
        text += draw(st.lists(words, min_size=length - len(text), max_size=length - len(text)))
        for at in draw(st.lists(st.integers(0, 89), max_size=6)):
            text[at : at + draw(st.integers(0, 2))] = draw(st.lists(words, max_size=2))
        texts.append(text)
    return sorted(map(tuple, texts), key=len)


@st.composite
def limits(draw):
    least = draw(st.integers(0, 5))
    return Criteria(
        method="levenshtein",
        min_edit_distance=least,
        max_edit_distance=least + draw(st.sampled_from([0, 4, 12, 60, 300])),
        min_length_ratio=draw(st.sampled_from(["0", "1/2", "0.66", "1"])),
        ratio_strict=draw(st.booleans()),
        distance=draw(st.sampled_from(["levenshtein", "indel"])),
    )


def measured(kernel, texts, asked, rows):
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    result = {}
    for hits in kernel(texts).hits(lengths, asked, rows):
        for a, b, distance in zip(*(part.tolist() for part in hits), strict=True):
            assert (a, b) not in result
            result[a, b] = distance
    return result


def expected(texts, asked):
    distance = reference.word_indel_distance if asked.distance == "indel" else reference.word_edit_distance
    return {
        (a, b): distance(texts[a], texts[b])
        for b in range(len(texts))
        for a in range(b)
        if len(texts[b]) <= asked.longest_partner(len(texts[a]))
        and asked.admits_distance(distance(texts[a], texts[b]))
    }


@pytest.mark.parametrize("kernel", KERNELS)
@settings(max_examples=120, deadline=None)
@given(texts=rewritten_texts(), asked=limits())
def test_a_kernel_equals_the_textbook(kernel, texts, asked):
    assert measured(kernel, texts, asked, [range(len(texts))]) == expected(texts, asked)


@pytest.mark.parametrize("indel", [False, True])
@settings(max_examples=60, deadline=None)
@given(texts=rewritten_texts())
def test_the_plain_steps_of_the_lanes_equal_the_textbook(indel, texts):
    distance = reference.word_indel_distance if indel else reference.word_edit_distance
    for one, other in combinations(texts[:6], 2):
        assert numba_lanes.plain_distance(one, other, indel=indel) == distance(one, other)


@pytest.mark.parametrize("kernel", KERNELS)
def test_many_texts_in_stretches_and_full_buffers(kernel, monkeypatch):
    """More texts than lanes, all alike, so that every pair is a hit."""
    monkeypatch.setattr(numba_lanes, "HITS_AT_ONCE", 1)
    rng = np.random.default_rng(3)
    texts = sorted((tuple(rng.choice(list("abc"), rng.integers(1, 40)).tolist()) for _ in range(90)), key=len)
    asked = Criteria(method="levenshtein", max_edit_distance=100)
    rows = [range(70, 90), range(20), range(20, 70)]
    result = measured(kernel, texts, asked, rows)
    assert len(result) == 90 * 89 // 2
    assert result == expected(texts, asked)


@pytest.mark.parametrize("characters", [CHARACTERS, 2])
def test_distances_are_the_same_with_too_many_words_for_characters(characters, monkeypatch):
    texts = [("a", "b", "c"), ("x", "b", "c"), ("a", "c", "d", "e"), ("a", "b", "c", "d", "e")]
    codes = encode_words(texts, characters)
    assert isinstance(codes[0], str) == (characters == CHARACTERS)
    monkeypatch.setattr(rapidfuzz_blocks, "encode_words", lambda tokens: encode_words(tokens, characters))
    asked = Criteria(method="levenshtein", max_edit_distance=2)
    assert measured(rapidfuzz_blocks.RapidfuzzBlocks, texts, asked, [range(4)]) == {
        (0, 1): 1,
        (0, 3): 2,
        (2, 3): 1,
    }


def test_extractions_use_the_compiled_kernel_and_need_a_greatest_distance():
    assert get_kernel() is numba_lanes.NumbaLanes
    with pytest.raises(ValueError, match="max_edit_distance"):
        partner_ends(Criteria(method="first_sentences", first_n=1), np.array([1]))
