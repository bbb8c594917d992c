import pytest
from django.urls import reverse

from alignment.services.gold_links import freeze_gold_alignments
from annotation.models import ClassifierRun, PairScore, TrainedClassifier
from annotation.services.gold import freeze_gold_set
from annotation.services.second_pass import end_second_pass, start_second_pass
from tests.audit import entries
from tests.factories.alignment import link_all, linking_batch
from tests.factories.annotation import adjudicate, assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import JobFactory
from tests.factories.exports import export_gold

YES, NO = "paraphrase", "not_paraphrase"


@pytest.fixture
def gold(project, people, annotators):
    """Two pairs; of the second B was talked round in the second pass and an adjudicator decided twice."""
    batch = judging_batch(project, annotators, size=2, name="Dams")
    judge_all(batch, annotators[0], [YES])
    judge_all(batch, annotators[1], [YES, NO])
    start_second_pass(batch=batch, by=people["manager"])
    judge(assignments_of(batch, annotators[1])[1], YES, comment="<i>on second thoughts</i>")
    end_second_pass(batch=batch, by=people["manager"])
    item = batch.items.get(number=2)
    adjudicate(item=item, by=people["adjudicator"], label=NO, comment="another flood")
    adjudicate(item=item, by=people["adjudicator"], label=YES, comment="the same after all")
    return freeze_gold_set(project=project, by=None, name="gold", batches=[batch], rule="adjudicated")


@pytest.fixture
def ask(as_, project):
    def get(row, role="manager"):
        answer = as_(role).get(reverse("gold-pair", args=[project.slug, row.pk]))
        assert answer.status_code == 200
        return answer

    return get


def test_from_the_article_to_the_exports(ask, as_, project, annotators, gold):
    row = gold.judgements.get(item__number=2)
    pair, batch = row.item.pair, row.item.batch
    classifier = TrainedClassifier.objects.create(
        project=project, name="svm", version=1, gold_set=gold, parameters={}, job=JobFactory(project=project)
    )
    run = ClassifierRun.objects.create(
        classifier=classifier,
        dataset=batch.dataset,
        job=JobFactory(project=project),
        threshold=0.5,
        name="refined",
    )
    PairScore.objects.create(run=run, pair=pair, decision=0.2, probability=0.625)
    links_batch = linking_batch(project, annotators, source=gold)
    for annotator in annotators:
        link_all(links_batch, annotator)
    links = freeze_gold_alignments(project=project, by=None, name="links", batch=links_batch)
    again = freeze_gold_set(project=project, by=None, name="gold", batches=[batch], rule="majority")
    export = export_gold(project=project, by=None, gold_set=gold)
    other = export_gold(project=project, by=None, gold_links=links)
    page = ask(row).content.decode()
    article = reverse("article", args=[project.slug, pair.sentence_a.article_id])
    for expected in (
        f'{article}#s{pair.sentence_a.number}', pair.sentence_b.article.title, pair.cluster.key,
        batch.dataset.extractions.get().name, "Paraphrase with probability 0.625", batch.dataset.name,
        "&lt;i&gt;on second thoughts", "History: 3 answers", ", second pass",
        "Decision 1", "another flood", "Decision 2", "the same after all", "gold v1", "gold v2", "links v1",
        export.sha256, other.sha256,
    ):  # fmt: skip
        assert expected in page, expected
    assert {one.gold_set for _, _, one in ask(row).context["labels"]} == {gold, again}
    assert "annotator-person" not in page
    listed = as_("manager").get(reverse("gold-set", args=[project.slug, gold.pk])).content.decode()
    assert reverse("gold-pair", args=[project.slug, row.pk]) in listed


def test_looks_and_the_trace_they_leave(ask, gold):
    row = gold.judgements.get(item__number=2)
    context = ask(row).context
    assert sorted(context["looks"]) == [
        ("A", "Paraphrase", "not again"), ("B", "Not a paraphrase", "Paraphrase"),
    ]  # fmt: skip
    assert entries(event="answers-seen").get().details == {"page": "gold pair"}
    assert (context["previous"], context["next"]) == (gold.judgements.get(item__number=1).pk, None)


def test_a_viewer_sees_what_was_released_and_no_more(ask, gold):
    row = gold.judgements.get(item__number=2)
    answer = ask(row, "viewer")
    page = answer.content.decode()
    for name in ("history", "looks", "decisions"):
        assert name not in answer.context
    assert "another flood" not in page
    assert "the same after all" in page
    assert "No export contains this pair yet." in page
    assert not entries(actor="viewer-person").exists()
