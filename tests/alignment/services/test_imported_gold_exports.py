from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest

from alignment.specs import GoldExportSpec
from paragold.formats.judgement_formats import Reading
from paragold.text.tokenisation import tokenise
from projects.models import Project, Role
from tests.factories.corpus import ProjectFactory, member
from tests.factories.exports import export_contents
from tests.factories.imports import import_judgements

pytestmark = pytest.mark.django_db

MSR = Path(__file__).parents[4] / "shared/data/paraphrase/msr_paraphrase_train.txt"


@pytest.mark.skipif(not MSR.is_file(), reason="the Microsoft Research Paraphrase Corpus is not installed")
def test_no_sentence_of_msr_is_in_two_splits():
    report = import_judgements(
        project=ProjectFactory(), by=None, path=MSR, filename=MSR.name, name="msr", reading=Reading()
    )
    assert report.gold_set is not None
    options = GoldExportSpec(format="jsonl", splits="80/10/10")
    contents, description = export_contents(gold_set=report.gold_set, spec=options)
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


def told(card, section):
    """The text of a section, empty where the card has none."""
    return card.partition(f"\n## {section}\n")[2].partition("\n## ")[0]


def table(card, section):
    """The rows of a section's table by their first cell."""
    lines = [line for line in told(card, section).splitlines() if line.startswith("|")][2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {first: others for first, *others in cells}


def check(contents, counts):
    """The card, after a comparison of all its counts and the manifest's with the rows of the files."""
    card = contents["README.md"].decode()
    judged, linked = (
        [
            json.loads(line)
            for path, data in contents.items()
            if path.endswith(name)
            for line in data.decode().splitlines()
        ]
        for name in ("pairs.jsonl", "links.jsonl")
    )
    ids = {row["id"] for row in [*judged, *linked]}
    assert f"for {len(ids):,} pairs of sentences" in card and counts["pairs"] == len(ids)
    assert counts.get("judgements.pairs", 0) == len(judged)
    assert counts.get("links.pairs", 0) == len(linked)
    if judged:
        labels = Counter(row["label"] for row in judged)
        assert {name: int(n.replace(",", "")) for name, (n,) in table(card, "Judgements").items()} == labels
        assert f"{len(judged):,} judged pairs" in told(card, "Judgements")
        votes = Counter(one["annotator"] for row in judged for one in row["judgements"] if one["label"])
        assert {name: int(n[0]) for name, n in table(card, "Annotators").items() if n[0] != "0"} == votes
    if linked:
        sure = sum(len(row["sure"]) for row in linked)
        assert f"{len(linked):,} linked pairs, {sure:,} SURE links" in told(card, "Word links")
    clusters = {unquote(part.partition("/")[0]) for key in ids for part in key.split("|")}
    assert counts["clusters"] == len(clusters)
    imported = sum(int(n.replace(",", "")) for _, n in table(card, "Imported pairs").values())
    own = re.match(r"\s*([0-9,]+) clusters", told(card, "Sources"))
    assert imported + int(own[1] if own else 0) == len(clusters)
    return card


@pytest.fixture
def project():
    project: Project = ProjectFactory()
    for name in ("ann", "ben"):
        member(project, Role.ANNOTATOR, name)
    return project


def imported(project, folder, name="lab", **options):
    path = folder / f"{name}.tsv"
    lines = [f"{n % 2}\tThe dam {n} broke .\tDam {n} broke at night ." for n in range(9)]
    path.write_text("\n".join([*lines, ""]))
    return import_judgements(
        project=project, by=None, path=path, filename=path.name, name=name, reading=Reading(), **options
    )
