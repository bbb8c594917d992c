"""Tokenising and segmentation: how fast, beside simpler and slower ways."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import mean

from benchmarks.measuring import DATA, Row, installed, side_by_side
from paragold.languages import ENGLISH

NEWS = str(DATA / "news" / "multi_news_validation.jsonl")
NLTK_SHARE = 20


def tokenising(*, file: str = NEWS, sentences: int = 60_000, rounds: int = 5) -> list[Row]:
    """Tokenising news sentences beside `str.lower().split()` and nltk, sentences a second.

    Processor time of one core, the median of the rounds. "Cold" begins with an empty cache of chunks, as the
    first import of a process does. nltk gives spans here, as we do, and sees a twentieth of the sentences.
    """
    texts = _article_texts(Path(file), sentences)
    found = [text[start:end] for text in texts for start, end in ENGLISH.sentences(text)][:sentences]
    few = found[::NLTK_SHARE]

    def of_whole_texts() -> None:
        for text in texts:
            for start, end in ENGLISH.sentences(text):
                ENGLISH.tokens(text[start:end])

    def each(function: Callable[[str], object], some: list[str]) -> Callable[[], object]:
        return lambda: [function(text) for text in some] and None

    def cold() -> None:
        ENGLISH.tokeniser.forget()
        each(ENGLISH.tokens, found)()

    contenders: dict[str, tuple[int, Callable[[], object]]] = {
        "cold": (len(found), cold),
        "paragold": (len(found), each(ENGLISH.tokens, found)),
        "lower, split": (len(found), each(lambda text: text.lower().split(), found)),
        "segmentation too": (len(found), of_whole_texts),
    }
    if installed("nltk"):
        from nltk.tokenize import NLTKWordTokenizer

        def nltk_spans(text: str) -> list[tuple[int, int]]:
            try:
                return list(NLTKWordTokenizer().span_tokenize(text))
            except ValueError:  # quotation marks of both kinds; the work was done all the same
                return []

        contenders["nltk, spans"] = (len(few), each(nltk_spans, few))
    rows = side_by_side(contenders, rounds, 3)
    words = mean(len(sentence.split()) for sentence in found)
    return [row | {"words_a_sentence": round(words, 1)} for row in rows]


def _article_texts(path: Path, sentences: int) -> list[str]:
    """The texts of articles until they have so many sentences."""
    texts, count = [], 0
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            for article in json.loads(line)["articles"]:
                texts.append(article["text"])
                count += len(ENGLISH.sentences(article["text"]))
                if count >= sentences:
                    return texts
    return texts
