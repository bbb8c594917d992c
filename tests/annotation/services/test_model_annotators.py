"""Models that answer a batch in quarantine: their answers, what they reach, and how they are compared."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from annotation.models import Answer, Assignment, GoldJudgement, Judgement, ModelAnnotator
from annotation.services.agreement import agreement_report
from annotation.services.batch_figures import batch_figures
from annotation.services.gold import freeze_gold_set, gold_forecast
from annotation.services.model_answers import launch_answers
from annotation.services.model_report import model_report
from annotation.specs import ModelSpec
from jobs.models import JobState
from paragold.classification.pair_scorers import PairScorer, ScorerSpec
from paragold.registry import Registry
from projects.errors import PublicError
from projects.models import Scheme
from tests.factories.annotation import adjudicate, judge_all, judging_batch
from tests.factories.classifiers import learnable_dataset, learnable_gold, trained
from tests.factories.corpus import member
from tests.factories.models import answered_by_model

pytestmark = pytest.mark.django_db
YES, NO = "paraphrase", "not_paraphrase"


@pytest.fixture
def people(project):
    return [member(project, "annotator", name) for name in ("ann", "ben", "cas")]


@pytest.fixture
def scorers(monkeypatch):
    """A scorer whose scores are taken from `given`, in the order of the pairs; nan is a failure."""
    given: list[float] = []
    texts: dict[tuple[str, str], float] = {}

    def score(pairs, parameters):
        for pair in pairs:
            texts.setdefault(tuple(pair), given[len(texts)] if len(texts) < len(given) else 0.0)
        return [texts[tuple(pair)] for pair in pairs]

    registry = Registry("pair scorer", PairScorer, [PairScorer("given", "Given scores", score, ScorerSpec)])
    monkeypatch.setattr("annotation.services.model_answers.PAIR_SCORERS", registry)
    return given


def answered(batch, **options):
    """A model that has answered the batch by the given scores: 0.5 is a paraphrase."""
    return answered_by_model(batch, **{"scorer": "given", **options})


def labels_of(annotator):
    return list(annotator.answers.order_by("item__number").values_list("label", flat=True))


class TestAnswers:
    def test_a_label_for_each_pair(self, project, people, scorers):
        batch = judging_batch(project, people, size=30)
        scorers += [0.9, 0.5, 0.1] * 10
        annotator = answered(batch)
        assert annotator.job.state == JobState.DONE
        assert annotator.job.counts == {"pairs": 30, "failures": 0}
        assert labels_of(annotator) == [YES, YES, NO] * 10
        assert all(row.seconds >= 0 and row.problem == "" for row in annotator.answers.all())

    def test_three_labels(self, project, people, scorers):
        project.scheme = Scheme.THREE_WAY
        project.save()
        batch = judging_batch(project, people, size=3)
        scorers += [0.9, 0.4, 0.1]
        assert labels_of(answered(batch, partial_from=0.3)) == [YES, "partial", "unrelated"]

    def test_a_pair_that_fails_does_not_stop_the_others(self, project, people, scorers):
        batch = judging_batch(project, people, size=4)
        scorers += [0.9, float("nan"), 0.1, 0.9]
        annotator = answered(batch, price=0.25)
        assert labels_of(annotator) == [YES, "", NO, YES]
        assert annotator.job.counts == {"pairs": 4, "failures": 1}
        report = model_report(annotator, epsilon=0.15)
        assert [row["number"] for row in report["failures"]] == [2]
        assert "not finite" in report["failures"][0]["problem"]
        assert (report["costs"]["price"], report["costs"]["total"]) == (0.25, 1.0)

    def test_a_classifier_answers_and_its_training_pairs_are_counted(self, project):
        gold = learnable_gold(project, learnable_dataset(project))
        classifier = trained(project, gold)
        batch = gold.batches.get()
        annotator = answered_by_model(batch, classifier=classifier)
        by_sign = labels_of(annotator)
        assert {YES, NO} == set(by_sign)
        right = list(gold.judgements.order_by("item__number").values_list("label", flat=True))
        assert sum(a == b for a, b in zip(by_sign, right, strict=True)) > 0.8 * len(right)
        assert model_report(annotator, epsilon=0.15)["trained_on"] == len(right)
        strict = answered_by_model(batch, classifier=classifier, threshold=0.99)
        assert labels_of(strict).count(YES) < by_sign.count(YES)

    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ({}, "either a classifier or a pair scorer"),
            ({"scorer": "none"}, "no pair scorer"),
            ({"scorer": "given"}, "from which score on"),
            ({"scorer": "given", "threshold": 0.5, "partial_from": 0.2}, "two labels"),
        ],
    )
    def test_refused(self, project, people, scorers, spec, message):
        batch = judging_batch(project, people, size=2)
        spec = {"threshold": 0.5, **spec} if spec.get("scorer") == "none" else spec
        with pytest.raises(PublicError, match=message):
            launch_answers(project=project, by=None, batch=batch, spec=ModelSpec(**spec))
        assert not ModelAnnotator.objects.exists()

    def test_a_parameter_that_the_scorer_does_not_have(self, project, people, scorers):
        batch = judging_batch(project, people, size=2)
        spec = ModelSpec(scorer="given", threshold=0.5)
        with pytest.raises(PublicError, match="length"):
            launch_answers(project=project, by=None, batch=batch, spec=spec, settings={"length": 3})

    def test_by_command_with_a_scorer_that_comes_along(self, project, people):
        batch = judging_batch(project, people, size=3)
        words = f"answer-batch --project {project.slug} --scorer edit-similarity --threshold 0.5 --wait"
        call_command("launch", *words.split(), "--batch", str(batch), stdout=StringIO())
        annotator = ModelAnnotator.objects.get()
        assert str(annotator) == "edit-similarity, from 0.5"
        assert annotator.parameters["settings"] == {"language": project.language}
        assert annotator.answers.exclude(label="").count() == 3


def test_quarantine(project, people, scorers):
    """Nothing that is made of people's answers changes when a model answers."""
    batch = judging_batch(project, people, size=6)
    for user, labels in zip(people, ([YES], [YES, NO], [YES, YES, NO]), strict=True):
        judge_all(batch, user, labels)
    manager = member(project, "manager", "boss")

    def everything():
        items = batch.items.all()
        frozen = freeze_gold_set(project=project, by=None, name="gold", batches=[batch], rule="majority")
        return (
            [list(model.objects.order_by("pk").values()) for model in (Assignment, Judgement, Answer)],
            repr(batch_figures(manager, project, [batch])),
            repr(agreement_report(project=project, batches=[batch], items=items)),
            gold_forecast(project=project, batches=[batch], rule="majority"),
            list(GoldJudgement.objects.values()),
            (frozen.pk, frozen.counts, frozen.agreement),
        )

    before = everything()
    scorers += [0.1] * 6
    assert labels_of(answered(batch)) == [NO] * 6
    assert everything() == before


