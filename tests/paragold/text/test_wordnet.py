import gzip
import random
from pathlib import Path

import pytest

from paragold.text.wordnet import ANTONYM, FACTS, HYPERNYM, PARTS, WordNet
from scripts.wordnet_facts import facts, synsets
from tests.paragold.text.small_wordnet import EXCEPTIONS, SMALL, write_wordnet

ORIGINAL = Path("/usr/share/wordnet")


@pytest.fixture
def file(tmp_path):
    return write_wordnet(tmp_path / "dict", SMALL, EXCEPTIONS)


@pytest.fixture
def small(file):
    return WordNet(file)


@pytest.mark.parametrize(
    ("word", "lemmas"),
    [
        ("Operations", ("operation",)),
        ("mice", ("mouse",)),
        ("rose", ("rise",)),
        ("orbital", ("orbital",)),
        ("go up", ("go up",)),
        ("s", ()),
        ("zebra", ()),
        ("", ()),
    ],
)
def test_base_forms_of_inflected_words(small, word, lemmas):
    assert small.lemmas(word) == lemmas


# Synonyms come from every meaning; pointers of words hold for those words only.
@pytest.mark.parametrize(
    ("relation", "word", "expected"),
    [
        ("synonyms", "Operations", "procedure surgery"),
        ("hypernyms", "thing", ""),
        ("antonyms", "rose", "fall"),
        ("antonyms", "dropped", ""),
        ("related_forms", "orbital", "orbit"),
        ("related_forms", "orbit", ""),
    ],
)
def test_related_words(small, relation, word, expected):
    assert getattr(small, relation)(word) == set(expected.split())


def test_phrases_levels_and_the_wordnet_that_comes_along(small, tmp_path):
    assert small.synonyms("rises") == {"go up"}
    assert small.hypernyms("procedure") == {"activity", "carrying out"}
    assert small.hypernyms("procedure", 2) == {"activity", "carrying out", "thing"}
    other = write_wordnet(tmp_path / "other", {"box": SMALL["box"]})
    assert WordNet(other).signature != small.signature
    real = WordNet()
    assert {"procedure", "surgery", "process"} <= real.synonyms("operation")
    assert "orbit" in real.related_forms("orbital")
    assert "decision" in real.related_forms("decided")
    assert "cold" in real.antonyms("hot")
    assert real.lemmas("axes") == ("ax", "axis", "axe")
    assert "canine" in real.hypernyms("dogs")
    assert "carnivore" in real.hypernyms("dogs", 2)
    assert "Princeton University" in gzip.decompress(FACTS.read_bytes())[:2000].decode()
    assert FACTS.stat().st_size < 4_000_000


@pytest.mark.skipif(not ORIGINAL.is_dir(), reason="the original WordNet is not on this machine")
def test_it_says_what_the_original_says():
    """The file is made of the original, and its answers are those of reading the original's pointers."""
    assert gzip.decompress(FACTS.read_bytes()).decode() == facts(ORIGINAL)
    real = WordNet()
    by_part = {part: synsets(ORIGINAL, part) for part in PARTS}
    senses = {}
    for part, read in by_part.items():
        for synset in read.values():
            for word in synset.words:
                senses.setdefault((part, word.lower()), []).append(synset)
    for lemma in random.Random(4).sample(sorted({word for _, word in senses}), 2_000):
        synonyms, hypernyms, antonyms, related = answers = [set[str]() for _ in range(4)]
        forms = [(part, form) for part in PARTS for form in real.base_forms(lemma, part)]
        for part, form in forms:
            for synset in senses[part, form]:
                synonyms.update(synset.words)
                for symbol, other, offset, source, target in synset.pointers:
                    words = by_part[other][offset].words
                    if symbol in HYPERNYM:
                        hypernyms.update(words)
                    elif source == 0 or synset.words[source - 1].lower() == form:
                        kind = antonyms if symbol in ANTONYM else related
                        kind.update(words if target == 0 else (words[target - 1],))
        own = {lemma, *(form for _, form in forms)}
        given = (real.synonyms, real.hypernyms, real.antonyms, real.related_forms)
        for expected, answer in zip(answers, given, strict=True):
            plain = {word.lower() for word in expected} - own
            assert answer(lemma) == {word.replace("_", " ") for word in plain}, lemma
