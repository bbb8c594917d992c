import json
import uuid

import pytest

from alignment.models import WordLink
from alignment.services.gold_links import freeze_gold_alignments, linked_pairs
from alignment.services.link_agreement import batch_agreement
from alignment.services.linking import save_alignment
from alignment.services.scoring import score_aligner
from annotation.api.assignments import present
from annotation.models import Assignment, Batch
from paragold.problems import FileProblem
from projects.errors import PublicError
from tests.factories.corpus import ProjectFactory, member
from tests.factories.imports import import_links

pytestmark = pytest.mark.django_db


def links_file(tmp_path, name, *rows):
    path = tmp_path / f"{name}.json"
    fields = ("id", "source", "target", "sureAlign", "possibleAlign")
    path.write_text(json.dumps([dict(zip(fields, row, strict=True)) for row in rows]), encoding="utf-8")
    return path


@pytest.fixture
def project():
    project = ProjectFactory(slug="rte")
    for name in ("ann", "ben"):
        member(project, "annotator", name)
    return project


@pytest.fixture
def take(project, tmp_path):
    def run(annotator, *rows, batch="rte", check=False):
        path = links_file(tmp_path, annotator or "gold", *rows)
        return import_links(project=project, path=path, batch=batch, whose=annotator, check=check)

    return run


def figures(found):
    return [found.counts[name] for name in ("pairs", "sure_links", "possible_links")]


ONE = ("1", "The dam 's wall broke", "A dam wall broke", "1-1 3-2", "0-0")
TWO = ("2", "same words", "same words", "0-0 1-1", "")


def test_the_first_file_makes_the_pairs_and_the_second_adds_its_annotator(take, project):
    found = take("ann", ONE, TWO)
    assert (found.status, *figures(found)) == ("imported", 2, 4, 1)
    assert take("ben", TWO, ("1", *ONE[1:3], "1-1", "3-2")).batch == found.batch
    batch = Batch.objects.get()
    assert (batch.overlap, batch.items.count(), Assignment.objects.filter(state="done").count()) == (2, 2, 4)
    pair = batch.items.first().pair
    assert pair.sentence_a.token_list == ["The", "dam", "'s", "wall", "broke"]
    assert pair.sentence_a.starts == [0, 4, 8, 11, 16]
    assert (pair.edit_distance, pair.shared_words, pair.length_a, pair.length_b) == (2, 2, 5, 4)
    assert set(WordLink.objects.values_list("origin", flat=True)) == {"imported"}
    assert (batch.gold_set, batch.corpus_import.filename) == (None, "ann.json")
    gold = freeze_gold_alignments(project=project, by=None, name="gold", batch=batch)
    assert gold.alignments.first().links == [[0, 0, "possible"], [1, 1, "sure"], [3, 2, "possible"]]
    [first] = batch_agreement(batch)["passes"]
    assert [(two["first"], two["second"]) for two in first["annotators"]] == [("annotator-1", "annotator-2")]
    assert first["annotators"][0]["all"]["f1_sure"] == pytest.approx(6 / 7)


def test_other_links_of_the_same_person_are_refused(take):
    take("ann", ONE)
    with pytest.raises(PublicError, match="never replaced"):
        take("ann", ("1", *ONE[1:3], "1-1", ""))
    assert WordLink.objects.count() == 3


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("1", "Another text here", "A dam wall broke", "", ""), "ben.json, line 1: the tokens of pair 2 "),
        (("9", "The dam", "A dam", "1-1", ""), "line 1: pair 2 .id 9. is not in the batch rte"),
    ],
)
def test_a_file_that_does_not_fit_writes_nothing(take, row, message):
    take("ann", ONE, TWO)
    with pytest.raises(FileProblem, match=message):
        take("ben", TWO, row)
    assert Assignment.objects.filter(annotator__username="ben").count() == 0


def test_imported_links_may_be_kept_and_taken_back_but_not_made(take):
    take("ann", ONE)
    assignment = Assignment.objects.with_sentences().get()

    def save(links):
        assignment.refresh_from_db()
        save_alignment(
            assignment=assignment, by=assignment.annotator, key=uuid.uuid4(), version=assignment.version,
            links=links, submitted=True, describe=present,
        )  # fmt: skip

    save([[1, 1, "possible", "imported"], [4, 3, "sure", "drawn"]])
    save([[1, 1, "sure", "imported"], [3, 2, "sure", "imported"]])
    with pytest.raises(PublicError, match=r"4-3.*not imported"):
        save([[4, 3, "sure", "imported"]])
    assert list(WordLink.objects.values_list("a", "b", "strength")) == [(1, 1, "sure"), (3, 2, "sure")]


def test_gold_is_frozen_as_it_came_and_its_lineage_names_the_file(take, project):
    found = take(None, ONE, TWO)
    gold = found.gold_links
    assert (found.status, str(gold), gold.rule, Assignment.objects.exists()) == (
        "imported", "rte v1", "imported", False,
    )  # fmt: skip
    assert gold.counts == {"items": 2, "not_linked_by_all": 0, "pairs": 2, "sure": 4, "possible_only": 1}
    assert linked_pairs(gold)[0].links.possible_only == {(0, 0)}
    assert gold.lineage["links"]["file"] == gold.lineage["pairs"]["file"] == "gold.json"
    assert score_aligner(gold_set=gold, aligner="identity").scores["all"]["pairs"] == 2
    assert (take(None, ONE, TWO).status, take(None, ONE, TWO).gold_links) == ("unchanged", gold)
    again = take(None, ("1", *ONE[1:3], "1-1", ""), TWO).gold_links
    assert (str(again), gold.alignments.first().links[0]) == ("rte v2", [0, 0, "possible"])


def test_gold_and_annotators_share_a_batch(take, project):
    take(None, ONE, TWO)
    take("ann", ONE)
    batch = Batch.objects.get()
    assert (batch.overlap, batch.gold_alignment_sets.count()) == (1, 1)


@pytest.mark.parametrize(
    ("links", "content", "line"),
    [("links.pharaoh", "0-0\n0-5\n", 2), ("links.naacl", "1 1 1 S\n2 1 6 P\n", 2)],
)
def test_formats_without_text_take_it_from_two_files(project, tmp_path, links, content, line):
    for name, text in ((links, content), ("a.txt", "a b\nc\n"), ("b.txt", "a\nc d\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    sides = {"source": tmp_path / "a.txt", "target": tmp_path / "b.txt"}

    def take():
        return import_links(project=project, path=tmp_path / links, batch="x", whose="ann", **sides)

    with pytest.raises(FileProblem, match=rf"^{links}, line {line}: link .* points outside"):
        take()
    (tmp_path / links).write_text(content.splitlines()[0] + "\n" * 2, encoding="utf-8")
    assert [key for key, *_ in take().source.sample] == ["1", "2"]
    (tmp_path / "b.txt").write_text("a\n", encoding="utf-8")
    with pytest.raises(FileProblem, match=r"^a.txt and b.txt: the source has 2 lines and the target 1"):
        take()
