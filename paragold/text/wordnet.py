"""WordNet (Fellbaum 1998) as its database files have it: index.*, data.* and *.exc.

Nothing is parsed before it is used: opening maps the data files and notes the index lines by lemma;
synsets are then read at the byte offsets that the index gives. The files come with Debian's package
wordnet-base, with WordNet itself (the folder `dict`) and with NLTK's data (corpora/wordnet).
"""

import hashlib
import mmap
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

ENVIRONMENT_VARIABLE = "PARAGOLD_WORDNET"
USUAL_FOLDERS = (
    "/usr/share/wordnet",
    "/usr/local/share/wordnet",
    "/usr/share/wordnet/dict",
    "/usr/local/WordNet-3.0/dict",
    "/opt/homebrew/opt/wordnet/dict",
    "~/nltk_data/corpora/wordnet",
)

NOUN, VERB, ADJECTIVE, ADVERB = "n", "v", "a", "r"
FILES = {NOUN: "noun", VERB: "verb", ADJECTIVE: "adj", ADVERB: "adv"}

# The rules of detachment of WordNet's morphy(7): ending -> its replacement.
ENDINGS = {
    NOUN: (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    VERB: (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    ADVERB: (),
}

LAST_LETTERS = {part: frozenset(ending[-1] for ending, _ in endings) for part, endings in ENDINGS.items()}

# Pointer symbols of wninput(5).
HYPERNYM = ("@", "@i")
ANTONYM = ("!",)
DERIVED = ("+", "\\", "<")  # derivationally related, pertainym (orbital - orbit), participle of a verb
# The others (what is below a synset, its parts) are not used.
READ_POINTERS = frozenset((*HYPERNYM, *ANTONYM, *DERIVED))


class WordNetError(RuntimeError):
    """WordNet's files are absent or damaged; the message says what to do."""


class Pointer(NamedTuple):
    """From a synset, or from its word number `source` (from 1; 0 is the whole synset), to another."""

    symbol: str
    part: str
    offset: int
    source: int
    target: int


class Synset(NamedTuple):
    """Words of one meaning, as WordNet spells them but with spaces for underscores, and its READ_POINTERS."""

    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


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

    def __init__(self, folder: Path) -> None:
        """Open the files of a folder. Raises WordNetError when one is absent or cannot be read."""
        self.folder = folder
        self._data: dict[str, mmap.mmap] = {}
        self._index: dict[str, dict[str, str]] = {}
        self._exceptions: dict[str, dict[str, tuple[str, ...]]] = {}
        try:
            for part, name in FILES.items():
                with (folder / f"data.{name}").open("rb") as file:
                    self._data[part] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                lines = (folder / f"index.{name}").read_text(encoding="latin-1").split("\n")
                # The licence comes first, on lines that begin with a space.
                self._index[part] = {line[: line.index(" ")]: line for line in lines if line[:1].strip()}
                self._exceptions[part] = _read_exceptions(folder / f"{name}.exc")
        except (OSError, ValueError) as error:
            raise WordNetError(
                f"{folder}: the files of WordNet cannot be read ({error}). {_remedy()}"
            ) from error
        self.synonyms = lru_cache(1 << 17)(self._synonyms)
        self.hypernyms = lru_cache(1 << 17)(self._hypernyms)
        self.antonyms = lru_cache(1 << 17)(self._antonyms)
        self.related_forms = lru_cache(1 << 17)(self._related_forms)
        self.lemmas = lru_cache(1 << 17)(self._lemmas)
        self._senses = lru_cache(1 << 17)(self._find_senses)
        self._synset = lru_cache(1 << 17)(self._read_synset)

    @cached_property
    def signature(self) -> str:
        """Which WordNet this is: the beginning of a SHA-256 over its index and exception files."""
        digest = hashlib.sha256()
        for name in FILES.values():
            for path in (self.folder / f"index.{name}", self.folder / f"{name}.exc"):
                digest.update(path.read_bytes())
        return f"wordnet-{digest.hexdigest()[:16]}"

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
        return self._without(word, (other for _, synset in self._senses(word) for other in synset.words))

    def _hypernyms(self, word: str, levels: int = 1) -> frozenset[str]:
        hypernyms: set[str] = set()
        level = {synset for _, synset in self._senses(word)}
        for _ in range(levels):
            level = {
                self._synset(pointer.part, pointer.offset)
                for synset in level
                for pointer in synset.pointers
                if pointer.symbol in HYPERNYM
            }
            hypernyms.update(other for synset in level for other in synset.words)
        return self._without(word, hypernyms)

    def _antonyms(self, word: str) -> frozenset[str]:
        return self._without(word, self._pointed_at(word, ANTONYM))

    def _related_forms(self, word: str) -> frozenset[str]:
        return self._without(word, self._pointed_at(word, DERIVED))

    def _pointed_at(self, word: str, symbols: tuple[str, ...]) -> Iterator[str]:
        for lemma, synset in self._senses(word):
            for pointer in synset.pointers:
                if pointer.symbol in symbols and (
                    pointer.source == 0 or _same(synset.words[pointer.source - 1], lemma)
                ):
                    words = self._synset(pointer.part, pointer.offset).words
                    yield from words if pointer.target == 0 else (words[pointer.target - 1],)

    def _find_senses(self, word: str) -> tuple[tuple[str, Synset], ...]:
        """Each base form with each of its synsets, in the order noun, verb, adjective, adverb."""
        senses: list[tuple[str, Synset]] = []
        for part in FILES:
            for lemma in self.base_forms(word, part):
                fields = self._index[part][lemma].split()
                plain = _plain(lemma)
                senses.extend((plain, self._synset(part, int(at))) for at in fields[-int(fields[2]) :])
        return tuple(senses)

    def _read_synset(self, part: str, offset: int) -> Synset:
        data = self._data[part]
        line = data[offset : data.find(b"\n", offset)].decode("latin-1")
        fields = line.partition(" | ")[0].split(" ")
        if not fields[0].isdigit() or int(fields[0]) != offset:
            raise WordNetError(
                f"{self.folder / ('data.' + FILES[part])} and its index do not belong together. {_remedy()}"
            )
        count = int(fields[3], 16)
        words = tuple(_plain(word.partition("(")[0]) for word in fields[4 : 4 + 2 * count : 2])
        at = 4 + 2 * count
        pointers = tuple(
            Pointer(
                symbol,
                ADJECTIVE if other_part == "s" else other_part,
                int(other),
                int(ends[:2], 16),
                int(ends[2:], 16),
            )
            for symbol, other, other_part, ends in (
                fields[start : start + 4]
                for start in range(at + 1, at + 1 + 4 * int(fields[at]), 4)
                if fields[start] in READ_POINTERS
            )
        )
        return Synset(words, pointers)

    def _without(self, word: str, others: Iterable[str]) -> frozenset[str]:
        return frozenset(other.lower() for other in others) - {word.lower(), *self.lemmas(word)}


def find_wordnet() -> Path | None:
    """The folder of WordNet's files: $PARAGOLD_WORDNET if it is set, else the first of the usual places.

    Raises WordNetError when the variable names a folder without the files.
    """
    if chosen := os.environ.get(ENVIRONMENT_VARIABLE):
        folder = Path(chosen).expanduser()
        if not _complete(folder):
            raise WordNetError(f"{ENVIRONMENT_VARIABLE}: {folder} has no files of WordNet. {_remedy()}")
        return folder
    return next((folder for name in USUAL_FOLDERS if _complete(folder := Path(name).expanduser())), None)


def wordnet_or_none() -> WordNet | None:
    """The WordNet of this machine, opened once; None where there is none.

    Raises WordNetError for damaged files.
    """
    folder = find_wordnet()
    return None if folder is None else _opened(folder)


_opened: Callable[[Path], WordNet] = lru_cache(maxsize=2)(WordNet)


def _complete(folder: Path) -> bool:
    return all((folder / f"{kind}.{name}").is_file() for name in FILES.values() for kind in ("index", "data"))


def _remedy() -> str:
    return (
        "Install it (Debian, Ubuntu: apt-get install wordnet-base), or let "
        f"{ENVIRONMENT_VARIABLE} name a folder with index.noun, data.noun and so on."
    )


def _read_exceptions(path: Path) -> dict[str, tuple[str, ...]]:
    if not path.is_file():
        return {}
    lines = (line.split() for line in path.read_text(encoding="latin-1").split("\n"))
    return {form: tuple(bases) for form, *bases in filter(None, lines)}


def _plain(word: str) -> str:
    return word.replace("_", " ")


def _same(word: str, lemma: str) -> bool:
    return word.lower() == lemma
