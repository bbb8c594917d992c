"""Exports: the same bytes twice, and everything in them can be read back."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from alignment.models import Export
from alignment.services.export_store import export_path
from alignment.services.exporting import ExportOptions
from alignment.services.gold_exports import export_gold
from alignment.services.gold_files import meanings
from alignment.services.gold_links import linked_pairs
from alignment.services.scoring import score_aligner
from annotation.models import GoldSet
from paragold.formats import manifest
from paragold.formats.judgements import gold_jsonl
from paragold.formats.links import parallel_text
from paragold.formats.links.registry import read_links
from paragold.sources.labelled_pairs import read_pairs
from projects.errors import PublicError
from projects.models import Project
from tests.factories.alignment import gold_alignment_set
from tests.factories.corpus import ProjectFactory, member
from tests.factories.exports import export_contents

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = ProjectFactory()
    people = [member(project, "annotator", name) for name in ("ann", "ben")]
    gold_alignment_set(project, people)
    return project


def both(project: Project) -> dict[str, object]:
    return {"gold_set": project.gold_sets.get(), "gold_links": project.gold_alignment_sets.get()}


def test_twice_gives_the_same_bytes_and_one_export(project: Project) -> None:
    first = export_gold(project=project, by=None, **both(project))
    data = export_path(project, first.sha256).read_bytes()
    second = export_gold(project=project, by=None, **both(project))
    assert (second, Export.objects.count()) == (first, 1)
    assert export_path(project, second.sha256).read_bytes() == data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert sorted(archive.namelist()) == sorted([*meanings(), "README.md", "manifest.json"])


def test_what_is_exported_reads_back(project: Project, tmp_path: Path) -> None:
    call_command("export_gold", project=project.slug, gold="gold", output=tmp_path)
    call_command("export_gold", project=project.slug, gold="links", output=tmp_path / "links")
    pairs = gold_jsonl.read(tmp_path / "pairs.jsonl")
    gold_set: GoldSet = project.gold_sets.get()
    assert [pair.label for pair in pairs] == [gold.label for gold in gold_set.judgements.all()]
    assert {len(pair.judgements) for pair in pairs} == {2}
    rows = read_pairs(tmp_path / "pairs.tsv")
    assert [row.label for row in rows] == [pair.label == "paraphrase" for pair in pairs]
    assert [row.first for row in rows] == [pair.a.text for pair in pairs]

    links = tmp_path / "links"
    stored = linked_pairs(project.gold_alignment_sets.get())
    assert stored
    assert read_links(links / "links.jsonl") == stored
    tokens = parallel_text.read(links / "links.src", links / "links.tgt")
    assert tokens == [pair.tokens for pair in stored]
    for name in ("links.pharaoh", "links.naacl"):
        assert [p.links for p in read_links(links / name, tokens=tokens)] == [p.links for p in stored]
    assert read_links(links / "links.json") == read_links(links / "links.tsv") == stored
    assert [pair.links for pair in read_links(links / "links.A3.final")] == [pair.links for pair in stored]
    for folder in (tmp_path, links):
        description = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        assert manifest.verify(description, folder) == []
        (folder / sorted(description["files"])[0]).write_bytes(b"changed")
        assert len(manifest.verify(description, folder)) == 1


def test_an_empty_export_is_an_error_that_says_why(project: Project) -> None:
    with pytest.raises(PublicError, match="no pharaoh file"):
        export_contents(gold_set=project.gold_sets.get(), options=ExportOptions(wanted="pharaoh"))
    with pytest.raises(PublicError, match="no gold set was chosen"):
        export_contents()
    with pytest.raises(PublicError, match="another project"):
        export_gold(project=ProjectFactory(), by=None, gold_set=project.gold_sets.get())


def test_giza_takes_links_of_one_strength(project: Project) -> None:
    gold_links = project.gold_alignment_sets.get()
    alignment = gold_links.alignments.first()
    alignment.links[0][2] = "possible"
    alignment.save()
    with pytest.raises(
        PublicError, match=r"links v1 cannot be written as giza.*is POSSIBLE.*all links as sure"
    ):
        export_contents(gold_links=gold_links, options=ExportOptions(wanted="giza"))
    contents, _ = export_contents(
        gold_links=gold_links, options=ExportOptions(wanted="giza", strengths="all_sure")
    )
    assert sorted(contents) == ["README.md", "links.A3.final", "manifest.json"]
    assert "links.A3.final" not in export_contents(gold_links=gold_links)[0]


def test_the_command_names_what_there_is(project: Project, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There are: gold, links"):
        call_command("export_gold", project=project.slug, gold="silver", output=tmp_path)
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        call_command("export_gold", project="nowhere", gold="gold", output=tmp_path)


def test_the_identity_baseline_scores_its_own_links_perfectly(project: Project) -> None:
    gold_links = project.gold_alignment_sets.get()
    evaluation = score_aligner(gold_set=gold_links, aligner="identity")
    assert evaluation.scores["all"]["aer"] == 0
    assert evaluation.scores["non_identical"]["aer"] is None
    assert score_aligner(gold_set=gold_links, aligner="identity") == evaluation
    assert gold_links.agreement["value"] == 1
    with pytest.raises(PublicError, match="no aligner 'magic'"):
        score_aligner(gold_set=gold_links, aligner="magic")
