"""Word association before and after the second pass of Moore (2001); prints a table.

    python -m benchmarks.word_association [FILE.tsv ...]

Files are pairs as of extract-pairs. Of each: the share of its word pairs, trivial ones removed, that WordNet
has, for the first 100, 500 and 1,500 (Brockett and Dolan 2005: 46.53 % of the first 1,500, from 253,725
pairs). Beside it precision by the gold links of Edinburgh++ train, whose sentences alone are learned from in
its own row and added to those of each file: over the first 100 and 400 word pairs that face each other in
its residue, the mean share of these meetings in which people linked the two words.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path
from time import process_time

from paragold.classification.association import Association, associate, known_pairs, trivial
from paragold.classification.lexicons import Lexicon, synonyms_and_hypernyms
from paragold.classification.settings import LexiconSpec
from paragold.classification.words import words_of
from paragold.formats.labelled_pairs import read_pairs
from paragold.formats.link_files import read_links
from paragold.text.wordnet import open_wordnet

EDINBURGH = Path(__file__).resolve().parents[2] / "shared/data/alignment/edinburghpp.train.jsonl"
SETTINGS = {
    "first pass, no function words (before)": LexiconSpec(ranking="ratio", without_function_words=True),
    "first pass": LexiconSpec(ranking="ratio"),
    "both passes, no function words": LexiconSpec(without_function_words=True),
    "both passes, discount 0.5": LexiconSpec(discount=0.5),
    "both passes (default)": LexiconSpec(),
}
Texts = list[tuple[str, str]]
Meetings = Mapping[tuple[str, str], float]


def edinburgh() -> tuple[Texts, Meetings]:
    """The sentences, and of each two words the share of the pairs that they face each other in, linked."""
    met: Counter[tuple[str, str]] = Counter()
    linked: Counter[tuple[str, str]] = Counter()
    texts = []
    for pair in read_links(EDINBURGH):
        sides = [pair.tokens.source, pair.tokens.target]
        texts.append((" ".join(sides[0]), " ".join(sides[1])))
        source, target = ([words_of(token) for token in side] for side in sides)
        counts = Counter(filter(None, source)), Counter(filter(None, target))
        facing = {(min(two), max(two)) for two in product(counts[0] - counts[1], counts[1] - counts[0])}
        met.update(facing)
        links = {(source[i], target[j]) for i, j in pair.links.sure | pair.links.possible}
        linked.update(facing & {(min(two), max(two)) for two in links})
    return texts, {two: linked[two] / times for two, times in met.items()}


def shares(pairs: Sequence[Association], wordnet: Lexicon) -> str:
    plain = trivial(pairs, "english")
    inside = [has for has, alike in zip(known_pairs(pairs, wordnet), plain, strict=True) if not alike]
    return "  ".join(
        f"{100 * sum(inside[:most]) / max(1, len(inside[:most])):5.1f}" for most in (100, 500, 1_500)
    )


def precision(pairs: Sequence[Association], meetings: Meetings) -> str:
    known = [meetings[a, b] for a, b, *_ in pairs if (a, b) in meetings]
    return "  ".join(f"{100 * sum(known[:most]) / max(1, len(known[:most])):5.1f}" for most in (100, 400))


def rows(texts: Texts, gold: Texts, meetings: Meetings, wordnet: Lexicon) -> Iterator[str]:
    for name, spec in SETTINGS.items():
        started = process_time()
        own = associate(texts, spec)
        seconds = process_time() - started
        both = associate([*texts, *gold], spec)
        best = ", ".join("|".join(pair[:2]) for pair in islice(own, 5))
        yield (
            f"  {name:<40}{len(own):>7,}   {shares(own, wordnet)}   {precision(both, meetings)}"
            f"   {seconds:5.1f}  {best}"
        )


def main() -> None:
    relation = synonyms_and_hypernyms(open_wordnet())
    gold, meetings = edinburgh()
    associate(gold)  # compiles the inner loop
    print(f"{'':<42}  words    100    500   1500     100    400   CPU s  best")
    sets = {path: [(pair.first, pair.second) for pair in read_pairs(Path(path))] for path in sys.argv[1:]}
    for name, texts in {"Edinburgh++ train": gold, **sets}.items():
        print(f"{name}: {len(texts):,} pairs of sentences")
        for row in rows(texts, [] if texts is gold else gold, meetings, relation):
            print(row, flush=True)


if __name__ == "__main__":
    main()
