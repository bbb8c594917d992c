import json
import tracemalloc

import pytest

from annotation.models import Answer, Assignment, Batch, GoldSet, Judgement
from annotation.services.gold import freeze_gold_set
from annotation.services.review import review_items
from corpus.models import Article, CorpusImport, Sentence
from paragold.formats.judgement_formats import Reading
from projects.errors import PublicError
from tests.factories.annotation import assignments_of, judge, judging_batch
from tests.factories.corpus import member
from tests.factories.imports import import_judgements

YES, NO = "paraphrase", "not_paraphrase"
MSR = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
PAIRS = MSR + '1\t1\t2\tThe "dam" broke.\tThe dam has broken.\n0\t3\t4\tRain fell.\tIt was dry.\n'


@pytest.fixture
def people(project):
    return [member(project, "annotator", name) for name in ("ann", "ben")]


@pytest.fixture
def take(project, tmp_path):
    def take(text=PAIRS, name="MSR", annotator=None, **reading):
        path = tmp_path / "pairs.txt"
        path.write_text(text, encoding="utf-8")
        return import_judgements(
            project=project, by=None, path=path, filename=path.name, name=name, annotator=annotator,
            reading=Reading(**reading),
        )  # fmt: skip

    return take


def counts():
    return tuple(
        model.objects.count() for model in (Sentence, CorpusImport, Batch, Assignment, Answer, GoldSet)
    )


def test_a_gold_set(take, project):
    found = take()
    gold = found.gold_set
    assert (found.status, found.counts[YES], found.counts[NO]) == ("imported", 1, 1)
    assert (str(gold), gold.rule, gold.agreement) == ("MSR v1", "imported", {})
    assert gold.counts == {
        "items": 2, "judgements_missing": 0, "waiting_for_adjudicator": 0, "disputed": 0, "pairs": 2,
        YES: 1, NO: 1,
    }  # fmt: skip
    assert [row.label for row in gold.judgements.all()] == [YES, NO]
    pair = gold.judgements.first().item.pair
    assert pair.sentence_a.text == 'The "dam" broke.'
    assert pair.sentence_a.token_list[1:4] == ['"', "dam", '"']
    assert (pair.edit_distance, pair.length_a, pair.shared_words) == (3, 6, 0)
    assert (found.batch.state, found.batch.corpus_import.filename) == ("closed", "pairs.txt")
    assert "sha256:" in gold.signature
    before = counts()
    again = take()
    assert (again.status, again.gold_set) == ("unchanged", gold)
    assert counts() == before
    changed = take(PAIRS.replace("0\t3", "1\t3"))
    assert str(changed.gold_set) == "MSR v2"
    assert changed.batch.name == "MSR v2"


def test_pairs_are_not_held_in_memory(project, tmp_path):
    path = tmp_path / "pairs.txt"
    texts = "\t".join(("The dam broke after heavy rain. " * 8, "The dam has broken. " * 10))
    lines = "".join(f"1\t{number}\t0\t{texts}\n" for number in range(30_000))
    path.write_text(MSR + lines, encoding="utf-8")
    reading = Reading()
    tracemalloc.start()
    try:
        found = import_judgements(project=project, path=path, reading=reading, check=True)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.counts == {"pairs": 30_000, YES: 30_000}
    assert peak < path.stat().st_size / 2, "in memory they would take more than the file"


def test_of_two_items_in_either_order_each_gets_its_own_answer(take, project, people):
    both = MSR + "1\t1\t2\tRain fell.\tIt was dry.\n0\t3\t4\tIt was dry.\tRain fell.\n"
    first = take(both, annotator="ann")
    assert take(both, annotator="ben").batch == first.batch
    judgements = Judgement.objects.order_by("assignment__annotator", "assignment__item__number")
    assert [one.label for one in judgements] == [YES, NO] * 2


def test_annotators_add_up_in_one_batch(take, project, people):
    first = take(annotator="ann")
    assert (first.status, first.batch.overlap, first.gold_set) == ("imported", 1, None)
    before = counts()
    assert take(annotator="ann").status == "unchanged"
    assert counts() == before
    said = {"label": 0, "comment": "no", "flagged": True}
    turned = json.dumps({"a": "The dam has broken.", "b": 'The "dam" broke.'} | said)
    second = take(turned, annotator="ben")
    assert (second.status, second.batch, second.batch.overlap) == ("imported", first.batch, 2)
    one, other = review_items([first.batch])
    assert [vote.label for vote in one.votes] == [YES, NO]
    assert one.votes[1].flagged and one.votes[1].comment == "no"
    assert [vote.label for vote in other.votes] == [NO]
    gold = freeze_gold_set(project=project, by=None, name="gold", batches=[first.batch])
    assert (gold.counts["pairs"], gold.counts["judgements_missing"]) == (1, 1)


def test_what_is_assigned_here_is_answered_and_nothing_is_replaced(take, project, people):
    batch = judging_batch(project, people, size=3, name="drawn")
    texts = [(i.pair.sentence_a.text, i.pair.sentence_b.text) for i in batch.items.all()]
    judge(assignments_of(batch, people[0])[0], YES)
    lines = [f"{label}\t{a}\t{b}\n" for label, (a, b) in zip("110", texts, strict=True)]
    found = take("".join(lines), "drawn", "ann")
    assert (found.status, found.batch) == ("imported", batch)
    mine = assignments_of(batch, people[0])
    assert [one.judgement.label for one in mine] == [YES, YES, NO]
    assert [one.version for one in mine] == [1, 1, 1]
    with pytest.raises(PublicError, match="Line 1: ann gave another answer to pair 1"):
        take("0" + lines[0][1:], "drawn", "ann")
    with pytest.raises(PublicError, match="Line 1: this pair is not in the batch drawn"):
        take("1\tnew\tpair\n", "drawn", "ann")
    cas = member(project, "annotator", "cas")
    with pytest.raises(PublicError, match="pair 1 of drawn is not assigned to cas"):
        take(lines[0], "drawn", cas.username)
    assert Judgement.objects.count() == 3


def test_problems_refuse_the_whole_file(take, project):
    before = counts()
    found = take(PAIRS + "1\t5\n")
    assert (found.status, [problem.line for problem in found.problems]) == ("refused", [4])
    assert counts() == before


def test_identical_sentences_and_equal_pairs_stay_apart(take, project, people):
    found = take("1\tsame\tsame\n1\tsame\tsame\n", "twins", "ann")
    assert found.batch.items.count() == 2
    assert take("1\tsame\tsame\n1\tsame\tsame\n", "twins", "ann").status == "unchanged"
    assert Article.objects.filter(source="twins").count() == 4
