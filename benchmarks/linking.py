"""Work that linking takes with and without suggestions, and the page's speed; prints JSON.

    python -m benchmarks.linking [--gold GOLD.jsonl] [--no-page] [--untrained]

Simulates an annotator who makes the gold links of Edinburgh++ train with the fewest actions that the editor
allows: means over the pairs. An action is a click, a drag or a key. The model (benchmarks/linking_actions.py
has the rules): the smallest number of rectangles of the matrix that cover the SURE and the POSSIBLE links,
by search; one key to submit, two when words are left open. With suggestions, the cheapest of leaving them
aside and of accepting all, or those of identical words, with one key, then correcting: one action for a link
that is POSSIBLE or none, and as without suggestions for what is missing.

`suggested_by` has every suggester: `identity` and `identity-stem` draw at once; `best` is trained on the
sentences of these pairs without any gold link, as a batch of a project does; `best_with_gold` learns from
the gold links of the other four fifths of the pairs (cross-validated, in the order of the file), as a project
does that has linked some pairs already, and `best_with_50_gold` from 50 pairs of them, drawn at random.
`actions_per_pair_suggested` is the smallest of those without gold links. `feedback_ms_60x60` is how long the
page works for an action on a pair of 60 x 60 words, the 95th percentile in a headless Chromium
(benchmarks/linking_page.py), null without.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.linking_actions import plain, suggested
from paragold.aligners.best import BestAligner, BestSpec
from paragold.aligners.registry import aligner_of
from paragold.formats.link_files import read_links
from paragold.metrics.links import Link, LinkedPair
from scripts.services import find_browser

GOLD = Path(__file__).resolve().parents[2] / "shared" / "data" / "alignment" / "edinburghpp.train.jsonl"
FOLDS = 5
# The starting point of `best` was learned from Edinburgh++ train, too: with it the figures would flatter.
NOT_LEARNED_ELSEWHERE = BestSpec(starting_point="none")
Suggested = list[list[Link]]


def drawn_by(name: str) -> Callable[[Sequence[LinkedPair]], Suggested]:
    method = aligner_of({"aligner": name})
    return lambda pairs: [method.align(pair.tokens.source, pair.tokens.target) for pair in pairs]


def best(pairs: Sequence[LinkedPair]) -> Suggested:
    """The links of the best aligner, which saw the sentences and no gold link."""
    text = [(pair.tokens.source, pair.tokens.target) for pair in pairs]
    return BestAligner(NOT_LEARNED_ELSEWHERE).fit(text).align_all(text)


def best_with_gold(pairs: Sequence[LinkedPair], *, size: int | None = None) -> Suggested:
    """As `best`, with the gold links of the pairs in the other folds, or of so many of them."""
    text = [(pair.tokens.source, pair.tokens.target) for pair in pairs]
    links: Suggested = [[] for _ in pairs]
    for fold in range(FOLDS):
        others = [number for number in range(len(pairs)) if number % FOLDS != fold]
        known = set(np.random.default_rng(fold).permutation(others)[:size].tolist())
        gold = [pairs[number] for number in sorted(known)]
        mine = range(fold, len(pairs), FOLDS)
        # The sentences of the gold pairs join the others' by themselves.
        sentences = [text[number] for number in range(len(pairs)) if number not in known]
        aligner = BestAligner(NOT_LEARNED_ELSEWHERE).fit(sentences, gold=gold)
        for number, drawn in zip(mine, aligner.align_all([text[n] for n in mine]), strict=True):
            links[number] = drawn
    return links


Suggester = Callable[[Sequence[LinkedPair]], Suggested]
AT_ONCE: dict[str, Suggester] = {"identity": drawn_by("identity"), "identity-stem": drawn_by("identity-stem")}
TRAINED: dict[str, Suggester] = {"best": best}
WITH_GOLD: dict[str, Suggester] = {
    "best_with_50_gold": partial(best_with_gold, size=50),
    "best_with_gold": best_with_gold,
}


def actions(gold: Path, *, untrained: bool = False) -> dict[str, Any]:
    """The mean actions per pair, without suggestions and with those of each suggester."""
    pairs = read_links(gold)
    sizes = [(len(pair.tokens.source), len(pair.tokens.target)) for pair in pairs]
    without = [plain(pair.links, *size) for pair, size in zip(pairs, sizes, strict=True)]

    def mean_with(suggestions: Suggested) -> float:
        return mean(
            suggested(pair.links, offered, pair.tokens)
            for pair, offered in zip(pairs, suggestions, strict=True)
        )

    without_gold = AT_ONCE if untrained else AT_ONCE | TRAINED
    by_suggester = {name: mean_with(suggest(pairs)) for name, suggest in without_gold.items()}
    fewest = min(by_suggester.values())
    if not untrained:
        by_suggester |= {name: mean_with(suggest(pairs)) for name, suggest in WITH_GOLD.items()}
    return {
        "gold": gold.name,
        "pairs": len(pairs),
        "links_per_pair": round(mean(len(pair.links.possible) for pair in pairs), 2),
        "actions_per_pair_plain": round(mean(without), 2),
        "actions_per_pair_suggested": round(fewest, 2),
        "suggested_by": {name: round(value, 2) for name, value in by_suggester.items()},
    }


def feedback() -> dict[str, Any]:
    """Milliseconds per action on a pair of 60 x 60 words, as benchmarks/linking_page.py measures them."""
    if find_browser() is None:
        return {"feedback_ms_60x60": None}
    command = [sys.executable, "-m", "benchmarks.linking_page", "--words", "60"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    figures = json.loads(run.stdout)["all"]
    return {"feedback_ms_60x60": figures["script_ms"]["p95"], "painted_ms_60x60": figures["painted_ms"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gold", type=Path, default=GOLD)
    parser.add_argument("--no-page", action="store_true", help="leave the browser out")
    parser.add_argument("--untrained", action="store_true", help="leave out suggesters that are trained")
    arguments = parser.parse_args()
    if not arguments.gold.is_file():
        parser.error(f"{arguments.gold}: there is no such file; name a gold file of links with --gold.")
    result = actions(arguments.gold, untrained=arguments.untrained)
    if not arguments.no_page:
        result |= feedback()
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
