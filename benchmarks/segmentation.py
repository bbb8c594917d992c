"""Quality and speed of sentence segmentation on text whose sentences are known. Prints JSON.

The sentences of ECB+ (tokens parted by spaces) are detokenised, joined with spaces, split again and compared.
"Boundaries" are the places between two sentences of an article; "after a stop" leaves out those that no mark
announces (headlines run into the text). Usage: python -m benchmarks.segmentation [PATH]
"""

import json
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from paragold.text import segmentation, tokenisation

DEFAULT_PATH = Path(__file__).resolve().parents[2] / "shared/data/news/ecbplus_topics_1_35.jsonl"
NAIVE_END = re.compile(r"[.!?](?=\s)")
Spans = list[tuple[int, int]]


def detokenise(sentence: str) -> str:
    """Plain text from Penn-style tokens parted by spaces, by simple rules."""
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
                position = -1
                boundaries = []
                for sentence in sentences:
                    position += len(sentence) + 1
                    boundaries.append((position, sentence.rstrip("\"')”’]")[-1:] in tuple(".!?")))
                yield " ".join(sentences), boundaries[:-1]


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


def measure(
    split: Callable[[str], Spans], articles: list[tuple[str, list[tuple[int, bool]]]]
) -> dict[str, float]:
    """Precision, recall and F of the inner boundaries, in percent, and sentences a second."""
    hits = hits_after_stop = predicted = known = known_after_stop = 0
    began = time.perf_counter()
    spans_of = [split(text) for text, _ in articles]
    seconds = time.perf_counter() - began
    for spans, (_, boundaries) in zip(spans_of, articles, strict=True):
        found = {end for _, end in spans[:-1]}
        announced = {position for position, after_stop in boundaries if after_stop}
        predicted += len(found)
        known += len(boundaries)
        known_after_stop += len(announced)
        hits += len(found & {position for position, _ in boundaries})
        hits_after_stop += len(found & announced)
    precision, recall = hits / predicted, hits / known
    after_stop = hits_after_stop / known_after_stop
    return {
        "precision": round(100 * precision, 2),
        "recall": round(100 * recall, 2),
        "f": round(200 * precision * recall / (precision + recall), 2),
        "recall_after_a_stop": round(100 * after_stop, 2),
        "f_after_a_stop": round(200 * precision * after_stop / (precision + after_stop), 2),
        "sentences_per_second": round(sum(map(len, spans_of)) / seconds),
    }


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_PATH
    articles = list(joined_articles(path))
    segmentation.split_sentences(articles[0][0])
    punkt = punkt_spans()
    report = {
        "signature": segmentation.SIGNATURE,
        "python": platform.python_version(),
        "file": path.name,
        "articles": len(articles),
        "boundaries": sum(len(boundaries) for _, boundaries in articles),
        "boundaries_after_a_stop": sum(after for _, boundaries in articles for _, after in boundaries),
        "paragold": measure(segmentation.split_sentences, articles),
        "naive": measure(naive_spans, articles),
        "punkt": measure(punkt, articles) if punkt else "left out: its trained data is not on this machine",
    }
    began = time.perf_counter()
    sentences = 0
    for text, _ in articles:
        spans = segmentation.split_sentences(text)
        for start, end in spans:
            tokenisation.tokenise(text[start:end])
        sentences += len(spans)
    report["segmentation_and_tokenisation_sentences_per_second"] = round(
        sentences / (time.perf_counter() - began)
    )
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
