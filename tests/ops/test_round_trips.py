"""What was exported comes in again and is exported to the same bytes: every format that can be imported.

Ids say where a pair stands in the project it is in; all else is the same. What belongs to a project as a
whole is kept by its archive (test_archive.py).
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from django.contrib.auth.models import User

from alignment.services.exporting import write_gold
from alignment.specs import GoldExportSpec
from annotation.schemes import Label
from annotation.services.batches import close_batch
from annotation.services.gold import freeze_gold_set
from paragold.formats.judgement_formats import Reading
from paragold.metrics.links import LinkedPair, Links
from projects.models import Project, Role
from tests.factories.annotation import adjudicate, assignments_of, judge, judging_batch
from tests.factories.corpus import ProjectFactory, member
from tests.factories.imports import import_judgements, import_links
from tests.link_texts import dumps

pytestmark = pytest.mark.django_db

# Quotes, marks of other formats, numbers, other scripts, combining and bidirectional marks.
WORDS = (
    *("dam", "The", '"quoted"', "it's", "1-2", "3?4", "({", "})", "#", "NULL", "0.5", "=SUM(A1)", "\\n"),
    *("Müller", "étude", "水", "שלום", "\u202eevil", "e\u0301", "👩\u200d🚒", "a\u00a0b", "<b>", "&amp;"),
)
LINK_FORMATS = {
    "naacl": "links.naacl",
    "pharaoh": "links.pharaoh",
    "pharaoh_1": "links.pharaoh1",
    "jsonl": "links.jsonl",
    "edinburgh": "links.json",
    "multimwa": "links.tsv",
    "giza": "links.A3.final",
}


def random_pairs(seed, pairs=20):
    """With empty link sets, one-word sentences and both strengths among them."""
    draw = random.Random(seed)
    made = []
    for number in range(pairs):
        source, target = (tuple(draw.choices(WORDS, k=draw.randint(1, 9))) for _ in range(2))
        every = [(a, b) for a in range(len(source)) for b in range(len(target))]
        drawn = draw.sample(every, draw.randint(0, min(8, len(every))))
        sure = draw.randint(0, len(drawn))
        made.append(LinkedPair(f"id {number}", source, target, Links.of(drawn[:sure], drawn[sure:])))
    return made


def written(folder, wanted, **gold):
    """The files of an export but those about it, by name."""
    strengths = "all_sure" if wanted == "giza" else "as_drawn"
    write_gold(folder, spec=GoldExportSpec(format=wanted, strengths=strengths), **gold)
    about = {"README.md", "manifest.json"}
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in about}


def taken(folder, name):
    """Links of exported files as gold of a project of their own."""
    sides = {
        side: path
        for side, path in (("source", folder / "links.src"), ("target", folder / "links.tgt"))
        if path.exists()
    }
    named = "pharaoh_1" if name.endswith(".pharaoh1") else "auto"  # it looks like pharaoh
    path = folder / name
    found = import_links(
        project=ProjectFactory(), path=path, batch="gold", file_format=named, **sides
    ).gold_links
    assert found is not None
    return found


def without_ids(name, data):
    """The same file with the number of the line for each id."""
    text = data.decode()
    if name == "links.jsonl":
        rows = [json.loads(line) | {"id": number} for number, line in enumerate(text.splitlines())]
        return json.dumps(rows, ensure_ascii=False).encode()
    if name == "links.json":
        named = [row | {"id": number, "name": number} for number, row in enumerate(json.loads(text))]
        return json.dumps(named, ensure_ascii=False).encode()
    if name == "links.tsv":
        lines = [line.split("\t")[1:] for line in text.split("\n")]
        return "\n".join("\t".join(columns) for columns in lines).encode()
    return data


@pytest.mark.parametrize("wanted", LINK_FORMATS)
def test_links(tmp_path, wanted):
    (tmp_path / "links.jsonl").write_text(dumps("jsonl", random_pairs(seed=1)), encoding="utf-8")
    gold = taken(tmp_path, "links.jsonl")
    first = written(tmp_path / "first", wanted, gold_links=gold)
    again = taken(tmp_path / "first", LINK_FORMATS[wanted])
    second = written(tmp_path / "second", wanted, gold_links=again)
    assert set(first) >= {LINK_FORMATS[wanted]}
    for name, data in first.items():
        assert without_ids(name, second[name]) == without_ids(name, data), name
    if wanted in ("naacl", "pharaoh", "pharaoh_1", "giza"):
        assert second == first


@pytest.fixture
def judged():
    """With skips, comments, flags, a dispute and what settled it."""
    project: Project = ProjectFactory()
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben", "eve")]
    chief: User = member(project, Role.ADJUDICATOR, "chief")
    batch = judging_batch(project, people, size=4)
    labels = (Label.PARAPHRASE, Label.NOT_PARAPHRASE)
    for number, person in enumerate(people):
        for place, assignment in enumerate(assignments_of(batch, person)):
            if (number, place) == (2, 1):
                judge(assignment, None, skipped=True, comment="cannot\ntell", flagged=True)
            else:
                judge(assignment, labels[(place + (number and place == 0)) % 2], comment='a "quote"\t=1')
    close_batch(batch=batch)
    adjudicate(item=batch.items.get(number=1), by=chief, label=Label.PARAPHRASE, comment="both say it broke")
    return freeze_gold_set(project=project, by=None, name="gold", batches=[batch])


def of_their_own(line):
    """A line of pairs.jsonl without where the pair stands."""
    fields: dict[str, Any] = json.loads(line)
    for place in (fields, fields["a"], fields["b"]):
        for name in ("id", "cluster", "article", "sentence"):
            place.pop(name, None)
    return fields


def of_their_own_columns(line):
    columns = line.split("\t")
    return [columns[0], *columns[3:]]


@pytest.mark.parametrize(
    ("wanted", "name", "content"),
    [("jsonl", "pairs.jsonl", of_their_own), ("msr", "pairs.tsv", of_their_own_columns)],
)
def test_judgements(tmp_path, judged, wanted, name, content):
    first = written(tmp_path / "first", wanted, gold_set=judged)
    found = import_judgements(
        project=ProjectFactory(), by=None, path=tmp_path / "first" / name, filename=name, name="gold",
        reading=Reading(),
    ).gold_set  # fmt: skip
    assert found is not None
    second = written(tmp_path / "second", wanted, gold_set=found)
    lines = {
        place: [content(line) for line in files[name].decode().split("\n") if line]
        for place, files in (("first", first), ("second", second))
    }
    assert lines["second"] == lines["first"]
    if wanted == "jsonl":
        told = [line["judgements"] for line in lines["first"]]
        assert any(one["flagged"] and one["skipped"] and one["comment"] for each in told for one in each)
        assert [line["adjudication"] is not None for line in lines["first"]].count(True) == 1
        assert json.dumps(lines["second"]) == json.dumps(lines["first"]), "in the same order"


def test_the_labelling_configuration_has_the_labels_of_the_scheme(tmp_path):
    rows = "".join(f"{label}\ta {label}\tb {label}\n" for label in ("paraphrase", "partial", "unrelated"))
    (tmp_path / "three.tsv").write_text(rows)
    found = import_judgements(
        project=ProjectFactory(), by=None, path=tmp_path / "three.tsv", filename="three.tsv", name="three",
        reading=Reading(),
    ).gold_set  # fmt: skip
    files = written(tmp_path / "out", "label_studio", gold_set=found)
    config = files["pairs.label-studio.xml"].decode()
    assert [label in config for label in ("partial", "unrelated", "not_paraphrase")] == [True, True, False]
