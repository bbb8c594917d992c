"""WordNet 3.0 (Fellbaum 1998): words, inflected forms and relations, from a file of facts.

`wordnet.txt.gz` is made by `python -m scripts.wordnet_facts` and has no glosses: 1.5 MB instead of 28. Its
first line is the signature of the WordNet it was made from, then comes the licence on lines with #, and after
lines `==` the synsets of nouns, verbs, adjectives and adverbs, then the irregular forms of each. The line of
a synset has its words, separated by spaces, and its pointers, each after a tab: `@n12` to noun 12 of the file
(from 0), `+v7:1:2` from its first word to the second one of verb 7. That of an irregular form has its base
forms.
"""

import gzip
import os
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

ENVIRONMENT_VARIABLE = "PARAGOLD_WORDNET"
FACTS = Path(__file__).with_name("wordnet.txt.gz")

NOUN, VERB, ADJECTIVE, ADVERB = PARTS = ("n", "v", "a", "r")

# The rules of detachment of WordNet's morphy(7): ending -> its replacement.
ENDINGS = {
    NOUN: [
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
        ("ies", "y"),
    ],
    VERB: [
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ],
    ADJECTIVE: [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    ADVERB: [],
}  # fmt: skip
LAST_LETTERS = {part: frozenset(ending[-1] for ending, _ in endings) for part, endings in ENDINGS.items()}

# Pointer symbols of wninput(5).
HYPERNYM = ("@", "@i")
ANTONYM = ("!",)
DERIVED = ("+", "\\", "<")  # derivationally related, pertainym (orbital - orbit), participle of a verb
# The others (what is below a synset, its parts) are not used.
READ_POINTERS = frozenset((*HYPERNYM, *ANTONYM, *DERIVED))
POINTER = re.compile(r"(@i?|[!+\\<])([nvar])(\d+)(?::(\d+):(\d+))?")


REMEDY = (
    f"Install Paragold again, or let {ENVIRONMENT_VARIABLE} name a file that "
    "`python -m scripts.wordnet_facts` made."
)


class WordNetError(RuntimeError):
    """The file of WordNet is absent or damaged; the message says what to do."""


Pointer = tuple[str, str, int, int, int]
"""Symbol; part of speech and number of the synset that is pointed at; the numbers of the words, from 1, that
it leads from and to; 0 is the whole synset."""
Synset = tuple[tuple[str, ...], tuple[Pointer, ...]]
"""Words of one meaning, as WordNet spells them but with spaces for underscores, and its READ_POINTERS."""


class WordNet:
    """Questions about English words; what is not in WordNet has empty answers.

    Words may be in any case and inflected; all meanings in all parts of speech count. Answers are in lower
    case and without the word itself and its base forms. All answers are remembered.

    lemmas(word): its base forms in any part of speech, in the order noun, verb, adjective, adverb.
    synonyms(word): the words that share a synset with it.
    hypernyms(word, levels=1): the words of the synsets at most `levels` above its synsets.
    antonyms(word): the words opposed to the word itself, not to its synonyms.
    related_forms(word): the words derived from it, or from which it is: orbital - orbit, decide - decision.
    """

    def __init__(self, file: Path = FACTS) -> None:
        """Read the file. Raises WordNetError where it is absent or is none of WordNet's."""
        self.file = file
        self._lines: dict[str, list[str]] = {}
        self._index: dict[str, dict[str, list[int]]] = {}
        self._exceptions: dict[str, dict[str, list[str]]] = {}
        try:
            head, *parts = gzip.decompress(file.read_bytes()).decode().split("==\n")
        except (OSError, ValueError, EOFError) as error:
            raise WordNetError(f"{file}: WordNet cannot be read ({error}). {REMEDY}") from error
        self.signature = head.partition("\n")[0]
        """Which WordNet this is: the beginning of a SHA-256 over its index and exception files."""
        if not self.signature.startswith("wordnet-") or len(parts) != 2 * len(PARTS):
            raise WordNetError(f"{file} is not a file of WordNet's facts. {REMEDY}")
        for part, lines, exceptions in zip(PARTS, parts, parts[len(PARTS) :], strict=False):
            self._lines[part] = lines.splitlines()
            index = self._index[part] = {}
            for number, line in enumerate(self._lines[part]):
                for word in line.partition("\t")[0].lower().split(" "):
                    index.setdefault(word, []).append(number)
            self._exceptions[part] = {form: bases for form, *bases in map(str.split, exceptions.splitlines())}
        self.synonyms = lru_cache(1 << 17)(self._synonyms)
        self.hypernyms = lru_cache(1 << 17)(self._hypernyms)
        self.antonyms = lru_cache(1 << 17)(self._antonyms)
        self.related_forms = lru_cache(1 << 17)(self._related_forms)
        self.lemmas = lru_cache(1 << 17)(self._lemmas)
        self._senses = lru_cache(1 << 17)(self._find_senses)
        self._synset = lru_cache(1 << 17)(self._read_synset)

    def words(self, part: str) -> Collection[str]:
        """The nouns "n", verbs "v", adjectives "a" or adverbs "r": in lower case, _ for spaces."""
        return self._index[part].keys()

    def base_forms(self, word: str, part: str) -> tuple[str, ...]:
        """The lemmas that a word may be a form of as noun "n", verb "v", adjective "a" or adverb "r".

        The word itself first if it is one, then those of the exception list or else of the endings.
        """
        word = word.lower().replace(" ", "_")
        index = self._index[part]
        forms = [word]
        if word in self._exceptions[part]:
            forms.extend(self._exceptions[part][word])
        elif word[-1:] in LAST_LETTERS[part]:
            forms.extend(
                word.removesuffix(ending) + instead
                for ending, instead in ENDINGS[part]
                if word.endswith(ending) and len(word) > len(ending)
            )
        return tuple(dict.fromkeys(form for form in forms if form in index))

    def _lemmas(self, word: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(lemma for lemma, _ in self._senses(word)))

    def _synonyms(self, word: str) -> frozenset[str]:
        return self._without(word, (other for _, (words, _) in self._senses(word) for other in words))

    def _hypernyms(self, word: str, levels: int = 1) -> frozenset[str]:
        hypernyms: set[str] = set()
        level = {synset for _, synset in self._senses(word)}
        for _ in range(levels):
            pointers = (pointer for _, of_synset in level for pointer in of_synset)
            level = {self._synset(part, at) for symbol, part, at, _, _ in pointers if symbol in HYPERNYM}
            hypernyms.update(other for words, _ in level for other in words)
        return self._without(word, hypernyms)

    def _antonyms(self, word: str) -> frozenset[str]:
        return self._without(word, self._pointed_at(word, ANTONYM))

    def _related_forms(self, word: str) -> frozenset[str]:
        return self._without(word, self._pointed_at(word, DERIVED))

    def _pointed_at(self, word: str, symbols: tuple[str, ...]) -> Iterator[str]:
        for lemma, (own, pointers) in self._senses(word):
            for symbol, part, number, source, target in pointers:
                if symbol in symbols and (source == 0 or own[source - 1].lower() == lemma):
                    words, _ = self._synset(part, number)
                    yield from words if target == 0 else (words[target - 1],)

    def _find_senses(self, word: str) -> tuple[tuple[str, Synset], ...]:
        """Each base form with each of its synsets, in the order noun, verb, adjective, adverb."""
        return tuple(
            (_plain(lemma), self._synset(part, number))
            for part in PARTS
            for lemma in self.base_forms(word, part)
            for number in self._index[part][lemma]
        )

    def _read_synset(self, part: str, number: int) -> Synset:
        words, _, pointers = self._lines[part][number].partition("\t")
        return tuple(_plain(word) for word in words.split(" ")), tuple(
            (symbol, other, int(at), int(source or 0), int(target or 0))
            for symbol, other, at, source, target in POINTER.findall(pointers)
        )

    def _without(self, word: str, others: Iterable[str]) -> frozenset[str]:
        return frozenset(other.lower() for other in others) - {word.lower(), *self.lemmas(word)}


def open_wordnet() -> WordNet:
    """WordNet, read once: the file that $PARAGOLD_WORDNET names if it is set, else the one of Paragold.

    Raises WordNetError for a damaged file, or where the variable names none.
    """
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    return _read(Path(chosen).expanduser() if chosen else FACTS)


_read = lru_cache(maxsize=2)(WordNet)


def _plain(word: str) -> str:
    return word.replace("_", " ")
