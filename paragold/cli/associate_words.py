"""Learn which words of sentence pairs go together, and what WordNet has of them: from file to file."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import compress
from operator import not_
from pathlib import Path

from paragold.classification.association import Association, associate, known_pairs, share_by_rank, trivial
from paragold.classification.classes import WORDNET
from paragold.classification.lexicons import ENGLISH, open_lexicons
from paragold.classification.settings import PAPER_RANKS, PAPER_SHARE, LexiconSpec
from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import Console, Options, add_output
from paragold.formats.labelled_pairs import read_pairs
from paragold.formats.tables import write_tsv
from paragold.text.stemming import LANGUAGES

HELP = "Build a lexicon of word association from sentence pairs (Moore 2001), best word pairs first."
COLUMNS = ("rank", "first", "second", "linked", "together", "log_likelihood_ratio", "in_wordnet", "trivial")
STEP = 100


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("pairs", nargs="+", type=Path, metavar="FILE", help="pairs by extract-pairs")
    arguments.add_arguments(parser, LexiconSpec, leave_out=["kind"])
    parser.add_argument("--language", default=ENGLISH, choices=LANGUAGES, metavar="NAME", help="of the text")
    add_output(parser, "--output", required=True, metavar="TSV")
    parser.add_argument("--json", action="store_true", help="print size and share in WordNet by rank as JSON")


def run(options: Options, console: Console) -> None:
    spec = spec_from(LexiconSpec, options)
    texts = [(pair.first, pair.second) for path in options["pairs"] for pair in read_pairs(path)]
    pairs = associate(texts, spec)
    lexicons, notes = open_lexicons([WORDNET], None, options["language"])
    for note in notes:
        console.warn(note)
    inside = known_pairs(pairs, lexicons.by_class[WORDNET]) if lexicons.by_class else None
    plain = trivial(pairs, options["language"])
    write_tsv(options["output"], COLUMNS, _rows(pairs, inside, plain))
    shares = share_by_rank(list(compress(inside, map(not_, plain))), step=STEP) if inside else []
    report = {
        "sentence_pairs": len(texts),
        "word_pairs": len(pairs),
        "trivial": sum(plain),
        "coverage": shares,
        "signature": spec.signature(),
    }
    if options["json"]:
        console.write(json.dumps(report, indent=2))
        return
    console.write(f"{len(texts):,} sentence pairs, {len(pairs):,} word pairs, {sum(plain):,} trivial ones.")
    for rank, share in shares:
        if rank in (STEP, PAPER_RANKS) or rank == shares[-1][0]:
            console.write(f"In WordNet, of the first {rank:,} non-trivial: {100 * share:.2f} %.")
    console.write(f"In the paper, among the first {PAPER_RANKS:,}: {100 * PAPER_SHARE:.2f} %.")


def _rows(
    pairs: Sequence[Association], inside: Sequence[bool] | None, plain: Sequence[bool]
) -> list[list[str]]:
    known = ["" if inside is None else str(int(inside[place])) for place in range(len(pairs))]
    return [
        [
            *(str(rank), pair.first, pair.second, "" if pair.linked is None else str(pair.linked)),
            *(str(pair.together), str(pair.score), in_wordnet, str(int(alike))),
        ]
        for rank, (pair, in_wordnet, alike) in enumerate(zip(pairs, known, plain, strict=True), start=1)
    ]
