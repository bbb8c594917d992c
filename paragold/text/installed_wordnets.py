"""Wordnets of other languages than English, as far as a user has installed them with the library `wn`.

`python -m wn download omw-nl:1.4` installs Open Dutch WordNet with the English one, which has its relations.
`wn` keeps them in ~/.wn_data, or in the folder that WN_DATA_DIR names; nothing is fetched here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from paragold.text.stemming import Stemmer, stemmer_name
from paragold.text.wordnet import WordNet, WordNetError, open_wordnet

if TYPE_CHECKING:
    import wn

CACHED_WORDS = 1 << 17
INSTALL = "pip install wn, then for example `python -m wn download omw-nl:1.4`"


class InstalledWordnet:
    """The questions of `paragold.text.wordnet.WordNet` about the words of another language.

    A word that is no lemma is taken for a form of those with the same stem (Snowball), where there is a
    stemmer. Relations that the wordnet does not have itself are those of the wordnet it is linked to. Answers
    are in lower case, without the word itself and its lemmas, and remembered.
    """

    def __init__(self, tag: str) -> None:
        """tag: the first part of a BCP 47 tag. Raises WordNetError where no wordnet of it is installed."""
        problem = wordnet_problem(tag)
        if problem:
            raise WordNetError(problem)
        # An extra, which takes a quarter of a second to import.
        import wn

        specifiers = sorted(lexicon.specifier() for lexicon in wn.lexicons(lang=tag))
        self._wordnet = wn.Wordnet(" ".join(specifiers))
        stemmer = stemmer_name(tag)
        self._stemmer = Stemmer(stemmer) if stemmer else None
        used = [lexicon.specifier() for lexicon in self._wordnet.expanded_lexicons()]
        self.signature = "+".join([*specifiers, *sorted(used)])
        """The wordnets and their versions, and those of the stems."""
        self._lemma_of_stem: dict[str, list[str]] = defaultdict(list)
        self._lemmas: set[str] = {lemma.lower() for lemma in self._wordnet.lemmas()}
        if self._stemmer is not None:
            self.signature += f"+{self._stemmer.signature}"
            for lemma in sorted(self._lemmas):
                self._lemma_of_stem[self._stemmer.stem(lemma)].append(lemma)
        self.lemmas = lru_cache(CACHED_WORDS)(self._find_lemmas)
        self.synonyms = lru_cache(CACHED_WORDS)(self._find_synonyms)
        self.hypernyms = lru_cache(CACHED_WORDS)(self._find_hypernyms)
        self.antonyms = lru_cache(CACHED_WORDS)(self._find_antonyms)

    def _find_lemmas(self, word: str) -> tuple[str, ...]:
        word = word.lower()
        if word in self._lemmas:
            return (word,)
        return tuple(self._lemma_of_stem[self._stemmer.stem(word)]) if self._stemmer else ()

    def _synsets(self, word: str) -> Iterable[wn.Synset]:
        return (synset for lemma in self.lemmas(word) for synset in self._wordnet.synsets(lemma))

    def _find_synonyms(self, word: str) -> frozenset[str]:
        return self._without(word, (other for synset in self._synsets(word) for other in synset.lemmas()))

    def _find_hypernyms(self, word: str, levels: int = 1) -> frozenset[str]:
        level, above = list(self._synsets(word)), set[str]()
        for _ in range(levels):
            level = [higher for synset in level for higher in synset.hypernyms()]
            above.update(lemma for synset in level for lemma in synset.lemmas())
        return self._without(word, above)

    def _find_antonyms(self, word: str) -> frozenset[str]:
        senses = (sense for lemma in self.lemmas(word) for sense in self._wordnet.senses(lemma))
        opposed = (other for sense in senses for other in sense.get_related("antonym"))
        return self._without(word, (other.word().lemma() for other in opposed))

    def _without(self, word: str, others: Iterable[str]) -> frozenset[str]:
        return frozenset(other.lower() for other in others) - {word.lower(), *self.lemmas(word)}


def wordnet_problem(tag: str) -> str:
    """Why there is no wordnet of a language on this machine, and what to do; "" where there is one."""
    if tag == "en":
        return ""
    try:
        import wn
    except ImportError:
        return f"There is no wordnet for the language {tag} here. To use one: {INSTALL}."
    config = wn.config  # type: ignore[attr-defined]  # documented, but not exported in its types
    # Before its first connection: several threads of a web server ask, and all of them only read.
    config.allow_multithreading = True
    # Without a database it would make one.
    if not config.database_path.exists() or not wn.lexicons(lang=tag):
        return f"No wordnet for the language {tag} is installed. To use one: {INSTALL}."
    return ""


AnyWordnet = WordNet | InstalledWordnet

_open_installed = lru_cache(maxsize=4)(InstalledWordnet)


def wordnet_of(tag: str) -> AnyWordnet:
    """The wordnet of a language, by the first part of its tag: Paragold's own for en, else an installed one.

    Raises WordNetError where there is none, or where the file of the English one cannot be read.
    """
    return open_wordnet() if tag == "en" else _open_installed(tag)
