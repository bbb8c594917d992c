"""Gold that came from files, written out again: in splits without leaks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alignment.services.exporting import ExportOptions, export_contents
from annotation.formats.judged_pairs import Reading
from annotation.services.importing import import_judgements
from corpus.text.tokenisation import tokenise
from corpus.writers.rows import Splits
from tests.factories.corpus import ProjectFactory

pytestmark = pytest.mark.django_db

MSR = Path(__file__).parents[5] / "shared/data/paraphrase/msr_paraphrase_train.txt"


@pytest.mark.skipif(not MSR.is_file(), reason="the Microsoft Research Paraphrase Corpus is not installed")
def test_no_sentence_of_msr_is_in_two_splits() -> None:
    report = import_judgements(
        project=ProjectFactory(), by=None, path=MSR, filename=MSR.name, name="msr", reading=Reading()
    )
    assert report.gold_set is not None
    options = ExportOptions(wanted="jsonl", splits=Splits(80, 10, 10))
    contents, description = export_contents(gold_set=report.gold_set, options=options)
    sentences: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for name in ("train", "dev", "test"):
        rows = [json.loads(line) for line in contents[f"{name}/pairs.jsonl"].decode().splitlines()]
        counts[name] = len(rows)
        texts = (row[side]["text"] for row in rows for side in ("a", "b"))
        sentences[name] = {" ".join(tokenise(text)[0]).lower() for text in texts}
    assert not sentences["train"] & sentences["test"]
    assert not sentences["dev"] & (sentences["train"] | sentences["test"])
    assert sum(counts.values()) == 4076 == description["counts"]["pairs"]
    assert [round(count / 4076, 2) for count in counts.values()] == [0.8, 0.1, 0.1]
    assert {name: one["pairs"] for name, one in description["details"]["splits"].items()} == counts
