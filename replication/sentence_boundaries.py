"""Sentence segmentation on text whose sentences are known."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from benchmarks.measuring import ECB, Row, seconds
from paragold.languages import ENGLISH

NAIVE_END = re.compile(r"[.!?](?=\s)")
Spans = list[tuple[int, int]]


def segmentation(*, file: str = ECB, articles: int = 10_000) -> list[Row]:
    """Sentence boundaries found again in articles whose sentences are known, beside naive rules and Punkt.

    Tokens separated by spaces are detokenised; sentences are joined, split and compared (percent).
    "After a stop" leaves out boundaries that no mark announces (headlines run into the text).
    """
    joined = list(islice(joined_articles(Path(file)), articles))
    ENGLISH.sentences(joined[0][0])
    rows = [{"who": "paragold"} | boundaries(ENGLISH.sentences, joined)]
    rows.append({"who": "naive"} | boundaries(naive_spans, joined))
    punkt = punkt_spans()
    scores = boundaries(punkt, joined) if punkt else {"left_out": "no trained data"}
    rows.append({"who": "punkt"} | scores)
    return rows


def detokenise(sentence: str) -> str:
    """Plain text from Penn-style tokens separated by spaces, by simple rules."""
    text = sentence.replace("` `", "``").replace("' '", "''").replace("``", '"').replace("''", '"')
    text = re.sub(r"(?<=\d) ([.,:]) (?=\d)", r"\1", text)
    text = re.sub(r"\b([A-Za-z]) \. (?=[A-Za-z] \.)", r"\1.", text)
    text = re.sub(r" (['’]) (?=(?:s|re|ve|ll|d|m|t)\b)", r"\1", text)
    text = re.sub(r" (?=[,.;:!?%)\]}”]|n't\b|'(?:s|re|ve|ll|d|m)\b)|(?<=[(\[{$“‘]) ", "", text)
    text = re.sub(r'"\s*([^"]*?)\s*"', r'"\1"', text)
    return re.sub(r"(?<=[.!?]) (?=[\"'’]$)|(?<=^[\"'‘]) ", "", text)


def joined_articles(path: Path) -> Iterator[tuple[str, list[tuple[int, bool]]]]:
    """Each article's text and its inner boundaries: position, whether a mark ends the sentence before."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            for article in json.loads(line)["articles"]:
                sentences = [detokenise(sentence) for sentence in article["sentences"]]
                position, inner = -1, []
                for sentence in sentences:
                    position += len(sentence) + 1
                    inner.append((position, sentence.rstrip("\"')”’]")[-1:] in tuple(".!?")))
                yield " ".join(sentences), inner[:-1]


def naive_spans(text: str) -> Spans:
    """A sentence ends at every full stop, question or exclamation mark before white space."""
    ends = [*(match.end() for match in NAIVE_END.finditer(text)), len(text)]
    return list(zip([0, *ends], ends, strict=False))


def punkt_spans() -> Callable[[str], Spans] | None:
    """nltk's Punkt with its trained English model, if it is on this machine: nothing is downloaded."""
    try:
        from nltk.tokenize.punkt import PunktTokenizer

        tokenizer = PunktTokenizer("english")
    except (ImportError, LookupError):
        return None
    return lambda text: list(tokenizer.span_tokenize(text))


def boundaries(split: Callable[[str], Spans], articles: list[tuple[str, list[tuple[int, bool]]]]) -> Row:
    """Precision, recall and F of the inner boundaries, in percent, and sentences a second."""
    spans_of: list[Spans] = []
    spent = seconds(lambda: spans_of.extend(split(text) for text, _ in articles))
    right = right_after = predicted = known = known_after = 0
    for spans, (_, inner) in zip(spans_of, articles, strict=True):
        given = {end for _, end in spans[:-1]}
        announced = {position for position, after_stop in inner if after_stop}
        predicted, known, known_after = (
            predicted + len(given),
            known + len(inner),
            known_after + len(announced),
        )
        right += len(given & {position for position, _ in inner})
        right_after += len(given & announced)
    precision, recall, after_stop = right / predicted, right / known, right_after / known_after
    return {
        "precision": round(100 * precision, 2),
        "recall": round(100 * recall, 2),
        "f": round(200 * precision * recall / (precision + recall), 2),
        "recall_after_a_stop": round(100 * after_stop, 2),
        "f_after_a_stop": round(200 * precision * after_stop / (precision + after_stop), 2),
        "sentences_per_s": round(sum(map(len, spans_of)) / spent),
    }
