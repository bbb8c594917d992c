"""Random links and texts for property tests."""

from hypothesis import strategies as st

from paragold.metrics.links import LinkedPair, Links

# Everything but what parts tokens; U+0085, U+00A0 and U+2028 are in, on purpose.
TOKENS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0 \t\n\r"), min_size=1, max_size=4
) | st.sampled_from(["the", "The", "a\u2028b", "\u0085", "\u00a0", "it's", '"', "-", "1-2", "ß", "文"])


@st.composite
def linked_pairs(draw, key="1", words=TOKENS):
    source = draw(st.lists(words, max_size=6))
    target = draw(st.lists(words, max_size=6))
    cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
    strengths = draw(st.lists(st.sampled_from("SP-"), min_size=len(cells), max_size=len(cells)))
    links = Links.of(
        [cell for cell, strength in zip(cells, strengths, strict=True) if strength == "S"],
        [cell for cell, strength in zip(cells, strengths, strict=True) if strength == "P"],
    )
    return LinkedPair(key, tuple(source), tuple(target), links)


@st.composite
def corpora(draw, min_size=0):
    size = draw(st.integers(min_size, 5))
    return [draw(linked_pairs(key=f"pair-{number}")) for number in range(size)]
