"""Small labelled pairs and lexicons for the tests of classification."""

import random

from paragold.classification.classes import ASSOCIATION, MORPHOLOGY, WORDNET
from paragold.classification.lexicons import (
    Lexicons,
    morphological_variants,
    synonyms_and_hypernyms,
    word_pairs,
    wordnet_relation,
)
from paragold.formats.labelled_pairs import TextPair
from paragold.text.stemming import Stemmer
from paragold.text.wordnet import WordNet
from tests.paragold.text.small_wordnet import EXCEPTIONS, SMALL, write_wordnet

WORDS = (
    *("storm", "coast", "boat", "harbour", "minister", "vote", "budget", "market"),
    *("price", "share", "police", "fire", "river", "bridge", "doctor"),
)
FILLERS = ("the", "a", "of", "in", "on", "at", "by", "for", "with", "from", "near", "after")


def small_lexicons(folder):
    """All three lexical classes, WordNet being the small one."""
    wordnet = WordNet(write_wordnet(folder / "wordnet", SMALL, EXCEPTIONS))
    return Lexicons(
        {
            MORPHOLOGY: morphological_variants(Stemmer()),
            WORDNET: synonyms_and_hypernyms(wordnet),
            ASSOCIATION: word_pairs([("suppliers", "vendors"), ("consecutive", "straight")]),
        },
        wordnet_relation(wordnet, (wordnet.antonyms,)),
    )


def labelled_pairs(count, seed=1):
    """Pairs of which half share most words (labelled as paraphrases) and half share few, with some noise."""
    draw = random.Random(seed)
    pairs = []
    for number in range(count):
        paraphrase = number % 2 == 0
        first = [draw.choice(WORDS + FILLERS) for _ in range(12)]
        kept = draw.randint(6, 10) if paraphrase else draw.randint(2, 7)
        second = first[:kept] + [draw.choice(WORDS + FILLERS) for _ in range(12 - kept)]
        if draw.random() < 0.3:
            first, second = [*first, "operation"], [*second, "procedure"]
        texts = f"{' '.join(first)} {number}", f"{' '.join(second)} {number}"
        pairs.append(TextPair(*texts, paraphrase, "", ("", ""), number + 1))
    return pairs
