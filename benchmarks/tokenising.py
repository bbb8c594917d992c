"""Speed of tokenising news sentences beside `str.lower().split()` and nltk's Treebank tokeniser. Prints JSON.

    python -m benchmarks.tokenising [PATH] [--sentences 60000] [--rounds 5]

Sentences are those that segmentation finds in the articles of PATH (JSONL with `text`). Each round runs every
contender in turn on one core; rates are of the median round in processor time. "cold" begins with an empty
cache of chunks, as the first import of a process does. nltk gives spans here, as we do, and sees fewer
sentences. Twenty words are what a news sentence has; the sentences of PATH may have more, so rates stand by
words as well.
"""

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from statistics import median

from nltk.tokenize import NLTKWordTokenizer, TreebankWordTokenizer

from paragold.text import tokenisation
from paragold.text.segmentation import split_sentences

DEFAULT_PATH = Path(__file__).resolve().parents[2] / "shared/data/news/multi_news_validation.jsonl"
NLTK_SHARE = 20


def articles(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as lines:
        return [article["text"] for line in lines for article in json.loads(line)["articles"]]


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def apply_to(function: Callable[[str], object], texts: list[str]) -> Callable[[], object]:
    def run() -> None:
        for text in texts:
            function(text)

    return run


def segment_and_tokenise(text: str) -> None:
    for start, end in split_sentences(text):
        tokenisation.tokenise(text[start:end])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("path", type=Path, nargs="?", default=DEFAULT_PATH)
    parser.add_argument("--sentences", type=int, default=60_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    texts = articles(arguments.path)
    found = (text[start:end] for text in texts for start, end in split_sentences(text))
    sentences = list(islice(found, arguments.sentences))
    few = sentences[::NLTK_SHARE]
    words = sum(len(sentence.split()) for sentence in sentences) / len(sentences)
    tokens = sum(len(tokenisation.tokenise(sentence)[0]) for sentence in sentences) / len(sentences)
    whole = sum(len(split_sentences(text)) for text in texts)
    contenders: dict[str, tuple[int, Callable[[], object]]] = {
        "paragold_cold": (len(sentences), apply_to(tokenisation.tokenise, sentences)),
        "paragold": (len(sentences), apply_to(tokenisation.tokenise, sentences)),
        "lower_split": (len(sentences), apply_to(lambda text: text.lower().split(), sentences)),
        "nltk_treebank_spans": (len(few), apply_to(lambda text: list(nltk_spans(text)), few)),
        "nltk_treebank_tokens": (len(few), apply_to(TreebankWordTokenizer().tokenize, few)),
        "segmentation_and_tokenisation": (whole, apply_to(segment_and_tokenise, texts)),
    }
    measured: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(arguments.rounds):
        for name, (size, work) in contenders.items():
            if name == "paragold_cold":
                tokenisation.forget_chunks()
            measured[name].append(size / seconds(work))
    rates = {name: median(values) for name, values in measured.items()}
    report = {
        "signature": tokenisation.SIGNATURE,
        "python": platform.python_version(),
        "nltk": version("nltk"),
        "file": arguments.path.name,
        "sentences": len(sentences),
        "words_per_sentence": round(words, 1),
        "tokens_per_sentence": round(tokens, 1),
        "rounds": arguments.rounds,
        "sentences_per_second": {name: round(rate) for name, rate in rates.items()},
        "sentences_of_20_words_per_second": {
            name: round(rates[name] * words / 20)
            for name in ("paragold_cold", "paragold", "segmentation_and_tokenisation")
        },
        "ratio_to_lower_split": round(rates["paragold"] / rates["lower_split"], 3),
        "ratio_to_nltk_spans": round(rates["paragold"] / rates["nltk_treebank_spans"], 1),
        "ratio_to_nltk_tokens": round(rates["paragold"] / rates["nltk_treebank_tokens"], 1),
    }
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


def nltk_spans(text: str) -> list[tuple[int, int]]:
    try:
        return list(NLTKWordTokenizer().span_tokenize(text))
    except ValueError:
        # It cannot align some sentences with quotation marks of both kinds; the work was done all the same.
        return []


if __name__ == "__main__":
    main()
