import json
from itertools import combinations

import numpy as np
import pytest

from paragold.extraction.cluster import ClusterSearch, extract_cluster
from paragold.extraction.criteria import Criteria
from paragold.extraction.files import extract_file
from paragold.extraction.presets import PRESETS
from paragold.extraction.records import ClusterSentences
from paragold.spec import SpecError
from paragold.text import nearness
from paragold.text.encoder import LAST, Encoder
from tests.paragold.text.tiny_encoder import PIECES, write_encoder

WORDS = [piece for piece in PIECES[3:] if piece.isalpha()]


@pytest.fixture
def installed(tmp_path, monkeypatch):
    folder = write_encoder(tmp_path / "tiny")
    monkeypatch.setenv("PARAGOLD_ENCODER", str(folder))
    return folder


def articles(seed, texts=400):
    rng = np.random.default_rng(seed)
    made = [rng.choice(WORDS, rng.integers(2, 7)).tolist() for _ in range(texts)]
    return [made[start : start + 40] for start in range(0, texts, 40)]


def test_it_finds_all_pairs_by_their_cosines_in_parts_too(installed, monkeypatch):
    monkeypatch.setattr(nearness, "COLUMNS_AT_ONCE", 100)
    cluster = ClusterSentences.from_articles(articles(1))
    criteria = Criteria(method="meaning", min_similarity=0.9, min_edit_distance=1, min_length=3)
    pairs = extract_cluster(cluster, criteria)
    texts = dict.fromkeys(tuple(text) for text in cluster.tokens if len(text) >= 3)
    vectors = dict(zip(texts, Encoder(installed, LAST).of_sentences(list(texts)), strict=True))
    places = {}
    for place, (text, article) in enumerate(zip(cluster.tokens, cluster.articles, strict=True)):
        places.setdefault(tuple(text), []).append((place, article))
    expected = {
        frozenset(two)
        for two in combinations(texts, 2)
        if round(float(vectors[two[0]] @ vectors[two[1]]), 4) >= 0.9
        and len({article for text in two for _, article in places[text]}) > 1
    }
    found = [{tuple(cluster.tokens[pair[side]]) for side in ("first", "second")} for pair in pairs]
    assert {frozenset(two) for two in found} == expected and len(found) == len(expected) > 50
    parts = [ClusterSearch(cluster, criteria, (number, 2)).sorted_pairs() for number in range(2)]
    assert all(len(part) for part in parts)
    assert sorted(np.concatenate(parts).tolist()) == sorted(pairs.tolist())


def test_processes_change_nothing(installed, tmp_path):
    path = tmp_path / "clusters.jsonl"
    with path.open("w") as file:
        for seed in range(4):
            sentences = [[" ".join(text) for text in one] for one in articles(seed, 120)]
            own = [{"id": f"{seed}-{n}", "sentences": one} for n, one in enumerate(sentences)]
            file.write(json.dumps({"cluster_id": str(seed), "tokenised": True, "articles": own}) + "\n")
    criteria = PRESETS["meaning"].criteria.replace(min_length=3)
    for processes in (1, 2):
        extract_file(path, criteria, tmp_path / f"{processes}.tsv", processes=processes)
    alone = (tmp_path / "1.tsv").read_bytes()
    assert alone == (tmp_path / "2.tsv").read_bytes() and alone.count(b"\n") > 20


def test_it_needs_a_limit_and_an_encoder(installed, monkeypatch):
    with pytest.raises(SpecError, match="the method meaning needs a limit"):
        Criteria(method="meaning")
    with pytest.raises(SpecError, match="the method levenshtein has none"):
        Criteria(max_edit_distance=3, min_similarity=0.5)
    criteria = PRESETS["meaning"].criteria
    assert "|encoder:none" not in criteria.signature() and "min_similarity" in criteria.signature()
    assert criteria.replace(encoder=str(installed)).signature() == criteria.signature()
    assert "encoder" not in PRESETS["L12"].criteria.signature()
    monkeypatch.delenv("PARAGOLD_ENCODER")
    with pytest.raises(ValueError, match="PARAGOLD_ENCODER names no folder"):
        extract_cluster(ClusterSentences.from_articles(articles(1)), criteria)
