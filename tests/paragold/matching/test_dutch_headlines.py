"""Matching of Dutch headlines, on 162 captions of SICK-NL in 20 clusters that were split by hand.

`dutch_captions.json` has no text: the captions are named by the pair and the side on which SICK-NL has them.
Captions say the same where whoever believes one must believe the other: 91 of them, in 40 sub-clusters.
"""

import csv
import json
from pathlib import Path

import pytest

from paragold.matching.headlines import HeadlineCosines, HeadlineFile, links_within
from paragold.matching.specs import HeadlineSpec
from paragold.sources.headlines import Headline

SPLIT = json.loads(Path(__file__).with_name("dutch_captions.json").read_text(encoding="utf-8"))


@pytest.fixture
def captions(shared_data):
    with (shared_data / "dutch" / "sick_nl.train_trial.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    text = {row["pair_ID"] + side: row[f"sentence_{side.upper()}"] for row in rows for side in "ab"}
    clusters = {}
    for name, split in SPLIT.items():
        keys = sorted({key for group in split["groups"] for key in group} | set(split["alone"]))
        clusters[name] = [Headline(key, text[key], "", "", line) for line, key in enumerate(keys, 1)]
    return clusters


def f_score_of(captions, spec):
    file = HeadlineFile(captions, spec)
    groups = file.places({name: split["groups"] for name, split in SPLIT.items()})
    right = retrieved = relevant = 0
    for name, terms in file.terms.items():
        links = set(HeadlineCosines(terms, file.weights).links(spec))
        wanted = set(links_within(groups[name]))
        right, retrieved, relevant = (
            right + len(links & wanted),
            retrieved + len(links),
            relevant + len(wanted),
        )
    return 2 * right / (retrieved + relevant)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("method", "dutch", "english"), [("pairwise", 0.368, 0.336), ("kmeans", 0.416, 0.349)]
)
def test_dutch_stems_serve_better_than_english_ones(captions, method, dutch, english):
    assert sum(map(len, captions.values())) == 162
    scores = [
        f_score_of(captions, HeadlineSpec(method=method, weights="file", language=tag))
        for tag in ("nl", "en")
    ]
    assert scores == pytest.approx([dutch, english], abs=0.005)
