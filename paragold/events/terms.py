"""What an article is compared by: how often each stem counts in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from paragold.classification.function_words import FUNCTION_WORDS
from paragold.events.settings import EventSettings
from paragold.text.languages import stemmer_name
from paragold.text.stemming import Stemmer
from paragold.text.tokenisation import tokenise


class Terms:
    """Counts stems as the settings weigh them."""

    def __init__(self, settings: EventSettings) -> None:
        name = stemmer_name(settings.language)
        self._stem = Stemmer(name).stem if name else str.lower
        self._left_out = FUNCTION_WORDS if name == "english" else frozenset[str]()
        self._title_weight = settings.title_weight
        self._name_weight = settings.name_weight

    def __call__(self, title: str, sentences: Iterable[Sequence[str]]) -> Counter[str]:
        """Stem -> its weighted count, above 0, in a title and sentences of tokens.

        Without a title the first sentence, mostly the headline, stands for it. Punctuation does not count,
        nor do the function words of English.
        """
        counts: Counter[str] = Counter()
        weight = self._title_weight
        for sentence in [tokenise(title)[0], *sentences] if title.strip() else sentences:
            self._count(sentence, weight, counts)
            weight = 1.0
        return counts

    def _count(self, sentence: Sequence[str], weight: float, counts: Counter[str]) -> None:
        for place, token in enumerate(sentence):
            if token.lower() in self._left_out or not any(map(str.isalnum, token)):
                continue
            name = place > 0 and token[0].isupper()
            counts[self._stem(token)] += weight * self._name_weight if name else weight  # type: ignore[assignment]  # a Counter adds fractions too