class TestGold:
    def split(self, project, people):
        """Two annotators: agreed on the first two pairs, not on the other two."""
        batch = judging_batch(project, people[:2], size=4)
        judge_all(batch, people[0], [YES, NO, YES, YES])
        judge_all(batch, people[1], [YES, NO, NO, NO])
        return batch

    def test_counts_where_it_was_chosen(self, project, people, scorers):
        batch = self.split(project, people)
        scorers += [0.1, 0.1, 0.9, 0.1]
        model = answered(batch)
        alone = freeze_gold_set(project=project, by=None, name="a", batches=[batch], rule="majority")
        gold = freeze_gold_set(
            project=project, by=None, name="b", batches=[batch], rule="majority", models=[model]
        )
        assert "model_decided" not in alone.counts
        assert [row.label for row in alone.judgements.all()] == [YES, NO, NO, NO]
        assert [row.label for row in gold.judgements.all()] == [YES, NO, YES, NO]
        assert gold.counts["model_decided"] == 1
        assert gold.agreement == alone.agreement  # of people alone
        assert list(gold.model_annotators.all()) == [model]
        votes = [vote["annotator"] for vote in gold.judgements.first().votes]
        assert votes[-1] == f"model {model}"
        forecast = gold_forecast(project=project, batches=[batch], rule="adjudicated", models=[model])
        assert (forecast.frozen, forecast.missing) == (1, 3)  # it differs from both on the first pair

    def test_a_decision_goes_before_it(self, project, people, scorers):
        batch = self.split(project, people)
        scorers += [0.1] * 4
        model = answered(batch)
        adjudicate(batch.items.get(number=1), member(project, "adjudicator", "judge"), YES)
        gold = freeze_gold_set(
            project=project, by=None, name="b", batches=[batch], rule="adjudicated", models=[model]
        )
        assert [(row.item.number, row.label) for row in gold.judgements.all()] == [(1, YES), (2, NO)]

    def test_only_models_of_these_batches(self, project, people, scorers):
        model = answered(judging_batch(project, people, size=2))
        batch = self.split(project, people)
        with pytest.raises(PublicError, match="has not answered any of these batches"):
            freeze_gold_set(project=project, by=None, name="b", batches=[batch], models=[model])


class TestReport:
    def test_beside_people(self, project, people, scorers):
        truth = [YES, NO] * 20
        batch = judging_batch(project, people, size=40)
        judge_all(batch, people[0], truth)
        judge_all(batch, people[1], [NO, *truth[1:]])
        judge_all(batch, people[2], [*truth[:39], YES])
        scorers += [0.9 if label == YES else 0.1 for label in truth]
        report = model_report(answered(batch), epsilon=0.15)
        assert report["test"]["problem"] == ""
        assert (report["test"]["winning_rate"], report["test"]["passed"]) == (1.0, True)
        assert report["test"]["advantage"] > 0.97
        rows = report["annotators"]
        assert [row["annotator"] for row in rows] == ["annotator-1", "annotator-2", "annotator-3"]
        assert [row["observed"]["value"] for row in rows] == [1.0, 39 / 40, 39 / 40]
        assert rows[0]["kappa"]["value"] == 1.0
        assert all(row["won"] and row["items"] == 40 and row["seconds"] == 4.0 for row in rows)

    def test_says_why_it_says_nothing(self, project, people, scorers):
        batch = judging_batch(project, people[:2], size=3)
        for user in people[:2]:
            judge_all(batch, user)
        report = model_report(answered(batch), epsilon=0.15)
        assert "needs 3 annotators" in report["test"]["problem"]
        assert report["test"]["passed"] is None
        assert [row["observed"]["value"] for row in report["annotators"]] == [0.0, 0.0]
