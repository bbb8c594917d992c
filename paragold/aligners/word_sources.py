"""Evidence about two words, whatever their sentences, that users bring or that their text gives: one table.

A new source is a subclass of `word_evidence.WordEvidence` and an entry here. Its columns are features of the
last step of `best`, so the starting point is made again afterwards (scripts/starting_point.py). This module
loads no numerical library.
"""

from __future__ import annotations

from dataclasses import dataclass

from paragold.registry import Registry


@dataclass(frozen=True, slots=True)
class WordSource:
    """One source of evidence about words.

    Attributes
    ----------
    id, label : str
        What is stored and typed in `without`; what people read.
    needs : str
        What has to be given for it.
    kind : str
        The class of `word_evidence` that computes its values.
    columns : tuple of str
        Names of its features; each begins with the id.
    speaks_for, speaks_against : str
        What it says for and against a link, in words.
    """

    id: str
    label: str
    needs: str
    kind: str
    columns: tuple[str, ...]
    speaks_for: str
    speaks_against: str


def _of_phrases(id: str, label: str, needs: str, name: str) -> WordSource:
    columns = f"{id}, two words", f"{id}, part of a phrase"
    return WordSource(id, label, needs, "PhrasePairs", columns, f"a pair of {name}", f"not in {name}")


def _of_vectors(id: str, label: str, needs: str) -> WordSource:
    columns = tuple(f"{id}, {what}" for what in ("similarity", "squared", "most similar", "words around"))
    words = "used in similar contexts", "used in different contexts"
    return WordSource(id, label, needs, "WordVectors", columns, *words)


PARAPHRASES, LEXICON = "paraphrases", "association lexicon"
VECTORS, DISTRIBUTION = "vectors", "distribution"
WORD_SOURCES: Registry[WordSource] = Registry(
    "source of word evidence",
    WordSource,
    [
        _of_phrases(
            PARAPHRASES,
            "Paraphrase lexicon",
            "a file of words or phrases, two and a score a line, such as PPDB or what phrase-pairs writes",
            "the paraphrase lexicon",
        ),
        _of_phrases(
            LEXICON,
            "Word association lexicon",
            "a lexicon of the project, or the file that associate-words writes",
            "the word association lexicon",
        ),
        _of_vectors(VECTORS, "Word vectors", "a file of vectors: word2vec text or binary, GloVe, model2vec"),
        _of_vectors(DISTRIBUTION, "Distribution", "nothing but the training text, of which much is needed"),
    ],
)
WORD_NAMES = tuple(column for source in WORD_SOURCES for column in source.columns)
